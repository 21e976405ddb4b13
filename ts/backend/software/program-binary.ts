// SPDX-License-Identifier: MIT
//
// What clGetProgramInfo(CL_PROGRAM_BINARIES) gives and the disk cache holds: a JSON header and a SPIR-V module.
import type { ProgramBinaryType } from '../cl.gen';

const MAGIC = 'ANYCL\x00\x01\n';

export interface StoredProgram {
  readonly type: ProgramBinaryType;
  readonly options: string;
  readonly log: string;
  readonly spirv: Uint8Array;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function encodeProgram({ type, options, log, spirv }: StoredProgram): Uint8Array {
  const header = encoder.encode(JSON.stringify({ type, options, log }));
  const start = align4(MAGIC.length + 4 + header.length);
  const bytes = new Uint8Array(start + spirv.length);
  bytes.set(encoder.encode(MAGIC));
  new DataView(bytes.buffer).setUint32(MAGIC.length, header.length, true);
  bytes.set(header, MAGIC.length + 4);
  bytes.set(spirv, start);
  return bytes;
}

/** Undefined if the bytes are nothing of the kind. */
export function decodeProgram(bytes: Uint8Array): StoredProgram | undefined {
  if (bytes.length < MAGIC.length + 4 || decoder.decode(bytes.subarray(0, MAGIC.length)) !== MAGIC)
    return undefined;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(MAGIC.length, true);
  const end = MAGIC.length + 4 + length;
  if (end > bytes.length) return undefined;
  try {
    const { type, options, log } = JSON.parse(
      decoder.decode(bytes.subarray(MAGIC.length + 4, end)),
    ) as StoredProgram;
    return { type, options, log, spirv: bytes.subarray(align4(end)) };
  } catch {
    return undefined;
  }
}

function align4(n: number): number {
  return (n + 3) & ~3;
}
