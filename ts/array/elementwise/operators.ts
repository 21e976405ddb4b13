// SPDX-License-Identifier: MIT
//
// Elementwise operations as data: which types they take and give, and their text in OpenCL C.
import { DTYPES, type DType, floatOf, isFloat } from '../dtype';

export interface Operator {
  readonly name: string;
  /** The type that the operands are converted to, given their common type. */
  readonly computed: (common: DType) => DType;
  /** The type of the result, of the type that is computed in. */
  readonly result: (computed: DType) => DType;
  /** The result's text, of the operands' texts. */
  readonly text: (operands: readonly string[], computed: DType) => string;
  /** So many first operands keep their own types. */
  readonly keeps?: number;
  /** A function that the text may call. */
  readonly helper?: string;
}

const same = (dtype: DType): DType => dtype;
const truth = (): DType => 'uint8';

/** Signed integers wrap around, which C leaves undefined: they are computed without sign. */
const wrapping =
  (sign: string) =>
  ([a, b]: readonly string[], dtype: DType): string => {
    const { kind, bytes, value } = DTYPES[dtype];
    if (kind === 'float' || (kind === 'unsigned' && bytes >= 4)) return `${a} ${sign} ${b}`;
    const wide = bytes < 4 ? 'uint' : `u${value}`;
    return `(${value})((${wide})${a} ${sign} (${wide})${b})`;
  };

/** Integers divided by 0 give 0, as no device has to survive that. */
const division = ([a, b]: readonly string[], dtype: DType): string => {
  const { kind, value } = DTYPES[dtype];
  if (kind === 'float') return `${a} / ${b}`;
  const quotient =
    kind === 'unsigned' ? `${a} / ${b}` : `${b} == -1 ? (${value})(0 - (u${value})${a}) : ${a} / ${b}`;
  return `(${value})(${b} == 0 ? 0 : ${quotient})`;
};

const remainder = ([a, b]: readonly string[], dtype: DType): string => {
  const { kind, value } = DTYPES[dtype];
  if (kind === 'float') return `fmod(${a}, ${b})`;
  const zero = kind === 'unsigned' ? `${b} == 0` : `${b} == 0 || ${b} == -1`;
  return `(${value})(${zero} ? 0 : ${a} % ${b})`;
};

/** A NaN among the operands is the result, unlike that of `fmin`. */
const extreme =
  (sign: string, integer: string) =>
  ([a, b]: readonly string[], dtype: DType): string =>
    isFloat(dtype) ? `(${a} ${sign} ${b} || ${a} != ${a} ? ${a} : ${b})` : `${integer}(${a}, ${b})`;

const operator = (
  name: string,
  text: Operator['text'],
  computed: Operator['computed'] = same,
  result: Operator['result'] = same,
): Operator => ({ name, text, computed, result });

const comparison = (name: string, sign: string): Operator =>
  operator(name, ([a, b]) => `(uchar)(${a} ${sign} ${b})`, same, truth);
/** Of integers only: the checks refuse floats. */
const bitwise = (name: string, sign: string): Operator =>
  operator(name, ([a, b], dtype) => `(${DTYPES[dtype].value})(${a} ${sign} ${b})`);
const call = (name: string): Operator =>
  operator(name, (operands) => `${name}(${operands.join(', ')})`, floatOf);
/** A function that only changes floats. */
const rounding = (name: string): Operator =>
  operator(name, ([a], dtype) => (isFloat(dtype) ? `${name}(${a})` : a!));

/** Wide shifts move everything out; C leaves them undefined. */
const shift =
  (sign: string) =>
  ([a, b]: readonly string[], dtype: DType): string => {
    const { kind, bytes, value } = DTYPES[dtype];
    const bits = 8 * bytes;
    const out = sign === '>>' && kind === 'signed' ? `(${a} < 0 ? -1 : 0)` : '0';
    const inside = kind === 'signed' ? `${b} >= 0 && ${b} < ${bits}` : `${b} < ${bits}`;
    const unsigned = sign === '<<' && kind === 'signed' ? `(u${value})` : '';
    return `(${value})(${inside} ? ${unsigned}${a} ${sign} ${b} : ${out})`;
  };

