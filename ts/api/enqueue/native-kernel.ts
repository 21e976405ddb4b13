// SPDX-License-Identifier: MIT
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import type { Buffer } from '../objects/buffer';
import { Event, waitList } from '../objects/event';
import { unsupported } from '../objects/lifetime';
import type { CommandQueue } from '../objects/queue';
import type { CommandOptions, NativeKernel } from './command-options';

export function enqueueNativeKernel(
  queue: CommandQueue,
  run: NativeKernel,
  buffers: readonly Buffer[],
  { waitFor }: CommandOptions,
): Event {
  const functionName = 'clEnqueueNativeKernel';
  const handle = queue.handleFor(functionName);
  if (!handle.enqueueNativeKernel) throw unsupported(functionName, 'a device that executes native kernels');
  if (typeof run !== 'function')
    throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, 'a native kernel is a function');
  const memories = buffers.map((buffer) => buffer.handleFor(functionName));
  const event = handle.enqueueNativeKernel(run, memories, waitList(waitFor, functionName));
  return new Event(event, functionName, queue.context);
}
