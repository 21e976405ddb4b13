// SPDX-License-Identifier: MIT

import { unlessAborted, type Waiting } from '../api/options/abort';
import type { Buffer } from '../api/public';
import type { ReductionName } from './algorithms/accumulators';
import { type ConvolveOptions, convolution } from './algorithms/convolve';
import {
  gathered,
  type HistogramOptions,
  histogramOf,
  type ScatterMode,
  scattered,
} from './algorithms/indexing';
import { matrixProduct } from './algorithms/matmul';
import { argsorted, compacted, distinct, sorted, sortedBy } from './algorithms/order';
import { checkEdge, checkWidths, type Edge, padded, type Width } from './algorithms/pad';
import {
  type AxisOptions,
  customReduction,
  customScan,
  namedReduction,
  namedScan,
  type ScanOptions,
} from './algorithms/reductions';
import type { SortOptions } from './algorithms/sort';
import { copyOf, elementsOf, sourcesOf, viewOf } from './contents';
import {
  checkDType,
  DTYPES,
  type DType,
  type ElementArrays,
  type ElementOf,
  type FloatOf,
  isFloat,
  numbersOf,
  type Promote,
  type SumOf,
} from './dtype';
import { ElementwiseMethods } from './elementwise/elementwise-methods';
import { map, nodeOf } from './elementwise/operands';
import { conversionTo, type Operator } from './elementwise/operators';
import { fail, shown } from './errors';
import { nested } from './nested';
import { Node, privately } from './node';
import { checkOptions } from './options';
import {
  broadcastTo,
  contiguous,
  isContiguous,
  type Layout,
  reshaped,
  type Shape,
  type Slice,
  sizeOf,
  sliced,
  transposed,
} from './shape';
import { perform, performSync } from './task';

/** The other operand of an elementwise operation: an array, or one number for all elements. */
export type Other = NDArray | number | bigint;

/** Where the elements are read to. */
export interface ReadOptions<D extends DType> {
  /** Receives the elements: a typed array of the same type and as many elements. By default, a new one. */
  readonly into?: ElementArrays[D];
}

/** The common type of the elements of an array of `D` and another operand. Numbers take the type of the array. */
export type Common<D extends DType, O> = O extends NDArray<infer E> ? Promote<D, E> : D;

/** A shape as arguments: one number for each axis, or a list of them. */
export type ShapeArguments = readonly number[] | readonly [shape: readonly number[]];

const shapeOf = (given: ShapeArguments): readonly number[] =>
  Array.isArray(given[0]) && given.length === 1 ? given[0] : (given as readonly number[]);

/**
 * An array on a device: elements of one type, along any number of axes. Arrays do not change; operations make new ones. An operation
 * is computed when its elements are read, or when another computation needs them. Elementwise operations become part of the kernel
 * that reads them.
 *
 * @example
 * ```ts
 * const nd = arrays(cl);
 * const table = nd.array([[1, 2], [3, 4]]);
 * console.log(table.shape, await table.sum({ axis: 0 }).toArray()); // [ 2, 2 ] [ 4, 6 ]
 * ```
 */
export class NDArray<D extends DType = DType> extends ElementwiseMethods<D> {
  /** @internal */
  readonly node: Node;

  /** @internal */
  constructor(node: Node) {
    if (!(node instanceof Node))
      throw new TypeError('an NDArray is not made with `new`, but by `arrays(cl)`');
    super();
    this.node = node;
  }

  /** The type of the elements. */
  get dtype(): D {
    return this.node.dtype as D;
  }

  /** Elements along each axis. */
  get shape(): Shape {
    return this.node.shape;
  }

  /** The number of elements. */
  get size(): number {
    return sizeOf(this.node.shape);
  }

  /** Whether the elements have been computed. */
  get evaluated(): boolean {
    return this.node.view !== undefined;
  }

  /** Whether it was released. */
  get released(): boolean {
    return this.node.released;
  }

  /**
   * The elements, row after row, as a typed array: a new one, or `into`. Halves are their bits where the engine has no `Float16Array`
   * (before Node.js 24). Rejects with the OpenCLError of the command that failed, or with
   * the reason of `signal`, which ends the wait: what has started goes on, and may still write to `into`. Throws INVALID_VALUE if `into`
   * has another type or length.
   */
  read(options: ReadOptions<D> & Waiting = {}): Promise<ElementArrays[D]> {
    const into = this.#target(options, ['into', 'signal']);
    const { signal } = options;
    if (signal !== undefined && !(signal instanceof AbortSignal))
      fail('read', `\`signal\` must be an AbortSignal, not ${shown(signal)}`);
    return unlessAborted(() => perform(elementsOf(this.node, into)), signal) as Promise<ElementArrays[D]>;
  }

