// SPDX-License-Identifier: MIT
//
// Operations of the array library, each with its reference. An operation chooses its operands and options at random.
import type { Arrays, NDArray } from '../../../ts/array';
import type { DType } from '../../../ts/array/dtype';
import type { Chance } from '../chance';
import type { Model } from './model';

/** An array on the device, and what its elements have to be. */
export interface Pair {
  readonly array: NDArray;
  readonly model: Model;
}

/** What an operation is given. */
export interface Scene {
  readonly chance: Chance;
  readonly nd: Arrays;
  /** Any array there is, or one that fulfils a condition; undefined if there is none. */
  pick(condition?: (model: Model) => boolean): Pair | undefined;
}

/** How much a result may differ from the reference. */
export type Tolerance =
  | 'none'
  /** The sign of zeros is open. */
  | 'zeros'
  /** As a part of the largest element that took part. */
  | { readonly relative: number; readonly scale: number };

/** What an operation makes. */
export interface Outcome {
  /** The operation as text, for reports. */
  readonly text: string;
  readonly run: () => NDArray | Promise<NDArray>;
  /** The result; undefined if the operation has to be refused. */
  readonly model: Model | undefined;
  /** By default none. */
  readonly tolerance?: Tolerance;
}

/** A random operation; undefined if the arrays at hand do not suit it. */
export type Operation = (scene: Scene) => Outcome | undefined;

/** Names of a shape and a type, for reports. */
export const nameOf = ({ dtype, shape }: Model): string => `${dtype}[${shape.join(',')}]`;

export const make = (dtype: DType, shape: readonly number[], data: Model['data']): Model => ({
  dtype,
  shape,
  data,
});

/** Whether sums and products of the elements are exact in any order and precision. */
export const isExact = ({ dtype, data }: Model, limit = dtype === 'float16' ? 64 : 1024): boolean =>
  data.every(
    (value) =>
      typeof value === 'bigint' ||
      !Number.isFinite(value) ||
      (Math.abs(value) <= limit && (value * 16) % 1 === 0),
  );
export const allFinite = ({ data }: Model): boolean =>
  data.every((value) => typeof value === 'bigint' || Number.isFinite(value));
