// SPDX-License-Identifier: MIT
//
// Transforms of complex numbers, scattered arrays of values, values as edges, random floats, stacks, statements with several results, and
// their references.
import type { NDArray } from '../../../ts/array';
import { along } from './accumulate';
import { convert, isFloat, type Model, round, sizeOf, type Value, wrap } from './model';
import { allFinite, isExact, make, nameOf, type Operation, type Pair } from './operations';
import { philox } from './order';

interface Complex {
  readonly re: readonly number[];
  readonly im: readonly number[];
}

/** The transform of numbers, or with `sign` 1 its inverse. */
function transformOf({ re, im }: Complex, sign: 1 | -1): Complex {
  const n = re.length;
  const factor = sign === 1 ? 1 / n : 1;
  const turns = re.map((_, k) => (sign * 2 * Math.PI * k) / n);
  const [cosines, sines] = [turns.map(Math.cos), turns.map(Math.sin)];
  const part = (value: (k: number, turn: number) => number): number[] =>
    re.map((_, j) => re.reduce((sum, _, k) => sum + value(k, (j * k) % n), 0) * factor);
  return {
    re: part((k, turn) => re[k]! * cosines[turn]! - im[k]! * sines[turn]!),
    im: part((k, turn) => re[k]! * sines[turn]! + im[k]! * cosines[turn]!),
  };
}

const pairOf = (value: Complex): Value[] => value.re.flatMap((each, k) => [each, value.im[k]!]);

/** Along an axis, with the imaginary parts as a last axis of two elements. */
function transformAxis(model: Model, axis: number, sign: 1 | -1): Model {
  const rank = model.shape.length;
  const order = [...model.shape.keys()].filter((k) => k !== axis && k !== rank - 1);
  const at = [...order, axis, rank - 1];
  const moved = permuteTo(model, at);
  const [n, out] = [model.shape[axis]!, [] as Value[]];
  for (let from = 0; from < moved.data.length; from += 2 * n) {
    const row = moved.data.slice(from, from + 2 * n).map(Number);
    const parts = { re: row.filter((_, k) => k % 2 === 0), im: row.filter((_, k) => k % 2 === 1) };
    out.push(...pairOf(transformOf(parts, sign)));
  }
  return permuteTo(
    { ...moved, data: out },
    at.map((_, k) => at.indexOf(k)),
  );
}

/** The array with its axes in another order. */
function permuteTo(model: Model, order: readonly number[]): Model {
  const rank = order.length;
  const steps = model.shape.map((_, axis) => sizeOf(model.shape.slice(axis + 1)));
  const shape = order.map((axis) => model.shape[axis]!);
  const data = Array.from({ length: sizeOf(shape) }, (_, k) => {
    let rest = k;
    let index = 0;
    for (let axis = rank - 1; axis >= 0; axis--) {
      index += (rest % shape[axis]!) * steps[order[axis]!]!;
      rest = Math.floor(rest / shape[axis]!);
    }
    return model.data[index]!;
  });
  return { ...model, shape, data };
}

const isTame = (model: Model): boolean =>
  allFinite(model) && model.data.every((value) => Math.abs(Number(value)) < 2 ** 20);

const transform: Operation = ({ chance, pick, nd }) => {
  const suits = (model: Model): boolean =>
    model.shape.length > 0 && model.data.length > 0 && model.data.length <= 2100 && isTame(model);
  const a = pick(suits);
  if (!a || a.model.shape.some((n) => n > 1100)) return undefined;
  const other = pick((model) => suits(model) && `${model.shape}` === `${a.model.shape}`);
  const b = chance.with(0.7) ? other : undefined;
  const rank = a.model.shape.length;
  const all = [...a.model.shape.keys()];
  const axes = chance.with(0.5) ? [rank - 1] : all.filter(() => chance.with(0.5));
  if (axes.length === 0) return undefined;
  const inverse = chance.with(0.5);
  const part = chance.pick(['re', 'im'] as const);
  const types = [a, ...(b ? [b] : [])].map(({ model }) => model.dtype);
  const signs = types.some((type) => type === 'uint64') && types.some((type) => type.startsWith('int'));
  if (signs) return undefined;
  const dtype = types.includes('float64') ? 'float64' : 'float32';
  const scale = [a, b].reduce(
    (sum, each) => (each?.model.data ?? []).reduce<number>((most, v) => most + Math.abs(Number(v)), sum),
    0,
  );
  let both: Model = make(
    dtype,
    [...a.model.shape, 2],
    pairOf({ re: a.model.data.map(Number), im: a.model.data.map((_, k) => Number(b?.model.data[k] ?? 0)) }),
  );
  for (const axis of axes) both = transformAxis(both, axis, inverse ? 1 : -1);
  const name = inverse ? 'ifft' : 'fft';
  const axis = axes.length === 1 && chance.with(0.5) ? axes[0]! - rank : axes;
  const given = b ? { re: a.array, im: b.array } : a.array;
  return {
    text: `${name}(${nameOf(a.model)}${b ? ` + i ${nameOf(b.model)}` : ''}, ${JSON.stringify(axis)}).${part}`,
    run: () => nd[name](given, { axis })[part],
    model: make(
      dtype,
      a.model.shape,
      both.data.filter((_, k) => k % 2 === (part === 're' ? 0 : 1)),
    ),
    tolerance: { relative: 1e-5, scale },
  };
};

