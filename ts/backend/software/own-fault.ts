// SPDX-License-Identifier: MIT
//
// Errors of anycl's own while it compiles a program: whoever calls the API is told so, and where to find what reproduces it.
import type { Host } from '../../base/host';
import type { ErrorCode } from '../../cl/constants.gen';
import { InternalOpenCLError } from '../../cl/opencl-error';
import { BUILD } from './build-id';

/** What was being compiled: a program's files, and what else was given with them. */
export interface Reproduction {
  readonly files: Readonly<Record<string, Uint8Array | string>>;
  readonly given: Readonly<Record<string, unknown>>;
}

/** Whether an error tells the user what is wrong with a program, and is no failed invariant or other bug. */
export function isForTheUser(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return !(
    error.name === 'InvariantError' ||
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof ReferenceError ||
    error instanceof WebAssembly.CompileError
  );
}

/** The error that a call reports in place of one of ours. It writes the reproduction to files of the user's own. */
export function ownFault(
  host: Host,
  error: unknown,
  code: ErrorCode,
  functionName: string,
  { files, given }: Reproduction,
): InternalOpenCLError {
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
  const report = JSON.stringify({ build: BUILD, functionName, ...given, error: stack }, undefined, 2);
  const folder = host.writeReport({ ...files, 'report.json': `${report}\n` });
  const [first = ''] = message.split('\n');
  const attach = folder === undefined ? 'the program and its options' : `the files in ${folder}`;
  return new InternalOpenCLError(
    code,
    functionName,
    `a fault of anycl itself, not of the program: ${first}; please report it with ${attach}`,
    error,
  );
}
