// SPDX-License-Identifier: MIT
//
// Elementwise operations and their references.
import type { NDArray } from '../../../ts/array';
import type { DType } from '../../../ts/array/dtype';
import {
  bitsOf,
  broadcast,
  common,
  convert,
  element,
  expand,
  FLOATS,
  INTEGERS,
  isFloat,
  limits,
  round,
  type Value,
  wrap,
} from './model';
import {
  allFinite,
  make,
  nameOf,
  type Operation,
  type Outcome,
  type Pair,
  type Scene,
  type Tolerance,
} from './operations';

type Float = (a: number, b: number, c: number) => number;
type Integer = (a: bigint, b: bigint, dtype: DType) => bigint;

/** Of operands of one type. Integers are wrapped afterwards, floats rounded. */
interface Rule {
  readonly float?: Float;
  readonly integer?: Integer;
  /** Results are 0 or 1. */
  readonly truth?: boolean;
  /** Integers are computed as float32. */
  readonly floats?: boolean;
  /** How far floats may be from the reference, in units of the last place. */
  readonly ulp?: number;
}

const out = (b: bigint, dtype: DType): boolean => b < 0n || b >= BigInt(bitsOf(dtype));
const bool = (value: boolean): number => (value ? 1 : 0);
const truth = (test: (a: Value, b: Value) => boolean): Rule => ({
  truth: true,
  float: (a, b) => bool(test(a, b)),
  integer: (a, b) => BigInt(bool(test(a, b))),
});
const extreme = (isBetter: (a: Value, b: Value) => boolean): Rule => ({
  float: (a, b) => (isBetter(a, b) || Number.isNaN(a) ? a : b),
  integer: (a, b) => (isBetter(a, b) ? a : b),
});

const BINARY: Readonly<Record<string, Rule>> = {
  add: { float: (a, b) => a + b, integer: (a, b) => a + b },
  sub: { float: (a, b) => a - b, integer: (a, b) => a - b },
  mul: { float: (a, b) => a * b, integer: (a, b) => a * b },
  div: { float: (a, b) => a / b, integer: (a, b) => (b === 0n ? 0n : a / b), ulp: 3 },
  mod: { float: (a, b) => a % b, integer: (a, b) => (b === 0n ? 0n : a % b) },
  minimum: extreme((a, b) => a < b),
  maximum: extreme((a, b) => a > b),
  and: { integer: (a, b) => a & b },
  or: { integer: (a, b) => a | b },
  xor: { integer: (a, b) => a ^ b },
  shl: { integer: (a, b, dtype) => (out(b, dtype) ? 0n : a << b) },
  shr: { integer: (a, b, dtype) => (out(b, dtype) ? (a < 0n ? -1n : 0n) : a >> b) },
  lt: truth((a, b) => a < b),
  le: truth((a, b) => a <= b),
  gt: truth((a, b) => a > b),
  ge: truth((a, b) => a >= b),
  eq: truth((a, b) => a === b),
  ne: truth((a, b) => a !== b),
  pow: { float: Math.pow, floats: true, ulp: 32 },
  atan2: { float: Math.atan2, floats: true, ulp: 8 },
  hypot: { float: Math.hypot, floats: true, ulp: 8 },
};

const even = (value: number): number => {
  const down = Math.floor(value);
  const rest = value - down;
  if (!Number.isFinite(value) || rest === 0) return value;
  const near = rest < 0.5 || (rest === 0.5 && down % 2 === 0) ? down : down + 1;
  return near === 0 && value < 0 ? -0 : near;
};
const rounding = (float: Float): Rule => ({ float, integer: (a) => a });
const call = (float: Float, ulp = 16): Rule => ({ float, floats: true, ulp });

const UNARY: Readonly<Record<string, Rule>> = {
  neg: { float: (a) => -a, integer: (a) => -a },
  abs: { float: Math.abs, integer: (a) => (a < 0n ? -a : a) },
  sign: { float: Math.sign, integer: (a) => (a > 0n ? 1n : a < 0n ? -1n : 0n) },
  not: { truth: true, float: (a) => bool(a === 0), integer: (a) => BigInt(bool(a === 0n)) },
  isNaN: { truth: true, float: (a) => bool(Number.isNaN(a)), integer: () => 0n },
  floor: rounding(Math.floor),
  ceil: rounding(Math.ceil),
  trunc: rounding(Math.trunc),
  round: rounding(even),
  sqrt: call(Math.sqrt, 4),
  rsqrt: call((a) => 1 / Math.sqrt(a), 4),
  cbrt: call(Math.cbrt, 4),
  exp: call(Math.exp),
  exp2: call((a) => 2 ** a),
  expm1: call(Math.expm1),
  log: call(Math.log),
  log2: call(Math.log2),
  log10: call(Math.log10),
  log1p: call(Math.log1p),
  sin: call(Math.sin),
  cos: call(Math.cos),
  tan: call(Math.tan),
  asin: call(Math.asin),
  acos: call(Math.acos),
  atan: call(Math.atan),
  sinh: call(Math.sinh),
  cosh: call(Math.cosh),
  tanh: call(Math.tanh),
  asinh: call(Math.asinh),
  acosh: call(Math.acosh),
  atanh: call(Math.atanh),
};

