// SPDX-License-Identifier: MIT
//
// Random numbers by Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3; SC 2011): a function of
// a key and a counter, so that each work-item makes its own, and the same on every device.
import { NDArray } from '../array';
import { checkDType, type DType, isElement, limitsOf } from '../dtype';
import { checkNumber, fail, shown } from '../errors';
import { Node, privately } from '../node';
import { checkOptions } from '../options';
import { checkShape, type Shape, sizeOf } from '../shape';
import type { Space, Storage } from '../space';
import type { Task } from '../task';
import { KernelWriter, roundUp } from '../writer';

const PHILOX = `uint4 philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; round++) {
    const uint high0 = mul_hi(0xD2511F53u, counter.x), low0 = 0xD2511F53u * counter.x;
    const uint high1 = mul_hi(0xCD9E8D57u, counter.z), low1 = 0xCD9E8D57u * counter.z;
    counter = (uint4)(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
    key += (uint2)(0x9E3779B9u, 0xBB67AE85u);
  }
  return counter;
}`;

/** Options of `nd.random`. */
export interface RandomOptions {
  /** The first counter, of 128 bits: generators of one seed whose counters are far apart are independent. Default: 0. */
  readonly counter?: bigint;
}

/** How the numbers of a distribution are made of words. */
interface Distribution {
  readonly name: string;
  readonly dtype: DType;
  /** Numbers that one block of four words makes. */
  readonly each: 2 | 4;
  /** Writes lines, and returns the texts of the numbers. */
  readonly make: (writer: KernelWriter) => readonly string[];
}

const WORDS = ['words.x', 'words.y', 'words.z', 'words.w'] as const;
/** 53 bits of two words, from 0 to before 1. */
const double = (a: string, b: string): string =>
  `(((ulong)${a} << 21 ^ ${b}) & 0x1FFFFFFFFFFFFFul) * 0x1p-53`;
const single = (word: string): string => `(${word} >> 8) * 0x1p-24f`;

/**
 * A sequence of random numbers. Each array takes the next ones; the same seed gives the same numbers on every device.
 *
 * @example
 * ```ts
 * const random = arrays(cl).random(1);
 * const throws = await random.integers(6, { from: 1, to: 7 }).read();
 * console.log(throws.every((eyes) => eyes >= 1 && eyes <= 6)); // true
 * ```
 */
export class Random {
  readonly #space: Space;
  readonly #key: readonly [number, number];
  #counter: bigint;

  /** @internal */
  constructor(space: Space, seed: number | bigint, options: RandomOptions = {}) {
    if (typeof seed !== 'bigint' && !Number.isSafeInteger(seed))
      fail('random', `the seed must be a whole number, not ${shown(seed)}`);
    checkOptions(options, ['counter'], 'random');
    const { counter = 0n } = options;
    if (typeof counter !== 'bigint') fail('random', `\`counter\` must be a bigint, not ${shown(counter)}`);
    const bits = BigInt.asUintN(64, BigInt(seed));
    this.#space = space;
    this.#key = [Number(bits & 0xffffffffn), Number(bits >> 32n)];
    this.#counter = BigInt.asUintN(128, counter);
  }

  /** The counter of the next block of four words. */
  get counter(): bigint {
    return this.#counter;
  }

