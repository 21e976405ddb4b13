// SPDX-License-Identifier: MIT
//
// What clGetProgramInfo(CL_PROGRAM_BINARIES) gives and the disk cache holds: a JSON header and a SPIR-V module.
import { ProgramBinaryType } from '../../../cl/constants.gen';
import { decodeWithHeader, encodeWithHeader } from './header-and-bytes';

const MAGIC = 'ANYCL\x00\x01\n';

const TYPES: ReadonlySet<unknown> = new Set([
  ProgramBinaryType.COMPILED_OBJECT,
  ProgramBinaryType.LIBRARY,
  ProgramBinaryType.EXECUTABLE,
]);

export interface StoredProgram {
  readonly type: ProgramBinaryType;
  readonly options: string;
  readonly log: string;
  readonly spirv: Uint8Array;
}

export function encodeProgram({ type, options, log, spirv }: StoredProgram): Uint8Array {
  return encodeWithHeader(MAGIC, { type, options, log }, spirv);
}

/** Undefined if the bytes are not a program binary. */
export function decodeProgram(bytes: Uint8Array): StoredProgram | undefined {
  const found = decodeWithHeader(MAGIC, bytes);
  if (typeof found?.facts !== 'object' || found.facts === null) return undefined;
  const { type, options, log } = found.facts as Partial<Omit<StoredProgram, 'spirv'>>;
  if (type === undefined || !TYPES.has(type) || typeof options !== 'string' || typeof log !== 'string')
    return undefined;
  return { type, options, log, spirv: found.bytes };
}
