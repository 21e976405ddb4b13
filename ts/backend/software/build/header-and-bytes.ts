// SPDX-License-Identifier: MIT
//
// How compiled things are stored: a magic, facts as JSON, and bytes that start at a multiple of four.

const MAGIC_BYTES = 8;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** @param magic 8 characters for the kind of file and its version */
export function encodeWithHeader(magic: string, facts: object, bytes: Uint8Array): Uint8Array {
  const header = encoder.encode(JSON.stringify(facts));
  const start = align4(MAGIC_BYTES + 4 + header.length);
  const all = new Uint8Array(start + bytes.length);
  all.set(encoder.encode(magic));
  new DataView(all.buffer).setUint32(MAGIC_BYTES, header.length, true);
  all.set(header, MAGIC_BYTES + 4);
  all.set(bytes, start);
  return all;
}

/** Undefined if it is something else. The facts are unverified: anybody may have written them. */
export function decodeWithHeader(
  magic: string,
  all: Uint8Array,
): { readonly facts: unknown; readonly bytes: Uint8Array } | undefined {
  if (all.length < MAGIC_BYTES + 4 || decoder.decode(all.subarray(0, MAGIC_BYTES)) !== magic)
    return undefined;
  const length = new DataView(all.buffer, all.byteOffset).getUint32(MAGIC_BYTES, true);
  const end = MAGIC_BYTES + 4 + length;
  if (end > all.length) return undefined;
  try {
    const facts: unknown = JSON.parse(decoder.decode(all.subarray(MAGIC_BYTES + 4, end)));
    return { facts, bytes: all.subarray(align4(end)) };
  } catch {
    return undefined;
  }
}

function align4(n: number): number {
  return (n + 3) & ~3;
}
