// SPDX-License-Identifier: MIT
//
// Buffers that a script forgets to release: a server's loop must not run out of memory.
import { memoryUsage } from 'node:process';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { OpenCLError, openSync } from '../../ts';
import { ErrorCode } from '../../ts/cl/constants.gen';
import { apiDevices, shutdownAll } from './devices';

const SOURCE = 'kernel void one(global float *x) { x[get_global_id(0)] = 1; }';
const FLOATS = 4 << 20;
/** More than the software device's memory holds. */
const ROUNDS = 300;

afterAll(shutdownAll);

describe.each(apiDevices)('%s', (_name, device) => {
  test.each([
    ['with timers', () => setTimeout(1)],
    ['with nothing but commands', () => undefined],
  ])('a loop of forgotten buffers, %s, stays within its memory', async (_how, pause) => {
    const cl = openSync({ device });
    const { one } = (await cl.build(SOURCE)).kernels;
    const before = memoryUsage().rss;
    for (let round = 0; round < ROUNDS; round++) {
      const buffer = cl.buffer(Float32Array, FLOATS);
      await one!.run({ global: 1024 }, buffer);
      expect((await buffer.read({ length: 1 }))[0]).toBe(1);
      await pause();
    }
    expect(memoryUsage().rss - before).toBeLessThan(1024 * 2 ** 20);
    cl.close();
  });
});

test('what is exhausted although nothing was forgotten is said with how to give back', () => {
  const cl = openSync({ device: 'software' });
  const kept: Disposable[] = [];
  const fill = () => {
    for (;;) kept.push(cl.buffer(512 << 20));
  };
  try {
    fill();
    throw new Error('the memory has no end');
  } catch (error) {
    expect(error).toBeInstanceOf(OpenCLError);
    expect((error as OpenCLError).code).toBe(ErrorCode.MEM_OBJECT_ALLOCATION_FAILURE);
    expect((error as OpenCLError).message).toMatch(
      /buffers, images and the like hold \d+ bytes: .*release\(\).*`using`/,
    );
  } finally {
    for (const buffer of kept) buffer[Symbol.dispose]();
    cl.close();
  }
});

test('a large allocation finds the memory of what was forgotten in an earlier turn', async () => {
  const cl = openSync({ device: 'software' });
  const forget = () => {
    for (let i = 0; i < 7; i++) cl.buffer(512 << 20);
  };
  forget();
  await setImmediate();
  forget();
  cl.close();
});