export const OPERATORS = {
  add: operator('add', wrapping('+')),
  sub: operator('sub', wrapping('-')),
  mul: operator('mul', wrapping('*')),
  div: operator('div', division),
  mod: operator('mod', remainder),
  min: operator('min', extreme('<', 'min')),
  max: operator('max', extreme('>', 'max')),
  and: bitwise('and', '&'),
  or: bitwise('or', '|'),
  xor: bitwise('xor', '^'),
  shl: operator('shl', shift('<<')),
  shr: operator('shr', shift('>>')),
  lt: comparison('lt', '<'),
  le: comparison('le', '<='),
  gt: comparison('gt', '>'),
  ge: comparison('ge', '>='),
  eq: comparison('eq', '=='),
  ne: comparison('ne', '!='),
  pow: call('pow'),
  atan2: call('atan2'),
  hypot: call('hypot'),
  neg: operator('neg', ([a], dtype) => (isFloat(dtype) ? `-${a}` : wrapping('-')(['0', a!], dtype))),
  abs: operator('abs', ([a], dtype) => {
    const { kind, value } = DTYPES[dtype];
    return kind === 'float' ? `fabs(${a})` : kind === 'signed' ? `(${value})abs(${a})` : a!;
  }),
  sign: operator('sign', ([a], dtype) => {
    const { kind, value } = DTYPES[dtype];
    if (kind === 'float') return `(${a} != ${a} ? ${a} : sign(${a}))`;
    return kind === 'signed' ? `(${value})((${a} > 0) - (${a} < 0))` : `(${value})(${a} > 0)`;
  }),
  not: operator('not', ([a]) => `(uchar)(${a} == 0)`, same, truth),
  isNaN: operator(
    'isNaN',
    ([a], dtype) => (isFloat(dtype) ? `(uchar)(${a} != ${a})` : '(uchar)0'),
    same,
    truth,
  ),
  floor: rounding('floor'),
  ceil: rounding('ceil'),
  trunc: rounding('trunc'),
  round: rounding('rint'),
  sqrt: call('sqrt'),
  rsqrt: call('rsqrt'),
  cbrt: call('cbrt'),
  exp: call('exp'),
  exp2: call('exp2'),
  expm1: call('expm1'),
  log: call('log'),
  log2: call('log2'),
  log10: call('log10'),
  log1p: call('log1p'),
  sin: call('sin'),
  cos: call('cos'),
  tan: call('tan'),
  asin: call('asin'),
  acos: call('acos'),
  atan: call('atan'),
  sinh: call('sinh'),
  cosh: call('cosh'),
  tanh: call('tanh'),
  asinh: call('asinh'),
  acosh: call('acosh'),
  atanh: call('atanh'),
  erf: call('erf'),
  fma: call('fma'),
} as const satisfies Readonly<Record<string, Operator>>;

/** Text of `sum + a * b`; that of integers wraps around. */
export function sumWithProduct(dtype: DType, sum: string, a: string, b: string): string {
  if (isFloat(dtype)) return `${sum} + ${a} * ${b}`;
  return OPERATORS.add.text([sum, `(${OPERATORS.mul.text([a, b], dtype)})`], dtype);
}

/** A choice by a condition of any type. The first operand keeps its type. */
export const SELECT: Operator = {
  ...operator('where', ([c, a, b]) => `(${c} != 0 ? ${a} : ${b})`),
  keeps: 1,
};

/** A value of type `from` as one of type `to`: floats become integers towards zero, those out of range the nearest there is. */
export function converted(text: string, from: DType, to: DType): string {
  if (from === to || DTYPES[from].value === DTYPES[to].value) return text;
  const { value } = DTYPES[to];
  return isFloat(from) && !isFloat(to) ? `convert_${value}_sat(${text})` : `(${value})${atom(text)}`;
}

/** In parentheses, unless it is a name, a call or an element. */
const atom = (text: string): string => (/^[\w.]+(?:[([][^()[\]]*[)\]])?$/.test(text) ? text : `(${text})`);

/** Halves are computed as floats. Without this, elements would be rounded or not by what is fused. */
const NEAREST_HALF = `float nearest_half(float value) {
  ushort bits;
  vstore_half(value, 0, (half *)&bits);
  return vload_half(0, (const half *)&bits);
}`;

const conversions = new Map<DType, Operator>();
/** The conversion to a type. Its operand keeps its type. */
export function conversionTo(dtype: DType): Operator {
  const known = conversions.get(dtype);
  if (known) return known;
  const rounds = (from: DType): boolean => dtype === 'float16' && from !== dtype;
  const made: Operator = {
    ...operator(
      `as ${dtype}`,
      ([a], from) => (rounds(from) ? `nearest_half(${a})` : converted(a!, from, dtype)),
      same,
      () => dtype,
    ),
    ...(dtype === 'float16' && { helper: NEAREST_HALF }),
  };
  conversions.set(dtype, made);
  return made;
}