/** Values of their own for each place. Where two places are the same, either value may be set. */
const scatter: Operation = ({ chance, pick, nd }) => {
  const values = pick(({ data }) => data.length < 3000);
  const a = values && pick(({ dtype, data }) => dtype === values.model.dtype && data.length > 0);
  if (!a || !values) return undefined;
  const { dtype } = a.model;
  const adds = ['int32', 'uint32', 'float32'].includes(dtype) && chance.with(0.6);
  if (adds && isFloat(dtype) && !(isExact(a.model, 256) && isExact(values.model, 16))) return undefined;
  if (adds && isFloat(dtype) && !(allFinite(a.model) && allFinite(values.model))) return undefined;
  const [n, count] = [a.model.data.length, values.model.data.length];
  if (!adds && count > n) return undefined;
  // A step that has no factor in common with n visits each place once.
  const step = [1, 7, 11, 13].find((each) => n % each !== 0 || each === 1)!;
  const first = chance.integer(0, n - 1);
  const at = Array.from({ length: count }, (_, k) =>
    adds ? chance.integer(-n, n - 1) : ((first + k * step) % n) - (k % 2 === 0 ? n : 0),
  );
  const data = [...a.model.data];
  at.forEach((place, k) => {
    const target = place < 0 ? place + n : place;
    const value = values.model.data[k]!;
    if (!adds) data[target] = value;
    else if (isFloat(dtype)) data[target] = Number(data[target]) + Number(value);
    else data[target] = wrap(BigInt(data[target]!) + BigInt(value), dtype);
  });
  const mode = adds ? 'add' : 'set';
  return {
    text: `${nameOf(a.model)}.scatter(${step} from ${first}, ${nameOf(values.model)}, '${mode}')`,
    run: () =>
      a.array.scatter(
        nd.array(chance.with(0.5) ? Int32Array.from(at) : Int16Array.from(at), values.model.shape),
        values.array,
        mode,
      ),
    model: n > 2 ** 15 ? undefined : make(dtype, a.model.shape, data),
    tolerance: adds ? 'zeros' : 'none',
  };
};

const padWithValue: Operation = ({ chance, pick }) => {
  const a = pick(({ data }) => data.length < 2000);
  if (!a) return undefined;
  const { dtype, shape } = a.model;
  const value = chance.pick([0, 1, 5, 100]);
  const width = chance.integer(0, 3);
  const wide = shape.map((n) => n + 2 * width);
  const own = dtype === 'int64' || dtype === 'uint64' ? BigInt(value) : value;
  const source = [...a.model.data];
  const steps = shape.map((_, axis) => sizeOf(shape.slice(axis + 1)));
  const data = Array.from({ length: sizeOf(wide) }, (_, k): Value => {
    let rest = k;
    let index = 0;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const place = (rest % wide[axis]!) - width;
      rest = Math.floor(rest / wide[axis]!);
      if (place < 0 || place >= shape[axis]!) return own;
      index += place * steps[axis]!;
    }
    return source[index]!;
  });
  return {
    text: `${nameOf(a.model)}.pad(${width}, { value: ${value} })`,
    run: () => a.array.pad(width, { value }),
    model: make(dtype, wide, data),
  };
};

const UNIT = 2 ** -24;

/** Uniform and normal numbers, from the words that Philox gives. */
const randomFloats: Operation = ({ chance, nd }) => {
  const seed = chance.integer(0, 2 ** 32 - 1);
  const n = chance.pick([0, 1, 3, 4, 257, 1000]);
  const dtype = chance.pick(['float32', 'float64'] as const);
  const isDouble = dtype === 'float64';
  const each = isDouble ? 2 : 4;
  const blocks = Array.from({ length: Math.ceil(n / each) }, (_, k) => philox(BigInt(k), [seed, 0]));
  const unit = ([x, y, z, w]: number[]): number[] => {
    const double = (a: number, b: number): number =>
      Number(((BigInt(a) << 21n) ^ BigInt(b)) & 0x1fffffffffffffn) * 2 ** -53;
    return isDouble ? [double(x!, y!), double(z!, w!)] : [x!, y!, z!, w!].map((word) => (word >>> 8) * UNIT);
  };
  const units = blocks.map(unit);
  const [first, factor] = [chance.pick([0, -2, 10]), chance.pick([1, 3, 0.5])];
  if (chance.with(0.5)) {
    const data = units.flat().map((value) => round(value, dtype) * factor + first);
    return {
      text: `random(${seed}).uniform(${n}, ${first}, ${first + factor}, ${dtype})`,
      run: () => nd.random(seed).uniform(n, { from: first, to: first + factor, dtype }),
      model: make(dtype, [n], data.slice(0, n)),
      tolerance: { relative: isDouble ? 1e-15 : 1e-6, scale: 16 },
    };
  }
  const normal = (a: number, b: number): number[] => {
    const radius = Math.sqrt(-2 * Math.log(1 - a));
    return [radius * Math.cos(2 * Math.PI * b), radius * Math.sin(2 * Math.PI * b)];
  };
  const data = units.flatMap((list) =>
    list.flatMap((_, k) => (k % 2 === 0 ? normal(list[k]!, list[k + 1]!) : [])),
  );
  return {
    text: `random(${seed}).normal(${n}, ${first}, ${factor}, ${dtype})`,
    run: () => nd.random(seed).normal(n, { mean: first, deviation: factor, dtype }),
    model: make(dtype, [n], data.map((value) => value * factor + first).slice(0, n)),
    tolerance: { relative: isDouble ? 1e-14 : 2e-6, scale: 30 },
  };
};

