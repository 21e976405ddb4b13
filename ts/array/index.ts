// SPDX-License-Identifier: MIT
//
// The entry `anycl/array`: arrays on a device, and functions of them.

export type { ConvolveOptions } from './algorithms/convolve';
export type { HistogramOptions, ScatterMode } from './algorithms/indexing';
export type { Edge, Width } from './algorithms/pad';
export { Random, type RandomOptions } from './algorithms/random';
export type { AxisOptions, ScanOptions } from './algorithms/reductions';
export type { SortOptions } from './algorithms/sort';
export type { ComplexArrays, TransformOf, TransformOptions } from './algorithms/transforms';
export { type Common, NDArray, type Other, type ReadOptions } from './array';
export { type Arguments, Arrays, arrays, type CallOptions, type Nested } from './arrays';
export type { DType, DTypeOf, ElementArrays, ElementOf, FloatOf, Promote, SumOf } from './dtype';
export type { Elementwise, Results } from './elementwise/statement-function';
export type { PoolUse } from './pool';
export type { Profile } from './profile';
export type { Shape, Slice } from './shape';
export type { SpaceOptions as ArraysOptions } from './space';
