// SPDX-License-Identifier: MIT
//
// Which operand a conversion to memory order gives to one work-item: its `order` has a letter for each component, as that of bytes has.
import { bytesOfOrder } from './byte-order';
import { type Inst, Op, type Value } from './ir';

/** Undefined if there is no such operand. */
export function componentOf({
  op,
  operands,
  facts: { memoryOrder = -1, order = '' },
}: Inst): Value | undefined {
  return operands[op === Op.PermuteComponents ? (bytesOfOrder(order)[memoryOrder] ?? -1) : memoryOrder];
}
