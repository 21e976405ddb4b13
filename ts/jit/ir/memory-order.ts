// SPDX-License-Identifier: MIT
//
// Which operand a conversion to memory order gives. The order of Op.PermuteComponents is text with a letter for each component of the result, the
// first one first: `a` is the first operand.
import { type Inst, Op, type Value } from './ir';

const FIRST = 'a'.charCodeAt(0);

export function orderOf(places: readonly number[]): string {
  return String.fromCharCode(...places.map((place) => FIRST + place));
}

/** By component of the result, the place of its operand. */
export function placesOf(order: string): readonly number[] {
  return [...order].map((letter) => letter.charCodeAt(0) - FIRST);
}

/** The operand that is the value, for one work-item; undefined if there is none. */
export function componentOf({
  op,
  operands,
  facts: { memoryOrder = -1, order = '' },
}: Inst): Value | undefined {
  return operands[op === Op.PermuteComponents ? (placesOf(order)[memoryOrder] ?? -1) : memoryOrder];
}
