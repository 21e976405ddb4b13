// SPDX-License-Identifier: MIT
//
// Literal strings (SPIR-V 2.2.1): UTF-8, nul-terminated, four bytes to a word, the first one lowest.

/** Created on first use: creation is slow in Node.js, and names are nearly always ASCII. */
let decoder: InstanceType<typeof TextDecoder> | undefined;
let encoder: InstanceType<typeof TextEncoder> | undefined;

/** The string that starts at `words[at]` and the index after its last word; undefined if it is not terminated. */
export function readString(words: ArrayLike<number>, at: number): { text: string; next: number } | undefined {
  let ascii = '';
  for (let i = at; i < words.length; i++) {
    const word = words[i]!;
    for (let shift = 0; shift < 32; shift += 8) {
      const byte = (word >>> shift) & 0xff;
      if (byte === 0) return { text: ascii, next: i + 1 };
      if (byte >= 0x80) return readUtf8(words, at);
      ascii += String.fromCharCode(byte);
    }
  }
  return undefined;
}

function readUtf8(words: ArrayLike<number>, at: number): { text: string; next: number } | undefined {
  const bytes: number[] = [];
  for (let i = at; i < words.length; i++) {
    for (let shift = 0; shift < 32; shift += 8) {
      const byte = (words[i]! >>> shift) & 0xff;
      if (byte === 0) {
        decoder ??= new TextDecoder();
        return { text: decoder.decode(new Uint8Array(bytes)), next: i + 1 };
      }
      bytes.push(byte);
    }
  }
  return undefined;
}

/** The words of a literal string, terminator included. */
export function stringWords(text: string): number[] {
  const words = new Array<number>((text.length >> 2) + 1).fill(0);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x80) return utf8Words(text);
    words[i >> 2] = (words[i >> 2]! | (code << ((i & 3) * 8))) >>> 0;
  }
  return words;
}

function utf8Words(text: string): number[] {
  encoder ??= new TextEncoder();
  const bytes = encoder.encode(text);
  const words = new Array<number>((bytes.length >> 2) + 1).fill(0);
  for (let i = 0; i < bytes.length; i++)
    words[i >> 2] = (words[i >> 2]! | (bytes[i]! << ((i & 3) * 8))) >>> 0;
  return words;
}
