// SPDX-License-Identifier: MIT
//
// Sorts, selections, places, histograms, random words, products, convolutions and transforms, and their references.
import type { NDArray } from '../../../ts/array';
import { along } from './accumulate';
import {
  common,
  compare,
  convert,
  FLOATS,
  INTEGERS,
  isFloat,
  limits,
  type Model,
  permute,
  round,
  rowsOf,
  sizeOf,
  type Value,
  wrap,
} from './model';
import { allFinite, isExact, make, nameOf, type Operation, type Scene } from './operations';
import { EDGES, type EdgeName, padded } from './views';

const isIndex = ({ dtype }: Model): boolean => !isFloat(dtype);

function sortOptions(
  { chance }: Scene,
  rank: number,
): { axis: number; options: { axis?: number; descending?: boolean } } {
  const axis = chance.integer(0, rank - 1);
  const descending = chance.with(0.4);
  return {
    axis,
    options: {
      ...(axis < rank - 1 || chance.with(0.4) ? { axis: chance.with(0.5) ? axis : axis - rank } : {}),
      ...(descending && { descending }),
    },
  };
}

/** The places of a row's elements in order. */
const orderOf = (row: readonly Value[], descending = false): number[] =>
  [...row.keys()].sort(
    (p, q) => (descending ? compare(row[q]!, row[p]!) : compare(row[p]!, row[q]!)) || p - q,
  );

const sort: Operation = (scene) => {
  const a = scene.pick(({ shape }) => shape.length > 0);
  if (!a) return undefined;
  const { axis, options } = sortOptions(scene, a.model.shape.length);
  const places = scene.chance.with(0.4);
  const name = places ? 'argsort' : 'sort';
  return {
    text: `${nameOf(a.model)}.${name}(${JSON.stringify(options)})`,
    run: (): NDArray => a.array[name](options),
    model: along(a.model, axis, places ? 'uint32' : a.model.dtype, (row) => {
      const order = orderOf(row, options.descending);
      return places ? order : order.map((place) => row[place]!);
    }),
  };
};

const sortBy: Operation = (scene) => {
  const a = scene.pick(({ shape }) => shape.length > 0);
  const keys = a && scene.pick(({ shape }) => `${shape}` === `${a.model.shape}`);
  if (!a || !keys) return undefined;
  const descending = scene.chance.with(0.4);
  const rows = rowsOf(keys.model);
  const data = rowsOf(a.model).flatMap((row, k) => orderOf(rows[k]!, descending).map((place) => row[place]!));
  return {
    text: `${nameOf(a.model)}.sortBy(${nameOf(keys.model)}, ${descending})`,
    run: () => a.array.sortBy(keys.array, { descending }),
    model: make(a.model.dtype, a.model.shape, data),
  };
};

const compact: Operation = (scene) => {
  const a = scene.pick();
  const mask = a && scene.pick(({ shape }) => `${shape}` === `${a.model.shape}`);
  if (!a || !mask) return undefined;
  const data = a.model.data.filter((_, k) => Number(mask.model.data[k]) !== 0);
  return {
    text: `${nameOf(a.model)}.compact(${nameOf(mask.model)})`,
    run: () => (scene.chance.with(0.3) ? a.array.compactSync(mask.array) : a.array.compact(mask.array)),
    model: make(a.model.dtype, [data.length], data),
  };
};

const unique: Operation = (scene) => {
  const a = scene.pick();
  if (!a) return undefined;
  const sorted = [...a.model.data].sort(compare);
  const data = sorted.filter((value, k) => {
    const before = sorted[k - 1];
    return k === 0 || (before !== value && !(Number.isNaN(before) && Number.isNaN(value)));
  });
  return {
    text: `${nameOf(a.model)}.unique()`,
    run: () => (scene.chance.with(0.3) ? a.array.uniqueSync() : a.array.unique()),
    model: make(a.model.dtype, [data.length], data),
  };
};

