// SPDX-License-Identifier: MIT
import { Op } from './grammar.gen';
import type { Instruction } from './module';

/** Whether an instruction defines a constant whose bits are all zeros. False if nothing is known of it (`undefined`). */
export function isZeroConstant(definition: Instruction | undefined): boolean {
  if (definition?.op === Op.ConstantNull) return true;
  return definition?.op === Op.Constant && definition.operands.every((word) => word === 0);
}
