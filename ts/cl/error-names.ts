// SPDX-License-Identifier: MIT
import { ErrorCode } from './constants.gen';

/** The specification's name of an error code. */
export function errorName(code: number): string {
  const name = ErrorCode[code];
  return name === undefined ? `UNKNOWN_ERROR_${code}` : `CL_${name}`;
}