/** The result of a rule for elements of the type that is computed with. */
function apply(rule: Rule, values: readonly Value[], dtype: DType): Value {
  if (isFloat(dtype)) {
    const [a = 0, b = 0, c = 0] = values as number[];
    const value = rule.float!(a, b, c);
    return rule.truth ? value : round(value, dtype);
  }
  const [a, b = 0n] = values.map(BigInt);
  const value = rule.integer!(a!, b, dtype);
  return rule.truth ? Number(value) : wrap(value, dtype);
}

/** An operand: an array, or a number. */
type Operand = Pair | Value;
const isPair = (operand: Operand): operand is Pair => typeof operand === 'object';

/** Applies a method of the first operand, an array, to all of them. */
function mapped(method: string, rule: Rule, first: Pair, others: readonly Operand[]): Outcome {
  const given: readonly Operand[] = [first, ...others];
  const pairs = given.filter(isPair);
  const types = pairs.map(({ model }) => model.dtype);
  const joint = types.reduce<DType | undefined>((a, b) => a && common(a, b), types[0]);
  const shape = broadcast(pairs.map(({ model }) => model.shape));
  const text = `${nameOf(first.model)}.${method}(${others.map((each) => (isPair(each) ? nameOf(each.model) : `${each}`)).join(', ')})`;
  const run = (): NDArray => {
    const call = (first.array as unknown as Record<string, (...list: unknown[]) => NDArray>)[method]!;
    return call.apply(
      first.array,
      others.map((each) => (isPair(each) ? each.array : each)),
    );
  };
  const computed = joint && rule.floats && !isFloat(joint) ? 'float32' : joint;
  const isRefused = !computed || !shape || (isFloat(computed) ? !rule.float : !rule.integer);
  const fits = (value: Value): boolean =>
    isFloat(computed!) ||
    ((typeof value === 'bigint' || Number.isInteger(value)) &&
      BigInt(value) >= limits(computed!)[0] &&
      BigInt(value) <= limits(computed!)[1]);
  if (isRefused || others.some((each) => !isPair(each) && !fits(each)))
    return { text, run, model: undefined };
  const columns = given.map((each) => {
    // Halves are computed as floats.
    const to = computed === 'float16' ? 'float32' : computed;
    if (isPair(each)) return expand(each.model, shape).map((value) => convert(value, each.model.dtype, to));
    return isFloat(computed)
      ? computed === 'float64'
        ? Number(each)
        : Math.fround(Number(each))
      : wrap(each, computed);
  });
  const n = shape.reduce((a, b) => a * b, 1);
  const data: Value[] = [];
  for (let k = 0; k < n; k++)
    data.push(
      apply(
        rule,
        columns.map((column) => (Array.isArray(column) ? column[k] : column)),
        computed,
      ),
    );
  const tolerance: Tolerance = !isFloat(computed) || rule.truth ? 'none' : ulps(rule.ulp ?? 0, computed);
  const model = make(rule.truth ? 'uint8' : computed, shape, data);
  return { text, run, model, tolerance };
}

const UNITS: Readonly<Record<string, number>> = { float16: 2 ** -10, float32: 2 ** -23, float64: 2 ** -52 };
const ulps = (n: number, dtype: DType): Tolerance =>
  n === 0 ? 'none' : { relative: n * UNITS[dtype]!, scale: 0 };

const scalarFor = ({ chance }: Scene, dtype: DType): Value => {
  if (isFloat(dtype)) return chance.pick([0, 1, -2, 0.5, 3]);
  const value = element(chance, dtype, chance.pick(['small', 'special'] as const));
  // Sometimes a number that the type does not have.
  return chance.with(0.05) ? chance.pick([0.5, 2 ** 40, -(2n ** 63n) - 1n]) : value;
};

/** Values for which the functions' accuracy is not the question. */
const isTame = (pair: Pair): boolean =>
  pair.model.data.every((value) => Math.abs(Number(value)) <= 16 && Math.abs(Number(value)) >= 0.25);

