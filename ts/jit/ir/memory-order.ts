// SPDX-License-Identifier: MIT
//
// Which operand a conversion to memory order gives to one work-item: its `order` has a letter for each component, as that of bytes has.
import { bytesOfOrder } from './byte-order';
import { type Inst, Op, type Value } from './ir';

/** Whether a store is only there for the vectors of other work-items' components. */
export function storesNothing({ facts: { storedComponents, memoryOrder = 0 } }: Inst): boolean {
  return storedComponents !== undefined && ((storedComponents >> memoryOrder) & 1) === 0;
}

/** Undefined if there is no such operand. */
export function componentOf({
  op,
  operands,
  facts: { memoryOrder = -1, order = '' },
}: Inst): Value | undefined {
  return operands[op === Op.PermuteComponents ? (bytesOfOrder(order)[memoryOrder] ?? -1) : memoryOrder];
}
