// SPDX-License-Identifier: MIT
//
// Arrays, streams and jobs over the stub driver, once for each call of the driver, which fails alone (nth) or with all after it (lost), and
// once with commands that all fail as they run. The stub computes nothing, but transfers what it is given.
//
//     node lost.mjs arrays|operations|flow|schedule [nth|lost] [code] [operations]
// `operations` are all those of arrays, one after the other; each is the only one that is there when a call fails.

import { arrays } from '../../dist/array.mjs';
import { flow, OpenCLError, open, openTeam, schedule, TeamError } from '../../dist/index.mjs';
import { arraysOf, given, OPERATIONS } from '../array/every-operation.mjs';
import { direct, lost, must, software, vendor } from './stub-driver.mjs';

const [kind = 'arrays', verb = 'nth', number = '-5', only] = process.argv.slice(2);
const code = Number(number);

const PATIENCE = 20_000;
/** The result or error of some work; the process ends if it waits for ever. */
async function settled(what, work) {
  const timer = setTimeout(() => {
    console.log(`${what()}: hangs`);
    process.exit(1);
  }, PATIENCE);
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  } finally {
    clearTimeout(timer);
  }
}

const LENGTH = 5000;
const UNTOUCHED = 7;

/** Several kernels, temporary memory, reads in between, and one into memory of the caller. */
async function useArrays() {
  const session = await open({ device: lost });
  const into = new Float32Array(LENGTH).fill(UNTOUCHED);
  let used;
  const end = () => used?.pool.used;
  const begin = () => {
    used = arrays(session);
  };
  const work = async () => {
    const nd = used;
    const made = [];
    const keep = (array) => {
      made.push(array);
      return array;
    };
    try {
      const x = keep(nd.array(Float32Array.from({ length: LENGTH }, (_, k) => k)));
      const y = keep(x.mul(2).add(1));
      await keep(y.sort()).evaluate();
      await keep(x.cumsum()).evaluate();
      await keep(x.sum()).item();
      await y.read({ into });
      keep(nd.zeros(LENGTH)).readSync();
    } finally {
      for (const each of made) each.release();
      nd.release();
    }
  };
  const check = ({ error }) => {
    const changed = into.filter((value) => value !== UNTOUCHED).length;
    must(
      changed === 0 || changed === LENGTH || changed === LENGTH - 1,
      `${changed} elements of the target are written`,
    );
    if (error) must(used.pool.used === 0, `${end()} bytes are in use after ${error.stack}`);
  };
  return { begin, work, check, close: () => session.close() };
}

const PROFILES = [{}, { style: 'lanes', units: 3 }];

/** One operation of arrays, in a context that has its arrays already. */
const useOperation = (operation, profile) => async () => {
  const session = await open({ device: lost });
  const nd = arrays(session, { profile });
  const some = given(nd, 16);
  const before = nd.pool.used;
  const work = async () => {
    const made = arraysOf(await operation(nd, some));
    try {
      for (const each of made) await each.read();
    } finally {
      for (const each of made) each.release();
      // Tables of constants.
      nd.release();
    }
  };
  const check = () => must(nd.pool.used === before, `${nd.pool.used - before} bytes are in use`);
  return { begin: () => {}, work, check, close: () => session.close() };
};

const CHUNK = 256;
const CHUNKS = 20;
async function useFlow() {
  const session = await open({ device: lost });
  let given = 0;
  let closed = false;
  async function* source() {
    try {
      for (let k = 0; k < CHUNKS; k++) {
        given++;
        yield Float32Array.from({ length: CHUNK }, () => k);
      }
    } finally {
      closed = true;
    }
  }
  const taken = [];
  const work = async () => {
    const { kernels } = await session.build('kernel void k(global float *x) { x[get_global_id(0)] += 1; }');
    const [kernel] = Object.values(kernels);
    const through = flow(session, { input: Float32Array, chunk: CHUNK, stages: [{ kernel }] });
    for await (const chunk of through(source())) taken.push(chunk);
  };
  const check = ({ error }) => {
    must(given === 0 || closed || given === CHUNKS, 'the source was not ended');
    if (!error) must(taken.length === CHUNKS, `${taken.length} chunks and no error`);
  };
  return { begin: () => {}, work, check, close: () => session.close() };
}

