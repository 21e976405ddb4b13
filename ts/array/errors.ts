// SPDX-License-Identifier: MIT
import { ErrorCode, OpenCLError } from '../api/public';

/** The error of a wrong call of this library. `functionName` is the method as the caller wrote it. */
export function fail(functionName: string, detail: string, code: number = ErrorCode.INVALID_VALUE): never {
  throw new OpenCLError(code, functionName, detail);
}

/** A value as an error shows it. */
export const shown = (value: unknown): string =>
  typeof value === 'string' || Array.isArray(value) || Object.getPrototypeOf(value ?? 0) === Object.prototype
    ? JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each))
    : String(value);

/** Refuses what is not a finite number. `name`: of the parameter or option. */
export function checkNumber(value: unknown, name: string, functionName: string): asserts value is number {
  if (typeof value === 'number' && Number.isFinite(value)) return;
  fail(
    functionName,
    `\`${name}\` must be a finite number, not ${typeof value === 'bigint' ? `${value}n` : shown(value)}`,
  );
}