const histogram: Operation = ({ chance, pick }) => {
  const a = pick(({ dtype }) => dtype !== 'float16');
  if (!a) return undefined;
  const bins = chance.pick([1, 2, 4, 16, 256, 5000]);
  const { dtype } = a.model;
  const width = chance.pick([1, 1, 2, 4]);
  const [least] = isFloat(dtype) ? [0n] : limits(dtype);
  const from = chance.with(0.5)
    ? 0
    : isFloat(dtype) || chance.with(0.7) || dtype.endsWith('64')
      ? chance.integer(-300, 20)
      : Number(least);
  const to = from + bins * width;
  const counts = new Array<number>(bins).fill(0);
  for (const value of a.model.data) {
    const at = (Number(value) - from) / width;
    if (
      isFloat(dtype)
        ? Number(value) >= from && Number(value) <= to
        : value >= BigInt(from) && value < BigInt(to)
    )
      counts[Math.min(bins - 1, Math.floor(at))]!++;
  }
  // Differences to the bounds have to be exact.
  if (isFloat(dtype) && !isExact(a.model)) return undefined;
  return {
    text: `${nameOf(a.model)}.histogram(${bins}, ${from}, ${to})`,
    run: () => a.array.histogram({ bins, from, to }),
    model: make('uint32', [bins], counts),
  };
};

const gather: Operation = ({ pick }) => {
  const a = pick();
  const at = pick(isIndex);
  if (!a || !at) return undefined;
  const n = BigInt(a.model.data.length);
  const text = `${nameOf(a.model)}.gather(${nameOf(at.model)})`;
  const run = (): NDArray => a.array.gather(at.array);
  if (n === 0n && at.model.data.length > 0) return { text, run, model: undefined };
  const data = at.model.data.map((value) => {
    const place = BigInt(value) < 0n ? BigInt(value) + n : BigInt(value);
    return a.model.data[Number(place < 0n ? 0n : place >= n ? n - 1n : place)]!;
  });
  return { text, run, model: make(a.model.dtype, at.model.shape, data) };
};

const scatter: Operation = ({ chance, pick, nd }) => {
  const a = pick();
  const at = pick(isIndex);
  if (!a || !at) return undefined;
  const { dtype } = a.model;
  const mode = chance.with(0.5) ? 'add' : 'set';
  const text = `${nameOf(a.model)}.scatter(${nameOf(at.model)}, 3, '${mode}')`;
  const run = (): NDArray => a.array.scatter(at.array, nd.full([], 3, dtype), mode);
  if (mode === 'add' && !['int32', 'uint32', 'float32'].includes(dtype))
    return { text, run, model: undefined };
  if (mode === 'add' && isFloat(dtype) && !isExact(a.model)) return undefined;
  const data = [...a.model.data];
  const n = BigInt(data.length);
  for (const value of at.model.data) {
    const place = Number(BigInt(value) < 0n ? BigInt(value) + n : BigInt(value));
    if (place < 0 || place >= data.length) continue;
    const three = isFloat(dtype) ? 3 : wrap(3, dtype);
    data[place] =
      mode === 'set'
        ? three
        : isFloat(dtype)
          ? Number(data[place]) + 3
          : wrap(BigInt(data[place]!) + 3n, dtype);
  }
  return { text, run, model: make(dtype, a.model.shape, data) };
};

/** Philox4x32-10 as its authors define it. */
export function philox(counter: bigint, key: readonly [number, number]): number[] {
  const word = (k: number): number => Number(BigInt.asUintN(32, counter >> BigInt(32 * k)));
  let [x, y, z, w] = [word(0), word(1), word(2), word(3)];
  let [low, high] = key;
  for (let turn = 0; turn < 10; turn++) {
    const [p, q] = [BigInt(x) * 0xd2511f53n, BigInt(z) * 0xcd9e8d57n];
    [x, y, z, w] = [
      (Number(q >> 32n) ^ y ^ low) >>> 0,
      Number(BigInt.asUintN(32, q)),
      (Number(p >> 32n) ^ w ^ high) >>> 0,
      Number(BigInt.asUintN(32, p)),
    ];
    low = (low + 0x9e3779b9) >>> 0;
    high = (high + 0xbb67ae85) >>> 0;
  }
  return [x, y, z, w];
}

