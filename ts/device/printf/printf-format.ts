// SPDX-License-Identifier: MIT
// Text of numbers as C's printf makes it.

/** Flags, width and precision of one conversion specification. */
export interface Specification {
  readonly left: boolean;
  readonly plus: boolean;
  readonly space: boolean;
  readonly alternative: boolean;
  readonly zero: boolean;
  readonly width: number;
  readonly precision: number | undefined;
}

function pad(spec: Specification, sign: string, body: string, zeros: boolean): string {
  const missing = spec.width - sign.length - body.length;
  if (missing <= 0) return sign + body;
  if (spec.left) return sign + body + ' '.repeat(missing);
  return zeros ? sign + '0'.repeat(missing) + body : ' '.repeat(missing) + sign + body;
}

export function formatText(text: string, spec: Specification): string {
  const missing = ' '.repeat(Math.max(spec.width - text.length, 0));
  return spec.left ? text + missing : missing + text;
}

/** @param value already converted to the conversion's width and signedness. */
export function formatInteger(value: bigint, conversion: string, spec: Specification): string {
  const signed = conversion === 'd' || conversion === 'i';
  const magnitude = value < 0n ? -value : value;
  const radix = conversion === 'o' ? 8 : conversion === 'x' || conversion === 'X' ? 16 : 10;
  let digits = spec.precision === 0 && value === 0n ? '' : magnitude.toString(radix);
  if (spec.precision !== undefined) digits = digits.padStart(spec.precision, '0');
  if (conversion === 'o' && spec.alternative && !digits.startsWith('0')) digits = `0${digits}`;
  let prefix = value < 0n ? '-' : signed && spec.plus ? '+' : signed && spec.space ? ' ' : '';
  if (radix === 16 && spec.alternative && value !== 0n) prefix = '0x';
  const text = pad(spec, prefix, digits, spec.zero && spec.precision === undefined);
  return conversion === 'X' ? text.toUpperCase() : text;
}

/** @param negative the sign bit, which a NaN's value does not show. */
export function formatFloat(
  value: number,
  conversion: string,
  spec: Specification,
  negative = value < 0 || Object.is(value, -0),
): string {
  const sign = negative ? '-' : spec.plus ? '+' : spec.space ? ' ' : '';
  const magnitude = Math.abs(value);
  const lower = conversion.toLowerCase();
  let text: string;
  if (!Number.isFinite(value)) {
    text = pad(spec, sign, Number.isNaN(value) ? 'nan' : 'inf', false);
  } else if (lower === 'a') {
    const body = hexadecimal(magnitude, spec.precision, spec.alternative);
    text = pad(spec, `${sign}0x`, body, spec.zero);
  } else {
    text = pad(spec, sign, decimal(magnitude, lower, spec), spec.zero);
  }
  return conversion === lower ? text : text.toUpperCase();
}

function decimal(value: number, conversion: string, spec: Specification): string {
  const precision = spec.precision ?? 6;
  if (conversion === 'f') return fixed(value, precision, spec.alternative);
  if (conversion === 'e') return scientific(value, precision, spec.alternative);
  const significant = precision === 0 ? 1 : precision;
  const { exponent } = digitsOf(value, Math.min(significant - 1, MOST_DIGITS));
  const text =
    exponent < -4 || exponent >= significant
      ? scientific(value, significant - 1, spec.alternative)
      : fixed(value, significant - 1 - exponent, spec.alternative);
  return spec.alternative ? text : text.replace(/(\.\d*?)0+(e|$)/, '$1$2').replace(/\.(e|$)/, '$1');
}

/** No double has more digits before or after the decimal point; further digits are zeros. */
const MOST_DIGITS = 1100;

function fixed(value: number, precision: number, point: boolean): string {
  const exact = Math.min(precision, MOST_DIGITS);
  const digits = scaled(value, exact)
    .toString()
    .padStart(exact + 1, '0');
  const whole = digits.slice(0, digits.length - exact);
  if (precision === 0 && !point) return whole;
  return `${whole}.${digits.slice(digits.length - exact).padEnd(precision, '0')}`;
}

function scientific(value: number, precision: number, point: boolean): string {
  const { digits, exponent } = digitsOf(value, Math.min(precision, MOST_DIGITS));
  const mantissa = precision > 0 || point ? `${digits[0]}.${digits.slice(1).padEnd(precision, '0')}` : digits;
  const power = String(Math.abs(exponent)).padStart(2, '0');
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${power}`;
}

/** `precision + 1` digits, correctly rounded, and the power of ten of the first. */
function digitsOf(value: number, precision: number): { digits: string; exponent: number } {
  if (value === 0) return { digits: '0'.repeat(precision + 1), exponent: 0 };
  const [shortest, power] = value.toExponential().split('e');
  // 9.99…e22 is 1e23 in its shortest digits.
  let exponent = Number(power) - (shortest === '1' ? 1 : 0);
  let digits = scaled(value, precision - exponent).toString();
  while (digits.length > precision + 1) {
    exponent++;
    digits = scaled(value, precision - exponent).toString();
  }
  return { digits, exponent };
}

/** value · 10^power as an integer, ties to even; exact, as it uses the number's mantissa and exponent. */
function scaled(value: number, power: number): bigint {
  const { mantissa, exponent } = parts(value);
  let numerator = mantissa;
  let denominator = 1n;
  if (exponent >= 0) numerator <<= BigInt(exponent);
  else denominator <<= BigInt(-exponent);
  if (power >= 0) numerator *= 10n ** BigInt(power);
  else denominator *= 10n ** BigInt(-power);
  return divideToEven(numerator, denominator);
}

function divideToEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const up = twice > denominator || (twice === denominator && (quotient & 1n) === 1n);
  return up ? quotient + 1n : quotient;
}

/** value = mantissa · 2^exponent */
function parts(value: number): { mantissa: bigint; exponent: number } {
  const bits = new BigUint64Array(new Float64Array([value]).buffer)[0]!;
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | 0x10000000000000n, exponent: biased - 1075 };
}

function hexadecimal(value: number, precision: number | undefined, point: boolean): string {
  if (value === 0) {
    return `0${precision ? `.${'0'.repeat(precision)}` : point ? '.' : ''}p+0`;
  }
  // Subnormal numbers keep their exponent and a leading 0.
  const { mantissa: exact, exponent } = parts(value);
  let mantissa = exact;
  if (precision !== undefined && precision < 13) {
    const drop = 1n << BigInt(4 * (13 - precision));
    mantissa = divideToEven(mantissa, drop) * drop;
  }
  let digits = (mantissa & 0xfffffffffffffn).toString(16).padStart(13, '0');
  digits =
    precision === undefined ? digits.replace(/0+$/, '') : digits.slice(0, precision).padEnd(precision, '0');
  const power = exponent + 52;
  const whole = (mantissa >> 52n).toString(16);
  return `${whole}${digits || point ? '.' : ''}${digits}p${power < 0 ? '-' : '+'}${Math.abs(power)}`;
}
