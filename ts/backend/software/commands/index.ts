// SPDX-License-Identifier: MIT
import type { Command, CommandOp, CoreOp } from '../../command';
import { BUFFER_COMMANDS } from './buffers';
import { IMAGE_COMMANDS } from './images';
import type { Preparations, Prepared } from './prepared';
import { SEMAPHORE_COMMANDS } from './semaphores';
import { SVM_COMMANDS } from './svm';

/** The commands that the scheduling thread runs: all except barriers, which the queue handles. */
type HostOp = Exclude<CoreOp, 'barrier'> | SemaphoreOp;
type SemaphoreOp = keyof typeof SEMAPHORE_COMMANDS;

const COMMANDS: Preparations<HostOp> = {
  ...BUFFER_COMMANDS,
  ...IMAGE_COMMANDS,
  ...SVM_COMMANDS,
  ...SEMAPHORE_COMMANDS,
};

/** Whether a queue accepts commands of this operation, besides barriers. */
export function isPrepared(op: CommandOp): boolean {
  return op in COMMANDS;
}

/** Prepares a command to be enqueued; undefined for commands of extensions. */
export function prepareCommand(command: Command): Prepared | undefined {
  const table: Partial<Record<CommandOp, (command: never) => Prepared>> = COMMANDS;
  return table[command.op]?.(command as never);
}