async function useSchedule() {
  const session = await open({ device: lost });
  const team = await openTeam({ over: [session, software.devices[0]] });
  const taken = [];
  const work = async () => {
    const run = async (one, job) => {
      const x = one.buffer(Int32Array.of(job));
      try {
        return [one.device === lost, (await x.read())[0]];
      } finally {
        x.release();
      }
    };
    for await (const result of schedule(
      team,
      Array.from({ length: 12 }, (_, k) => k),
      run,
    ))
      taken.push(result);
  };
  const check = ({ error }) => {
    must(!error, `schedule gave up: ${error?.message}`);
    must(
      taken.every(([, value], k) => value === k) && taken.length === 12,
      `wrong results: ${JSON.stringify(taken)}`,
    );
  };
  const failures = () => team.failures;
  return {
    begin: () => {},
    work,
    check,
    failures,
    close: () => {
      team.close();
      session.close();
    },
  };
}

const KINDS = { arrays: useArrays, flow: useFlow, schedule: useSchedule };
const seen = new Map();

/** Each call of the driver is the one that fails, until the work has no more of them. */
async function eachCall(make) {
  for (let call = 1; ; call++) if (!(await oneCall(make, call))) return;
}

async function oneCall(make, call) {
  direct('reset');
  const use = await make();
  use.begin();
  direct(`${verb} ${call} ${code}`);
  const failedNow = () => vendor(/failed=(\w*)/);
  const outcome = await settled(() => `call ${call}, ${failedNow()}`, use.work);
  const failed = failedNow();
  const closing = await settled(
    () => `closing after ${failed}`,
    async () => use.close(),
  );
  direct('reset');
  if (failed === '') return false;
  const { error } = outcome;
  if (error) {
    must(error instanceof OpenCLError || error instanceof TeamError, `${failed}: ${error.stack}`);
    const isNamed = verb === 'lost' || error.message.includes(failed);
    must(isNamed && error.code === code, `${failed}: the error is ${error.message}`);
  }
  if (closing.error) must(closing.error instanceof OpenCLError, `${failed}: closing: ${closing.error.stack}`);
  use.check(outcome);
  for (const { device, error: each } of use.failures?.() ?? [])
    must(device === lost && each.code === code, `${failed}: ${each.message}`);
  seen.set(failed, error || use.failures?.().length ? 'error' : (seen.get(failed) ?? 'no error'));
  return true;
}

/** All commands fail as they run. */
async function failingCommands(make) {
  direct('reset');
  const use = await make();
  use.begin();
  direct(`events ${code}`);
  const outcome = await settled(() => 'commands that fail', use.work);
  await settled(
    () => 'closing after commands that failed',
    async () => use.close(),
  );
  const errors = [outcome.error, ...(use.failures?.() ?? []).map(({ error }) => error)].filter(Boolean);
  must(errors.length > 0 && errors.every((error) => error instanceof OpenCLError), `no error: ${errors}`);
  use.check(outcome);
  console.log(`failing commands: ${errors[0].message}`);
}

if (kind === 'operations')
  for (const [index, name] of (only?.split(',') ?? Object.keys(OPERATIONS)).entries()) {
    // The stub does not know that its argument is a double.
    if (name === 'linspace') continue;
    const operation = OPERATIONS[name];
    const profile = PROFILES[index % 2];
    try {
      await eachCall(useOperation(operation, profile));
    } catch (error) {
      throw new Error(`${name}, ${JSON.stringify(profile)}`, { cause: error });
    }
  }
else {
  await eachCall(KINDS[kind]);
  await failingCommands(KINDS[kind]);
}
direct('reset');
must(vendor(/bad=(\d+)/) === '0', 'a call named an object that did not live');
console.log(
  [...seen]
    .map(([name, what]) => `${name}: ${what}`)
    .sort()
    .join('\n'),
);
