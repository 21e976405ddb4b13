// SPDX-License-Identifier: MIT
//
// Kernel launches, the hottest calls of the API. They check their own arguments. Cold error paths are outlined so that V8
// can inline the hot ones.

import type { BackendEvent } from '../../backend/backend-objects';
import { unknownName, unknownNameDetail } from '../../base/option-names';
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { describe, ofAnotherContext } from '../errors/describe';
import { checkArgumentsSet, checkBuiltFor, handleFor, kernelHandle } from '../internals';
import { checkRange, LAUNCH_NAMES, type Range } from '../options/range';
import type { CommandOptions, LaunchOptions } from './command-options';
import { waitListOf } from './event';
import { Kernel } from './kernel';
import type { CommandQueue } from './queue';

/** Options that need no check. */
export const noOptions: CommandOptions = Object.freeze({});

/** Enqueues a kernel. The event object is made by the caller, so that V8 can inline both parts. */
export function launch(
  queue: CommandQueue,
  functionName: string,
  kernel: Kernel,
  range: Range,
  options: CommandOptions,
  wantEvent: boolean,
): BackendEvent | undefined {
  const sizes = checkRange(range, functionName);
  const waits = options === noOptions ? undefined : waitListOf(options, queue.context, functionName);
  // The script's getters have run: nothing can be released any more.
  const target = Kernel[kernelHandle](kernel, functionName);
  const { program } = kernel;
  if (program.context !== queue.context) refuseForeign(functionName);
  program[checkBuiltFor](queue.device, functionName);
  kernel[checkArgumentsSet](functionName);
  return queue[handleFor](functionName).enqueueKernel(target, sizes, waits, wantEvent);
}

/** Whether the options say `event: false`. Refuses unknown names and other values; the rest is checked by `launch`. */
export function saysNoEvent(options: LaunchOptions, functionName: string): boolean {
  if (typeof options !== 'object' || options === null) return false;
  const unknown = unknownName(options, LAUNCH_NAMES);
  const { event } = options;
  if (unknown === undefined && (event === undefined || typeof event === 'boolean')) {
    if (event !== false) return false;
    if (options.timeout === undefined && options.signal === undefined) return true;
    const detail = '`options.timeout` and `options.signal` need an event; leave out `event: false`';
    throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, detail);
  }
  return refuseOptions(unknown, event, functionName);
}

function refuseOptions(unknown: string | undefined, event: unknown, functionName: string): never {
  const detail =
    unknown === undefined
      ? `\`options.event\` must be true or false, not ${describe(event)}`
      : `\`options.${unknown}\` ${unknownNameDetail(unknown, LAUNCH_NAMES)}`;
  throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, detail);
}

function refuseForeign(functionName: string): never {
  throw new OpenCLError(ErrorCode.INVALID_CONTEXT, functionName, `\`kernel\` ${ofAnotherContext('Kernel')}`);
}
