// SPDX-License-Identifier: MIT
//
// Whether locals still have the values that an address was computed from. They are given up after a value's last use. And where an
// earlier region computed the address, only what this region needs is restored: other locals have the values of the last tile that the
// earlier region computed.
import { constantOf, isPrologueOp } from '../../ir/build';
import type { Value } from '../../ir/ir';
import type { Context } from '../context';

/** Whether `value`, which `address` was computed from, needs no computation where `address` is used. */
export function isAtHand(c: Context, value: Value, address: Value): boolean {
  if (constantOf(value) !== undefined) return true;
  return c.registers[value.id] !== undefined && (isRestored(c, value) || isComputedFrom(c, address, value));
}

const isRestored = (c: Context, value: Value): boolean =>
  c.given.has(value) || (value.kind === 'inst' && isPrologueOp(value.op));

const DEEPEST = 8;

/** Whether this region computed `value` from `from`, in a few steps. */
function isComputedFrom(c: Context, value: Value, from: Value, steps = DEEPEST): boolean {
  if (value === from) return true;
  if (value.kind !== 'inst' || steps === 0 || !c.variesAlongX(value) || isRestored(c, value)) return false;
  return value.operands.some((operand) => isComputedFrom(c, operand, from, steps - 1));
}
