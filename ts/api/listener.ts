// SPDX-License-Identifier: MIT
import { ErrorCode } from '../backend/cl.gen';
import { OpenCLError } from '../backend/opencl-error';

/** A listener is called much later, when nobody could catch what a wrong one throws. */
export function checkListener(listener: unknown, functionName: string): void {
  if (typeof listener !== 'function')
    throw new OpenCLError(
      ErrorCode.INVALID_VALUE,
      functionName,
      `the listener must be a function, not ${typeof listener}`,
    );
}
