// SPDX-License-Identifier: MIT
//
// Masks in packed form: where a branch tests packed truth values, a side's mask is kept as they are as well. Tests whether lanes are
// active, and stores and parameters of packed values, use them, so that nothing is widened to 32 bits and narrowed again.
import { ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import type { Value } from '../../ir/ir';
import type { PackedWidth } from '../../vectorize/plan';
import type { Context } from '../context';
import { narrowMasks, pushPacked, pushUpper } from './values';

/** One side of a branch: 0 where its condition is true. `mask`: locals with the mask of 32 bits. */
interface Side {
  readonly index: number;
  readonly mask: readonly number[];
}

/**
 * Splits the lanes of `active`, or all, by a condition that is packed. Must be called where `LaneMasks.split` is. The masks are known to
 * `Context.packedMasks` until `forgetPacked`, and must not change until then.
 */
export function splitPacked(
  c: Context,
  condition: Value,
  active: readonly number[] | undefined,
  sides: readonly Side[],
): void {
  const { f } = c;
  const width = c.plan.packed.get(condition.id);
  // Half a vector has anything in its upper lanes, which tests of all lanes would read.
  if (!width || c.plan.isHalfVector(width) || !c.isVectorHere(condition)) return;
  if (c.divergence.isTemporallyDivergent(condition, c.block)) return;
  const parent = active && c.packedMasks.get(active);
  if (active && parent?.width !== width) return;
  const perRow = c.plan.packedVectors(width);
  const vectors = Array.from({ length: c.rows * perRow }, (_, i) => i);
  const made = sides.map(() => vectors.map(() => c.allocate(ValType.V128)));
  for (const i of vectors)
    c.withLocal(ValType.V128, (bit) => {
      pushPacked(c, condition, width, Math.floor(i / perRow), i % perRow);
      f.set(bit);
      for (const [s, { index }] of sides.entries()) {
        if (parent) f.get(parent.locals[i]!);
        f.get(bit);
        if (parent) f.op(index === 0 ? Wasm.v128_and : Wasm.v128_andnot);
        else if (index !== 0) f.op(Wasm.v128_not);
        f.set(made[s]![i]!);
      }
    });
  for (const [s, { mask }] of sides.entries()) c.packedMasks.set(mask, { width, locals: made[s]! });
}

/** Frees the packed form of a mask, if there is one. */
export function forgetPacked(c: Context, mask: readonly number[]): void {
  for (const local of c.packedMasks.get(mask)?.locals ?? []) c.release(local);
  c.packedMasks.delete(mask);
}

/** One vector of this width of a mask's row. */
export function pushPackedMask(
  c: Context,
  mask: readonly number[],
  width: PackedWidth,
  row: number,
  group: number,
): void {
  const { f } = c;
  const known = c.packedMasks.get(mask);
  const push = (at: number) => f.get(known!.locals[row * c.plan.packedVectors(known!.width) + at]!);
  if (!known) {
    const perRow = c.lanes >> 2;
    narrowMasks(c, (part) => f.get(mask[row * perRow + part]!), width, group);
  } else if (known.width === width) push(group);
  else if (known.width === 8) {
    push(group >> 1);
    f.op(group & 1 ? Wasm.i16x8_extend_high_i8x16_s : Wasm.i16x8_extend_low_i8x16_s);
  } else {
    push(group * 2);
    pushUpper(c, () => push(group * 2 + 1));
    f.op(Wasm.i8x16_narrow_i16x8_s);
  }
}

/** Computes a mask of 32 bits again from its packed form, so that earlier code need not have done it for what comes next. */
export function widenAgain(c: Context, mask: readonly number[]): void {
  const { f } = c;
  const known = c.packedMasks.get(mask);
  if (!known) return;
  const perRow = c.lanes >> 2;
  const vectors = c.plan.packedVectors(known.width);
  for (const [i, local] of mask.entries()) {
    const [row, part] = [Math.floor(i / perRow), i % perRow];
    if (known.width === 8) {
      f.get(known.locals[row * vectors + (part >> 2)]!);
      f.op(part & 2 ? Wasm.i16x8_extend_high_i8x16_s : Wasm.i16x8_extend_low_i8x16_s);
    } else f.get(known.locals[row * vectors + (part >> 1)]!);
    f.op(part & 1 ? Wasm.i32x4_extend_high_i16x8_s : Wasm.i32x4_extend_low_i16x8_s);
    f.set(local);
  }
}
