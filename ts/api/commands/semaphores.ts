// SPDX-License-Identifier: MIT

import type { Command } from '../../backend/command';
import { COMMANDS } from '../../backend/command-table';
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { handleFor } from '../internals';
import type { SemaphoreOperand } from './operands';

/** The values of semaphores, for types that have them. */
export interface SemaphorePayloads {
  /** A value for each semaphore of a counting type. Binary semaphores, the only standard type, have none. */
  readonly payloads?: readonly number[];
}

/** Checks the operands of a command over semaphores and returns it as data. */
export function semaphoreCommand<Op extends 'waitSemaphores' | 'signalSemaphores'>(
  op: Op,
  semaphores: readonly SemaphoreOperand[],
  { payloads = [] }: SemaphorePayloads,
  functionName: string = COMMANDS[op].enqueuedBy,
): Command<'waitSemaphores' | 'signalSemaphores'> {
  if (semaphores.length === 0)
    throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, '`semaphores` is empty');
  if (payloads.length !== 0 && payloads.length !== semaphores.length) {
    const detail = `\`options.payloads\` has ${payloads.length} for ${semaphores.length} semaphores`;
    throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, detail);
  }
  return { op, semaphores: semaphores.map((semaphore) => semaphore[handleFor](functionName)), payloads };
}
