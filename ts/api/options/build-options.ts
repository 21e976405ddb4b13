// SPDX-License-Identifier: MIT
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { settings } from '../runtime';

/** The error of wrong options, by the function that they are for. */
const WRONG = {
  clBuildProgram: ErrorCode.INVALID_BUILD_OPTIONS,
  clCompileProgram: ErrorCode.INVALID_COMPILER_OPTIONS,
  clLinkProgram: ErrorCode.INVALID_LINKER_OPTIONS,
} as const;

/** Throws if the options contain a NUL character: for a driver it would end them. */
export function checkedOptions(options: string, functionName: keyof typeof WRONG): string {
  const at = options.indexOf('\0');
  if (at >= 0)
    throw new OpenCLError(
      WRONG[functionName],
      functionName,
      `the options contain a NUL character, after '${options.slice(Math.max(0, at - 40), at)}'`,
    );
  return options;
}

/**
 * The options of a build, then those of the environment, which have precedence. An option that is added comes first: it must not
 * become the value of a last `-D` without one.
 */
export function completedOptions(options: string, functionName: keyof typeof WRONG): string {
  const kept = options.includes('-cl-kernel-arg-info') ? '' : '-cl-kernel-arg-info';
  return [kept, checkedOptions(options, functionName), settings().buildOptions].filter(Boolean).join(' ');
}
