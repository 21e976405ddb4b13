// SPDX-License-Identifier: MIT
//
// What Op.Bytes does with the four bytes of each operand, an I32.
import { onesIn } from '../../base/integer-arithmetic';

/**
 * Byte by byte: comparisons, whose bytes are all ones or zero, and arithmetic; `popcount` counts the bits of each. `upairs`: the sums of the first two
 * and of the last two unsigned bytes, 16 bits each. `uhalves`: the sum of two numbers of 15 bits, in 16 each. `ssum`: the sum of the
 * signed bytes; `udot`: that of the products of unsigned bytes; `hdot`: that of the products of the signed halves. `select`: the bytes of the second operand where the first one's are all
 * ones, and those of the third where they are zero.
 */
export type BytesOp =
  | 'eq'
  | 'slt'
  | 'ult'
  | 'add'
  | 'sub'
  | 'smin'
  | 'smax'
  | 'umin'
  | 'umax'
  | 'popcount'
  | 'upairs'
  | 'uhalves'
  | 'ssum'
  | 'udot'
  | 'hdot'
  | 'select';

const UNARY: ReadonlySet<BytesOp> = new Set(['popcount', 'upairs', 'uhalves', 'ssum']);

/** The number of operands. */
export const operandsOf = (op: BytesOp): number => (op === 'select' ? 3 : UNARY.has(op) ? 1 : 2);

const BYTE_BY_BYTE: { readonly [K in BytesOp]?: (a: number, b: number) => number } = {
  eq: (a, b) => (a === b ? -1 : 0),
  slt: (a, b) => (signed(a) < signed(b) ? -1 : 0),
  ult: (a, b) => (a < b ? -1 : 0),
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  smin: (a, b) => Math.min(signed(a), signed(b)),
  smax: (a, b) => Math.max(signed(a), signed(b)),
  umin: Math.min,
  umax: Math.max,
  popcount: onesIn,
};
const SUMMED: { readonly [K in BytesOp]?: (a: number, b: number) => number } = {
  ssum: signed,
  udot: (a, b) => a * b,
};

/** The result for numbers. */
export function onBytes(op: BytesOp, a: number, b: number, c = 0): number {
  if (op === 'select') return (a & b) | (~a & c);
  const each = BYTE_BY_BYTE[op];
  if (op === 'upairs') return onBytes('udot', a & 0xffff, 0x0101) | (onBytes('udot', a >>> 16, 0x0101) << 16);
  if (op === 'hdot') return (Math.imul(signedHalf(a), signedHalf(b)) + Math.imul(a >> 16, b >> 16)) | 0;
  if (op === 'uhalves') return (a & 0xffff) + (a >>> 16);
  let result = 0;
  for (let shift = 0; shift < 32; shift += 8) {
    const [x, y] = [(a >>> shift) & 0xff, (b >>> shift) & 0xff];
    if (each) result |= (each(x, y) & 0xff) << shift;
    else result += SUMMED[op]!(x, y);
  }
  return result | 0;
}

function signed(byte: number): number {
  return (byte << 24) >> 24;
}

function signedHalf(number: number): number {
  return (number << 16) >> 16;
}
