// SPDX-License-Identifier: MIT
//
// The order of bytes in Op.PermuteBytes, as text with a letter for each byte of the result, the lowest first: `a` is the operand's lowest
// byte, `b` the next one, `_` is zero. `dcba` reverses the bytes of an I32.

const ZERO = '_';
const FIRST = 'a'.charCodeAt(0);

/** `bytes`: the operand's byte for each byte of the result; undefined for zero. */
export function orderOf(bytes: readonly (number | undefined)[]): string {
  return bytes.map((byte) => (byte === undefined ? ZERO : String.fromCharCode(FIRST + byte))).join('');
}

/** The operand's byte for each byte of the result; undefined for zero. */
export function bytesOfOrder(order: string): (number | undefined)[] {
  return [...order].map((letter) => (letter === ZERO ? undefined : letter.charCodeAt(0) - FIRST));
}

/** A number of this many bytes with its bytes in this order. */
export function permuted(order: string, number: bigint): bigint {
  return bytesOfOrder(order).reduce<bigint>(
    (result, from, at) =>
      from === undefined ? result : result | (((number >> BigInt(8 * from)) & 0xffn) << BigInt(8 * at)),
    0n,
  );
}
