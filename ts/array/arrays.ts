// SPDX-License-Identifier: MIT

import { type Buffer, type Context, ErrorCode, type Session, type TypedArray } from '../api/public';
import { showAs } from '../base/show-as';
import { concatenated } from './algorithms/join';
import { Random, type RandomOptions } from './algorithms/random';
import {
  type ComplexArrays,
  type TransformOf,
  type TransformOptions,
  transformed,
} from './algorithms/transforms';
import { NDArray, type Other } from './array';
import {
  checkDType,
  checkElement,
  DTYPES,
  type DType,
  type DTypeOf,
  dtypeOfArray,
  type Promote,
} from './dtype';
import { ElementwiseMethods } from './elementwise/elementwise-methods';
import { map, nodeOf } from './elementwise/operands';
import { SELECT } from './elementwise/operators';
import {
  type Arguments,
  type CallOptions,
  type Elementwise,
  elementwiseFunction,
} from './elementwise/statement-function';
import type { OutputTypes } from './elementwise/statement-types';
import { checkNumber, fail, shown } from './errors';
import { refuseMisuse } from './misuse';
import { flatten, type Nested } from './nested';
import { Node, privately } from './node';
import type { PoolUse } from './pool';
import { checkShape, contiguous, type Shape, shapeText, sizeOf } from './shape';
import { Space, type SpaceOptions, Storage } from './space';
import { immediate, type Task } from './task';

/** The common type of the two choices of `where`. */
type Chosen<A, B> =
  A extends NDArray<infer D>
    ? B extends NDArray<infer E>
      ? Promote<D, E>
      : D
    : B extends NDArray<infer E>
      ? E
      : DType;

/**
 * Makes arrays in a context, and functions of them.
 *
 * @example
 * ```ts
 * const nd = arrays(cl);
 * const x = nd.arange(5, 'float32');
 * console.log(await x.mul(2).add(1).toArray());    // [ 1, 3, 5, 7, 9 ]
 * ```
 */
export class Arrays {
  readonly #space: Space;

  /** @internal */
  constructor(space: Space) {
    if (!(space instanceof Space)) throw new TypeError('Arrays are not made with `new`, but by `arrays(cl)`');
    this.#space = space;
  }

  /** The context that the arrays belong to. */
  get context(): Context {
    return this.#space.context;
  }

  /** The source of each kernel that was generated and built so far. */
  get kernelSources(): readonly string[] {
    return this.#space.sources;
  }

  /** What the pool of memory holds. */
  get pool(): PoolUse {
    return this.#space.pool.use;
  }

  // Making arrays.

  /** An array with the elements of a typed array, which may change afterwards; without a shape, along one axis. */
  array<T extends TypedArray>(data: T, shape?: number | Shape): NDArray<DTypeOf<T>>;
  /** An array of nested lists of numbers, float32 unless `dtype` says another type. */
  array<D extends DType = 'float32'>(data: Nested, dtype?: D): NDArray<D>;
  array(data: TypedArray | Nested, second?: number | Shape | DType): NDArray {
    if (ArrayBuffer.isView(data)) return this.#upload(data, second as number | Shape | undefined);
    const dtype = checkDType(second ?? 'float32', 'array');
    const { elements, shape } = flatten(data);
    for (const element of elements) checkElement(element, dtype, 'array');
    if (dtype === 'float16')
      return new NDArray(privately(() => this.array(data, 'float32').as('float16').node));
    const big = dtype === 'int64' || dtype === 'uint64';
    const values = new DTYPES[dtype].array(elements.length);
    elements.forEach((element, k) => {
      values[k] = (big ? BigInt(element) : Number(element)) as never;
    });
    return this.#upload(values, shape);
  }

  #upload(data: TypedArray, shape?: number | Shape): NDArray {
    const dtype = dtypeOfArray(data, 'array');
    this.#space.checkDType(dtype, 'array');
    const checked = checkShape(shape ?? data.length, 'array');
    if (sizeOf(checked) !== data.length)
      fail('array', `${data.length} elements do not fill the shape ${shapeText(checked)}`);
    const storage =
      data.length === 0
        ? this.#space.allocate(dtype, 0)
        : new Storage(this.#space, dtype, this.#space.pool.takeCopy(data), true);
    return this.#wrap(dtype, checked, storage);
  }

