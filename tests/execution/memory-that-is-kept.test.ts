// SPDX-License-Identifier: MIT
//
// Memory that a script has released, and that something keeps for its next use: it must not be what another allocation lacks.
import { type Kernel, type OpenCLError, openSync, type Session } from '../../ts';
import { arrays } from '../../ts/array';

const MEGABYTE = 1 << 20;
const SOURCE = 'kernel void set(global int *x, global int *y) { x[get_global_id(0)] = y[0]; }';

let cl: Session;
let kernel: Kernel;
beforeEach(() => {
  cl = openSync({ device: 'software', maxMemory: 16 * MEGABYTE });
  kernel = cl.context.createProgram(SOURCE).buildSync().createKernel('set');
});
afterEach(() => cl.close());

/** A buffer of this many MB, which the kernel gets as its first argument, and which is then released. */
function runAndRelease(megabytes: number): void {
  const [x, y] = [
    cl.context.createBuffer(Int32Array, megabytes << 18),
    cl.context.createBuffer(Int32Array, 1),
  ];
  kernel.runSync({ global: 8 }, x, y);
  x.release();
}

test('a released argument of a kernel is freed for an allocation that would fail', () => {
  runAndRelease(9);
  const next = cl.context.createBuffer(Int32Array, 9 << 18);
  const refused = () => cl.queue.enqueueNDRange(kernel, { global: 8 });
  expect(refused).toThrow(
    "CL_INVALID_KERNEL_ARGS (-52): argument 0 ('x') of kernel 'set' was released, and its memory was needed",
  );
  kernel.setArg(0, next);
  cl.queue.enqueueNDRange(kernel, { global: 8 }).waitSync();
  expect(Array.from(next.readSync({ length: 8 }))).toEqual(new Array(8).fill(0));
});

test('a released argument is kept as long as nothing needs its memory', () => {
  runAndRelease(4);
  cl.context.createBuffer(Int32Array, 9 << 18);
  cl.queue.enqueueNDRange(kernel, { global: 8 }).waitSync();
});

test('what a failed allocation says counts only what the script has not released', () => {
  runAndRelease(4);
  let message = '';
  try {
    cl.context.createBuffer(Int32Array, 17 << 18);
  } catch (error) {
    message = (error as OpenCLError).message;
  }
  expect(message).toMatch(/MEM_OBJECT_ALLOCATION_FAILURE/);
  // Nothing of the released buffer is left.
  expect(Number(/of which (\d+) are in use/.exec(message)?.[1])).toBeLessThan(MEGABYTE);
});

test('the pool of arrays keeps an eighth of what the context may use', () => {
  const nd = arrays(cl);
  expect(nd.pool.limit).toBe(2 * MEGABYTE);
  for (let k = 1; k < 12; k++) nd.zeros(k << 16).release();
  expect(nd.pool.kept).toBeLessThanOrEqual(2 * MEGABYTE);
  cl.context.createBuffer(Int32Array, 12 << 18);
});
