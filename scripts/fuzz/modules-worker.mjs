// SPDX-License-Identifier: MIT
//
// The child process of modules.mjs: reports which mutant and stage it begins, and how each ended.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const BUFFER_BYTES = 65_536;
/** The number of mutants per context, whose buffers a faulty kernel may have overwritten, and per process. */
const [PER_CONTEXT, PER_PROCESS] = [50, 2000];
const [bundle, kind, first, end] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const { compile, decode, encode, SpirvError, disassemble, validate, mutate, mutateModule } = require(bundle);
const cl = require(ROOT);

const send = (message) => new Promise((resolve) => process.send(message, resolve));

/** The inputs that the seeds mutate: `bytes` for modules, `text` for sources. */
function corpus() {
  const list = [];
  for (const folder of ['kernels/examples', 'tests/compile', 'tests/run'])
    for (const name of readdirSync(join(ROOT, folder)).filter((file) => file.endsWith('.cl'))) {
      const text = readFileSync(join(ROOT, folder, name), 'utf8');
      const std = /^\/\/ options: (.*)$/m.exec(text)?.[1] ?? '-cl-std=CL2.0';
      const { module } = compile({ name, text, options: `-w ${std}` });
      if (module) list.push({ name, text, options: `-w ${std}`, bytes: encode(module) });
    }
  return list;
}

/** Expected errors. */
const isOurs = (error) =>
  (error instanceof SpirvError || error instanceof cl.OpenCLError) &&
  !/Cannot read prop|(?<!%\d+) is not a function\b|undefined|InvariantError|please report/.test(
    error.message,
  );

/**
 * Sets an argument to the first value that it accepts, because a module declares only the sizes of its
 * arguments.
 */
function setSome(kernel, index) {
  const candidates = [buffer, cl.local(1024), session.sampler()];
  for (let size = 1; size <= 128; size *= 2) candidates.push(new Uint8Array(size).fill(1));
  for (const value of candidates)
    try {
      kernel.setArg(index, value);
      return;
    } catch (error) {
      if (!isOurs(error)) throw error;
    }
}

let session;
let buffer;
async function freshSession() {
  session?.close();
  session = await cl.open({ device: 'software' });
  buffer = session.buffer(BUFFER_BYTES);
}

async function run(kernel) {
  try {
    for (let index = 0; index < kernel.argumentCount; index++) setSome(kernel, index);
    await session.queue.enqueueNDRange(kernel, { global: 8, local: 4 });
    return 'ran';
  } catch (error) {
    if (!isOurs(error)) throw error;

    return 'not run';
  }
}

async function buildAndRun(il) {
  await send({ stage: 'build' });
  let program;
  try {
    program = await session.context.createProgramWithIL(il).build('');
  } catch (error) {
    if (!isOurs(error)) throw error;
    return 'not built';
  }
  await send({ stage: 'run' });
  let outcome = 'built';
  for (const kernel of program.createKernels()) outcome = await run(kernel);
  program.release();
  return outcome;
}

async function module_(bytes) {
  await send({ stage: 'decode' });
  const outcome = [];
  try {
    const module = decode(bytes);
    await send({ stage: 'validate' });
    outcome.push(validate(module) === undefined ? 'valid' : 'invalid');
    await send({ stage: 'disassemble' });
    disassemble(module);
  } catch (error) {
    if (!isOurs(error)) throw error;
    outcome.push('malformed');
  }
  outcome.push(await buildAndRun(bytes));
  return outcome.join(', ');
}

async function source(name, text, options) {
  await send({ stage: 'compile' });
  const { module } = compile({ name, text, options });
  if (!module) return 'refused';
  return `compiled, ${await buildAndRun(encode(module))}`;
}

const modules = corpus();
await freshSession();
for (let seed = Number(first); seed < Number(end); seed++) {
  const { name, text, options, bytes } = modules[seed % modules.length];
  const mutant = kind === 'sources' ? mutate(text, seed).text : mutateModule(bytes, seed).bytes;
  const input = kind === 'sources' ? mutant : Buffer.from(mutant).toString('base64');
  await send({ begin: { seed, name, input } });
  let ending;
  try {
    ending = { outcome: kind === 'sources' ? await source(name, mutant, options) : await module_(mutant) };
  } catch (error) {
    ending = { fault: error?.stack?.split('\n').slice(0, 5).join(' | ') ?? `${error}` };
  }
  await send({ ...ending, rss: process.memoryUsage().rss / 2 ** 20 });
  const made = seed + 1 - Number(first);
  if (made >= PER_PROCESS) break;
  if (made % PER_CONTEXT === 0 || ending.fault) await freshSession();
}
process.exit(0);
