// SPDX-License-Identifier: MIT
//
// How well a flow overlaps its stages: for each shape, the time of the whole flow against that of each of its stages alone (writes,
// kernels, reads). Repetitions are interleaved; medians. A flow that overlaps perfectly takes as long as its slowest stage, as far as
// there are processors for all of them: kernels of the software device and of PoCL occupy all. So each flow has three figures:
//
//   slowest  its time over that of its slowest stage
//   bound    its time over the least that is possible: the slowest stage, or the CPU time of all stages divided by the processors
//   CPU      its CPU time over that of all stages
//
// With `--threads 1,8,16` all is measured with so many threads of the software device each: a flow needs processors besides those of
// its kernels, for the calling thread, for the copies of results, and for the engine's collection of old results.
//
// Then `timers`: the source takes a time for each chunk, or who takes the results, or both, by timers, and the flow is compared with
// a loop that only waits. Other work of the machine changes these ratios less.
//
//     node bench/flow.mjs [--device software] [--chunks 32] [--chunk 1048576] [--repeat 7] [--depth 3] [--only trivial,timers]
//                         [--threads 1,2]
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { flow, open } from 'anycl';
import { median } from './statistics.mjs';

const { values: flags } = parseArgs({
  options: {
    device: { type: 'string', default: 'software' },
    chunks: { type: 'string', default: '32' },
    chunk: { type: 'string', default: String(1 << 20) },
    repeat: { type: 'string', default: '7' },
    depth: { type: 'string', default: '3' },
    only: { type: 'string' },
    threads: { type: 'string' },
  },
});
if (flags.threads) {
  const at = process.argv.findIndex((arg) => arg.startsWith('--threads'));
  const others = process.argv.toSpliced(at, process.argv[at].includes('=') ? 1 : 2).slice(1);
  for (const ANYCL_THREADS of flags.threads.split(',')) {
    console.log(`\n${ANYCL_THREADS} threads`);
    const env = { ...process.env, ANYCL_THREADS };
    const { status } = spawnSync(process.execPath, [...process.execArgv, ...others], {
      env,
      stdio: 'inherit',
    });
    if (status !== 0) process.exit(1);
  }
  process.exit(0);
}
/** Rounds that are not counted: the engine optimizes its code meanwhile. */
const WARM_UP = 4;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
const PROCESSORS = availableParallelism();
const [chunks, chunk, repeat, DEPTH] = [flags.chunks, flags.chunk, flags.repeat, flags.depth].map(Number);
const cl = await open({ device: flags.device });
const { kernels } = await cl.build(`
  kernel void twice(global float *p) { p[get_global_id(0)] *= 2; }
  kernel void one(global float *p) { p[0] += 1; }
  kernel void spread(global const float *in, global float *out) { size_t i = get_global_id(0); out[i] = in[i / 4] + i; }
  kernel void sums(global const float *in, global float *out) {
    size_t i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < 64; k++) sum += in[64 * i + k];
    out[i] = sum;
  }
  kernel void work(global float *p) {
    size_t i = get_global_id(0);
    float x = p[i];
    for (int k = 0; k < 100; k++) x = fma(x, 0.999f, 0.25f);
    p[i] = x;
  }`);

/** A kernel, its work-items, and its results for a chunk. */
const SHAPES = {
  transfer: { kernel: kernels.one, items: 1 },
  trivial: { kernel: kernels.twice, items: chunk },
  'write-bound': { kernel: kernels.sums, items: chunk / 64, results: chunk / 64 },
  'read-bound': { kernel: kernels.spread, items: chunk * 4, results: chunk * 4 },
  compute: { kernel: kernels.work, items: chunk },
};
const data = Array.from({ length: 4 }, () => new Float32Array(chunk).fill(1));

function* source() {
  for (let i = 0; i < chunks; i++) yield data[i % data.length];
}

/** Runs a step for each chunk, as many at a time and over as many buffers as a flow does. */
async function each(slots, step) {
  const running = [];
  let index = 0;
  for (const piece of source()) {
    if (running.length === DEPTH) await running.shift();
    running.push(step(slots[index++ % DEPTH], cl.queue, piece));
    cl.queue.flush();
  }
  for (const event of running) await event;
}

