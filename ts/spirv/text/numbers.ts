// SPDX-License-Identifier: MIT
//
// Numbers as SPIR-V assembly writes them.
import { halfValue } from '../../base/half';

const view = new DataView(new ArrayBuffer(8));

/** A literal of a float type, by its bits. Infinities, NaNs and halves are written in hexadecimal. */
export function floatText(width: number, words: readonly number[]): string {
  const [low = 0, high = 0] = words;
  if (width === 16) {
    const exponent = (low >> 10) & 0x1f;
    if (exponent === 0x1f) return hexSpecial(low >> 15, 16, (low & 0x3ff) * 2 ** -10);
    return hexFloat(halfValue(low), low >> 15 !== 0);
  }
  view.setUint32(0, low, true);
  view.setUint32(4, high, true);
  if (width === 32) {
    if (((low >>> 23) & 0xff) === 0xff) return hexSpecial(low >>> 31, 128, (low & 0x7fffff) * 2 ** -23);
    return general(view.getFloat32(0, true), 9);
  }
  if (((high >>> 20) & 0x7ff) === 0x7ff) {
    const fraction = ((high & 0xfffff) * 2 ** 32 + low) * 2 ** -52;
    return hexSpecial(high >>> 31, 1024, fraction);
  }
  return general(view.getFloat64(0, true), 17);
}

/** C's %g. */
function general(value: number, digits: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [mantissa, exponentText] = value.toExponential(digits - 1).split('e') as [string, string];
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= digits) {
    const trimmed = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;
    const size = Math.abs(exponent).toString().padStart(2, '0');
    return `${trimmed}e${exponent < 0 ? '-' : '+'}${size}`;
  }
  const fixed = value.toFixed(Math.max(digits - 1 - exponent, 0));
  return fixed.includes('.') ? fixed.replace(/\.?0+$/, '') : fixed;
}

/** Infinity and NaN: one more than the largest exponent; the fraction distinguishes them. */
function hexSpecial(sign: number, exponent: number, fraction: number): string {
  return `${sign ? '-' : ''}0x1${hexFraction(fraction)}p+${exponent}`;
}

function hexFloat(value: number, negative: boolean): string {
  const sign = negative ? '-' : '';
  const magnitude = Math.abs(value);
  if (magnitude === 0) return `${sign}0x0p+0`;
  const exponent = Math.floor(Math.log2(magnitude));
  const fraction = magnitude / 2 ** exponent - 1;
  return `${sign}0x1${hexFraction(fraction)}p${exponent < 0 ? '' : '+'}${exponent}`;
}

function hexFraction(fraction: number): string {
  let digits = '';
  for (let rest = fraction; rest > 0; ) {
    rest *= 16;
    const digit = Math.floor(rest);
    digits += digit.toString(16);
    rest -= digit;
  }
  return digits ? `.${digits}` : '';
}

/** A literal of an integer type, by its bits. */
export function integerText(width: number, signed: boolean, words: readonly number[]): string {
  const [low = 0, high = 0] = words;
  if (width === 64) {
    const bits = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
    return (signed ? BigInt.asIntN(64, bits) : bits).toString();
  }
  return (signed ? low | 0 : low >>> 0).toString();
}
