// SPDX-License-Identifier: MIT
import type { Command, CommandOp } from '../command';

/** How an operand is encoded; `svm` is shared memory, or 0 for host memory that is passed separately. */
export type OperandKind =
  | 'number'
  | 'numbers'
  | 'handle'
  | 'handles'
  | 'triple'
  | 'origin'
  | 'rect'
  | 'bytes'
  | 'svm';

/** The operands of each command, in order: the kind, and the field of the command with the value. */
export type OperandTable = {
  readonly [Op in CommandOp]: readonly (readonly [OperandKind, Exclude<keyof Command<Op>, 'op'>])[];
};