const binary: Operation = (scene) => {
  const method = scene.chance.pick(Object.keys(BINARY));
  const rule = BINARY[method]!;
  const a = scene.pick();
  const b = scene.chance.with(0.3) ? scalarFor(scene, a?.model.dtype ?? 'int32') : scene.pick();
  if (!a || b === undefined) return undefined;
  if (rule.floats && !(isTame(a) && (!isPair(b) || isTame(b)))) return undefined;
  // Halves are computed as floats: quotients of halves are as exact as their type, remainders are not.
  const half = [a, b].some((each) => isPair(each) && each.model.dtype === 'float16');
  if (method === 'mod' && half && !(allFinite(a.model) && (!isPair(b) || allFinite(b.model))))
    return undefined;
  return mapped(method, rule, a, [b]);
};

const unary: Operation = ({ chance, pick }) => {
  const method = chance.pick(Object.keys(UNARY));
  const rule = UNARY[method]!;
  const a = pick();
  if (!a || (rule.floats && !isTame(a))) return undefined;
  return mapped(method, rule, a, []);
};

const conversion: Operation = ({ chance, pick }) => {
  const a = pick();
  if (!a) return undefined;
  const dtype = chance.pick([...INTEGERS, ...FLOATS]);
  const data = a.model.data.map((value) => convert(value, a.model.dtype, dtype));
  return {
    text: `${nameOf(a.model)}.as('${dtype}')`,
    run: () => a.array.as(dtype),
    model: make(dtype, a.model.shape, data),
  };
};

/** Rounded to halves in a kernel that goes on with them. */
const throughHalves: Operation = ({ pick }) => {
  const a = pick();
  if (!a) return undefined;
  const data = a.model.data.map((value) => convert(value, a.model.dtype, 'float16'));
  return {
    text: `${nameOf(a.model)}.as('float16').as('float64')`,
    run: () => a.array.as('float16').as('float64'),
    model: make('float64', a.model.shape, data),
  };
};

const where: Operation = (scene) => {
  const [condition, a, b] = [scene.pick(), scene.pick(), scene.pick()];
  if (!condition || !a || !b) return undefined;
  const joint = common(a.model.dtype, b.model.dtype);
  const shape = broadcast([condition, a, b].map(({ model }) => model.shape));
  const text = `where(${[condition, a, b].map(({ model }) => nameOf(model)).join(', ')})`;
  const run = (): NDArray => scene.nd.where(condition.array, a.array, b.array);
  if (!joint || !shape) return { text, run, model: undefined };
  const [c, x, y] = [condition, a, b].map(({ model }) => expand(model, shape)) as [Value[], Value[], Value[]];
  const data = c.map((test, k) =>
    Number(test) !== 0 ? convert(x[k]!, a.model.dtype, joint) : convert(y[k]!, b.model.dtype, joint),
  );
  return { text, run, model: make(joint, shape, data) };
};

const fma: Operation = (scene) => {
  const a = scene.pick(({ dtype }) => dtype === 'float32');
  const b = scene.pick(({ dtype }) => dtype === 'float32');
  if (!a || !b || !allFinite(a.model) || !allFinite(b.model)) return undefined;
  const c = scene.chance.pick([0, 1, -2.5]);
  const rule: Rule = { float: (x, y, z) => x * y + z, floats: true, ulp: 1 };
  return mapped('fma', rule, a, [b, c]);
};

/** Statements about an element. */
const statements: Operation = ({ chance, pick, nd }) => {
  const a = pick(({ dtype, shape }) => ['uint32', 'float32'].includes(dtype) && shape.length > 0);
  if (!a || !allFinite(a.model)) return undefined;
  const n = a.model.data.length;
  const reversed = chance.with(0.5);
  const source = reversed ? 'z = x[n - 1 - i]' : 'z = x > y ? x : y';
  const run = (): NDArray => {
    if (reversed)
      return nd.elementwise('z = x[n - 1 - i]')({ x: a.array }, { shape: a.model.shape }) as NDArray;
    return nd.elementwise('z = x > y ? x : y')({ x: a.array, y: 3 }) as NDArray;
  };
  const data = a.model.data.map((value, k) =>
    reversed ? a.model.data[n - 1 - k]! : Number(value) > 3 ? value : 3,
  );
  return {
    text: `elementwise('${source}')(${nameOf(a.model)})`,
    run,
    model: make(a.model.dtype, a.model.shape, data),
  };
};

export const ELEMENTWISE: readonly Operation[] = [
  binary,
  binary,
  binary,
  binary,
  unary,
  unary,
  conversion,
  conversion,
  throughHalves,
  where,
  fma,
  statements,
];
