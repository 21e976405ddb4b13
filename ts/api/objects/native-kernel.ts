// SPDX-License-Identifier: MIT
//
// Functions of the script as commands (clEnqueueNativeKernel).
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { unsupported } from '../errors/refusals';
import { handleFor } from '../internals';
import type { Buffer } from './buffer';
import type { CommandOptions, NativeKernel } from './command-options';
import { Event, waitList } from './event';
import type { CommandQueue } from './queue';

export function enqueueNativeKernel(
  queue: CommandQueue,
  run: NativeKernel,
  buffers: readonly Buffer[],
  { waitFor }: CommandOptions,
): Event {
  const functionName = 'clEnqueueNativeKernel';
  const handle = queue[handleFor](functionName);
  if (!handle.enqueueNativeKernel) throw unsupported(functionName, 'a device that executes native kernels');
  if (typeof run !== 'function')
    throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, 'a native kernel is a function');
  const memories = buffers.map((buffer) => buffer[handleFor](functionName));
  const event = handle.enqueueNativeKernel(run, memories, waitList(waitFor, functionName));
  return new Event(event, functionName, queue);
}
