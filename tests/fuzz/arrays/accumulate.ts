// SPDX-License-Identifier: MIT
//
// Reductions and scans, and their references.
import type { NDArray } from '../../../ts/array';
import type { DType } from '../../../ts/array/dtype';
import {
  convert,
  isFloat,
  limits,
  type Model,
  permute,
  round,
  rowsOf,
  sizeOf,
  sumType,
  type Value,
  wrap,
} from './model';
import {
  allFinite,
  isExact,
  make,
  nameOf,
  type Operation,
  type Pair,
  type Scene,
  type Tolerance,
} from './operations';

interface Fold {
  readonly result: (dtype: DType) => DType;
  readonly initial: (dtype: DType) => Value;
  readonly step: (sum: Value, value: Value, dtype: DType) => Value;
}

const arithmetic = (
  first: number,
  float: (a: number, b: number) => number,
  integer: (a: bigint, b: bigint) => bigint,
): Fold => ({
  result: sumType,
  initial: (dtype) => (isFloat(dtype) ? first : wrap(first, dtype)),
  step: (a, b, dtype) =>
    isFloat(dtype) ? float(Number(a), Number(b)) : wrap(integer(BigInt(a), BigInt(b)), dtype),
});
const extreme = (better: (a: Value, b: Value) => boolean, limit: 0 | 1): Fold => ({
  result: (dtype) => dtype,
  initial: (dtype) =>
    isFloat(dtype) ? (limit === 0 ? -Infinity : Infinity) : wrap(limits(dtype)[limit], dtype),
  step: (a, b) => (Number.isNaN(a) || better(a, b) ? a : b),
});

const FOLDS = {
  sum: arithmetic(
    0,
    (a, b) => a + b,
    (a, b) => a + b,
  ),
  prod: arithmetic(
    1,
    (a, b) => a * b,
    (a, b) => a * b,
  ),
  min: extreme((a, b) => a < b, 1),
  max: extreme((a, b) => a > b, 0),
} as const;

/** The tolerance of sums and products of floats, in any order; undefined where the order matters. */
function orderly(name: keyof typeof FOLDS, { model }: Pair): Tolerance | undefined {
  if (!isFloat(model.dtype)) return 'none';
  if (name === 'min' || name === 'max') return 'zeros';
  const size = model.data.length;
  if (name === 'prod') {
    const isTame = model.data.every((value) => [0, 1, -1, 2, 0.5].includes(Number(value)));
    return isTame && size < (model.dtype === 'float16' ? 10 : 60) ? 'zeros' : undefined;
  }
  if (model.dtype === 'float16') return isExact(model, 16) && size < 1000 ? 'zeros' : undefined;
  if (isExact(model) && size < 2 ** 13) return 'zeros';
  if (!allFinite(model)) return undefined;
  const scale = model.data.reduce<number>((sum, value) => sum + Math.abs(Number(value)), 0);
  // Equal terms round in the same direction. Runs are shorter than this.
  return { relative: Math.max(1e-5, Math.min(size, 2 ** 15) * 2 ** -26), scale };
}

/** The array with the axes to reduce last, as one. */
function gathered(model: Model, axes: readonly number[]): Model {
  const kept = model.shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
  const moved = permute(model, [...kept, ...axes]);
  return {
    ...moved,
    shape: [...kept.map((axis) => model.shape[axis]!), sizeOf(axes.map((axis) => model.shape[axis]!))],
  };
}

interface Chosen {
  readonly options: { axis?: number | number[]; keepAxes?: boolean } | undefined;
  readonly axes: readonly number[];
  readonly shape: readonly number[];
}

function chooseAxes({ chance }: Scene, { shape }: Model, single: boolean): Chosen {
  const all = shape.map((_, axis) => axis);
  const named = (axis: number): number => (chance.with(0.4) ? axis - shape.length : axis);
  const keepAxes = chance.with(0.3);
  const some = all.filter(() => chance.with(0.5));
  const axes = chance.with(0.3) || shape.length === 0 ? undefined : single ? [chance.pick(all)] : some;
  const reduced = axes ?? all;
  const left = keepAxes
    ? shape.map((n, axis) => (reduced.includes(axis) ? 1 : n))
    : shape.filter((_, axis) => !reduced.includes(axis));
  const axis = axes && (axes.length === 1 ? named(axes[0]!) : axes.map(named));
  return {
    options:
      axis === undefined && !keepAxes
        ? undefined
        : { ...(axis !== undefined && { axis }), ...(keepAxes && { keepAxes }) },
    axes: reduced,
    shape: left,
  };
}