function stagesOf({ kernel, items, results }) {
  const slots = Array.from({ length: DEPTH }, () => {
    const input = cl.buffer(data[0]);
    return results ? [input, cl.buffer(Float32Array, results)] : [input];
  });
  const flowed = async (lend) => {
    const stage = { kernel, range: () => ({ global: items }) };
    if (results) stage.output = { type: Float32Array, length: () => results };
    const through = flow(cl, { input: Float32Array, chunk, stages: [stage], depth: DEPTH, lend });
    let count = 0;
    for await (const result of through(source())) count += result.length;
    if (count !== chunks * (results ?? chunk)) throw new Error(`${count} results`);
  };
  return {
    write: () => each(slots, ([input], queue, piece) => queue.enqueueWrite(input, piece)),
    kernel: () =>
      each(slots, (args, queue) => {
        kernel.setArgs(...args);
        return queue.enqueueNDRange(kernel, { global: items });
      }),
    read: () => each(slots, (args, queue) => args.at(-1).read({ queue })),
    flow: () => flowed(false),
    lent: () => flowed(true),
    release: () => {
      for (const buffer of slots.flat()) buffer.release();
    },
  };
}

/** A flow in relation to its stages, repetition by repetition. */
function ratios(all, flowed, stages) {
  const own = all[flowed];
  const sum = (values) => values.reduce((a, b) => a + b, 0);
  const each = own.map((_, i) => {
    const others = stages.map((stage) => all[stage][i]);
    return { slowest: Math.max(...others.map(({ ms }) => ms)), cpu: sum(others.map((other) => other.cpu)) };
  });
  const columns = [
    each.map(({ slowest }, i) => own[i].ms / slowest),
    each.map(({ slowest, cpu }, i) => own[i].ms / Math.max(slowest, cpu / PROCESSORS)),
    each.map(({ cpu }, i) => own[i].cpu / cpu),
  ];
  return columns.map((column) => median(column).toFixed(2).padStart(8)).join('');
}

async function measured(run) {
  // Otherwise it would pay for the results of the run before.
  collectGarbage();
  const cpu = process.cpuUsage();
  const started = performance.now();
  await run();
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpu: (user + system) / 1000 };
}

const text = (value) => value.toFixed(1).padStart(9);
console.log(
  `${cl.device.name}, ${PROCESSORS} processors, Node.js ${process.versions.node}, ${chunks} chunks of ${(chunk * 4) / 2 ** 20} MiB, depth ${DEPTH}; milliseconds, medians of ${repeat}`,
);
console.log(
  'shape            write   kernel     read     flow     lent |   flow: slowest   bound    CPU |   lent: slowest   bound    CPU',
);
const names = flags.only ? flags.only.split(',') : [...Object.keys(SHAPES), 'timers'];
for (const name of names.filter((each) => each !== 'timers')) {
  const { release, ...runs } = stagesOf(SHAPES[name]);
  const all = Object.fromEntries(Object.keys(runs).map((stage) => [stage, []]));
  for (let i = -WARM_UP; i < repeat; i++)
    for (const [stage, run] of Object.entries(runs)) {
      const result = await measured(run);
      if (i >= 0) all[stage].push(result);
    }
  const times = Object.values(all).map((list) => text(median(list.map(({ ms }) => ms))));
  // Lent results are not read.
  const flow = ratios(all, 'flow', ['write', 'kernel', 'read']);
  const lent = ratios(all, 'lent', ['write', 'kernel']);
  console.log(`${name.padEnd(12)}${times.join('')} |        ${flow} |        ${lent}`);
  release();
}
if (names.includes('timers')) await withTimers();
cl.close();
process.exit(0);

/** Source and consumer take times of their own; the loop that only waits takes as long as the slower of the two, chunk by chunk. */
async function withTimers() {
  console.log('\nsource ms  consumer ms | flow / waiting alone  lent / waiting alone');
  const stages = [{ kernel: kernels.twice, range: (length) => ({ global: length }) }];
  for (const [given, taken] of [
    [10, 0],
    [0, 10],
    [10, 10],
    [5, 10],
    [10, 5],
  ]) {
    async function* slowSource() {
      for (const piece of source()) {
        await sleep(given);
        yield piece;
      }
    }
    const flowed = async (lend) => {
      const through = flow(cl, { input: Float32Array, chunk, stages, depth: DEPTH, lend });
      for await (const _ of through(given > 0 ? slowSource() : source())) if (taken > 0) await sleep(taken);
    };
    // The first chunk's other timer cannot overlap with anything.
    const waiting = async () => {
      for (let i = 0; i < chunks; i++) await sleep(Math.max(given, taken));
      if (Math.min(given, taken) > 0) await sleep(Math.min(given, taken));
    };
    const ratios = { flow: [], lent: [] };
    for (let i = -1; i < repeat; i++) {
      const { ms: alone } = await measured(waiting);
      for (const [way, lend] of [
        ['flow', false],
        ['lent', true],
      ]) {
        const { ms } = await measured(() => flowed(lend));
        if (i >= 0) ratios[way].push(ms / alone);
      }
    }
    const cell = (way) => median(ratios[way]).toFixed(3);
    console.log(
      `${text(given)}  ${text(taken)}   | ${cell('flow').padStart(12)}${cell('lent').padStart(22)}`,
    );
  }
}
