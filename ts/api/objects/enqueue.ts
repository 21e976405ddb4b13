// SPDX-License-Identifier: MIT
//
// From a checked command to its event, for all commands but kernel launches (launch.ts).

import type { Command, ExtensionOp } from '../../backend/command';
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { FUNCTIONS } from '../commands/functions';
import { ifNotDetached } from '../data/transfers';
import { unsupported } from '../errors/refusals';
import { handleFor } from '../internals';
import type { CommandOptions } from './command-options';
import { Event, waitList } from './event';
import type { CommandQueue } from './queue';

/** Enqueues a command. `result` computes the event's value when the command is complete. */
export function enqueue<T = void>(
  queue: CommandQueue,
  command: Command,
  { waitFor }: CommandOptions,
  result?: () => T,
): Event<T> {
  const functionName = FUNCTIONS[command.op];
  const handle = queue[handleFor](functionName).enqueue(command, waitList(waitFor, functionName), true);
  return new Event(handle ?? noEvent(functionName), functionName, queue.context, result);
}

export function noEvent(functionName: string): never {
  throw new OpenCLError(ErrorCode.OUT_OF_RESOURCES, functionName, 'no event was made');
}

/** Enqueues a command that writes to an array; the array is its event's value. */
export const enqueueRead = <T extends ArrayBufferView>(
  queue: CommandQueue,
  command: Command,
  into: T,
  options: CommandOptions,
): Event<T> => enqueue(queue, command, options, ifNotDetached(into, 'wrote to it', FUNCTIONS[command.op]));

/** Enqueues a command that only some devices support. */
export function enqueueExtension(
  queue: CommandQueue,
  command: Command<ExtensionOp>,
  options: CommandOptions,
): Event {
  const functionName = FUNCTIONS[command.op];
  if (!queue[handleFor](functionName).supports(command.op))
    throw unsupported(functionName, EXTENSIONS[command.op]);
  return enqueue(queue, command, options);
}

const EXTENSIONS: Readonly<Record<ExtensionOp, string>> = {
  waitSemaphores: 'cl_khr_semaphore',
  signalSemaphores: 'cl_khr_semaphore',
  acquireExternal: 'cl_khr_external_memory',
  releaseExternal: 'cl_khr_external_memory',
  acquireGl: 'cl_khr_gl_sharing',
  releaseGl: 'cl_khr_gl_sharing',
  acquireEgl: 'cl_khr_egl_image',
  releaseEgl: 'cl_khr_egl_image',
};