const stack: Operation = ({ chance, pick, nd }) => {
  const first = pick(({ data }) => data.length < 20_000);
  if (!first) return undefined;
  const fits = ({ dtype, shape }: Model): boolean =>
    dtype === first.model.dtype && `${shape}` === `${first.model.shape}`;
  const list = Array.from({ length: chance.integer(1, 3) }, () => pick(fits)!);
  const { dtype, shape } = first.model;
  return {
    text: `stack(${list.length} of ${nameOf(first.model)})`,
    run: () => nd.stack(list.map(({ array }) => array)),
    model: make(
      dtype,
      [list.length, ...shape],
      list.flatMap(({ model }) => model.data),
    ),
  };
};

/** One of two results. The other one is released unread, or read at the end with all others. */
const severalResults: Operation = ({ chance, pick, nd }) => {
  const a = pick(
    (model) => ['int32', 'float32', 'uint32'].includes(model.dtype) && isExact(model) && allFinite(model),
  );
  if (!a) return undefined;
  const chosen = chance.pick(['p', 'q'] as const);
  const releases = chance.with(0.5);
  const { dtype, shape } = a.model;
  const data = a.model.data.map((value, k) => {
    const result = chosen === 'p' ? Number(value) * 2 : Number(value) + (k % 7);
    return isFloat(dtype) ? round(result, dtype) : wrap(result, dtype);
  });
  return {
    text: `elementwise('p = x * 2; q = x + i % 7')(${nameOf(a.model)}).${chosen}`,
    run: () => {
      const split = nd.elementwise('p = x * 2; q = x + (int)(i % 7)');
      const { p, q } = split({ x: a.array }) as unknown as { readonly p: NDArray; readonly q: NDArray };
      if (releases) (chosen === 'p' ? q : p).release();
      return chosen === 'p' ? p : q;
    },
    model: make(dtype, shape, data),
    tolerance: 'zeros',
  };
};

/** What several readers at a time see: one of them in blocking calls. */
const readersAtOnce: Operation = ({ pick }) => {
  const a = pick(({ shape, dtype }) => shape.length > 1 && dtype !== 'float16');
  if (!a) return undefined;
  const last = a.model.shape.length - 1;
  const back = [...a.model.shape.keys()].reverse();
  const sorted = (array: NDArray): NDArray => array.transpose().sort({ axis: 0 }).transpose();
  return {
    text: `${nameOf(a.model)}.transpose().sort({ axis: 0 }).transpose(), by three readers`,
    run: async () => {
      const result = sorted(a.array);
      const [one, other] = [result.read(), result.copy().read()];
      const now = result.readSync();
      for (const each of await Promise.all([one, other]))
        if (!Buffer.from(each.buffer).equals(Buffer.from(now.buffer)))
          throw new Error('readers see different elements');
      return result;
    },
    model: back.length > 0 ? along(a.model, last, a.model.dtype, ordered) : undefined,
  };
};

const ordered = (row: readonly Value[]): Value[] => {
  const rank = (value: Value): number => (Number.isNaN(value) ? 2 : Object.is(value, -0) ? 0 : 1);
  return [...row].sort((p, q) => (p < q ? -1 : p > q ? 1 : rank(p) - rank(q)));
};

/** Conversions of lists, of any type. */
const lists: Operation = ({ pick, nd }) => {
  const a: Pair | undefined = pick(
    (model) => model.shape.length > 0 && model.data.length > 0 && model.data.length < 500 && allFinite(model),
  );
  if (!a) return undefined;
  const { dtype } = a.model;
  const run = async (): Promise<NDArray> => nd.array((await a.array.toArray()) as number[], dtype);
  const data = a.model.data.map((value) => convert(value, dtype, dtype));
  return { text: `array(${nameOf(a.model)}.toArray())`, run, model: make(dtype, a.model.shape, data) };
};

export const REST: readonly Operation[] = [
  transform,
  transform,
  scatter,
  padWithValue,
  randomFloats,
  stack,
  severalResults,
  readersAtOnce,
  lists,
];