const random: Operation = ({ chance, nd }) => {
  const seed = chance.integer(0, 2 ** 32 - 1);
  const counter = chance.pick([0n, 1n, 2n ** 32n - 2n, 2n ** 64n - 2n, 2n ** 128n - 2n]);
  const n = chance.pick([0, 1, 2, 3, 4, 5, 100, 1001]);
  const words = Array.from(
    { length: n },
    (_, k) => philox(BigInt.asUintN(128, counter + BigInt(k >> 2)), [seed, 0])[k % 4]!,
  );
  const kind = chance.pick(['bits', 'uniform', 'integers'] as const);
  const made = () => nd.random(seed, { counter });
  const text = `random(${seed}, ${counter}).${kind}(${n})`;
  if (kind === 'bits') return { text, run: () => made().bits(n), model: make('uint32', [n], words) };
  if (kind === 'uniform')
    return {
      text,
      run: () => made().uniform(n),
      model: make(
        'float32',
        [n],
        words.map((each) => (each >>> 8) / 2 ** 24),
      ),
    };
  const dtype = chance.pick([...INTEGERS, ...FLOATS]);
  const [from, to] = dtype.startsWith('u') ? [3, 120] : [-40, 60];
  const data = words.map((each) =>
    convert(from + Number((BigInt(each) * BigInt(to - from)) >> 32n), 'int32', dtype),
  );
  return {
    text: `${text} of ${dtype}`,
    run: () => made().integers(n, { from, to, dtype }),
    model: make(dtype, [n], data),
  };
};

const zero = (model: Model): Value => (model.data.length > 0 && typeof model.data[0] === 'bigint' ? 0n : 0);
const productSum = (sum: Value, a: Value, b: Value, dtype: Model['dtype']): Value =>
  isFloat(dtype) ? Number(sum) + Number(a) * Number(b) : wrap(BigInt(sum) + BigInt(a) * BigInt(b), dtype);

/** Whether sums of products of the elements are exact. */
const multiplies = (model: Model): boolean =>
  !isFloat(model.dtype) || (isExact(model, model.dtype === 'float16' ? 4 : 64) && allFinite(model));

const matmul: Operation = ({ pick }) => {
  const a = pick((model) => model.shape.length === 2 && multiplies(model));
  const b =
    a &&
    pick((model) => model.shape.length === 2 && model.shape[0] === a.model.shape[1] && multiplies(model));
  if (!a || !b) return undefined;
  const dtype = common(a.model.dtype, b.model.dtype);
  const text = `${nameOf(a.model)}.matmul(${nameOf(b.model)})`;
  const run = (): NDArray => a.array.matmul(b.array);
  if (!dtype) return { text, run, model: undefined };
  const as = (model: Model): Model =>
    make(
      dtype,
      model.shape,
      model.data.map((value) => convert(value, model.dtype, dtype)),
    );
  const [left, right] = [as(a.model), as(b.model)];
  if (!multiplies(left) || !multiplies(right)) return undefined;
  const columns = rowsOf(permute(right, [1, 0]));
  const shape = [left.shape[0]!, right.shape[1]!];
  const first: Value = dtype === 'int64' || dtype === 'uint64' ? 0n : 0;
  const data = rowsOf(left).flatMap((row) =>
    columns.map((column) => {
      const sum = row.reduce<Value>((sum, value, k) => productSum(sum, value, column[k]!, dtype), first);
      return isFloat(dtype) ? round(Number(sum), dtype) : sum;
    }),
  );
  return { text, run, model: make(dtype, shape, data), tolerance: 'zeros' };
};

