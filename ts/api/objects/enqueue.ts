// SPDX-License-Identifier: MIT
//
// From a checked command to its event, for all commands but kernel launches (launch.ts).

import type { Command, ExtensionOp } from '../../backend/command';
import { COMMANDS } from '../../backend/command-table';
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { type CopyRange, readNewBuffer } from '../commands/buffers';
import { copySvm } from '../commands/svm';
import { ifNotDetached, ifSourceNotDetached } from '../data/transfers';
import type { TypedArray } from '../data/typed-arrays';
import { unsupported } from '../errors/refusals';
import { handleFor } from '../internals';
import type { Buffer } from './buffer';
import type { CommandOptions } from './command-options';
import { Event, waitList } from './event';
import type { CommandQueue } from './queue';
import type { Svm } from './svm';

/** Enqueues a command. `result` computes the event's value when the command is complete. */
export function enqueue<T = void>(
  queue: CommandQueue,
  command: Command,
  { waitFor }: CommandOptions,
  result?: () => T,
): Event<T> {
  const functionName = COMMANDS[command.op].enqueuedBy;
  const handle = queue[handleFor](functionName).enqueue(command, waitList(waitFor, functionName), true);
  return new Event(handle ?? noEvent(functionName), functionName, queue, result);
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
): Event<T> =>
  enqueue(queue, command, options, ifNotDetached(into, 'wrote to it', COMMANDS[command.op].enqueuedBy));

/**
 * Enqueues a read of elements into a new array, which is its event's value. A read that waits for another queue overlaps with what
 * that queue does next: then the device makes the memory, if it can do so without this thread. Otherwise nothing is gained, and memory
 * that another thread has made costs V8 more: it marks its whole heap for each 32 MiB of it.
 */
export function enqueueReadNew<T extends TypedArray>(
  queue: CommandQueue,
  source: Buffer<T>,
  first: number,
  length: number,
  options: CommandOptions,
): Event<T> {
  const { type } = source;
  const [offset, size] = [first * type.BYTES_PER_ELEMENT, length * type.BYTES_PER_ELEMENT];
  const functionName = COMMANDS.readBuffer.enqueuedBy;
  const handle = queue[handleFor](functionName);
  const overlaps = options.waitFor !== undefined && options.waitFor.length > 0;
  if (!overlaps || !handle.readNew || !handle.prefersNew?.(size))
    return queue.enqueueRead(source as unknown as Buffer, new type(length), { ...options, offset });
  const { buffer } = readNewBuffer(source as unknown as Buffer, offset, size);
  const { event, bytes } = handle.readNew(buffer, offset, size, waitList(options.waitFor, functionName));
  let array: T | undefined;
  return new Event(event, functionName, queue, () => {
    array ??= new type(bytes());
    return array;
  });
}

/** Enqueues a command that reads an array, which must not be detached before the command is complete. */
export const enqueueWrite = (
  queue: CommandQueue,
  command: Command,
  from: ArrayBufferView,
  options: CommandOptions,
): Event => enqueue(queue, command, options, ifSourceNotDetached(from, COMMANDS[command.op].enqueuedBy));

/** Copies shared memory; a target that is an array must not be detached before the command is complete. */
export function enqueueSvmCopy(
  queue: CommandQueue,
  from: Svm,
  to: Svm | ArrayBufferView,
  options: CopyRange & CommandOptions,
): Event {
  const command = copySvm(from, to, options);
  const check = ArrayBuffer.isView(to)
    ? ifNotDetached(to, 'wrote to it', COMMANDS[command.op].enqueuedBy)
    : undefined;
  return enqueue(queue, command, options, check && (() => void check()));
}

export function enqueueMarker(queue: CommandQueue, { waitFor }: CommandOptions): Event {
  const functionName = 'clEnqueueMarkerWithWaitList';
  const handle = queue[handleFor](functionName).marker(waitList(waitFor, functionName));
  return new Event(handle, functionName, queue);
}

/** Enqueues a command that only some devices support. */
export function enqueueExtension(
  queue: CommandQueue,
  command: Command<ExtensionOp>,
  options: CommandOptions,
): Event {
  const functionName = COMMANDS[command.op].enqueuedBy;
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
