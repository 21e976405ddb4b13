// SPDX-License-Identifier: MIT
//
// Hashes that distinguish contents; they are not for security: node:crypto takes longer to load than a small kernel to compile.

/** Two independent hashes of 32 bits. */
export function hash(bytes: Uint8Array, seed = 0): [number, number] {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const words = new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
  let a = 0x811c9dc5 ^ bytes.length ^ seed;
  let b = 0x9e3779b9 + seed;
  const tail = words.length * 4;
  for (let i = 0; i < words.length + (bytes.length - tail); i++) {
    const word = i < words.length ? words[i]! : bytes[tail + i - words.length]!;
    a = Math.imul(a ^ word, 0x85ebca6b);
    a ^= a >>> 15;
    b = Math.imul(b + word, 0xc2b2ae35);
    b ^= b >>> 13;
  }
  return [a >>> 0, b >>> 0];
}

/** 128 bits, as four words. */
export const digestWords = (bytes: Uint8Array): number[] => [...hash(bytes), ...hash(bytes, 0x27d4eb2f)];

/** 128 bits in hexadecimal digits. */
export function digest(bytes: Uint8Array): string {
  return digestWords(bytes)
    .map((word) => word.toString(16).padStart(8, '0'))
    .join('');
}