const reduce: Operation = (scene) => {
  const name = scene.chance.pick(['sum', 'prod', 'min', 'max', 'any', 'all', 'argmin', 'argmax'] as const);
  const a = scene.pick();
  if (!a) return undefined;
  const isPlace = name === 'argmin' || name === 'argmax';
  const { options, axes, shape } = chooseAxes(scene, a.model, isPlace);
  const text = `${nameOf(a.model)}.${name}(${JSON.stringify(options) ?? ''})`;
  const run = (): NDArray => (a.array[name] as (options?: object) => NDArray).call(a.array, options);
  const isOfNothing = axes.some((axis) => a.model.shape[axis] === 0);
  if (isOfNothing && !['sum', 'prod', 'any', 'all'].includes(name)) return { text, run, model: undefined };
  const rows = rowsOf(gathered(a.model, axes));
  if (isPlace) {
    const data = rows.map((row) => placeOf(row, name));
    return { text, run, model: make('uint32', shape, data) };
  }
  if (name === 'any' || name === 'all') {
    const data = rows.map((row) =>
      (name === 'any' ? row.some((v) => Number(v) !== 0) : row.every((v) => Number(v) !== 0)) ? 1 : 0,
    );
    return { text, run, model: make('uint8', shape, data) };
  }
  const tolerance = orderly(name, a);
  if (tolerance === undefined) return undefined;
  const fold = FOLDS[name];
  const dtype = fold.result(a.model.dtype);
  const data = rows.map((row) =>
    rounded(
      row.reduce(
        (sum, value) => fold.step(sum, convert(value, a.model.dtype, dtype), dtype),
        fold.initial(dtype),
      ),
      dtype,
    ),
  );
  return { text, run, model: make(dtype, shape, data), tolerance };
};

const rounded = (value: Value, dtype: DType): Value => (isFloat(dtype) ? round(Number(value), dtype) : value);

/** The first place of the extreme, or of a NaN. */
function placeOf(row: readonly Value[], name: 'argmin' | 'argmax'): number {
  const nan = row.findIndex((value) => Number.isNaN(value));
  if (nan >= 0) return nan;
  let best = 0;
  row.forEach((value, k) => {
    if (name === 'argmin' ? value < row[best]! : value > row[best]!) best = k;
  });
  return best;
}

const mean: Operation = (scene) => {
  const a = scene.pick((model) => model.dtype !== 'float16' && allFinite(model) && isExact(model, 256));
  if (!a || (a.model.dtype.startsWith('u') && a.model.data.some((value) => Number(value) > 2 ** 20)))
    return undefined;
  if (a.model.data.some((value) => Math.abs(Number(value)) > 2 ** 20)) return undefined;
  const { options, axes, shape } = chooseAxes(scene, a.model, false);
  const dtype = isFloat(a.model.dtype) ? a.model.dtype : 'float32';
  const data = rowsOf(gathered(a.model, axes)).map((row) =>
    rounded(row.reduce<number>((sum, value) => sum + Number(value), 0) / row.length, dtype),
  );
  return {
    text: `${nameOf(a.model)}.mean(${JSON.stringify(options) ?? ''})`,
    run: () => a.array.mean(options),
    model: make(dtype, shape, data),
    tolerance: {
      relative: 1e-5,
      scale: a.model.data.reduce<number>((most, value) => Math.max(most, Math.abs(Number(value))), 0),
    },
  };
};