const convolve: Operation = ({ chance, pick }) => {
  const a = pick((model) => model.shape.length > 0 && model.data.length < 3000 && multiplies(model));
  const w =
    a &&
    pick(
      (model) =>
        model.dtype === a.model.dtype &&
        model.shape.length > 0 &&
        model.shape.length <= Math.min(2, a.model.shape.length) &&
        model.data.length <= 30 &&
        multiplies(model),
    );
  if (!a || !w) return undefined;
  const size = chance.pick(['same', 'full', 'valid'] as const);
  const edge = chance.pick(EDGES) as EdgeName;
  const text = `${nameOf(a.model)}.convolve(${nameOf(w.model)}, ${size}, ${edge})`;
  const run = (): NDArray => a.array.convolve(w.array, { size, edge });
  if (w.model.data.length === 0) return { text, run, model: undefined };
  const rank = a.model.shape.length;
  const missing = rank - w.model.shape.length;
  const around = (n: number): readonly [number, number] =>
    size === 'valid' ? [0, 0] : size === 'full' ? [n - 1, n - 1] : [n - 1 - ((n - 1) >> 1), (n - 1) >> 1];
  const widths = a.model.shape.map((_, axis) =>
    axis < missing ? ([0, 0] as const) : around(w.model.shape[axis - missing]!),
  );
  if (edge !== 'zero' && a.model.shape.some((n, axis) => n === 0 && widths[axis]![0] + widths[axis]![1] > 0))
    return { text, run, model: undefined };
  const source = padded(a.model, widths, edge);
  const lengths = a.model.shape.map((_, axis) => (axis < missing ? 1 : w.model.shape[axis - missing]!));
  const shape = source.shape.map((n, axis) => Math.max(0, n - lengths[axis]! + 1));
  return {
    text,
    run,
    model: convolved(source, make(w.model.dtype, lengths, w.model.data), shape),
    tolerance: 'zeros',
  };
};

function convolved(source: Model, weights: Model, shape: readonly number[]): Model {
  const { dtype } = source;
  const steps = (of: readonly number[]): number[] => of.map((_, axis) => sizeOf(of.slice(axis + 1)));
  const [from, to] = [steps(source.shape), steps(shape)];
  const offsets = Array.from({ length: weights.data.length }, (_, k) =>
    steps(weights.shape).reduce((sum, step, axis) => {
      const at = Math.floor(k / step) % weights.shape[axis]!;
      return sum + (weights.shape[axis]! - 1 - at) * from[axis]!;
    }, 0),
  );
  const data = Array.from({ length: sizeOf(shape) }, (_, k) => {
    const base = to.reduce((sum, step, axis) => sum + (Math.floor(k / step) % shape[axis]!) * from[axis]!, 0);
    const sum = weights.data.reduce<Value>(
      (sum, weight, j) => productSum(sum, source.data[base + offsets[j]!]!, weight, dtype),
      zero(weights),
    );
    return isFloat(dtype) ? round(Number(sum), dtype) : sum;
  });
  return make(dtype, shape, data);
}

const fft: Operation = ({ chance, pick, nd }) => {
  const a = pick(
    (model) =>
      model.shape.length > 0 &&
      model.data.length <= 300 &&
      model.data.length > 0 &&
      allFinite(model) &&
      model.data.every((value) => Math.abs(Number(value)) < 2 ** 20),
  );
  if (!a) return undefined;
  const axis = chance.integer(0, a.model.shape.length - 1);
  const part = chance.pick(['re', 'im'] as const);
  const dtype = a.model.dtype === 'float64' ? 'float64' : 'float32';
  const n = a.model.shape[axis]!;
  return {
    text: `fft(${nameOf(a.model)}, ${axis}).${part}`,
    run: () => nd.fft(a.array, { axis })[part],
    model: along(a.model, axis, dtype, (row) =>
      Array.from({ length: n }, (_, j) =>
        row.reduce<number>((sum, value, k) => {
          const angle = (-2 * Math.PI * ((j * k) % n)) / n;
          return sum + Number(value) * (part === 're' ? Math.cos(angle) : Math.sin(angle));
        }, 0),
      ),
    ),
    tolerance: {
      relative: 1e-5,
      scale: a.model.data.reduce<number>((sum, value) => sum + Math.abs(Number(value)), 0),
    },
  };
};

export const ORDERS: readonly Operation[] = [
  sort,
  sort,
  sortBy,
  compact,
  unique,
  histogram,
  gather,
  scatter,
  random,
  matmul,
  convolve,
  fft,
];
