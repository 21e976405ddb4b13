// SPDX-License-Identifier: MIT
//
// The functions of floats that OpenCL C defines exactly, for all numbers, infinities and NaNs (sections 6.15.2, 6.15.6, 7.5).
import {
  absolute, compareFloats, exponentOf, type Float, formatOf, infinityOf, isFiniteFloat, isInfinite, isNan, isNegative, isNormal, isZero,
  magnitudeOf, nanOf, negated, oneOf, toFloat, toWhole, unitsOf, withSign,
} from './model'; // biome-ignore format: a list

type Model = (base: Float, ...operands: bigint[]) => bigint;

/** What whole numbers are made of, as `floor`; zeros keep the sign, and so do numbers that become zero. */
const whole =
  (mode: Parameters<typeof toWhole>[2]): Model =>
  (base, a) =>
    isNan(base, a!)
      ? nanOf(base)
      : isInfinite(base, a!)
        ? a!
        : toFloat(base, toWhole(base, a!, mode), 0, 'rte', isNegative(base, a!));

/** One of two numbers; 0 of two zeros, as either may be the result. */
function chosen(base: Float, a: bigint, b: bigint, first: boolean): bigint {
  if (isZero(base, a) && isZero(base, b)) return 0n;
  return first ? a : b;
}

const larger: Model = (base, a, b) =>
  isNan(base, a!) ? b! : isNan(base, b!) ? a! : chosen(base, a!, b!, compareFloats(base, a!, b!)! > 0);
const smaller: Model = (base, a, b) =>
  isNan(base, a!) ? b! : isNan(base, b!) ? a! : chosen(base, a!, b!, compareFloats(base, a!, b!)! < 0);

const byMagnitude =
  (sign: 1 | -1, otherwise: Model): Model =>
  (base, a, b) => {
    const order = compareFloats(base, magnitudeOf(base, a!), magnitudeOf(base, b!));
    if (order === undefined || order === 0) return otherwise(base, a!, b!);
    return order === sign ? a! : b!;
  };

function next(base: Float, a: bigint, b: bigint): bigint {
  const order = compareFloats(base, a, b);
  if (order === undefined) return nanOf(base);
  if (order === 0) return isZero(base, b) ? 0n : b;
  if (isZero(base, a)) return withSign(base, 1n, order > 0);
  return isNegative(base, a) === order > 0 ? a + 1n : a - 1n;
}

const isInvalidDivision = (base: Float, a: bigint, b: bigint) =>
  isNan(base, a) || isNan(base, b) || isInfinite(base, a) || isZero(base, b);

const remainderBy =
  (part: (a: bigint, b: bigint) => bigint): Model =>
  (base, a, b) => {
    if (isInvalidDivision(base, a!, b!)) return nanOf(base);
    if (isInfinite(base, b!)) return a!;
    return toFloat(
      base,
      part(unitsOf(base, a!), unitsOf(base, b!)),
      formatOf(base).least,
      'rte',
      isNegative(base, a!),
    );
  };

/** The nearest whole number to a quotient, the even one of two. */
export function nearestQuotient(a: bigint, b: bigint): bigint {
  const [p, q] = [absolute(a), absolute(b)];
  const digits = p / q;
  const rest = 2n * (p % q);
  const result = digits + (rest > q || (rest === q && (digits & 1n) === 1n) ? 1n : 0n);
  return a < 0n === b < 0n ? result : -result;
}

function sum(base: Float, a: bigint, b: bigint): bigint {
  if (isNan(base, a) || isNan(base, b)) return nanOf(base);
  if (isInfinite(base, a)) return isInfinite(base, b) && a !== b ? nanOf(base) : a;
  if (isInfinite(base, b)) return b;
  const negativeZero = isNegative(base, a) && isNegative(base, b);
  return toFloat(base, unitsOf(base, a) + unitsOf(base, b), formatOf(base).least, 'rte', negativeZero);
}

const difference: Model = (base, a, b) => sum(base, a!, negated(base, b!));

/** `a * b + c`, rounded once; undefined `c`: the product. */
function fused(base: Float, a: bigint, b: bigint, c?: bigint): bigint {
  if ([a, b, c ?? 0n].some((each) => isNan(base, each))) return nanOf(base);
  const negative = isNegative(base, a) !== isNegative(base, b);
  if (isInfinite(base, a) || isInfinite(base, b)) {
    if (isZero(base, a) || isZero(base, b)) return nanOf(base);
    const product = withSign(base, infinityOf(base), negative);
    return c === undefined ? product : sum(base, product, c);
  }
  if (c !== undefined && isInfinite(base, c)) return c;
  const { least } = formatOf(base);
  const product = unitsOf(base, a) * unitsOf(base, b);
  if (c === undefined) return toFloat(base, product, 2 * least, 'rte', negative);
  const exact = product + (unitsOf(base, c) << BigInt(-least));
  // The sum of two zeros has a sign if both have; other sums that are zero have none.
  return toFloat(base, exact, 2 * least, 'rte', product === 0n && negative && isNegative(base, c));
}

