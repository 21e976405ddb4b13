// SPDX-License-Identifier: MIT
//
// Narrowing to packed values, from packed halves or from vectors of 32 bits.
import { Wasm } from '../../../wasm/opcodes';
import { type Inst, Op, Type, type Value } from '../../ir/ir';
import type { Context } from '../context';
import { isOfScalars, pushLowBits } from './low-bits';
import { type PackedVector, packedConstant, pushPacked, pushUpper } from './values';
import { byteOfWord, pickBytes, wordsOf } from './words';

/** Truncations and conversions to packed values, from packed halves or from vectors of 32 bits. */
export function narrowToPacked(c: Context, { inst, width, row, group }: PackedVector): void {
  const { f } = c;
  const [source] = inst.operands as [Value];
  if (c.plan.packed.has(source.id)) {
    pushLowBytes(c, inst, source, row, group * 2);
    pushUpper(c, () => pushLowBytes(c, inst, source, row, group * 2 + 1));
    f.op(Wasm.i8x16_narrow_i16x8_u);
    return;
  }
  if (inst.op === Op.Trunc && isOfScalars(c, source)) {
    pushLowBits(c, source, width, row, group);
    return;
  }
  const picked = width === 8 ? byteOfWord(c, inst) : undefined;
  if (picked) {
    pickBytes(c, picked, row, group);
    return;
  }
  const { push, codes } = wordsOf(c, inst, width, row);
  const halves = (first: number) => {
    for (const part of [first, first + 1]) push(part);
    f.op(codes[0]);
  };
  if (width === 16) {
    halves(group * 2);
    return;
  }
  halves(group * 4);
  pushUpper(c, () => halves(group * 4 + 2));
  f.op(codes[1]);
}

/** Eight packed halves whose low bytes a truncation keeps, with zero upper bytes. */
function pushLowBytes(c: Context, { facts }: Inst, halves: Value, row: number, group: number): void {
  pushPacked(c, halves, 16, row, group);
  if (facts.noUnsignedWrap) return;
  packedConstant(c, 16, 0xff);
  c.f.op(Wasm.v128_and);
}

/** Whether the stored bytes, fewer than a vector has, are a truncation of packed halves without other users. */
export function isLowBytes(c: Context, value: Value): value is Inst {
  return (
    value.kind === 'inst' &&
    value.op === Op.Trunc &&
    value.type === Type.I8 &&
    c.isInline(value) &&
    !c.plan.packed.has(value.id) &&
    c.plan.packed.get(value.operands[0]!.id) === 16 &&
    c.rowsOf(value.operands[0]!) === c.rowsOf(value)
  );
}

/** The bytes of eight lanes, in the low half of a vector. */
export function pushEightBytes(c: Context, bytes: Inst, row: number, group: number): void {
  const { f } = c;
  pushLowBytes(c, bytes, bytes.operands[0]!, c.rowsOf(bytes) > 1 ? row : 0, group);
  c.constants.splat(Type.I32, 0);
  f.op(Wasm.i8x16_narrow_i16x8_u);
}