const scan: Operation = (scene) => {
  const { chance } = scene;
  const name = chance.pick(['sum', 'prod', 'min', 'max'] as const);
  const a = scene.pick(({ shape }) => shape.length > 0);
  if (!a) return undefined;
  const tolerance = orderly(name, a);
  if (tolerance === undefined) return undefined;
  const rank = a.model.shape.length;
  const axis = chance.integer(0, rank - 1);
  const exclusive = chance.with(0.4);
  const options = {
    ...(axis < rank - 1 || chance.with(0.5) ? { axis: chance.with(0.5) ? axis : axis - rank } : {}),
    ...(exclusive && { exclusive }),
  };
  const fold = FOLDS[name];
  const dtype = fold.result(a.model.dtype);
  return {
    text: `${nameOf(a.model)}.cum${name}(${JSON.stringify(options)})`,
    run: () => a.array[`cum${name}`](options) as NDArray,
    model: along(a.model, axis, dtype, (row) =>
      running(
        row,
        exclusive,
        fold.initial(dtype),
        (sum, value) => fold.step(sum, convert(value, a.model.dtype, dtype), dtype),
        dtype,
      ),
    ),
    tolerance,
  };
};

function running(
  row: readonly Value[],
  exclusive: boolean,
  initial: Value,
  step: (sum: Value, value: Value) => Value,
  dtype: DType,
): Value[] {
  let sum = initial;
  return row.map((value) => {
    const before = sum;
    sum = step(sum, value);
    return rounded(exclusive ? before : sum, dtype);
  });
}

/** What a function makes of each row along an axis. */
export function along(
  model: Model,
  axis: number,
  dtype: DType,
  make: (row: readonly Value[]) => readonly Value[],
): Model {
  const axes = model.shape.map((_, k) => k);
  const order = [...axes.filter((k) => k !== axis), axis];
  const moved = permute(model, order);
  const data = rowsOf(moved).flatMap((row) => make(row));
  return permute(
    { dtype, shape: moved.shape, data },
    axes.map((k) => order.indexOf(k)),
  );
}

/** Expressions that are associative, of integers; those of reductions commute. */
const EXPRESSIONS: readonly (readonly [
  text: string,
  neutral: (dtype: DType) => Value,
  step: (a: bigint, b: bigint) => bigint,
  commutes: boolean,
])[] = [
  ['a | b', () => 0, (a, b) => a | b, true],
  ['a ^ b', () => 0, (a, b) => a ^ b, true],
  ['max(a, b)', (dtype) => limits(dtype)[0], (a, b) => (a > b ? a : b), true],
  ['min(a, b)', (dtype) => limits(dtype)[1], (a, b) => (a < b ? a : b), true],
  ['b == 0 ? a : b', () => 0, (a, b) => (b === 0n ? a : b), false],
];

const custom: Operation = (scene) => {
  const { chance } = scene;
  const a = scene.pick(({ dtype, shape }) => !isFloat(dtype) && shape.length > 0);
  if (!a) return undefined;
  const [text, neutralOf, step, commutes] = chance.pick(EXPRESSIONS);
  const { dtype, shape } = a.model;
  const neutral = wrap(neutralOf(dtype), dtype);
  const next = (sum: Value, value: Value): Value => wrap(step(BigInt(sum), BigInt(value)), dtype);
  if (commutes && chance.with(0.5)) {
    const { options, axes, shape: left } = chooseAxes(scene, a.model, false);
    const data = rowsOf(gathered(a.model, axes)).map((row) => row.reduce<Value>(next, neutral));
    return {
      text: `${nameOf(a.model)}.reduce('${text}', ${JSON.stringify(options) ?? ''})`,
      run: () => a.array.reduce(text, { neutral, ...options }),
      model: make(dtype, left, data),
    };
  }
  const axis = chance.integer(0, shape.length - 1);
  const exclusive = chance.with(0.4);
  return {
    text: `${nameOf(a.model)}.scan('${text}', ${axis}, ${exclusive})`,
    run: () => a.array.scan(text, { neutral, axis, exclusive }),
    model: along(a.model, axis, dtype, (row) => running(row, exclusive, neutral, next, dtype)),
  };
};

export const ACCUMULATIONS: readonly Operation[] = [reduce, reduce, reduce, mean, scan, scan, custom];
