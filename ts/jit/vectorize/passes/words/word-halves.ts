// SPDX-License-Identifier: MIT
//
// Numbers that are in the upper or in the lower half of a word, such as two bytes of a pixel that are two apart, or the two channels of a
// sample.
import { constantAmount, constantOf } from '../../../ir/build';
import { type Inst, Op, Type, type Value } from '../../../ir/ir';

export interface WordHalf {
  readonly word: Value;
  readonly isUpper: boolean;
  /** By how much the word is shifted right so that the number is at its half's lowest bits. */
  readonly down: number;
  /** The bits of the half that the number has; undefined for all of them, with a sign. */
  readonly mask: number | undefined;
}

const HALF = 16;

export function wordHalfOf(value: Value): WordHalf | undefined {
  if (value.kind !== 'inst' || value.type !== Type.I32) return undefined;
  const [a, b] = value.operands as [Value, Value];
  switch (value.op) {
    case Op.AShr: {
      if (constantAmount(b) !== HALF) return undefined;
      const isLower = a.kind === 'inst' && a.op === Op.Shl && constantAmount(a.operands[1]!) === HALF;
      return isLower
        ? { word: a.operands[0]!, isUpper: false, down: 0, mask: undefined }
        : { word: a, isUpper: true, down: 0, mask: undefined };
    }
    case Op.LShr: {
      const by = constantAmount(b);
      return by !== undefined && by > HALF ? placed(a, by, 2 ** (32 - by) - 1) : undefined;
    }
    case Op.And: {
      const mask = Number(constantOf(b) ?? 0);
      if (mask <= 0 || mask >= 2 ** (HALF - 1)) return undefined;
      const by = a.kind === 'inst' && a.op === Op.LShr ? constantAmount((a as Inst).operands[1]!) : undefined;
      return by === undefined ? placed(a, 0, mask) : placed((a as Inst).operands[0]!, by, mask);
    }
    default:
      return undefined;
  }
}

function placed(word: Value, by: number, mask: number): WordHalf {
  return { word, isUpper: by >= HALF, down: by % HALF, mask };
}

/** The same for the two numbers of a word, one in each half, that one shift and one mask take out together. */
export const keyOf = ({ word, down, mask }: WordHalf): string => `${word.id} ${down} ${mask}`;
