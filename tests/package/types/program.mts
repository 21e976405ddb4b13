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
