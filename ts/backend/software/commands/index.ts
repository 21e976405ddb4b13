// SPDX-License-Identifier: MIT
import type { Command, CommandOp, CoreOp } from '../../command';
import { BUFFER_COMMANDS } from './buffers';
import { IMAGE_COMMANDS } from './images';
import type { Preparations, Prepared } from './prepared';
import { SEMAPHORE_COMMANDS } from './semaphores';
import { SVM_COMMANDS } from './svm';

export type { Mapping } from './buffers';

/** Commands that the host's thread runs: all but barriers, which the queue itself handles. */
type HostOp = Exclude<CoreOp, 'barrier'> | SemaphoreOp;
type SemaphoreOp = keyof typeof SEMAPHORE_COMMANDS;

const COMMANDS: Preparations<HostOp> = {
  ...BUFFER_COMMANDS,
  ...IMAGE_COMMANDS,
  ...SVM_COMMANDS,
  ...SEMAPHORE_COMMANDS,
};

/** Whether a queue takes commands of this operation, beside barriers. */
export function isPrepared(op: CommandOp): boolean {
  return op in COMMANDS;
}

/** Makes a command ready to be enqueued; undefined for commands of extensions. */
export function prepareCommand(command: Command): Prepared | undefined {
  const table: Partial<Record<CommandOp, (command: never) => Prepared>> = COMMANDS;
  return table[command.op]?.(command as never);
}
