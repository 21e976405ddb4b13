// SPDX-License-Identifier: MIT
//
// The table of Op.LookUpBytes, as text: `x` and two hexadecimal digits for each of its sixteen bytes, the first one first.

const SIZE = 16;

export function textOfTable(bytes: readonly number[]): string {
  return `x${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** The bytes of a table; undefined if the text is none. */
export function bytesOfTable(table: string): Uint8Array | undefined {
  if (!/^x[0-9a-f]{32}$/.test(table)) return undefined;
  return Uint8Array.from({ length: SIZE }, (_, i) => Number.parseInt(table.slice(1 + 2 * i, 3 + 2 * i), 16));
}

/** A number of this many bytes, with the table's byte in place of each, or 0 for those from sixteen on. */
export function lookedUp(table: string, number: bigint, size: number): bigint {
  const bytes = bytesOfTable(table)!;
  let result = 0n;
  for (let at = 0n; at < 8 * size; at += 8n)
    result |= BigInt(bytes[Number((number >> at) & 0xffn)] ?? 0) << at;
  return result;
}
