// SPDX-License-Identifier: MIT
//
// Calls of the API with numbers at the limits of 31, 32, 53 and 64 bits, on one device: each is done, or refused with an
// OpenCLError. Prints what else came of it, a line each. host-parameters.test.ts runs it in a
// process with limits of memory and time; long runs take more seeds, and any device.
//
//     node tests/fuzz/host-parameters.mjs DEVICE FIRST COUNT
import { OpenCLError, open } from '../../dist/index.mjs';

const [device = 'software', first = '1', count = '200'] = process.argv.slice(2);

const EDGES = [0, 1, 2, 3, 4, 7, 64, 128, 4096, 65_536];
for (const bits of [31, 32, 53, 63, 64])
  for (const off of [-128, -2, -1, 0, 1, 2, 128]) EDGES.push(2 ** bits + off);
EDGES.push(-1, -(2 ** 31), 0.5, Number.NaN, Number.POSITIVE_INFINITY);

let state = 0;
const next = (most) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * most);
};
const pick = (list) => list[next(list.length)];
/** Mostly a small number, so that only one limit is exceeded at a time. */
const size = () => (next(3) === 0 ? pick(EDGES) : pick([1, 4, 8, 16, 64]));
const sizes = () => Array.from({ length: 1 + next(3) }, size);
const three = () => [size(), size(), size()];

const cl = await open({ device });
const { kernels } = await cl.build(`
  kernel void plain(global uint *o) { if (get_global_id(0) == 0) o[0] = 1; }
  kernel void loc(global uint *o, local uint *t) { t[get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE); o[0] = t[0]; }`);
const buffer = cl.buffer(new Uint32Array(1024));
const other = cl.buffer(new Uint32Array(1024));
const host = () => new Uint8Array(4096);

/** A launch of more work-items than this takes longer than a test may: such sizes are refused or left out. */
const MOST_ITEMS = 2 ** 24;
function ranged(run) {
  const global = sizes();
  const items = global.reduce((all, n) => all * (Number.isInteger(n) && n > 0 ? n : 1), 1);
  const legal = global.every((n) => Number.isInteger(n) && n >= 0 && n < 2 ** 32);
  if (legal && items > MOST_ITEMS) return undefined;
  const local = next(2) ? global.map(() => size()) : undefined;
  const offset = next(3) ? undefined : global.map(size);
  return run({ global, ...(local ? { local } : {}), ...(offset ? { offset } : {}) });
}

const { context, queue } = cl;
const CALLS = {
  launch: () => ranged((range) => kernels.plain.run(range, buffer)),
  buffer: () => {
    const bytes = size();
    if (bytes > 2 ** 26 && bytes < 2 ** 32) return undefined;
    cl.buffer(bytes).release();
  },
  subBuffer: () => buffer.sub({ offset: size(), length: size() }).release(),
  read: () => buffer.read({ offset: size(), length: size() }),
  write: () => buffer.write(host(), { offset: size() }),
  fill: () => buffer.fill(7, { offset: size(), length: size() }),
  copyTo: () => buffer.copyTo(other, { offset: size(), targetOffset: size(), length: size() }),
  enqueueCopy: () => queue.enqueueCopy(buffer, other, { offset: size(), targetOffset: size(), size: size() }),
  enqueueFill: () => {
    const pattern = new Uint8Array(pick([0, 1, 2, 3, 4, 16, 128, 256]));
    return queue.enqueueFill(buffer, pattern, { offset: size(), size: size() });
  },
  readRect: () =>
    queue.enqueueReadRect(buffer, host(), {
      bufferOrigin: three(),
      hostOrigin: three(),
      region: three(),
      bufferRowPitch: size(),
      bufferSlicePitch: size(),
      hostRowPitch: size(),
      hostSlicePitch: size(),
    }),
  local: () => kernels.loc.run({ global: 64, local: 64 }, buffer, size()),
  image: () => {
    const [width, height, depth] = three();
    const bytes = [width, height, depth].reduce((all, n) => all * (n > 0 ? n : 1), 4);
    if (bytes > 2 ** 26 && bytes < 2 ** 32) return undefined;
    const shape = { width, height, ...(next(2) ? { depth } : {}), format: 'rgba8' };
    context.createImage(next(2) ? { ...shape, rowPitch: size() } : shape).release();
  },
  svm: () => {
    const bytes = size();
    if (bytes > 2 ** 26 && bytes < 2 ** 32) return undefined;
    context.createSvm(bytes, { align: size() }).free();
  },
  pipe: () => {
    const [packet, count] = [size(), size()];
    if (packet * count > 2 ** 26 && packet * count < 2 ** 32) return undefined;
    context.createPipe(packet, count).release();
  },
};

let bad = 0;
for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
  state = seed * 2_654_435_761;
  for (let i = 0; i < 8; i++) next(2);
  const name = pick(Object.keys(CALLS));
  try {
    await CALLS[name]();
  } catch (error) {
    if (error instanceof OpenCLError) continue;
    bad++;
    console.log(`seed ${seed}, ${name}: ${error?.stack ?? error}`);
  }
}
// The device must still work.
await buffer.write(new Uint32Array(1024));
await kernels.plain.run({ global: 4 }, buffer);
if ((await buffer.read())[0] !== 1) {
  bad++;
  console.log('the device gives wrong results afterwards');
}
console.log(`${bad} of ${count} calls failed otherwise than by an OpenCLError`);
process.exit(bad > 0 ? 1 : 0);
