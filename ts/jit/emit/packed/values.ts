// SPDX-License-Identifier: MIT
//
// Values and masks in packed form (vectorize/packing.ts): sixteen bytes or eight halves to a vector. The vectors of a row are counted
// as groups of this many lanes.
import type { Expr } from '../../../wasm/expressions';
import { ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import { constantOf, isUndefined } from '../../ir/build';
import { type Inst, Type, type Value } from '../../ir/ir';
import type { PackedWidth } from '../../vectorize/plan';
import type { Context } from '../context';
import { isOfArguments, pushHoistedSplat } from '../hoisted-scalars';

/** Which vector of a packed operation's result is emitted. */
export interface PackedVector {
  readonly inst: Inst;
  readonly width: PackedWidth;
  readonly row: number;
  readonly group: number;
  /** Pushes the same vector of an operand. */
  readonly push: (operand: number) => void;
}

/** One vector of a packed value, or of a uniform value in packed form. */
export function pushPacked(c: Context, v: Value, width: PackedWidth, row: number, group: number): void {
  const { f } = c;
  const bits = constantOf(v);
  if (bits !== undefined || isUndefined(v)) {
    packedConstant(c, width, Number(bits ?? 0));
    return;
  }
  if (!c.isVector(v)) {
    const splat = () => f.op(width === 8 ? Wasm.i8x16_splat : Wasm.i16x8_splat);
    if (isOfArguments(c, v)) pushHoistedSplat(c, v as Inst, `packed ${width}`, ValType.V128, splat);
    else {
      c.scalar(v, row);
      splat();
    }
    return;
  }
  if (c.isInline(v)) c.evaluator.packed(v as Inst, width, c.rowsOf(v) > 1 ? row : 0, group);
  else c.packedVector(v, row, group);
}

export function packedConstant(c: Context, width: PackedWidth, bits: number): void {
  c.constants.splat(Type.I32, Math.imul(bits & (2 ** width - 1), width === 8 ? 0x1010101 : 0x10001));
}

/** The same as an expression. */
export const packedSplat =
  (c: Context, width: PackedWidth, bits: number): Expr<'v128'> =>
  () =>
    packedConstant(c, width, bits);

/** Truth values of any width as a mask of this width. */
export function pushMask(c: Context, v: Value, width: PackedWidth, row: number, group: number): void {
  const { f } = c;
  if (!c.isVectorHere(v)) {
    if (isOfArguments(c, v))
      pushHoistedSplat(c, v as Inst, 'mask', ValType.V128, () => {
        c.constant(Type.I32, -1);
        f.op(Wasm.i32_mul);
        f.op(Wasm.i32x4_splat);
      });
    else {
      f.i32(0);
      c.scalar(v, row);
      f.op(Wasm.i32_sub);
      f.op(Wasm.i32x4_splat);
    }
    return;
  }
  const own = c.plan.packed.get(v.id);
  if (own === width) pushPacked(c, v, width, row, group);
  else if (own === 8) {
    pushPacked(c, v, 8, row, group >> 1);
    f.op(group & 1 ? Wasm.i16x8_extend_high_i8x16_s : Wasm.i16x8_extend_low_i8x16_s);
  } else if (own === 16) {
    pushPacked(c, v, 16, row, group * 2);
    pushUpper(c, () => pushPacked(c, v, 16, row, group * 2 + 1));
    f.op(Wasm.i8x16_narrow_i16x8_s);
  } else {
    narrowMasks(c, (part) => c.vector(v, row, part), width, group);
  }
}

/** Masks of 32 bits for the lanes of one row, which `push` pushes, as a mask of this width. */
export function narrowMasks(
  c: Context,
  push: (part: number) => void,
  width: PackedWidth,
  group: number,
): void {
  const { f } = c;
  const halves = (first: number) => {
    push(first);
    push(first + 1);
    f.op(Wasm.i16x8_narrow_i32x4_s);
  };
  if (width === 16) {
    halves(group * 2);
    return;
  }
  halves(group * 4);
  pushUpper(c, () => halves(group * 4 + 2));
  f.op(Wasm.i8x16_narrow_i16x8_s);
}

/** The eight lanes that are the upper half of a vector of bytes: anything where a row has only the lower ones. */
export function pushUpper(c: Context, push: () => void): void {
  if (c.lanes > 8) push();
  else c.constants.splat(Type.I32, 0);
}
