// SPDX-License-Identifier: MIT
//
// Bits of words at places of their own, `x >> n & 1` or `(uchar)(x >> 8 * j)`. Vectors shift all lanes by one amount; a right shift by amounts that differ is
// the upper halves of products of twice the width. If few bits are used, they move up to the places from the largest amount on, as products of one width,
// and down from there by one amount for all: `x << (31 - n) >> 31`.
import type { Divergence } from '../../../analyses/divergence';
import type { Uses } from '../../../analyses/uses';
import { constantOf, Leaves, makeInst } from '../../../ir/build';
import { type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';
import { Replacements } from '../../../ir/rewrite';
import { bitsOf } from '../../../ir/types';
import { Ranges } from '../../ranges';

const WORD = 32;

/** Returns whether it changed the function. */
export function moveFieldsAtAmounts(func: Func, divergence: Divergence, uses: Uses): boolean {
  const fields = func.blocks.flatMap((block) =>
    block.insts.flatMap((inst) => fieldOf(inst, divergence, uses) ?? []),
  );
  if (fields.length === 0) return false;
  const ranges = new Ranges(func);
  const leaves = new Leaves(func);
  const replaced = new Replacements(func);
  let changed = false;
  for (const { inst, number, amount, bits, isMask, isExact } of fields) {
    const most = mostOf(ranges, amount);
    if (most + bits > WORD) continue;
    const { block, position } = inst;
    const make = (op: Op, operands: readonly Value[]) =>
      makeInst(func, block, op, Type.I32, operands, {}, position);
    const up = make(Op.Sub, [leaves.i32(most), amount]);
    const moved = make(Op.Shl, [number, up]);
    const down = make(isExact ? Op.AShr : Op.LShr, [moved, leaves.i32(most)]);
    block.insts.splice(block.insts.indexOf(inst), 0, up, moved, down);
    // The mask may take all that is left.
    if (isMask && most + bits === WORD) replaced.set(inst, down);
    else inst.operands = inst.operands.with(0, down);
    changed = true;
  }
  replaced.apply(func);
  return changed;
}

/** Bits of a word that is shifted by amounts of its own. */
interface Field {
  readonly inst: Inst;
  readonly number: Value;
  readonly amount: Value;
  readonly bits: number;
  /** Whether it is all lower bits, as a mask. */
  readonly isMask: boolean;
  /** Whether the shifted number has a sign and is the field, as the truncation says: then the moved one has to have that sign, too. */
  readonly isExact: boolean;
}

/** The field that an instruction takes, by a mask or a truncation, out of a shift that nothing else uses. */
function fieldOf(inst: Inst, divergence: Divergence, uses: Uses): Field | undefined {
  const { op, type, operands, block } = inst;
  const bits =
    op === Op.And ? bitsOfMask(operands[1]!) : op === Op.Trunc && type !== Type.I1 ? bitsOf(type) : 0;
  const [shift] = operands;
  if (bits === 0 || shift!.kind !== 'inst' || shift!.type !== Type.I32 || shift!.block !== block)
    return undefined;
  if (shift!.op !== Op.LShr && shift!.op !== Op.AShr) return undefined;
  const [number, amount] = shift!.operands as [Value, Value];
  const isOwn = Number.isNaN(divergence.stride[amount.id]!) && constantOf(number) === undefined;
  const isMask = op === Op.And && Number(constantOf(operands[1]!)) === 2 ** bits - 1;
  const isExact = shift!.op === Op.AShr && inst.facts.noSignedWrap === true;
  return isOwn && uses.count[shift!.id] === 1 ? { inst, number, amount, bits, isMask, isExact } : undefined;
}

function bitsOfMask(mask: Value): number {
  const bits = mask.type === Type.I32 ? constantOf(mask) : undefined;
  return bits === undefined ? 0 : WORD - Math.clz32(Number(bits));
}

/** The largest amount; amounts are modulo the width. */
function mostOf(ranges: Ranges, amount: Value): number {
  const range = ranges.of(amount);
  return range && range.low >= 0 && range.high < WORD ? range.high : WORD - 1;
}
