// SPDX-License-Identifier: MIT
//
// A lane's address of neighbouring components, which one vector has.
import { Wasm } from '../../../wasm/opcodes';
import { type Inst, Type } from '../../ir/ir';
import type { AccessGroup } from '../../vectorize/plan';
import type { Context } from '../context';
import { activeMask } from '../control/masks';
import { avoidIdleRow, type MemoryPlan, moveAddress, pushLaneAddress, pushLowAddress } from './addresses';

/** Nothing is allocated in the first 64 KiB, so what remains of an address does not wrap around. */
const LARGEST_OFFSET = 61_440;

/**
 * Pushes a lane's address plus the group's offset where that is negative; returns the offset for the instruction.
 * Inactive lanes get the address in the local `instead`, if there is one.
 */
export function pushBase(
  c: Context,
  plan: MemoryPlan,
  group: AccessGroup,
  row: number,
  lane: number,
  instead: number | undefined,
): number {
  const { f } = c;
  const address = group.members[0]!.operands[0]!;
  const stride = c.divergence.strideAt(address, c.block);
  const isRead = instead !== plan.writeSink;
  const at = group.offset + lane * stride;
  // The addresses are close to each other, so inactive lanes may read; or all are active.
  const isNear = Math.abs(stride) <= 64 && (isRead || c.mask === undefined);
  if (isNear || (c.mask === undefined && at >= 0 && at < LARGEST_OFFSET)) {
    c.scalar(address, row);
    const mayBeIdle = instead === plan.safeReadAddress && c.mask !== undefined && c.rowsOf(address) > 1;
    if (at >= 0 && !mayBeIdle) return at;
    moveAddress(c, address, at);
    if (mayBeIdle) avoidIdleRow(c, plan, row, address);
    return 0;
  }
  pushLaneAddress(c, plan, { ...group.members[0]!, facts: {} } as Inst, row, lane);
  const checked = instead !== undefined && c.mask !== undefined;
  if (group.offset < 0 || (checked && group.offset > 0)) moveAddress(c, address, group.offset);
  if (checked && c.mask) {
    pushLowAddress(c, address, instead);
    const shared = instead === plan.safeReadAddress && c.isSharedByRows(address);
    activeMask(c, row, lane >> 2, Type.I32, shared);
    f.lane(Wasm.i32x4_extract_lane, lane & 3);
    f.op(Wasm.select);
    return 0;
  }
  return Math.max(0, group.offset);
}
