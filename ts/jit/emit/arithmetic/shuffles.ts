// SPDX-License-Identifier: MIT
//
// Shuffles by name: the sixteen bytes to take of two vectors, those of the second from 16 on. And permutations of one vector.
import { type Expr, i8x16 } from '../../../wasm/expressions';
import { Wasm } from '../../../wasm/opcodes';
import type { Context } from '../context';

/** Of two vectors of 64-bit lanes, the lower half of each lane. */
export const LOWER_WORDS = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27];
/** The upper half of each. */
export const UPPER_WORDS = LOWER_WORDS.map((byte) => byte + 4);
/** Of one vector of 64-bit lanes, the lower halves of both lanes, then the upper ones; and the other way round. */
export const LOWER_THEN_UPPER_WORDS = [0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15];
export const UPPER_THEN_LOWER_WORDS = [4, 5, 6, 7, 12, 13, 14, 15, 0, 1, 2, 3, 8, 9, 10, 11];
/** The lower half of each of two vectors. */
export const LOWER_HALVES = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
/** The upper half of each. */
export const UPPER_HALVES = LOWER_HALVES.map((byte) => byte + 8);
/** The upper half of the first vector, twice. */
export const UPPER_HALF = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];
/** The lower lane of the first vector of 64-bit lanes, the upper one of the second. */
export const LOWER_LANE_THEN_UPPER = Array.from({ length: 16 }, (_, byte) => (byte < 8 ? byte : byte + 16));
/** The lanes of a vector of 32 bits in reverse, and of 64 bits. */
export const REVERSED_WORDS = [12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3];
export const REVERSED_LONGS = [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7];
/** The 32-bit lanes of the lower half, or of the upper, each followed by one of the second vector. */
export const INTERLEAVE_LOWER_WORDS = [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23];
export const INTERLEAVE_UPPER_WORDS = [8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31];
/** The same of 16-bit lanes. */
export const INTERLEAVE_LOWER_SHORTS = [0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23];
export const INTERLEAVE_UPPER_SHORTS = [8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31];
/** The lowest byte of each 32-bit lane, four times. */
export const LOWEST_BYTES = [0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12];

/** Indices from this one on select 0, in relaxed permutations too. */
export const ZERO = 0x80;

/** The indices that reverse the elements, of this many bytes each, of a vector's first `size` bytes. */
export function reversedElements(bytes: number, size: number): Uint8Array {
  return Uint8Array.from({ length: 16 }, (_, i) => ((size - bytes - (i - (i % bytes))) & 15) + (i % bytes));
}

/** Takes the bytes of the vector on the stack in another order, or zeros. */
export function permute(c: Context, bytes: Uint8Array): void {
  c.constants.bytes(bytes);
  c.f.op(c.relaxedSimd ? Wasm.i8x16_relaxed_swizzle : Wasm.i8x16_swizzle);
}

/** The bytes of a constant at the indices, of which those from 16 on are at least `ZERO`. */
export function permutation(c: Context, bytes: Uint8Array, indices: Expr<'v128'>): Expr<'v128'> {
  const swizzle = c.relaxedSimd ? i8x16.relaxed_swizzle : i8x16.swizzle;
  return swizzle(() => c.constants.bytes(bytes), indices);
}
