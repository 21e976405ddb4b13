// SPDX-License-Identifier: MIT
import { errorName } from './error-names';

const CL_INVALID_VALUE = -30;

/**
 * A failed OpenCL call. `code` and `codeName` are the specification's, `functionName` is the OpenCL function that
 * failed (or would have failed), and `message` says what was wrong and what to do about it.
 *
 * @example
 * ```ts
 * try {
 *   await cl.build('kernel void wrong() { x = 1; }');
 * } catch (error) {
 *   if (!(error instanceof OpenCLError)) throw error;
 *   console.log(error.codeName);                   // CL_BUILD_PROGRAM_FAILURE
 *   console.log(error.buildLog.includes("undeclared identifier 'x'")); // true
 * }
 * ```
 */
export class OpenCLError extends Error {
  /** Always `OpenCLError`. */
  override readonly name = 'OpenCLError';
  /**
   * `CL_INVALID_VALUE` and the like; `ANYCL_COMMAND_TIMED_OUT` and the like for commands that were ended (`StopCode`);
   * `UNKNOWN_ERROR_-9999` for other codes that no specification names.
   */
  readonly codeName: string;
  /** The build log, if a build failed. */
  declare readonly buildLog?: string;

  constructor(
    /** The error code: one of `ErrorCode`, of `StopCode`, or of the driver’s own. */
    readonly code: number,
    /** The OpenCL function that failed, such as `clEnqueueNDRangeKernel`. */
    readonly functionName: string,
    detail?: string,
    buildLog?: string,
  ) {
    const codeName = errorName(code);
    super(`${functionName}: ${codeName} (${code})${detail ? `: ${detail}` : ''}`);
    this.codeName = codeName;
    // The message contains it, so console.log need not show it again.
    if (buildLog !== undefined) Object.defineProperty(this, 'buildLog', { value: buildLog });
  }

  /** For JSON.stringify and loggers, which omit `message` of other errors. */
  toJSON(): Record<string, unknown> {
    const { name, message, code, codeName, functionName, buildLog } = this;
    return { name, message, code, codeName, functionName, buildLog };
  }
}

/** The error of a query for a property that the backend does not have. */
export class UnknownInfoKeyError extends OpenCLError {
  constructor(functionName: string, param: number) {
    super(CL_INVALID_VALUE, functionName, `there is no info key 0x${param.toString(16)}`);
  }
}

/** A call that failed because of a bug of anycl. `cause` is the error that says where. */
export class InternalOpenCLError extends OpenCLError {
  /** Different bundles have different classes. */
  readonly isInternal = true;

  constructor(
    code: number,
    functionName: string,
    detail: string,
    override readonly cause: unknown,
  ) {
    super(code, functionName, detail);
  }
}
