// SPDX-License-Identifier: MIT
//
// Host memory of every kind in transfers, on every device: views, shared and resizable memory, and memory that a script
// takes away while a command uses it.
import { type CommandQueue, type Context, OpenCLError } from '../../ts';
import { apiDevices, shutdownAll } from './devices';

const bytes = Uint8Array.from({ length: 16 }, (_, i) => i + 1);

type Growing = ArrayBuffer & { resize(size: number): void };
/** Not in the types of ECMAScript 2022. */
const resizable = (size: number, most: number): Growing =>
  new (ArrayBuffer as unknown as new (size: number, options: object) => Growing)(size, {
    maxByteLength: most,
  });

const refused = (use: string) =>
  expect.objectContaining({
    constructor: OpenCLError,
    codeName: 'CL_INVALID_HOST_PTR',
    message: expect.stringContaining(use),
  });

afterAll(shutdownAll);

describe.each(apiDevices)('%s', (_, device) => {
  let context: Context;
  let queue: CommandQueue;
  beforeAll(() => {
    context = device.createContext();
    queue = context.createQueue();
  });
  afterAll(() => {
    queue.release();
    context.release();
  });

  const views: [string, () => ArrayBufferView][] = [
    ['Uint8Array', () => new Uint8Array(16)],
    ['a part of an array', () => new Uint8Array(64).subarray(24, 40)],
    ['Float64Array', () => new Float64Array(2)],
    ['BigUint64Array', () => new BigUint64Array(2)],
    ['DataView', () => new DataView(new ArrayBuffer(32), 8, 16)],
    ['Buffer of the pool', () => Buffer.alloc(16)],
    ['SharedArrayBuffer', () => new Uint8Array(new SharedArrayBuffer(16))],
    ['resizable ArrayBuffer', () => new Uint8Array(resizable(16, 64), 0, 16)],
    ['resizable ArrayBuffer, to its end', () => new Uint8Array(resizable(16, 64))],
  ];
  test.each(views)('%s is read into and written from', async (_name, make) => {
    const from = make();
    new Uint8Array(from.buffer, from.byteOffset, 16).set(bytes);
    const buffer = context.createBuffer(16);
    await queue.enqueueWrite(buffer, from);
    const into = await queue.enqueueRead(buffer, make());
    expect([...new Uint8Array(into.buffer, into.byteOffset, 16)]).toEqual([...bytes]);
    expect([...context.createBuffer(from as Uint8Array).readSync()].length).toBeGreaterThan(0);
    buffer.release();
  });

  test('memory that was moved away before is refused', () => {
    const gone = new Uint8Array(16);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    const buffer = context.createBuffer(16);
    const call = (act: () => unknown) => expect(act).toThrow(refused('moved to another owner'));
    call(() => queue.enqueueWrite(buffer, gone));
    call(() => queue.enqueueRead(buffer, gone));
    const shrunk = new Uint8Array(resizable(16, 16), 8, 8);
    (shrunk.buffer as Growing).resize(4);
    call(() => queue.enqueueWrite(buffer, shrunk));
    buffer.release();
  });

  test('memory that is moved away while a command uses it makes the command fail', async () => {
    const buffer = context.createBuffer(bytes);
    const gate = context.createUserEvent();
    const into = new Uint8Array(16);
    const from = new Uint8Array(16).fill(9);
    const reading = queue.enqueueRead(buffer, into, { waitFor: [gate] });
    const writing = queue.enqueueWrite(buffer, from, { waitFor: [reading] });
    const owners = [into, from].map(({ buffer: moved }) => structuredClone(moved, { transfer: [moved] }));
    gate.complete();
    await expect(reading.completed).rejects.toEqual(refused('wrote to it'));
    await expect(writing.completed).rejects.toEqual(refused('read from it'));
    expect(owners.map((owner) => owner.byteLength)).toEqual([16, 16]);
    buffer.release();
  });

  test('memory that shrinks while a command writes to it keeps what fits, and the command fails', async () => {
    const buffer = context.createBuffer(bytes);
    const gate = context.createUserEvent();
    const into = new Uint8Array(resizable(16, 16));
    const reading = queue.enqueueRead(buffer, into, { waitFor: [gate] });
    (into.buffer as Growing).resize(4);
    gate.complete();
    await expect(reading.completed).rejects.toEqual(refused('wrote to it'));
    expect([...into]).toEqual([1, 2, 3, 4]);
    buffer.release();
  });

  test('memory that a buffer or an image uses may not shrink, and is refused once it is gone', async () => {
    const growing = new Uint8Array(resizable(64, 64));
    const shape = { width: 4, height: 4, format: 'rgba8' } as const;
    const shrinks = refused('may shrink under the device');
    expect(() => context.createBuffer(growing, { useHost: true })).toThrow(shrinks);
    expect(() => context.createImage(shape, growing, { useHost: true })).toThrow(shrinks);

    const memory = new Uint8Array(64);
    const buffer = context.createBuffer(memory, { useHost: true });
    const mapping = await buffer.map('read-write', { queue });
    try {
      structuredClone(memory.buffer, { transfer: [memory.buffer] });
    } catch {
      // Drivers' memory stays where it is.
    }
    if (memory.byteLength > 0) {
      mapping.data[0] = 7;
      await mapping.unmap();
      expect((await buffer.read({ queue }))[0]).toBe(7);
    } else {
      const gone = refused('moved to another owner');
      await expect(mapping.unmap().completed).rejects.toEqual(gone);
      await expect(buffer.map('read', { queue })).rejects.toEqual(gone);
      expect(() => buffer.sub(0, 16)).toThrow(gone);
      expect(await buffer.read({ queue })).toHaveLength(64);
    }
    buffer.release();
  });

  test('a view without memory makes no buffer and no image', () => {
    const gone = new DataView(new ArrayBuffer(64));
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    const moved = refused('moved to another owner');
    expect(() => context.createBuffer(gone as never)).toThrow(moved);
    expect(() => context.createImage({ width: 4, height: 4, format: 'rgba8' }, gone)).toThrow(moved);
  });

  test('a mapping begins with a whole element', () => {
    const buffer = context.createBuffer(Uint32Array, 4);
    expect(() => queue.enqueueMap(buffer, 'read', { offset: 2, size: 4 })).toThrow(
      /`options.offset` is byte 2.*of Uint32Array, have 4 bytes/,
    );
    buffer.release();
  });

  test('a signal that is aborted before its queue is released', async () => {
    const other = context.createQueue();
    const gate = context.createUserEvent();
    const buffer = context.createBuffer(bytes);
    const control = new AbortController();
    const map = buffer.map('read', { queue: other, waitFor: [gate], signal: control.signal });
    control.abort(new Error('enough'));
    await expect(map).rejects.toThrow('enough');
    other.release();
    gate.complete();
    // An unhandled rejection would end the test's process.
    await queue.finish();
    await new Promise((resolve) => setTimeout(resolve, 20));
    buffer.release();
  });

  test('a signal ends the waiting, not the command', async () => {
    const buffer = context.createBuffer(bytes);
    const gate = context.createUserEvent();
    const control = new AbortController();
    const { signal } = control;
    const write = queue.enqueueWrite(buffer, bytes.slice().reverse(), { waitFor: [gate] });
    const waiting = [
      write.wait({ signal }),
      queue.finish({ signal }),
      buffer.map('read', { queue, waitFor: [write], signal }),
    ];
    control.abort(new Error('enough'));
    for (const one of waiting) await expect(one).rejects.toThrow('enough');
    gate.complete();
    await write;
    await queue.finish();
    const read = await queue.enqueueRead(buffer, new Uint8Array(16));
    expect(read[0]).toBe(16);
    const program = context.createProgram('kernel void k(void) {}');
    await expect(program.build('', undefined, { signal })).rejects.toThrow('enough');
    await expect(context.link([program], { signal })).rejects.toThrow('enough');
    buffer.release();
  });

  // 4 GiB of memory on each side: only with ANYCL_TEST_LARGE=1, not in CI.
  const wanted = process.env.ANYCL_TEST_LARGE === '1' && device.info('MAX_MEM_ALLOC_SIZE') > 2 ** 32 + 4096;
  (wanted ? test : test.skip)('a transfer of more than 4 GiB (ANYCL_TEST_LARGE=1)', async () => {
    // Words, as arrays of bytes end at 2^32 elements in Node.js 20.
    const words = 2 ** 30 + 1024;
    const buffer = context.createBuffer(4 * words);
    const host = new Uint32Array(words);
    const marks: [number, number][] = [
      [5, 3],
      [2 ** 30 + 1, 9],
      [words - 1, 7],
    ];
    for (const [at, value] of marks) host[at] = value;
    await queue.enqueueWrite(buffer, host);
    await queue.enqueueFill(buffer, Uint32Array.of(4), { offset: 2 ** 32 + 8, size: 8 });
    const back = await queue.enqueueRead(buffer, host.fill(0));
    for (const [at, value] of marks) expect(back[at]).toBe(value);
    expect([...back.subarray(2 ** 30, 2 ** 30 + 5)]).toEqual([0, 9, 4, 4, 0]);
    buffer.release();
  });
});
