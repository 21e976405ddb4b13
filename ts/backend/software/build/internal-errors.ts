// SPDX-License-Identifier: MIT
//
// Internal errors: bugs of anycl that show while it compiles or runs a program. The caller of the API gets an error that says so, and
// names the files that reproduce it.
import type { Host } from '../../../base/host';
import { internalErrorText } from '../../../base/invariant';
import type { ErrorCode } from '../../../cl/constants.gen';
import { InternalOpenCLError } from '../../../cl/opencl-error';
import { BUILD } from './build-id';

/** The input of the compilation: a program's files and parameters. */
export interface Reproduction {
  readonly files: Readonly<Record<string, Uint8Array | string>>;
  readonly given: Readonly<Record<string, unknown>>;
}

/** A call of the API that may fail because of a bug of anycl. */
export interface Attempt {
  readonly host: Host;
  /** The error that the call reports. */
  readonly code: ErrorCode;
  readonly functionName: string;
  readonly reproduction: () => Reproduction;
}

/**
 * The names of the errors that tell the user what is wrong; names, because errors may come from another bundle. All
 * others are bugs of anycl: failed invariants, and errors of JavaScript.
 */
const ANSWERS: ReadonlySet<string> = new Set([
  'AbortError',
  'BuildFailure',
  'JitError',
  'LinkError',
  'OpenCLError',
  'SpirvError',
]);

export function isForTheUser(error: unknown): error is Error {
  return error instanceof Error && ANSWERS.has(error.name);
}

/** Runs a step. It throws either an error for the user, or one that says that anycl has a bug. */
export function attempt<T>({ host, code, functionName, reproduction }: Attempt, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (isForTheUser(error)) throw error;
    const detail = writeBugReport(host, error, functionName, reproduction());
    throw new InternalOpenCLError(code, functionName, detail, error);
  }
}

/** Writes files that reproduce a bug, readable only by this user; returns a sentence that names them. */
export function writeBugReport(
  host: Host,
  error: unknown,
  functionName: string,
  { files, given }: Reproduction,
): string {
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
  const report = JSON.stringify({ build: BUILD, functionName, ...given, error: stack }, undefined, 2);
  const folder = host.writeReport({ ...files, 'report.json': `${report}\n` });
  return internalErrorText(
    error,
    folder === undefined ? 'the program and its options' : `the files in ${folder}`,
  );
}
