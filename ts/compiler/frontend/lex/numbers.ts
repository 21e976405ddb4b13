// SPDX-License-Identifier: MIT
//
// The values of numeric literals (C99, 6.4.4; OpenCL C's suffix h), rounded exactly once to their type.
import type { Location } from '../../diagnostics/diagnostic';
import type { Reporter } from '../../diagnostics/reporter';

export interface IntegerLiteral {
  readonly value: bigint;
  /** The first type of C99's list that can represent the value. */
  readonly type: 'int' | 'uint' | 'long' | 'ulong';
}

export interface FloatLiteral {
  readonly value: number;
  readonly type: 'half' | 'float' | 'double';
}

const INT_MAX = 0x7fffffffn;
const UINT_MAX = 0xffffffffn;
const LONG_MAX = 0x7fffffffffffffffn;
const ULONG_MAX = 0xffffffffffffffffn;
const WIDEST = (1n << 128n) - 1n;

const INTEGER_SUFFIX = /^(?:[uU](?:ll?|LL?)?|(?:ll?|LL?)[uU]?)?$/;

/** Undefined, and reported, if it is not an integer. */
export function parseIntegerLiteral(
  text: string,
  location: Location,
  reporter: Reporter,
): IntegerLiteral | undefined {
  // Most literals are short and decimal.
  if (text.length < 10 && isPlainDecimal(text)) return { value: BigInt(text), type: 'int' };

  const prefix = text.length > 2 && text[0] === '0' ? text[1]!.toLowerCase() : '';
  const radix = prefix === 'x' ? 16 : prefix === 'b' ? 2 : text[0] === '0' ? 8 : 10;
  const begin = radix === 16 || radix === 2 ? 2 : 0;
  let end = begin;
  while (end < text.length && digitValue(text.charCodeAt(end)) < (radix === 16 ? 16 : 10)) end++;
  const suffix = text.slice(end);
  if (end === begin) {
    reporter.report('integer-suffix-invalid', location + 1, { suffix: text.slice(1) });
    return undefined;
  }
  if (radix < 10) {
    for (let i = begin; i < end; i++) {
      if (digitValue(text.charCodeAt(i)) < radix) continue;
      const base = radix === 8 ? 'octal' : 'binary';
      reporter.report('digit-invalid', location + i, { digit: text[i]!, base });
      return undefined;
    }
  }
  if (suffix !== '' && !INTEGER_SUFFIX.test(suffix)) {
    reporter.report('integer-suffix-invalid', location + end, { suffix });
    return undefined;
  }
  if (radix === 2) reporter.report('binary-literal', location);
  // At most 128 digits (binary ones) can fit, without leading zeros.
  let first = begin;
  while (first < end - 1 && text[first] === '0') first++;
  const digits = text.slice(first, end);
  let value = digits.length > 128 ? WIDEST + 1n : toBigInt(digits, radix);
  const lower = suffix.toLowerCase();
  if (value > WIDEST) {
    reporter.report('integer-too-large', location);
    return undefined;
  }
  if (value > ULONG_MAX) {
    // clang's long long has 128 bits; a program can keep the low 64.
    reporter.report('integer-truncated', location, { value, kept: value & ULONG_MAX });
    value &= ULONG_MAX;
  }

  const unsigned = lower.includes('u');
  const long = lower.includes('l');
  const anySign = radix !== 10;
  if (!long && !unsigned && value <= INT_MAX) return { value, type: 'int' };
  if (!long && (unsigned || anySign) && value <= UINT_MAX) return { value, type: 'uint' };
  if (!unsigned && value <= LONG_MAX) return { value, type: 'long' };
  if (!unsigned && !anySign) reporter.report('integer-unsigned', location);
  return { value, type: 'ulong' };
}

/**
 * `unsuffixed` is the type of a literal without suffix: double, or float under `-cl-single-precision-constant` and
 * without cl_khr_fp64. Undefined, and reported, if it is not a number.
 */
export function parseFloatLiteral(
  text: string,
  location: Location,
  reporter: Reporter,
  unsuffixed: 'float' | 'double',
): FloatLiteral | undefined {
  const hex = /^0[xX]/.test(text);
  const match = (hex ? HEX_FLOAT : DECIMAL_FLOAT).exec(text)!;
  const [, whole = '', fraction = '', exponentPart, exponentDigits, suffix = ''] = match;
  if (hex && whole.length + fraction.length === 0) {
    reporter.report('hex-float-digits', location);
    return undefined;
  }
  if (exponentPart !== undefined && !exponentDigits) {
    reporter.report(
      'exponent-empty',
      location + text.toLowerCase().indexOf(exponentPart[0]!.toLowerCase(), hex ? 2 : 0),
    );
    return undefined;
  }
  if (hex && exponentPart === undefined) {
    reporter.report('hex-float-exponent', location);
    return undefined;
  }
  const type = SUFFIX_TYPES[suffix.toLowerCase()] ?? (suffix === '' ? unsuffixed : undefined);
  if (type === undefined) {
    reporter.report('floating-suffix-invalid', location + text.length - suffix.length, { suffix });
    return undefined;
  }

  const exponent = exponentPart === undefined ? 0 : Number(exponentPart.slice(1));
  const value = hex
    ? fromHex(whole, fraction, exponent, FORMATS[type])
    : fromDecimal(whole, fraction, exponent, FORMATS[type]);
  if (value === Number.POSITIVE_INFINITY) {
    reporter.report('floating-overflow', location, { type, limit: FORMATS[type].largest });
  } else if (value === 0 && /[1-9a-f]/i.test(whole + fraction)) {
    reporter.report('floating-underflow', location, { type, limit: FORMATS[type].smallest });
  }
  // OpenCL C does not have C's _Float16: the literal is a float.
  return { value, type: /16$/.test(suffix) ? 'float' : type };
}

