// SPDX-License-Identifier: MIT
import { Wasm } from '../../wasm/opcodes';
import type { Context } from './context';

/** Leaves 1 on the stack if some lane of a mask is set. */
export function anyLane(c: Context, mask: readonly number[]): void {
  const { f } = c;
  mask.forEach((local, i) => {
    f.get(local);
    if (i > 0) f.op(Wasm.v128_or);
  });
  f.op(Wasm.v128_any_true);
}

/** Leaves 1 on the stack if every lane of a mask is set. */
export function allLanes(c: Context, mask: readonly number[]): void {
  const { f } = c;
  mask.forEach((local, i) => {
    f.get(local);
    if (i > 0) f.op(Wasm.v128_and);
  });
  f.op(Wasm.i32x4_all_true);
}

/** The part of the current mask that belongs to a row. */
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