export function scaled(base: Float, a: bigint, by: bigint): bigint {
  if (isNan(base, a)) return nanOf(base);
  if (isInfinite(base, a)) return a;
  const most = 5000n;
  const power = by > most ? most : by < -most ? -most : by;
  return toFloat(base, unitsOf(base, a), formatOf(base).least + Number(power), 'rte', isNegative(base, a));
}

export interface FloatFunction {
  readonly name: string;
  readonly operands: number;
  readonly model: Model;
  /** The last operand may be a scalar where the others are vectors (`last`), or the first. */
  readonly scalar?: 'first' | 'last';
  /** Of zeros either may be the result. */
  readonly anyZero?: boolean;
  /** An operator between two operands. */
  readonly isOperator?: boolean;
}

export const FLOAT_FUNCTIONS: readonly FloatFunction[] = [
  { name: 'floor', operands: 1, model: whole('rtn') },
  { name: 'ceil', operands: 1, model: whole('rtp') },
  { name: 'trunc', operands: 1, model: whole('rtz') },
  { name: 'rint', operands: 1, model: whole('rte') },
  { name: 'round', operands: 1, model: whole('away') },
  { name: 'fabs', operands: 1, model: (base, a) => (isNan(base, a!) ? nanOf(base) : magnitudeOf(base, a!)) },
  { name: '-', operands: 1, model: (base, a) => (isNan(base, a!) ? nanOf(base) : negated(base, a!)) },
  { name: 'sign', operands: 1, model: (base, a) => (isNan(base, a!) ? 0n : isZero(base, a!) ? a! : withSign(base, oneOf(base), isNegative(base, a!))) },
  { name: 'logb', operands: 1, model: (base, a) => {
    if (isNan(base, a!)) return nanOf(base);
    if (isInfinite(base, a!)) return infinityOf(base);
    return isZero(base, a!) ? negated(base, infinityOf(base)) : toFloat(base, BigInt(exponentOf(base, a!)), 0);
  } },
  { name: 'fmin', operands: 2, model: smaller, scalar: 'last', anyZero: true },
  { name: 'fmax', operands: 2, model: larger, scalar: 'last', anyZero: true },
  { name: 'maxmag', operands: 2, model: byMagnitude(1, larger), anyZero: true },
  { name: 'minmag', operands: 2, model: byMagnitude(-1, smaller), anyZero: true },
  { name: 'fdim', operands: 2, model: (base, a, b) => {
    const order = compareFloats(base, a!, b!);
    return order === undefined ? nanOf(base) : order > 0 ? difference(base, a!, b!) : 0n;
  } },
  { name: 'nextafter', operands: 2, model: (base, a, b) => next(base, a!, b!), anyZero: true },
  { name: 'fmod', operands: 2, model: remainderBy((a, b) => a % b) },
  { name: 'remainder', operands: 2, model: remainderBy((a, b) => a - nearestQuotient(a, b) * b) },
  { name: 'step', operands: 2, model: (base, edge, a) => (compareFloats(base, a!, edge!) === -1 ? 0n : oneOf(base)), scalar: 'first' },
  { name: 'fma', operands: 3, model: (base, a, b, c) => fused(base, a!, b!, c!) },
  { name: '+', operands: 2, model: (base, a, b) => sum(base, a!, b!), isOperator: true, scalar: 'last' },
  { name: '-', operands: 2, model: difference, isOperator: true, scalar: 'first' },
  { name: '*', operands: 2, model: (base, a, b) => fused(base, a!, b!), isOperator: true, scalar: 'last' },
]; // biome-ignore format: a table

/** Functions that are true or false; with operators those of C. */
export interface FloatTest {
  readonly name: string;
  readonly operands: 1 | 2;
  readonly holds: (base: Float, a: bigint, b: bigint) => boolean;
  readonly isOperator?: boolean;
  /** The sign of a NaN matters. */
  readonly seesBits?: boolean;
}