  #wrap<D extends DType>(dtype: D, shape: Shape, storage: Storage): NDArray<D> {
    return new NDArray(new Node(this.#space, dtype, shape, { storage, ...contiguous(shape) }));
  }

  /**
   * The elements of a buffer as an array, without a copy. The buffer stays yours: release it after the array, and do not write to it
   * while arrays that are still to be computed read it.
   */
  fromBuffer<T extends TypedArray>(buffer: Buffer<T>, shape?: number | Shape): NDArray<DTypeOf<T>> {
    const space = this.#space;
    if (buffer?.context !== space.context)
      fail('fromBuffer', 'the buffer belongs to another context', ErrorCode.INVALID_MEM_OBJECT);
    if (buffer.released) fail('fromBuffer', 'this Buffer was released', ErrorCode.INVALID_MEM_OBJECT);
    const dtype = dtypeOfArray(new buffer.type(0), 'fromBuffer');
    const checked = checkShape(shape ?? buffer.length, 'fromBuffer');
    if (sizeOf(checked) > buffer.length)
      fail(
        'fromBuffer',
        `the buffer's ${buffer.length} elements do not fill the shape ${shapeText(checked)}`,
      );
    return this.#wrap(dtype, checked, new Storage(space, dtype, buffer as Buffer, false)) as NDArray<
      DTypeOf<T>
    >;
  }

  /** An array of one value. */
  full<D extends DType = 'float32'>(shape: number | Shape, value: number | bigint, dtype?: D): NDArray<D> {
    return this.#full(shape, value, dtype, 'full');
  }

  #full<D extends DType>(
    shape: number | Shape,
    value: number | bigint,
    dtype: D | undefined,
    functionName: string,
  ): NDArray<D> {
    const type = checkDType(dtype ?? 'float32', functionName);
    const space = this.#space;
    space.checkDType(type, functionName);
    const checked = checkShape(shape, functionName);
    if (typeof value !== 'number' && typeof value !== 'bigint')
      fail(functionName, `the value must be a number, not ${shown(value)}`);
    checkElement(value, type, functionName);
    if (type === 'float16') return new NDArray(privately(() => this.full(checked, value).as('float16').node));
    const fill = (): Storage => {
      const storage = space.allocate(type, sizeOf(checked));
      try {
        space.fill(storage, patternOf(value, type), sizeOf(checked));
        return storage;
      } catch (error) {
        storage.release();
        throw error;
      }
    };
    return this.#task(type, checked, () => immediate(fill)) as NDArray<D>;
  }

  /** An array of zeros. */
  zeros<D extends DType = 'float32'>(shape: number | Shape, dtype?: D): NDArray<D> {
    return this.#full(shape, 0, dtype, 'zeros');
  }

  /** An array of ones. */
  ones<D extends DType = 'float32'>(shape: number | Shape, dtype?: D): NDArray<D> {
    return this.#full(shape, 1, dtype, 'ones');
  }

  /** `from`, `from + step`, … before `to`: `arange(5)`, `arange(1, 10, 2)`. int32 unless `dtype` says another type. */
  arange<D extends DType = 'int32'>(to: number, dtype?: D): NDArray<D>;
  arange<D extends DType = 'int32'>(from: number, to: number, step?: number, dtype?: D): NDArray<D>;
  arange(first: number, second?: number | DType, step = 1, dtype?: DType): NDArray {
    const [from, to] = typeof second === 'number' ? [first, second] : [0, first];
    const type = checkDType((typeof second === 'number' ? dtype : second) ?? 'int32', 'arange');
    if (![from, to, step].every(Number.isFinite) || step === 0)
      fail(
        'arange',
        `the bounds must be numbers, and the step a number other than 0, not ${from}, ${to}, ${step}`,
      );
    const count = Math.max(0, Math.ceil((to - from) / step));
    checkElement(from, type, 'arange');
    checkElement(step, type === 'uint8' || type === 'uint16' || type === 'uint32' ? 'int32' : type, 'arange');
    return this.#sequence(type, count, from, step);
  }

  /** `count` numbers from `from` to `to`, both included, at equal distances. float32 unless `dtype` says another type. */
  linspace<D extends DType = 'float32'>(from: number, to: number, count: number, dtype?: D): NDArray<D> {
    const type = checkDType(dtype ?? 'float32', 'linspace');
    checkNumber(from, 'from', 'linspace');
    checkNumber(to, 'to', 'linspace');
    const [n] = checkShape(count, 'linspace');
    return this.#sequence(type, n!, from, n! > 1 ? (to - from) / (n! - 1) : 0) as NDArray<D>;
  }

  /** In double precision where the device has it, so that large floats are as exact as on the host. */
  #sequence(dtype: DType, count: number, from: number, step: number): NDArray {
    const whole = Number.isInteger(from) && Number.isInteger(step) && DTYPES[dtype].kind !== 'float';
    const type = whole ? 'long' : this.#space.profile.doubles ? 'double' : 'float';
    const source = `result = (${type})start + (${type})i * (${type})step`;
    const scalars = whole ? 'int64' : this.#space.profile.doubles ? 'float64' : 'float32';
    const wide = elementwiseFunction(this.#space, source as string, { result: dtype }, this.#array, scalars);
    return wide({ start: from, step }, { shape: count }) as NDArray;
  }

  readonly #array = (node: Node): NDArray => new NDArray(node);

