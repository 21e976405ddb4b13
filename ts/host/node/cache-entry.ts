// SPDX-License-Identifier: MIT
//
// One file of the disk cache: [magic and version, bytes of the key, bytes of the content, 0, digest], eight words, then
// the key and the content. The digest is of all the rest. The file is named by a quick hash of the key (node:crypto takes
// longer to load than to compile a small kernel); that two keys may share a name does no harm, as the key is compared when
// the file is read.
import { digestWords, hash } from '../../base/hash';

/** 'ALC' and the version of this form. */
const MAGIC = 0x02434c41;
const WORDS = 8;
const DIGEST = 4;
/** The largest entry, in bytes. */
export const MAX_ENTRY_BYTES = 64 << 20;

/** A key's bytes, from the parts that determine the content. */
export function encodeKey(parts: readonly string[]): Uint8Array {
  // Lengths distinguish ("ab", "c") from ("a", "bc").
  return new TextEncoder().encode(parts.map((part) => `${part.length}:${part}`).join(''));
}

export function fileName(key: Uint8Array): string {
  const [a, b] = hash(key);
  return (a.toString(16).padStart(8, '0') + b.toString(16).padStart(8, '0')).slice(0, 16);
}

export function encodeEntry(key: Uint8Array, content: Uint8Array): Uint8Array {
  const start = WORDS * 4 + align4(key.length);
  const bytes = new Uint8Array(align4(start + content.length));
  const words = new Uint32Array(bytes.buffer, 0, WORDS);
  words.set([MAGIC, key.length, content.length]);
  bytes.set(key, WORDS * 4);
  bytes.set(content, start);
  words.set(digestWords(bytes), DIGEST);
  return bytes;
}

/** The content stored under `key`; undefined if the file belongs to another key, or is damaged. */
export function decodeEntry(key: Uint8Array, file: Uint8Array): Uint8Array | undefined {
  const start = WORDS * 4 + align4(key.length);
  if (file.length < start || file.length > MAX_ENTRY_BYTES) return undefined;
  const bytes = new Uint8Array(file);
  const words = new Uint32Array(bytes.buffer, 0, WORDS);
  const [magic, keyLength, length] = words;
  if (magic !== MAGIC || keyLength !== key.length || bytes.length !== align4(start + length!))
    return undefined;
  for (let i = 0; i < key.length; i++) if (bytes[WORDS * 4 + i] !== key[i]) return undefined;
  const stored = words.slice(DIGEST);
  words.fill(0, DIGEST);
  if (digestWords(bytes).some((word, at) => word !== stored[at])) return undefined;
  return bytes.slice(start, start + length!);
}

const align4 = (n: number): number => Math.ceil(n / 4) * 4;
