// SPDX-License-Identifier: MIT
//
// Commands that end before their time: by a limit of the time that they run, or by a signal.
import type { BackendEvent } from '../../backend/backend-objects';
import type { BackendQueue } from '../../backend/backend-queue';
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { StopCode } from '../../cl/stop-codes';
import { describe } from '../errors/describe';
import { withCause } from '../internals';
import type { StopOptions } from './command-options';
import type { Event } from './event';

/** Throws COMMAND_ABORTED if the signal was aborted before, and refuses other values than options have. */
export function checkStops({ timeout, signal }: StopOptions, functionName: string): void {
  if (timeout !== undefined && !(Number.isSafeInteger(timeout) && timeout > 0))
    refuse(
      `\`options.timeout\` must be a whole number from 1 to 2^53 - 1, not ${describe(timeout)}`,
      functionName,
    );
  if (signal === undefined) return;
  if (typeof signal !== 'object' || signal === null || typeof signal.addEventListener !== 'function')
    refuse(`\`options.signal\` must be an AbortSignal, not ${describe(signal)}`, functionName);
  if (!signal.aborted) return;
  const error = new OpenCLError(StopCode.COMMAND_ABORTED, functionName, 'its signal was aborted before');
  error.cause = signal.reason;
  throw error;
}

function refuse(detail: string, functionName: string): never {
  throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, detail);
}

/** Ends an event's command when the options say so. */
export function applyStops<T extends Event<unknown>>(
  event: T,
  handle: BackendEvent,
  { timeout, signal }: StopOptions,
): T {
  if (timeout !== undefined) handle.limit(timeout);
  if (signal && handle.status() > 0) {
    const stop = (): void => {
      event[withCause](signal.reason);
      handle.stop({ status: StopCode.COMMAND_ABORTED, text: 'was ended, as its signal was aborted' });
    };
    signal.addEventListener('abort', stop, { once: true });
    handle.onComplete(() => signal.removeEventListener('abort', stop));
  }
  return event;
}

/** Ends all commands of a queue whose session is closed, unless it is a driver's, which cannot. */
export function terminateIfPossible(queue: BackendQueue): void {
  queue.terminate?.({
    status: StopCode.COMMAND_TERMINATED,
    text: 'was ended with `session.close({ terminate: true })`',
  });
}

/** Ends all commands of a queue. */
export function terminateQueue(queue: BackendQueue, device: string, functionName: string): void {
  if (!queue.terminate)
    throw new OpenCLError(
      ErrorCode.INVALID_OPERATION,
      functionName,
      `'${device}' cannot end the commands of one queue; the software device can, and where there is cl_khr_terminate_context \`context.terminate()\` ends those of a context`,
    );
  queue.terminate({ status: StopCode.COMMAND_TERMINATED, text: 'was ended with `queue.terminate()`' });
}