const DECIMAL_FLOAT = /^(\d*)\.?(\d*)([eE][+-]?(\d*))?(.*)$/;
const HEX_FLOAT = /^0[xX]([\da-fA-F]*)\.?([\da-fA-F]*)([pP][+-]?(\d*))?(.*)$/;
const SUFFIX_TYPES: Readonly<Record<string, FloatLiteral['type'] | undefined>> = {
  f: 'float',
  h: 'half',
  f16: 'half',
  l: 'double',
  // clang's 128-bit literals; the widest type here is double.
  q: 'double',
};

interface Format {
  /** Bits of the significand, the hidden one included. */
  readonly precision: number;
  /** Exponent of the smallest subnormal: it is 2 to the power of this. */
  readonly least: number;
  /** Numbers of this exponent overflow: 2 to the power of this. */
  readonly overflow: number;
  readonly largest: string;
  readonly smallest: string;
}

const FORMATS: Readonly<Record<FloatLiteral['type'], Format>> = {
  half: { precision: 11, least: -24, overflow: 16, largest: '6.5504E+4', smallest: '5.9605E-8' },
  float: { precision: 24, least: -149, overflow: 128, largest: '3.40282347E+38', smallest: '1.40129846E-45' },
  double: {
    precision: 53,
    least: -1074,
    overflow: 1024,
    largest: '1.7976931348623157E+308',
    smallest: '4.9406564584124654E-324',
  },
};

/** Enough digits to decide any rounding; further digits only count as "a bit more". */
const SIGNIFICANT_DIGITS = 800;

function fromDecimal(whole: string, fraction: string, exponent: number, format: Format): number {
  let digits = (whole + fraction).replace(/^0+/, '');
  let scale = exponent - fraction.length;
  if (digits.length > SIGNIFICANT_DIGITS) {
    scale += digits.length - SIGNIFICANT_DIGITS - 1;
    digits = `${digits.slice(0, SIGNIFICANT_DIGITS)}1`;
  }
  if (digits === '') return 0;
  const nearest = Number(`${digits}e${scale}`);
  if (format.precision === 53 || !Number.isFinite(nearest) || nearest === 0) return nearest;

  // Rounding the double again is wrong only if the double is exactly between two neighbours and the number is not.
  const unit = 2 ** Math.max(Math.floor(Math.log2(nearest)) - format.precision, format.least);
  for (const ulp of [unit, unit * 2, unit * 4]) {
    const quotient = nearest / ulp;
    if (quotient >= 2 ** format.precision) continue;
    const below = Math.floor(quotient);
    const rest = quotient - below;
    const side = rest === 0.5 ? compareDecimal(digits, scale, nearest) : rest - 0.5;
    const up = side > 0 || (side === 0 && below % 2 === 1);
    const value = (below + (up ? 1 : 0)) * ulp;
    return value >= 2 ** format.overflow ? Number.POSITIVE_INFINITY : value;
  }
  return Number.POSITIVE_INFINITY;
}

/** The sign of digits × 10^scale − double. */
function compareDecimal(digits: string, scale: number, double: number): number {
  let significand = double;
  let power = 0;
  while (!Number.isInteger(significand)) {
    significand *= 2;
    power--;
  }
  let left = BigInt(digits);
  let right = BigInt(significand);
  if (scale >= 0) left *= 10n ** BigInt(scale);
  else right *= 10n ** BigInt(-scale);
  left <<= BigInt(-power);
  return left < right ? -1 : left > right ? 1 : 0;
}

function fromHex(whole: string, fraction: string, exponent: number, format: Format): number {
  let digits = (whole + fraction).replace(/^0+/, '');
  let power = exponent - 4 * fraction.length;
  if (digits.length > SIGNIFICANT_DIGITS) {
    power += 4 * (digits.length - SIGNIFICANT_DIGITS - 1);
    digits = `${digits.slice(0, SIGNIFICANT_DIGITS)}1`;
  }
  if (digits === '') return 0;
  const significand = BigInt(`0x${digits}`);
  const bits = significand.toString(2).length;
  if (power + bits > format.overflow) return Number.POSITIVE_INFINITY;
  const cut = Math.max(bits - format.precision, format.least - power);
  // In this order, since the largest numbers overflow in the other.
  if (cut <= 0) return Number(significand) * 2 ** (1 - bits) * 2 ** (power + bits - 1);
  if (cut > bits + 1) return 0;
  const shift = BigInt(cut);
  const below = significand >> shift;
  const rest = significand - (below << shift);
  const half = 1n << (shift - 1n);
  const up = rest > half || (rest === half && (below & 1n) === 1n);
  const rounded = Number(up ? below + 1n : below);
  // In two steps, because 2 to the power of the unit may underflow.
  const unit = power + cut;
  const value = unit < -1000 ? rounded * 2 ** -1000 * 2 ** (unit + 1000) : rounded * 2 ** unit;
  return value >= 2 ** format.overflow ? Number.POSITIVE_INFINITY : value;
}

function isPlainDecimal(text: string): boolean {
  if (text.charCodeAt(0) === 48 && text.length > 1) return false;
  for (let i = 0; i < text.length; i++) {
    if (digitValue(text.charCodeAt(i)) > 9) return false;
  }
  return true;
}

function digitValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 0x20;
  return letter >= 97 && letter <= 102 ? letter - 87 : 99;
}

function toBigInt(digits: string, radix: number): bigint {
  switch (radix) {
    case 16:
      return BigInt(`0x${digits}`);
    case 8:
      return BigInt(`0o${digits}`);
    case 2:
      return BigInt(`0b${digits}`);
    default:
      return BigInt(digits);
  }
}