  /** Random words: all bits are random. */
  bits(shape: number | Shape): NDArray<'uint32'> {
    return this.#fill(shape, {
      name: 'bits',
      dtype: 'uint32',
      each: 4,
      make: () => WORDS,
    }) as NDArray<'uint32'>;
  }

  /** From `from` (0) to before `to` (1), float32 or float64. */
  uniform<D extends 'float32' | 'float64' = 'float32'>(
    shape: number | Shape,
    options: { readonly from?: number; readonly to?: number; readonly dtype?: D } = {},
  ): NDArray<D> {
    checkOptions(options, ['from', 'to', 'dtype'], 'uniform');
    const { from = 0, to = 1 } = options;
    checkNumber(from, 'from', 'uniform');
    checkNumber(to, 'to', 'uniform');
    if (from > to)
      fail('uniform', `\`from\` must not be greater than \`to\`, but they are ${from} and ${to}`);
    const dtype = this.#floatType(options.dtype, 'uniform');
    const numbers =
      dtype === 'float64' ? [double(WORDS[0], WORDS[1]), double(WORDS[2], WORDS[3])] : WORDS.map(single);
    const values = (): NDArray =>
      this.#fill(shape, {
        name: 'uniform',
        dtype,
        each: dtype === 'float64' ? 2 : 4,
        make: () => numbers,
      });
    return (from === 0 && to === 1 ? values() : stretched(values, to - from, from)) as NDArray<D>;
  }

  /** Of the normal distribution, by the method of Box and Muller, float32 or float64. */
  normal<D extends 'float32' | 'float64' = 'float32'>(
    shape: number | Shape,
    options: { readonly mean?: number; readonly deviation?: number; readonly dtype?: D } = {},
  ): NDArray<D> {
    checkOptions(options, ['mean', 'deviation', 'dtype'], 'normal');
    const { mean = 0, deviation = 1 } = options;
    checkNumber(mean, 'mean', 'normal');
    checkNumber(deviation, 'deviation', 'normal');
    if (deviation < 0) fail('normal', `\`deviation\` must not be negative, but is ${deviation}`);
    const dtype = this.#floatType(options.dtype, 'normal');
    const isDouble = dtype === 'float64';
    const [type, pairs] = isDouble
      ? (['double', [[double(WORDS[0], WORDS[1]), double(WORDS[2], WORDS[3])]]] as const)
      : ([
          'float',
          [
            [single(WORDS[0]), single(WORDS[1])],
            [single(WORDS[2]), single(WORDS[3])],
          ],
        ] as const);
    const make = (writer: KernelWriter): string[] =>
      pairs.flatMap(([a, b], k) => {
        writer.type(dtype);
        writer.line(`const ${type} radius${k} = sqrt(-2 * log(1 - ${a})), turn${k} = 2 * (${b});`);
        return [`radius${k} * cospi(turn${k})`, `radius${k} * sinpi(turn${k})`];
      });
    const values = (): NDArray => this.#fill(shape, { name: 'normal', dtype, each: isDouble ? 2 : 4, make });
    return (mean === 0 && deviation === 1 ? values() : stretched(values, deviation, mean)) as NDArray<D>;
  }

  /** Whole numbers from `from` (0) to before `to`, int32 unless `dtype` says another type. At most 2^32 different ones. */
  integers<D extends DType = 'int32'>(
    shape: number | Shape,
    options: { readonly from?: number; readonly to: number; readonly dtype?: D },
  ): NDArray<D> {
    if (options === undefined)
      fail('integers', 'give the number before which they end: integers(shape, { to: 6 })');
    checkOptions(options, ['from', 'to', 'dtype'], 'integers');
    const { from = 0, to } = options;
    checkNumber(from, 'from', 'integers');
    checkNumber(to, 'to', 'integers');
    if (!Number.isInteger(from) || !Number.isInteger(to))
      fail('integers', `the bounds must be whole numbers, not ${from} and ${to}`);
    const dtype = checkDType(options.dtype ?? 'int32', 'integers');
    if (!isElement(from, dtype) || !isElement(to - 1, dtype))
      fail(
        'integers',
        `whole numbers of the type ${dtype} are from ${limitsOf(dtype)!.join(' to ')}, not from ${from} to before ${to}: give another \`dtype\``,
      );
    const range = to - from;
    if (!(Number.isInteger(range) && range >= 1 && range <= 2 ** 32))
      fail('integers', `there are no whole numbers, or more than 2^32, from ${from} to before ${to}`);
    const make = (writer: KernelWriter): string[] => {
      const first = writer.scalar(from, 'int64', 'first');
      const last = writer.scalar(range - 1, 'uint32', 'last');
      const type = writer.type(dtype);
      return WORDS.map((word) => `(${type})(${first} + (long)((ulong)${word} * ((ulong)${last} + 1) >> 32))`);
    };
    return this.#fill(shape, { name: 'integers', dtype, each: 4, make }) as NDArray<D>;
  }

  #floatType(dtype: DType | undefined, functionName: string): DType {
    const type = checkDType(dtype ?? 'float32', functionName);
    if (type !== 'float32' && type !== 'float64')
      fail(functionName, `\`dtype\` must be float32 or float64, not ${type}`);
    this.#space.checkDType(type, functionName);
    return type;
  }

  #fill(shape: number | Shape, distribution: Distribution): NDArray {
    const space = this.#space;
    const checked = checkShape(shape, 'random');
    const size = sizeOf(checked);
    const blocks = Math.ceil(size / distribution.each);
    const counter = this.#counter;
    this.#counter = BigInt.asUintN(128, counter + BigInt(blocks));
    const key = this.#key;
    const run = () => fill(space, distribution, size, blocks, counter, key);
    return new NDArray(new Node(space, distribution.dtype, checked, { kind: 'task', run }));
  }
}

const stretched = (values: () => NDArray, factor: number, first: number): NDArray =>
  new NDArray(privately(() => values().mul(factor).add(first).node));

function* fill(
  space: Space,
  { name, dtype, each, make }: Distribution,
  size: number,
  blocks: number,
  counter: bigint,
  key: readonly [number, number],
): Task<Storage> {
  const out = space.allocate(dtype, size);
  if (size === 0) return out;
  try {
    const writer = new KernelWriter(`random_${name}`, `random numbers: ${name}, by Philox4x32-10`);
    writer.helper(PHILOX);
    writer.output(out, 'out');
    writer.line('const uint block = get_global_id(0);');
    writer.line(`if (block >= (uint)${writer.int(blocks, 'blocks')}) return;`);
    const [low, high] = [
      writer.scalar(BigInt.asUintN(64, counter), 'uint64', 'low'),
      writer.scalar(counter >> 64n, 'uint64', 'high'),
    ];
    const keys = [writer.scalar(key[0], 'uint32', 'key_low'), writer.scalar(key[1], 'uint32', 'key_high')];
    writer.line(`const ulong at = ${low} + block, above = ${high} + (at < ${low});`);
    writer.line(
      `const uint4 words = philox((uint4)((uint)at, (uint)(at >> 32), (uint)above, (uint)(above >> 32)), (uint2)(${keys.join(', ')}));`,
    );
    const n = writer.int(size, 'n');
    const values = make(writer);
    writer.line(`const uint first_of_block = block * ${each};`);
    values.forEach((value, k) => {
      writer.line(`if (first_of_block + ${k} < (uint)${n})`);
      writer.store('out', `first_of_block + ${k}`, value, dtype);
    });
    const kernel = yield* space.kernel(writer.source, writer.name);
    space.launch(kernel, { global: roundUp(blocks, 64) }, [out], writer.values);
    return out;
  } catch (error) {
    out.release();
    throw error;
  }
}
