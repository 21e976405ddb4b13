// SPDX-License-Identifier: MIT
// Makes and gives up objects of each kind by the hundred thousand, half of them by release and half by collection, and
// looks at what stays: objects of the stub library, handles of the addon, and the memory of the process. Ends with 1 if
// any of them grows.
// node --expose-gc tests/stub-icd/leaks.mjs OBJECTS LIBRARY
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const [count = '1000000', library] = process.argv.slice(2);
if (library) process.env.ANYCL_OPENCL_LIBRARY = library;
const { platforms } = createRequire(import.meta.url)(join(root, 'dist', 'index.cjs'));

const platform = platforms().find((candidate) => candidate.kind === 'native');
const device = platform.devices[0];
const context = device.createContext();
const queue = context.defaultQueue;
const program = await context.createProgram('kernel void stub(global int *p) { p[0] = 1; }').build();
const buffer = context.createBuffer(Int32Array, 16);
const bytes = new Int32Array(16);

/** Each creates one object, or a few. */
const makers = {
  buffer: () => context.createBuffer(Int32Array, 16),
  'buffer over host memory': () => context.createBuffer(new Int32Array(16)),
  'sub-buffer': () => buffer.sub(0, 4),
  image: () => context.createImage({ width: 4, height: 4, format: 'rgba8' }),
  sampler: () => context.createSampler(),
  queue: () => context.createQueue(),
  context: () => device.createContext(),
  program: () => context.createProgram('kernel void stub(global int *p) { p[0] = 1; }'),
  kernel: () => {
    const kernel = program.createKernel('stub');
    kernel.setArg(0, buffer);
    return kernel;
  },
  'user event': () => {
    const event = context.createUserEvent();
    event.complete();
    return event;
  },
  event: () => queue.enqueueMarker(),
  'transfer and its event': () => queue.enqueueWrite(buffer, bytes),
  mapping: async () => {
    const mapping = await buffer.map('read');
    await mapping.unmap();
  },
  'shared memory': () => context.createSvm(64),
};
/** Objects that take a driver long are created less often. */
const rare = new Set(['context', 'mapping', 'queue', 'program', 'image', 'shared memory']);

async function settle() {
  await queue.finish();
  for (let i = 0; i < 8; i++) {
    globalThis.gc();
    await turn();
  }
}
const live = () => Number(/live=(\d+)/.exec(platform.info('VENDOR'))?.[1] ?? 0);
const megabytes = () => process.memoryUsage.rss() / 2 ** 20;

let made = 0;
async function make(name, n) {
  const maker = makers[name];
  for (let i = 0; i < n; i++) {
    const object = await maker();
    made++;
    // The garbage collector finds the others.
    if (i % 2 === 0) object?.release?.();
    if (i % 4096 === 4095) await settle();
  }
  await settle();
}

const weight = (name) => (rare.has(name) ? 1 : 8);
const total = Object.keys(makers).reduce((sum, name) => sum + weight(name), 0);
let failed = false;
const usable = [];
for (const name of Object.keys(makers)) {
  try {
    (await makers[name]())?.release?.();
    usable.push(name);
  } catch (error) {
    console.log(`${name}: not on this driver (${error.message.split('\n')[0]})`);
  }
}
// The first ones fill pools and caches, which is not a leak.
const first = Math.min(4096, Math.ceil(Number(count) / 20));
for (const name of usable) await make(name, first);
const before = { live: live(), rss: megabytes() };
for (const name of usable) {
  const n = Math.max(1, Math.round((Number(count) * weight(name)) / total));
  const start = { live: live(), rss: megabytes() };
  await make(name, n);
  const kept = live() - start.live;
  const grown = megabytes() - start.rss;
  console.log(`${name}: ${n} made, ${kept} stay, ${grown.toFixed(1)} MiB more`);
}
const kept = live() - before.live;
const grown = megabytes() - before.rss;
// Events are released in groups, of which the last one is still filled.
if (kept > 128) failed = true;
// The size of V8's heap varies by some megabytes; a leak of fifty bytes an object would be more. Sanitizers keep freed
// memory.
const allowed = process.env.ANYCL_STUB_FLAGS ? Number.POSITIVE_INFINITY : 16 + (made * 50) / 2 ** 20;
if (grown > allowed) failed = true;
console.log(`${made} objects: ${kept} stay, ${grown.toFixed(1)} MiB more (at most ${allowed.toFixed(0)})`);
process.exitCode = failed ? 1 : 0;
