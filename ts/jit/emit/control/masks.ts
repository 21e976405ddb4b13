// SPDX-License-Identifier: MIT
//
// Masks: which lanes are active, as vectors of all ones and all zeros; and choices between vectors by them.
import { invariant } from '../../../base/invariant';
import { type Expr, emit, type Operand } from '../../../wasm/expressions';
import { Wasm } from '../../../wasm/opcodes';
import { Type, type Value } from '../../ir/ir';
import type { PackedWidth } from '../../vectorize/plan';
import type { Context } from '../context';
import { isWide } from '../value-types';

const ALL_TRUE = { 8: Wasm.i8x16_all_true, 16: Wasm.i16x8_all_true } as const;

/** Leaves 1 on the stack if some lane of a mask is set. */
export function anyLane(c: Context, mask: readonly number[]): void {
  const { f } = c;
  (c.packedMasks.get(mask)?.locals ?? mask).forEach((local, i) => {
    f.get(local);
    if (i > 0) f.op(Wasm.v128_or);
  });
  f.op(Wasm.v128_any_true);
}

/** Leaves 1 on the stack if every lane of a mask is set. */
export function allLanes(c: Context, mask: readonly number[]): void {
  const { f } = c;
  const packed = c.packedMasks.get(mask);
  (packed?.locals ?? mask).forEach((local, i) => {
    f.get(local);
    if (i > 0) f.op(Wasm.v128_and);
  });
  f.op(packed ? ALL_TRUE[packed.width] : Wasm.i32x4_all_true);
}

/** The current mask's vectors for a row. */
export function maskOfRow(c: Context, row: number): readonly number[] {
  const perRow = c.lanes >> 2;
  return c.mask!.slice(row * perRow, (row + 1) * perRow);
}

/** Emits `lane` for every active lane of every row, in the order of the work-items. */
export function forActiveLanes(c: Context, lane: (row: number, lane: number) => void): void {
  const { f, mask, lanes, rows } = c;
  const perRow = lanes >> 2;
  for (let row = 0; row < rows; row++)
    for (let l = 0; l < lanes; l++) {
      if (!mask) {
        lane(row, l);
        continue;
      }
      f.get(mask[row * perRow + (l >> 2)]!);
      f.lane(Wasm.i32x4_extract_lane, l & 3);
      f.if_();
      lane(row, l);
      f.end();
    }
}

// --- lanes of vectors ---

/** Chooses between two vectors of a type by the lanes of a mask, which are all ones or all zeros. */
export function selectLanes(c: Context, type: Type): void {
  if (!c.relaxedSimd) c.f.op(Wasm.v128_bitselect);
  else c.f.op(isWide(type) ? Wasm.i64x2_relaxed_laneselect : Wasm.i32x4_relaxed_laneselect);
}

/** Chooses between two packed vectors by the lanes of a mask. */
export function selectPacked(c: Context, width: PackedWidth): void {
  if (!c.relaxedSimd) c.f.op(Wasm.v128_bitselect);
  else c.f.op(width === 8 ? Wasm.i8x16_relaxed_laneselect : Wasm.i16x8_relaxed_laneselect);
}

/** The lanes of `a` where the mask is set, else those of `b`. */
export function laneSelect(
  c: Context,
  type: Type,
  a: Operand<'v128'>,
  b: Operand<'v128'>,
  mask: Operand<'v128'>,
): Expr<'v128'> {
  return (f) => {
    emit(f, a);
    emit(f, b);
    emit(f, mask);
    selectLanes(c, type);
  };
}

/** A truth value's lanes as a mask for vectors of a type: `part` counts vectors of that type. */
export function maskFor(c: Context, v: Value, row: number, part: number, type: Type): void {
  if (!isWide(type)) {
    c.vector(v, row, part);
    return;
  }
  c.vector(v, row, part >> 1);
  c.f.op(part & 1 ? Wasm.i64x2_extend_high_i32x4_s : Wasm.i64x2_extend_low_i32x4_s);
}

/**
 * The mask of the active lanes, likewise, for code where some lanes may be inactive. `shared`: for values that rows share, the
 * lanes that are active in some row.
 */
export function activeMask(c: Context, row: number, part: number, type: Type, shared = false): void {
  const { mask, f } = c;
  invariant(mask, 'all lanes are active');
  const perRow = c.perRow(Type.I32);
  const wide = isWide(type);
  const at = wide ? part >> 1 : part;
  f.get(mask[row * perRow + at]!);
  if (shared)
    for (let other = 0; other < c.rows; other++) {
      if (other === row) continue;
      f.get(mask[other * perRow + at]!);
      f.op(Wasm.v128_or);
    }
  if (wide) f.op(part & 1 ? Wasm.i64x2_extend_high_i32x4_s : Wasm.i64x2_extend_low_i32x4_s);
}
