// SPDX-License-Identifier: MIT
//
// JavaScript's typed arrays as the API takes and returns them.

/** `Float16Array`, if the program's TypeScript library (ES2025) declares it. */
export type HalfArray = typeof globalThis extends { Float16Array: { prototype: infer A } } ? A : never;

/** The typed arrays that memory can be seen as; a `DataView` or an `ArrayBuffer` is none. */
export type TypedArray =
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | HalfArray
  | Float32Array
  | Float64Array;

/** A typed array whose elements are numbers. */
export type NumberArray = Exclude<TypedArray, BigInt64Array | BigUint64Array>;

/** The class of a typed array, such as `Float32Array`. */
export interface TypedArrayConstructor<T extends TypedArray = TypedArray> {
  /** The name of the class. */
  readonly name: string;
  /** The size of an element in bytes. */
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): T;
  new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): T;
}

/** The class of arrays of halves; if the runtime has none (before Node.js 24), of their bits. */
export const HALF_ARRAY =
  (globalThis as { Float16Array?: TypedArrayConstructor<Uint16Array> }).Float16Array ?? Uint16Array;

/** Whether the elements of a class of arrays are bigints. */
export const isBigArray = (array: TypedArrayConstructor): boolean =>
  array === BigInt64Array || array === BigUint64Array;
