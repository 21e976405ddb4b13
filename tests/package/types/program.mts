// SPDX-License-Identifier: MIT
// What an ES module sees of the package's types: scripts/package/check.mjs.
import anycl, { ErrorCode, type Kernel, open } from 'anycl';

const cl = await open();
const { saxpy, later } = (
  await cl.build(`
  __kernel void saxpy (float a, global const float *x, global float *y) { y[0] += a * x[0]; }
  kernel void later() {}`)
).kernels;
export const kernels: readonly Kernel[] = [saxpy, later];
export const floats: Float32Array = await cl.image({ format: 'rgba32f', width: 4, height: 4 }).read();
export const bytes: Uint8Array = await cl.image({ format: 'rgba8', width: 4 }).read();
// @ts-expect-error Floats are no bytes.
export const wrong: Uint8Array = await cl.image({ format: 'rgba32f', width: 4 }).read();
/** As the library that the program is compiled with knows it. */
type Halves = typeof globalThis extends { Float16Array: { prototype: infer A } } ? A : Uint16Array;
export const halves: Halves = await cl.image({ format: 'rgba16f', width: 4 }).read();
declare const scaled: Halves;
export const stored: Halves = await cl.buffer(scaled).read();
declare const text: string;
// @ts-expect-error Nothing is known of the kernels of this source.
export const unknown: Kernel = (await cl.build(text)).kernels.work;
export const code: number = ErrorCode.INVALID_VALUE;
export const same: typeof open = anycl.open;
// @ts-expect-error The compiler is no part of the package's interface.
export type { Module } from 'anycl';

// Options may be undefined, with exactOptionalPropertyTypes as well.
declare const perhaps: number | undefined;
export const limited = await open({ device: text || undefined, timeout: perhaps, maxMemory: perhaps });
await saxpy.run({ global: 4, local: perhaps, timeout: perhaps }, 2, cl.buffer(floats), cl.buffer(floats));
await cl.buffer(floats).read({ offset: perhaps, length: perhaps });

// Arrays: types of elements, of arguments and of results.
import { arrays, type NDArray } from 'anycl/array';

const nd = arrays(cl);
const floats1 = nd.array(Float32Array.of(1, 2));
export const product: NDArray<'float32'> = floats1.mul(2).add(nd.arange(2));
export const mask: NDArray<'uint8'> = product.gt(1);
export const elements: Float32Array = await product.read();
export const big: bigint = await nd.arange(3).as('int64').sum().item();
const axpy = nd.elementwise('z = a * x + y');
export const z: NDArray<'float32'> = axpy({ a: 2, x: floats1, y: product });
// @ts-expect-error An argument is missing.
axpy({ a: 2, x: floats1 });
// @ts-expect-error There is no such argument.
axpy({ a: 2, x: floats1, y: product, w: 1 });
// @ts-expect-error Elements are floats.
export const ints: NDArray<'int32'> = floats1.add(1);
// @ts-expect-error There is no such type.
floats1.as('float');

// Tests of kernels.
import { checkKernel } from 'anycl/testing';

await checkKernel({
  source: 'kernel void one(global int *y) { y[0] = 1; }',
  kernel: 'one',
  range: { global: 1 },
  args: [new Int32Array(1)],
  reference: (y: Int32Array) => {
    y[0] = 1;
  },
});
