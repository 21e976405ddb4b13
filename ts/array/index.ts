// SPDX-License-Identifier: MIT
//
// The entry `anycl/array`: arrays on a device, and functions of them.
export { type Common, NDArray, type Other, type ReadOptions } from './array';
export { type Arguments, Arrays, arrays, type CallOptions, type Nested } from './arrays';
export type { ConvolveOptions } from './convolve';
export type { Elementwise, Results } from './custom';
export type { DType, DTypeOf, ElementArrays, ElementOf, FloatOf, Promote, SumOf } from './dtype';
export type { HistogramOptions, ScatterMode } from './indexing';
export type { Edge, Width } from './pad';
export type { PoolUse } from './pool';
export type { Profile } from './profile';
export { Random, type RandomOptions } from './random';
export type { AxisOptions, ScanOptions } from './reductions';
export type { Shape, Slice } from './shape';
export type { SortOptions } from './sort';
export type { SpaceOptions as ArraysOptions } from './space';
export type { ComplexArrays, TransformOf, TransformOptions } from './transforms';
