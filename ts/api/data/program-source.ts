// SPDX-License-Identifier: MIT
//
// Refuses what is not the source of a program, before a driver sees it: the drivers' messages do not say what to give instead.
import { isText } from '../../base/is-text';
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';

/** No source but a comment looks like the name of a file. */
export function refuseFileName(sources: readonly string[], functionName: string): void {
  const [only] = sources;
  if (sources.length === 1 && /^(?!\/\/)[\w./\\:-]+\.cl$/.test(only!))
    throw new OpenCLError(
      ErrorCode.INVALID_VALUE,
      functionName,
      `'${only}' is the name of a file: give its text, readFileSync('${only}', 'utf8')`,
    );
}

/** SPIR-V begins with a word that has unprintable bytes. */
export function refuseText(il: Uint8Array, functionName: string): void {
  if (il.length > 0 && isText(il.subarray(0, 20)))
    throw new OpenCLError(
      ErrorCode.INVALID_VALUE,
      functionName,
      'these bytes are text, and no SPIR-V: OpenCL C is given as a string, such as source.toString()',
    );
}
