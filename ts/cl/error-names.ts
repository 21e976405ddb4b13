// SPDX-License-Identifier: MIT
import { ErrorCode } from './constants.gen';
import { StopCode } from './stop-codes';

/** The specification's name of an error code, or this package's. */
export function errorName(code: number): string {
  const name = ErrorCode[code];
  if (name !== undefined) return `CL_${name}`;
  const own = StopCode[code];
  return own === undefined ? `UNKNOWN_ERROR_${code}` : `ANYCL_${own}`;
}