  /** The same, blocking the thread. */
  readSync(options: ReadOptions<D> = {}): ElementArrays[D] {
    return performSync(elementsOf(this.node, this.#target(options, ['into']))) as ElementArrays[D];
  }

  #target(options: ReadOptions<D>, names: readonly string[]): ElementArrays[D] | undefined {
    if (ArrayBuffer.isView(options)) fail('read', 'the array to read into is an option: `read({ into })`');
    checkOptions(options, names, 'read');
    const { into } = options;
    const { array } = DTYPES[this.dtype];
    if (into !== undefined && !(into instanceof array && into.length === this.size))
      fail('read', `\`into\` must be of the class ${array.name}, with ${this.size} elements`);
    return into;
  }

  /** The element of an array with one element. Throws INVALID_VALUE for any other number of elements. */
  async item(): Promise<ElementOf<D>> {
    this.#checkSingle();
    return numbersOf(await this.read(), this.dtype)[0] as ElementOf<D>;
  }

  /** The same, blocking the thread. */
  itemSync(): ElementOf<D> {
    this.#checkSingle();
    return numbersOf(this.readSync(), this.dtype)[0] as ElementOf<D>;
  }

  #checkSingle(): void {
    if (this.size !== 1) fail('item', `the array has ${this.size} elements: use read()`);
  }

  /** The elements as nested lists, one level for each axis; the element itself for none. */
  async toArray(): Promise<unknown> {
    const data = await this.read();
    return nested(numbersOf(data, this.dtype), this.shape);
  }

  /** Computes the elements, if that has not been done. The commands are enqueued when the promise resolves. */
  async evaluate(): Promise<this> {
    await perform(this.node.compute());
    return this;
  }

  /** The same; builds kernels on the calling thread. */
  evaluateSync(): this {
    performSync(this.node.compute());
    return this;
  }

  /**
   * The elements as a buffer for kernels of your own, row after row. It belongs to the array, and is one element long where the array
   * is empty. What is enqueued on the arrays' queue comes after the elements are there.
   */
  async buffer(): Promise<Buffer<ElementArrays[D]>> {
    const view = await perform(this.node.compute());
    if (!isContiguous(view) || view.storage.buffer.length !== Math.max(1, this.size))
      fail('buffer', 'the array is a view of another one: give the buffer of its copy(), and keep that');
    return view.storage.buffer as unknown as Buffer<ElementArrays[D]>;
  }

  /** The same elements in memory of their own. */
  copy(): NDArray<D> {
    return new NDArray(copyOf(this.node));
  }

  /** Gives the memory back to the pool at once. Arrays that were not computed yet and need this one fail then. */
  release(): void {
    this.node.release();
  }

  /** As `release`, for `using`. */
  [Symbol.dispose](): void {
    this.release();
  }

  // Views: the same elements in another shape or order.

  /**
   * A part: for each axis a slice, `undefined` for all of it, or the number of an element, which drops the axis. Numbers below 0 count
   * from the end: `x.slice({ from: 1 }, -1)`.
   */
  slice(...parts: readonly (Slice | number | undefined)[]): NDArray<D> {
    return this.#view((layout) => sliced(layout, parts, 'slice'));
  }

  /** The axes in another order; by default reversed, which is the transpose of a matrix. */
  transpose(axes?: readonly number[]): NDArray<D> {
    return this.#view((layout) => transposed(layout, axes, 'transpose'));
  }

  /**
   * The same elements with another shape, `reshape(2, -1)` or `reshape([2, -1])`; one axis may be -1, and gets what remains. Elements
   * that are not contiguous are copied.
   */
  reshape(...shape: ShapeArguments): NDArray<D> {
    const wanted = reshaped(this.shape, shapeOf(shape), 'reshape');
    return new NDArray(
      privately(() => {
        const base = this.node.dense ? this.node : copyOf(this.node);
        return viewOf(base, ({ offset }) => ({ ...contiguous(wanted), offset }));
      }),
    );
  }

