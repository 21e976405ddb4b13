// SPDX-License-Identifier: MIT
// The calls of enqueue.c through anycl's API: prints the same JSON object, and with the batch call.
// node enqueue-anycl.mjs [platform index] [bytes]
import { platforms } from '../../dist/index.mjs';

const [index = '0', bytes = String(64 << 20)] = process.argv.slice(2);
const size = Number(bytes);
if (!(size >= 4096))
  throw new Error(`${bytes} bytes are too few: at least 4096, or what is measured is the call alone`);
/** Work-items of the kernel `work`, an element each. */
const items = Math.min(1 << 14, Math.floor(size / 256) * 64);
const calls = 2000;
const rounds = 25;
const device = platforms().filter((platform) => platform.kind !== 'software')[Number(index)].devices[0];
const context = device.createContext();
const queue = context.createQueue();
const program = context.createProgram(`kernel void empty(global int *p, int x) { if (x == 12345) p[0] = x; }
kernel void work(global float *p) { float x = p[get_global_id(0)];
  for (int i = 0; i < 512; i++) x = x * 0.5f + 1.0f; p[get_global_id(0)] = x; }`);
program.buildSync('-cl-kernel-arg-info');
const kernel = program.createKernel('empty');
const buffer = context.createBuffer(Uint8Array, size);
const pinned = context.createBuffer(Uint8Array, size, { allocHost: true });
const mapping = queue.enqueueMap(pinned, 'read-write').waitSync();
const host = new Uint8Array(size).fill(1);
mapping.data.fill(1);
kernel.setArg(0, buffer);
kernel.setArg(1, 1);

const range = { global: 1, local: 1 };
const withoutEvent = { event: false };
const best = {};
function time(name, per, run) {
  const start = process.hrtime.bigint();
  run();
  const each = Number(process.hrtime.bigint() - start) / per;
  best[name] = Math.min(best[name] ?? Number.POSITIVE_INFINITY, each);
}
const enqueueAll = () => {
  for (let i = 0; i < calls; i++) queue.enqueueNDRange(kernel, range, withoutEvent);
};
const write = (from) => {
  queue.enqueueWrite(buffer, from).release();
  queue.finishSync();
};
const read = (into) => {
  queue.enqueueRead(buffer, into).release();
  queue.finishSync();
};
for (let round = 0; round < rounds; round++) {
  time('setArg', calls * 10, () => {
    for (let i = 0; i < calls * 10; i++) kernel.setArg(1, i);
  });
  time('enqueue', calls, enqueueAll);
  queue.finishSync();
  time('enqueueBatch', calls, () => queue.batch(enqueueAll));
  queue.finishSync();
  time('enqueueEvent', calls, () => {
    for (let i = 0; i < calls; i++) queue.enqueueNDRange(kernel, range).release();
  });
  queue.finishSync();
  time('enqueueFinish', calls / 10, () => {
    for (let i = 0; i < calls / 10; i++) {
      queue.enqueueNDRange(kernel, range, withoutEvent);
      queue.finishSync();
    }
  });
  time('write', 1, () => write(host));
  time('read', 1, () => read(host));
  time('writePinned', 1, () => write(mapping.data));
  time('readPinned', 1, () => read(mapping.data));
}

const profiled = context.createQueue({ profiling: true });
const work = program.createKernel('work').setArgs(buffer);
best.kernel = Number.POSITIVE_INFINITY;
for (let round = 0; round < rounds; round++) {
  const event = profiled.enqueueNDRange(work, { global: items, local: 64 });
  event.waitSync();
  best.kernel = Math.min(best.kernel, Number(event.profile.ended - event.profile.started));
  event.release();
}
for (const name of ['write', 'read', 'writePinned', 'readPinned']) best[name] = size / best[name];
console.log(JSON.stringify(best));
