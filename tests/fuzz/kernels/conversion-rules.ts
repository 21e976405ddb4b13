// SPDX-License-Identifier: MIT
//
// C's arithmetic types and operations as the random kernels of conversions need them: the type of each result (C99 6.3, 6.5), and the range
// of its values. An operation has none where C leaves a result undefined, or a float would be rounded.

export const BITS = { bool: 1, char: 8, uchar: 8, short: 16, ushort: 16, int: 32, uint: 32, long: 64, ulong: 64, float: 24, double: 53 } as const; // biome-ignore format: a table
export type Name = keyof typeof BITS;
export const NAMES = Object.keys(BITS) as Name[];
export const INTEGERS = NAMES.filter((name) => name !== 'bool' && !isFloat(name));

/** A value of an integer is itself; that of a float is a multiple of 2^-fraction, given as the factor. */
export interface Range {
  readonly low: bigint;
  readonly high: bigint;
  readonly fraction: number;
}

/** The values of an expression of a type. */
export interface Operand extends Range {
  readonly type: Name;
}

export function isFloat(type: Name): boolean {
  return type === 'float' || type === 'double';
}

export const isSigned = (type: Name): boolean => type !== 'bool' && !type.startsWith('u');

/** What variables of floats hold: multiples of 1/16 up to 4096. */
export const VARIABLE_FRACTION = 4;
const VARIABLE_LIMIT = 1n << 16n;

export function rangeOf(type: Name): Range {
  const bits = BigInt(BITS[type]);
  if (isFloat(type)) return { low: -VARIABLE_LIMIT, high: VARIABLE_LIMIT, fraction: VARIABLE_FRACTION };
  return isSigned(type)
    ? { low: -(1n << (bits - 1n)), high: (1n << (bits - 1n)) - 1n, fraction: 0 }
    : { low: 0n, high: (1n << bits) - 1n, fraction: 0 };
}

export const within = (a: Range, b: Range): boolean => a.low >= b.low && a.high <= b.high;

/** Floats have no more bits than their type. */
const isExact = (type: Name, { low, high }: Range): boolean => {
  const limit = 1n << BigInt(BITS[type]);
  return low >= -limit && high <= limit;
};

export const promote = (type: Name): Name => (isFloat(type) || BITS[type] >= 32 ? type : 'int');

/** The usual arithmetic conversions (C99 6.3.1.8). */
export function commonType(a: Name, b: Name): Name {
  if (isFloat(a) || isFloat(b)) return a === 'double' || b === 'double' ? 'double' : 'float';
  const [p, q] = [promote(a), promote(b)];
  if (BITS[p] !== BITS[q]) return BITS[p] > BITS[q] ? p : q;
  return isSigned(p) ? q : p;
}

/** The values of a range after a conversion; undefined where that is not defined, or not exact. */
export function convert(range: Range, from: Name, to: Name): Range | undefined {
  const { low, high, fraction } = range;
  if (to === 'bool') return { low: 0n, high: 1n, fraction: 0 };
  if (isFloat(to)) return isExact(to, range) ? range : undefined;
  const full = rangeOf(to);
  const whole = { low: low / (1n << BigInt(fraction)), high: high / (1n << BigInt(fraction)), fraction: 0 };
  if (within(whole, full)) return whole;
  return isFloat(from) ? undefined : full;
}

/** How tightly operators bind. */
export const LEVEL = { ',': 0, '?': 2, '||': 3, '&&': 4, '|': 5, '^': 6, '&': 7, '==': 8, '!=': 8, '<': 9, '>': 9, '<=': 9, '>=': 9, '<<': 10, '>>': 10, '+': 11, '-': 11, '*': 12, '/': 12, '%': 12, unary: 13, name: 15 } as const; // biome-ignore format: a table
export type Operator = Exclude<keyof typeof LEVEL, '?' | 'unary' | 'name'>;

export const fold = (values: readonly bigint[], fraction: number): Range => ({
  low: values.reduce((a, b) => (a < b ? a : b)),
  high: values.reduce((a, b) => (a > b ? a : b)),
  fraction,
});

/** The same values as multiples of a smaller number. */
export function finer(range: Range, fraction: number): Range {
  const by = BigInt(fraction - range.fraction);
  return { low: range.low << by, high: range.high << by, fraction };
}