  /** Repeats axes of one element, and adds axes before the first one: `broadcastTo(4, 3)` or `broadcastTo([4, 3])`. */
  broadcastTo(...shape: ShapeArguments): NDArray<D> {
    return this.#view((layout) => broadcastTo(layout, shapeOf(shape), 'broadcastTo'));
  }

  #view(change: (layout: Layout) => Layout): NDArray<D> {
    return new NDArray(viewOf(this.node, change));
  }

  // Elementwise operations: the rest is in elementwise-methods.ts.

  /** @internal */
  protected override apply<R extends DType>(operator: Operator, others: readonly Other[] = []): NDArray<R> {
    return new NDArray(map(this.node.space, operator, [this, ...others]));
  }

  /** The elements as another type. Floats become integers towards zero; those out of range, the nearest there is, and NaN 0. */
  as<E extends DType>(dtype: E): NDArray<E> {
    checkDType(dtype, 'as');
    this.node.space.checkDType(dtype, 'as');
    return this.apply(conversionTo(dtype));
  }

  // Reductions.

  /** The sum of all elements, or along axes. Types of 8 and 16 bits are summed as 32 bits; integers wrap around. */
  sum(options?: AxisOptions): NDArray<SumOf<D>> {
    return this.#reduce('sum', options);
  }

  /** The product, of the types that `sum` has. */
  prod(options?: AxisOptions): NDArray<SumOf<D>> {
    return this.#reduce('prod', options);
  }

  /** The mean; of integers, as float32. */
  mean(options?: AxisOptions): NDArray<FloatOf<D>> {
    const mean = (): Node => {
      const float = (isFloat(this.dtype) ? this : this.as('float32')) as NDArray<FloatOf<D>>;
      const sum = float.#reduce<FloatOf<D>>('sum', options);
      return sum.div(this.size / Math.max(1, sum.size)).node;
    };
    return new NDArray(privately(mean));
  }

  /** The least element; NaN if there is one. Throws INVALID_VALUE where there are no elements. */
  min(options?: AxisOptions): NDArray<D> {
    return this.#reduce('min', options);
  }

  /** The greatest element; NaN if there is one. Throws INVALID_VALUE where there are no elements. */
  max(options?: AxisOptions): NDArray<D> {
    return this.#reduce('max', options);
  }

  /** The index of the least element, or of the first NaN: among all elements, or along the axis. */
  argmin(options?: { readonly axis?: number; readonly keepAxes?: boolean }): NDArray<'uint32'> {
    return this.#reduce('argmin', options);
  }

  /** The index of the greatest element, or of the first NaN: among all elements, or along the axis. */
  argmax(options?: { readonly axis?: number; readonly keepAxes?: boolean }): NDArray<'uint32'> {
    return this.#reduce('argmax', options);
  }

  /** Whether an element is not 0: 1 or 0. */
  any(options?: AxisOptions): NDArray<'uint8'> {
    return this.#reduce('any', options);
  }

  /** Whether no element is 0: 1 or 0. */
  all(options?: AxisOptions): NDArray<'uint8'> {
    return this.#reduce('all', options);
  }

  #reduce<R extends DType>(name: ReductionName, options?: AxisOptions): NDArray<R> {
    return new NDArray(namedReduction(this.node, name, options));
  }

  /**
   * Reduces by an expression of two operands, `a` and `b`: `x.reduce('a * b', { neutral: 1 })`. It must be associative and
   * commutative, as the elements come in any order.
   */
  reduce(expression: string, options: AxisOptions & { readonly neutral: number | bigint }): NDArray<D> {
    return new NDArray(customReduction(this.node, expression, options));
  }

  /** Sums of the elements up to each one, along an axis (by default the last). Integers as for `sum`. */
  cumsum(options?: ScanOptions): NDArray<SumOf<D>> {
    return new NDArray(namedScan(this.node, 'sum', options));
  }

  /** Products of the elements up to each one, along an axis. */
  cumprod(options?: ScanOptions): NDArray<SumOf<D>> {
    return new NDArray(namedScan(this.node, 'prod', options));
  }

  /** The greatest of the elements up to each one, along an axis. */
  cummax(options?: ScanOptions): NDArray<D> {
    return new NDArray(namedScan(this.node, 'max', options));
  }

  /** The least of the elements up to each one, along an axis. */
  cummin(options?: ScanOptions): NDArray<D> {
    return new NDArray(namedScan(this.node, 'min', options));
  }

  /** Scans by an expression of two operands, `a` before `b`, which must be associative: `x.scan('a + b', { neutral: 0 })`. */
  scan(expression: string, options: ScanOptions & { readonly neutral: number | bigint }): NDArray<D> {
    return new NDArray(customScan(this.node, expression, options));
  }

  // Sorting and indexing.

  /** The elements in order, along an axis (by default the last). NaN come last, and -0 before 0. */
  sort(options?: SortOptions): NDArray<D> {
    return new NDArray(sorted(this.node, options));
  }

  /** The indices that sort the elements. Equal elements keep their order. */
  argsort(options?: SortOptions): NDArray<'uint32'> {
    return new NDArray(argsorted(this.node, options));
  }

  /** The elements in the order of keys of the same shape. Elements with equal keys keep their order. */
  sortBy(keys: NDArray, options?: SortOptions): NDArray<D> {
    return new NDArray(sortedBy(this.node, nodeOf(keys, this.node.space, 'sortBy'), options));
  }

  /** The elements where the mask is not 0, along one axis. Reads from the device how many there are. */
  async compact(mask: NDArray): Promise<NDArray<D>> {
    return new NDArray(await perform(compacted(this.node, nodeOf(mask, this.node.space, 'compact'))));
  }

  /** The same, blocking the thread. */
  compactSync(mask: NDArray): NDArray<D> {
    return new NDArray(performSync(compacted(this.node, nodeOf(mask, this.node.space, 'compact'))));
  }

  /** Each value once, in order. Reads from the device how many there are. */
  async unique(): Promise<NDArray<D>> {
    return new NDArray(await perform(distinct(this.node)));
  }

  /** The same, blocking the thread. */
  uniqueSync(): NDArray<D> {
    return new NDArray(performSync(distinct(this.node)));
  }

  /** The number of elements in each of several bins of equal width. */
  histogram(options: HistogramOptions): NDArray<'uint32'> {
    this.node.checkAlive('histogram');
    return new NDArray(histogramOf(this.node, options));
  }

  /**
   * The elements at these indices, which count row after row: an array of the shape of the indices. Indices below 0 count from the
   * end; those out of range are the nearest ones.
   */
  gather(indices: NDArray): NDArray<D> {
    return new NDArray(gathered(this.node, nodeOf(indices, this.node.space, 'gather')));
  }

  /**
   * A copy with the elements at these indices replaced, or with the values added where `mode` is 'add'. Indices count as for `gather`;
   * values for indices out of range are left out. Where two indices are the same, one value is set, or both are added in any order.
   */
  scatter(indices: NDArray, values: NDArray<D>, mode: ScatterMode = 'set'): NDArray<D> {
    const { space } = this.node;
    return new NDArray(
      scattered(this.node, nodeOf(indices, space, 'scatter'), nodeOf(values, space, 'scatter'), mode),
    );
  }

  /** The product of two matrices. */
  matmul<E extends DType>(other: NDArray<E>): NDArray<Promote<D, E>> {
    this.node.checkAlive('matmul');
    return new NDArray(matrixProduct(this.node, nodeOf(other, this.node.space, 'matmul')));
  }

  /**
   * The array with elements around it: one width for every side, or for each axis one, or one before and one after. Outside is 0, or
   * what `edge` says: the nearest element, the array mirrored at its first and last elements, the array repeated, or a value.
   *
   *     image.pad([1, [0, 2]], 'nearest');
   */
  pad(widths: number | readonly Width[], edge: Edge = 'zero'): NDArray<D> {
    const { node } = this;
    node.checkAlive('pad');
    const checked = checkEdge(edge, node.dtype, 'pad');
    return new NDArray(padded(node, checkWidths(widths, node.shape, 'pad'), checked, 'pad'));
  }

  /**
   * The convolution by weights, along the last axis where these have one, or the last two: each result is the sum of the elements
   * around its place times the weights in reverse order. Its time grows with the number of weights; many of them are better
   * multiplied after `fft`. Throws INVALID_VALUE where the weights have another number of axes or no element.
   */
  convolve<E extends DType>(weights: NDArray<E>, options?: ConvolveOptions): NDArray<Promote<D, E>> {
    this.node.checkAlive('convolve');
    return new NDArray(convolution(this.node, nodeOf(weights, this.node.space, 'convolve'), options));
  }

  /** The sources of the kernels that compute this array from what is in memory now. Computes it. */
  explain(): Promise<string> {
    return sourcesOf(this.node);
  }
}
