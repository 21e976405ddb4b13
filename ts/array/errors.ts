// SPDX-License-Identifier: MIT
import { ErrorCode, OpenCLError } from '../api/public';

/** The error of a wrong call of this library. `functionName` is the method as the caller wrote it. */
export function fail(functionName: string, detail: string, code: number = ErrorCode.INVALID_VALUE): never {
  throw new OpenCLError(code, functionName, detail);
}
