// SPDX-License-Identifier: MIT
//
// Arguments of `split`: kernel arguments, and arrays that are divided among the devices.
import { checkArguments } from '../api/checks/guard';
import type { TypedArray } from '../api/data/typed-arrays';
import type { KernelValue } from '../api/objects/kernel-values';
import { showAs } from '../base/show-as';
import * as kinds from './checks';

/** What a kernel does with an array that is divided: `read`, `write`, `read-write`; `whole`: each device reads all of it. */
export type Access = 'read' | 'write' | 'read-write' | 'whole';

/**
 * An array among the arguments, and how the kernel accesses it.
 *
 * @example
 * ```ts
 * const x = part.read(new Float32Array(1000));
 * console.log(x.access, x.array.length);           // read 1000
 * ```
 */
export class SplitArray {
  /** @internal */
  constructor(
    /** What the kernel does with it. */
    readonly access: Access,
    /** The array of the program. */
    readonly array: TypedArray,
  ) {}
}

/** A placeholder for the start of a slice, which is known when the slice is launched. */
export class SliceStart {}
const FIRST = new SliceStart();

/** An argument of `split`. */
export type SplitArgument = KernelValue | SplitArray | typeof FIRST;

/**
 * How a kernel uses an array. The array is divided like the last dimension of the ND-range: work-items of slice s of n use elements
 * from s/n of its length on to (s+1)/n. `whole`: each device reads all of it.
 */
export const part = {
  read: (array: TypedArray): SplitArray => used('read', array),
  write: (array: TypedArray): SplitArray => used('write', array),
  readWrite: (array: TypedArray): SplitArray => used('read-write', array),
  whole: (array: TypedArray): SplitArray => used('whole', array),
  /** For a parameter of an integer type: where the launch's slice of the last dimension begins. For `ids: 'slice'`. */
  first: FIRST,
} as const;

function used(access: Access, array: TypedArray): SplitArray {
  checkArguments('part', 'split', { array: kinds.typedArray }, [array]);
  return new SplitArray(access, array);
}

showAs('SplitArray', SplitArray, ({ access, array }) => ({
  access,
  array: `${array.constructor.name}(${array.length})`,
}));
