// SPDX-License-Identifier: MIT
import { ErrorCode } from '../../../cl/constants.gen';
import { InternalOpenCLError, OpenCLError } from '../../../cl/opencl-error';
import type { Failed } from '../../../device/commands/command';

/** The failure of a command because of an error before it started. */
export function failedBefore(error: unknown): Failed {
  const isAnswer = error instanceof OpenCLError;
  const status = isAnswer ? error.code : ErrorCode.OUT_OF_RESOURCES;
  // The event's error adds the function and the code again.
  const text = isAnswer ? error.message.replace(/^\w+: \w+ \(-?\d+\): /, '') : String(error);
  return { kind: 'failed', status, text, isInternalError: !isAnswer || error instanceof InternalOpenCLError };
}