const comparison = (names: readonly string[], holds: (order: number | undefined) => boolean): FloatTest[] =>
  names.map((name) => ({
    name,
    operands: 2,
    holds: (base, a, b) => holds(compareFloats(base, a, b)),
    isOperator: !/^is/.test(name),
  }));

export const FLOAT_TESTS: readonly FloatTest[] = [
  { name: 'isnan', operands: 1, holds: isNan },
  { name: 'isinf', operands: 1, holds: isInfinite },
  { name: 'isfinite', operands: 1, holds: isFiniteFloat },
  { name: 'isnormal', operands: 1, holds: isNormal },
  { name: 'signbit', operands: 1, holds: isNegative, seesBits: true },
  { name: '!', operands: 1, holds: isZero },
  ...comparison(['<', 'isless'], (order) => order === -1),
  ...comparison(['>', 'isgreater'], (order) => order === 1),
  ...comparison(['<=', 'islessequal'], (order) => order !== undefined && order <= 0),
  ...comparison(['>=', 'isgreaterequal'], (order) => order !== undefined && order >= 0),
  ...comparison(['==', 'isequal'], (order) => order === 0),
  ...comparison(['!=', 'isnotequal'], (order) => order !== 0),
  ...comparison(['islessgreater'], (order) => order !== undefined && order !== 0),
  ...comparison(['isordered'], (order) => order !== undefined),
  ...comparison(['isunordered'], (order) => order === undefined),
  { name: '&&', operands: 2, holds: (base, a, b) => !isZero(base, a) && !isZero(base, b), isOperator: true },
  { name: '||', operands: 2, holds: (base, a, b) => !isZero(base, a) || !isZero(base, b), isOperator: true },
];

/** FP_ILOGB0 is INT_MIN and FP_ILOGBNAN is INT_MAX, as is the result for infinities. */
export const ilogb = (base: Float, a: bigint): bigint =>
  isZero(base, a) ? -(1n << 31n) : isFiniteFloat(base, a) ? BigInt(exponentOf(base, a)) : (1n << 31n) - 1n;

/** Results of functions with a pointer: what they return, and what the pointer gets; undefined where nothing is said. */
export interface PointerFunction {
  readonly name: string;
  readonly operands: 1 | 2;
  /** Whether the pointer is one to ints. */
  readonly toInt: boolean;
  readonly model: (base: Float, a: bigint, b: bigint) => readonly [bigint, bigint | undefined];
  /** Of the int only the magnitude's last bits. */
  readonly mask?: bigint;
}

const invalid = (base: Float): [bigint, undefined] => [nanOf(base), undefined];

export const POINTER_FUNCTIONS: readonly PointerFunction[] = [
  { name: 'fract', operands: 1, toInt: false, model: (base, a) => {
    if (isNan(base, a)) return [nanOf(base), nanOf(base)];
    const negative = isNegative(base, a);
    if (isInfinite(base, a)) return [withSign(base, 0n, negative), a];
    const floor = whole('rtn')(base, a);
    const rest = toFloat(base, unitsOf(base, a) - unitsOf(base, floor), formatOf(base).least, 'rte', negative);
    return [rest === oneOf(base) ? rest - 1n : rest, floor];
  } },
  { name: 'modf', operands: 1, toInt: false, model: (base, a) => {
    if (isNan(base, a)) return [nanOf(base), nanOf(base)];
    const negative = isNegative(base, a);
    if (isInfinite(base, a)) return [withSign(base, 0n, negative), a];
    const trunc = whole('rtz')(base, a);
    return [toFloat(base, unitsOf(base, a) - unitsOf(base, trunc), formatOf(base).least, 'rte', negative), trunc];
  } },
  { name: 'frexp', operands: 1, toInt: true, model: (base, a) => {
    if (isNan(base, a)) return invalid(base);
    if (isInfinite(base, a)) return [a, undefined];
    if (isZero(base, a)) return [a, 0n];
    const exponent = exponentOf(base, a) + 1;
    return [scaled(base, a, BigInt(-exponent)), BigInt(exponent)];
  } },
  { name: 'remquo', operands: 2, toInt: true, mask: 127n, model: (base, a, b) => {
    if (isInvalidDivision(base, a, b)) return invalid(base);
    if (isInfinite(base, b)) return [a, 0n];
    const quotient = nearestQuotient(unitsOf(base, a), unitsOf(base, b));
    const rest = unitsOf(base, a) - quotient * unitsOf(base, b);
    return [toFloat(base, rest, formatOf(base).least, 'rte', isNegative(base, a)), absolute(quotient) & 127n];
  } },
]; // biome-ignore format: a table