  #task(dtype: DType, shape: Shape, run: () => Task<Storage>): NDArray {
    return new NDArray(new Node(this.#space, dtype, shape, { kind: 'task', run }));
  }

  // Functions of arrays.

  /**
   * A function of arrays, of statements about one element in OpenCL C:
   *
   *     const axpy = nd.elementwise('z = a * x + y');
   *     const z = axpy({ a: 2, x, y });
   *
   * Names that are assigned are results, all others arguments. `i` is the index of the element and `n` their number; `x[i + 1]` reads
   * another element of an argument, row after row. Results have the common type of the arrays, or the one that `types` says.
   */
  elementwise<const S extends string, const T extends OutputTypes<S> = Record<never, never>>(
    source: S,
    types?: T,
  ): Elementwise<S, T> {
    return elementwiseFunction(this.#space, source, types ?? ({} as T), this.#array);
  }

  /** Elements of `a` where the condition is not 0, and of `b` where it is. */
  where<A extends Other, B extends Other>(condition: NDArray, a: A, b: B): NDArray<Chosen<A, B>> {
    return new NDArray(map(this.#space, SELECT, [condition, a, b]));
  }

  /**
   * The discrete Fourier transform, X[j] = sum of x[k] * exp(-2 pi i j k / n), of real numbers or complex ones. Any length of 1 or
   * more; fast for those whose prime factors are 2, 3, 5 and 7, a few times slower for others. Doubles stay doubles, all else becomes
   * float32. Throws INVALID_VALUE where the parts differ in shape, or an axis has no elements.
   *
   *     const { re, im } = nd.fft(signal);
   *     const image = nd.fft({ re: a, im: b }, { axis: [0, 1] });
   */
  fft<D extends DType>(
    x: NDArray<D> | ComplexArrays<D>,
    options?: TransformOptions,
  ): ComplexArrays<TransformOf<D>> {
    return this.#complex(transformed(this.#space, x, options, 'fft'));
  }

  /** The inverse of `fft`, with the factor 1 / n: `nd.ifft(nd.fft(x)).re` is x again. */
  ifft<D extends DType>(
    x: NDArray<D> | ComplexArrays<D>,
    options?: TransformOptions,
  ): ComplexArrays<TransformOf<D>> {
    return this.#complex(transformed(this.#space, x, options, 'ifft'));
  }

  #complex<D extends DType>({ re, im }: { re: Node; im: Node }): ComplexArrays<D> {
    return { re: new NDArray(re), im: new NDArray(im) };
  }

  /**
   * Arrays one after the other along an axis, by default the first. Throws INVALID_VALUE where their types, or their shapes in the
   * other axes, differ.
   */
  concatenate<D extends DType>(list: readonly NDArray<D>[], axis = 0): NDArray<D> {
    return new NDArray(concatenated(this.#nodes(list, 'concatenate'), axis, 'concatenate'));
  }

  /** Arrays of one shape side by side, along a new axis before all others. Throws as `concatenate`. */
  stack<D extends DType>(list: readonly NDArray<D>[]): NDArray<D> {
    const nodes = this.#nodes(list, 'stack');
    const stacked = (): Node => {
      const layers = nodes.map((node) => new NDArray<D>(node).reshape(1, ...node.shape).node);
      return concatenated(layers, 0, 'stack');
    };
    return new NDArray(privately(stacked));
  }

  #nodes(list: readonly NDArray[], functionName: string): Node[] {
    if (!Array.isArray(list)) fail(functionName, 'it takes a list of arrays');
    return list.map((item) => nodeOf(item, this.#space, functionName));
  }

  /** Random numbers of a seed: `nd.random(1).uniform([100, 100])`. The same seed gives the same numbers on every device. */
  random(seed: number | bigint, options?: RandomOptions): Random {
    return new Random(this.#space, seed, options);
  }

  /** Releases the kernels and the memory that is kept. Arrays that exist stay usable; later ones build their kernels again. */
  release(): void {
    this.#space.release();
  }

  /** As `release`, for `using`. */
  [Symbol.dispose](): void {
    this.release();
  }
}

/** One element's bytes. */
function patternOf(value: number | bigint, dtype: DType): ArrayBufferView {
  const pattern = new DTYPES[dtype].array(1);
  const big = dtype === 'int64' || dtype === 'uint64';
  pattern[0] = (big ? BigInt(value) : Number(value)) as never;
  return pattern;
}

const spaces = new WeakMap<Context, Arrays>();

/**
 * Arrays on the device of a session or context. It is the same object each time for one context; options are for the first call.
 */
export function arrays(on: Session | Context, options?: SpaceOptions): Arrays {
  const context = contextOf(on);
  const known = spaces.get(context);
  if (known && options === undefined) return known;
  const made = new Arrays(new Space(context, options ?? {}));
  if (options === undefined) spaces.set(context, made);
  return made;
}

function contextOf(on: Session | Context): Context {
  const context = on instanceof Object && 'context' in on ? on.context : on;
  if (context instanceof Object && 'createBuffer' in context) return context as Context;
  const hint = on instanceof Promise ? ', not the promise of one: await it first' : `, not ${shown(on)}`;
  return fail('arrays', `it takes what open() gives, a session, or a context${hint}`);
}

export type { Arguments, CallOptions, Nested };

refuseMisuse(ElementwiseMethods);
showAs('Arrays', Arrays, ({ context }) => ({ device: context.device.name }));
showAs('NDArray', NDArray, ({ dtype, shape }) => ({ dtype, shape: shapeText(shape) }));
