// SPDX-License-Identifier: MIT
//
// Kernels as types: what `anycl types` writes, and what `cl.build<…>()` takes from those who write it by hand.

import type { TypedArray } from '../data/typed-arrays';
import type { Buffer } from './buffer';
import type { DevicePointer, KernelValue } from './kernel-values';
import type { Svm } from './svm';

/**
 * Memory that a kernel's pointer argument takes: a buffer of elements of this type, shared virtual memory, or an address of
 * the device.
 */
export type DeviceMemory<T extends TypedArray = TypedArray> = Buffer<T> | Svm | DevicePointer;

/** The arguments of a kernel that is described by a function's type. */
export type ArgumentsOf<Signature> = Signature extends (...args: infer Arguments) => void
  ? Arguments extends readonly KernelValue[]
    ? Arguments
    : never
  : never;

/**
 * Kernels by name, each as the type of a function: `{ saxpy(a: number, x: Buffer<Float32Array>, y: Buffer<Float32Array>): void }`.
 */
export type KernelSignatures<Of> = { readonly [Name in keyof Of]: (...args: never) => void };
