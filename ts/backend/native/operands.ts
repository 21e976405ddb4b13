// SPDX-License-Identifier: MIT
import type { Command, CommandOp } from '../command';

/** How an operand is encoded; `svm` is shared memory, or 0 for host memory beside the words. */
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

/** The operands of each command, in order: kind, and the field of the command that has the value. */
export type OperandTable = {
  readonly [Op in CommandOp]: readonly (readonly [OperandKind, Exclude<keyof Command<Op>, 'op'>])[];
};
