// SPDX-License-Identifier: MIT
//
// Operations of the whole group on values of all of its work-items: done once per group, between two regions.
import { type Inst, Op } from '../ir/ir';
import { JitError } from '../jit-error';
import type { Slots } from './slots';
import type { Variant } from './variant';

export function emitCollective(
  _v: Variant,
  inst: Inst,
  _slots: Slots,
  _frame: number,
  _frameBytes: number,
  _size: readonly number[],
): void {
  throw new JitError(`${Op[inst.op]} of a work-group is not supported`);
}