/** A result of its type; undefined where an overflow is not defined, or a float would be rounded. */
export function fitted(range: Range, type: Name): Range | undefined {
  if (isFloat(type)) return isExact(type, range) && range.fraction <= 12 ? range : undefined;
  const full = rangeOf(type);
  if (within(range, full)) return range;
  return isSigned(type) ? undefined : full;
}

export type Rule = (a: Range, b: Range, type: Name) => Range | undefined;

const sums =
  (sign: 1n | -1n): Rule =>
  (a, b) => {
    const fraction = Math.max(a.fraction, b.fraction);
    const [p, q] = [finer(a, fraction), finer(b, fraction)];
    return sign === 1n
      ? { low: p.low + q.low, high: p.high + q.high, fraction }
      : { low: p.low - q.high, high: p.high - q.low, fraction };
  };

const quotient: Rule = (a, b, type) => {
  if (isFloat(type) || (b.low <= 0n && b.high >= 0n)) return undefined;
  return fold([a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high, 0n], 0);
};

const remainder: Rule = (a, b, type) => {
  if (isFloat(type) || (b.low <= 0n && b.high >= 0n)) return undefined;
  // The least number by -1 is not defined, for the remainder either.
  if (isSigned(type) && b.low <= -1n && a.low === rangeOf(type).low) return undefined;
  const most = fold([b.low, b.high, -b.low, -b.high], 0).high - 1n;
  return { low: a.low < 0n ? -most : 0n, high: a.high > 0n ? most : 0n, fraction: 0 };
};

const bitwise: Rule = (a, b, type) => {
  if (isFloat(type)) return undefined;
  if (a.low < 0n || b.low < 0n) return rangeOf(type);
  const most = a.high > b.high ? a.high : b.high;
  return { low: 0n, high: (1n << BigInt(most.toString(2).length)) - 1n, fraction: 0 };
};

export const truth: Rule = () => ({ low: 0n, high: 1n, fraction: 0 });

/** `kind`: arithmetic in the common type, a comparison in it, or of two conditions. */
export const OPERATORS: Readonly<
  Partial<Record<Operator, readonly [kind: 'arithmetic' | 'comparison' | 'logic', rule: Rule]>>
> = {
  '+': ['arithmetic', sums(1n)],
  '-': ['arithmetic', sums(-1n)],
  '*': [
    'arithmetic',
    (a, b) => fold([a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high], a.fraction + b.fraction),
  ],
  '/': ['arithmetic', quotient],
  '%': ['arithmetic', remainder],
  '&': ['arithmetic', bitwise],
  '|': ['arithmetic', bitwise],
  '^': ['arithmetic', bitwise],
  '<<': ['arithmetic', () => undefined],
  '>>': ['arithmetic', () => undefined],
  '<': ['comparison', truth],
  '>': ['comparison', truth],
  '<=': ['comparison', truth],
  '>=': ['comparison', truth],
  '==': ['comparison', truth],
  '!=': ['comparison', truth],
  '&&': ['logic', truth],
  '||': ['logic', truth],
};

/** The type and the values of an operation; undefined if it is not defined for all values of its operands. */
export function operation(operator: Operator, a: Operand, b: Operand): Operand | undefined {
  const [kind, rule] = OPERATORS[operator]!;
  if (kind === 'logic') return { type: 'int', ...rule(a, b, 'int')! };
  if (operator === '<<' || operator === '>>') return shift(operator, a, b);
  const type = commonType(a.type, b.type);
  const [p, q] = [convert(a, a.type, type), convert(b, b.type, type)];
  if (p === undefined || q === undefined) return undefined;
  const result = rule(p, q, type);
  if (kind === 'comparison') return result && { type: 'int', ...result };
  const fits = result && fitted(result, type);
  return fits && { type, ...fits };
}

/** Of amounts only the low bits count, also of negative ones (OpenCL C 6.3.j). */
function shift(operator: '<<' | '>>', a: Operand, b: Operand): Operand | undefined {
  if (isFloat(a.type) || isFloat(b.type)) return undefined;
  const type = promote(a.type);
  const full = rangeOf(type);
  if (operator === '>>') return { type, ...fold([a.low, a.high, 0n], 0) };
  const amount = BigInt.asUintN(Math.log2(BITS[type]), b.low);
  const shifted = { low: a.low << amount, high: a.high << amount, fraction: 0 };
  return { type, ...(b.low === b.high && within(shifted, full) ? shifted : full) };
}
