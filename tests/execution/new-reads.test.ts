// SPDX-License-Identifier: MIT
//
// Large reads into new arrays. A thread of the software device makes and fills those of reads that wait for another queue
// (ts/device/reads/reader.ts).
import { execFileSync } from 'node:child_process';
import { type Buffer, ErrorCode, type Kernel, open, type Session } from '../../ts';

const LENGTH = 1 << 20;
let cl: Session;
let add: Kernel;
let buffer: Buffer<Int32Array>;

beforeAll(async () => {
  cl = await open({ device: 'software' });
  const { kernels } = await cl.build(
    'kernel void add(global int *p, int x) { size_t i = get_global_id(0); p[i] = i + x; }',
  );
  add = kernels['add']!;
  buffer = cl.buffer(Int32Array, LENGTH);
  await startThread(buffer);
});
afterAll(() => cl.close());

/** A command that a read waits for. */
const before = () => cl.context.createQueue().enqueueMarker();

/** The thread is started when a process has read 32 MiB so. */
async function startThread(from: Buffer<Int32Array>): Promise<void> {
  for (let i = 0; i < 9; i++) await from.read({ waitFor: [before()] });
  await new Promise((resolve) => setTimeout(resolve, 500));
}

const isFilled = (array: Int32Array, x: number, offset = 0) =>
  array.every((value, i) => value === i + offset + x);

test('reads have what the commands before them wrote, and none of what later ones write', async () => {
  const reads = Array.from({ length: 12 }, (_, x) => {
    const launched = cl.queue.enqueueNDRange(add.setArgs(buffer, x), { global: LENGTH });
    return buffer.read({ waitFor: [launched] });
  });
  const arrays = await Promise.all(reads);
  expect(arrays.map((array, x) => array.length === LENGTH && isFilled(array, x))).toEqual(
    arrays.map(() => true),
  );
  expect(new Set(arrays.map((array) => array.buffer)).size).toBe(arrays.length);
});

test('a part of a buffer, again from the same event, on a queue without order', async () => {
  const queue = cl.context.createQueue({ outOfOrder: true, profiling: true });
  const launched = queue.enqueueNDRange(add.setArgs(buffer, 7), { global: LENGTH });
  const read = buffer.read({ offset: 1000, length: LENGTH - 5000, queue, waitFor: [launched] });
  const array = await read;
  expect(array.length).toBe(LENGTH - 5000);
  expect(isFilled(array, 7, 1000)).toBe(true);
  expect(await read).toBe(array);
  expect(read.waitSync()).toBe(array);
  const { queued, submitted, started, ended } = read.profile;
  expect(queued <= submitted && submitted <= started && started < ended).toBe(true);
  queue.release();
});

test.each(['on the thread', 'in steps'])('the event loop goes on during a read %s', async (where) => {
  const large = cl.buffer(Int32Array, 1 << 24);
  await large.fill(3);
  let turns = 0;
  let timer = setImmediate(function count() {
    turns++;
    timer = setImmediate(count);
  });
  const array = await large.read(where === 'in steps' ? {} : { waitFor: [before()] });
  clearImmediate(timer);
  expect(array.every((value) => value === 3)).toBe(true);
  expect(turns).toBeGreaterThan(1);
  large.release();
});

test('blocking calls take a read that is in flight', async () => {
  const launched = cl.queue.enqueueNDRange(add.setArgs(buffer, 20), { global: LENGTH });
  const read = buffer.read({ waitFor: [launched] });
  expect(isFilled(buffer.readSync(), 20)).toBe(true);
  expect(isFilled(read.waitSync(), 20)).toBe(true);
  const other = buffer.read({ waitFor: [launched] });
  cl.queue.finishSync();
  expect(isFilled(await other, 20)).toBe(true);
});

test('a read of a buffer that is released meanwhile', async () => {
  const own = cl.buffer(Int32Array.from({ length: LENGTH }, (_, i) => i + 5));
  const read = own.read({ waitFor: [before()] });
  own.release();
  // Its memory may be given to the next buffer once the read is complete, and not before.
  const next = cl.buffer(Int32Array, LENGTH);
  await next.fill(0);
  expect(isFilled(await read, 5)).toBe(true);
  next.release();
});

test('a failed command before it is the error of the read, and the next read works', async () => {
  const gate = cl.context.createUserEvent();
  const read = buffer.read({ waitFor: [gate] });
  gate.fail(-5);
  await expect(read).rejects.toMatchObject({ code: ErrorCode.EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST });
  expect((await buffer.read({ waitFor: [before()] })).length).toBe(LENGTH);
});

test('wrong calls are refused as those of other reads are', () => {
  expect(() => buffer.read({ length: LENGTH + 1 })).toThrow(
    '`options.length` is 1048577, the buffer has 1048576',
  );
  expect(() => buffer.read({ offset: 10, length: LENGTH })).toThrow('beyond the buffer');
});

test('a process that reads much ends by itself, also with a read in flight', () => {
  const program = `
    const { open } = require(${JSON.stringify(require.resolve('../../dist/index.cjs'))});
    open({ device: 'software' }).then(async (cl) => {
      const buffer = cl.buffer(Int32Array, ${LENGTH});
      await buffer.fill(4);
      const queue = cl.context.createQueue();
      const read = () => buffer.read({ waitFor: [queue.enqueueMarker()] });
      for (let i = 0; i < 40; i++) if ((await read())[i] !== 4) throw new Error('wrong');
      await new Promise((resolve) => setTimeout(resolve, 300));
      read().then((array) => console.log(array[${LENGTH - 1}]));
    });`;
  expect(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' })).toBe('4\n');
});
