// SPDX-License-Identifier: MIT
//
// One file of the disk cache: [magic, bytes of the key, bytes of the content, hash of the content], four words, then the
// key and the content. The file is named by a quick hash of the key (node:crypto takes longer to load than to compile a
// small kernel); that two keys may share a name does no harm, as the key is compared when the file is read.
import { hash } from '../../base/hash';

const MAGIC = 0x43434c41;
const WORDS = 4;

/** A key's bytes, from parts that determine what is stored under it. */
export function encodeKey(parts: readonly string[]): Uint8Array {
  // Lengths keep ("ab", "c") and ("a", "bc") apart.
  return new TextEncoder().encode(parts.map((part) => `${part.length}:${part}`).join(''));
}

export function fileName(key: Uint8Array): string {
  const [a, b] = hash(key);
  return (a.toString(16).padStart(8, '0') + b.toString(16).padStart(8, '0')).slice(0, 16);
}

export function encodeEntry(key: Uint8Array, content: Uint8Array): Uint8Array {
  const start = WORDS * 4 + align4(key.length);
  const bytes = new Uint8Array(start + content.length);
  const [check] = hash(content);
  new Uint32Array(bytes.buffer, 0, WORDS).set([MAGIC, key.length, content.length, check]);
  bytes.set(key, WORDS * 4);
  bytes.set(content, start);
  return bytes;
}

/** The content stored under `key`; undefined if the file is another key's, or damaged in any way. */
export function decodeEntry(key: Uint8Array, bytes: Uint8Array): Uint8Array | undefined {
  const start = WORDS * 4 + align4(key.length);
  if (bytes.length < start) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [magic, keyLength, length, check] = [0, 4, 8, 12].map((at) => view.getUint32(at, true));
  if (magic !== MAGIC || keyLength !== key.length || bytes.length !== start + length!) return undefined;
  for (let i = 0; i < key.length; i++) if (bytes[WORDS * 4 + i] !== key[i]) return undefined;
  const content = bytes.slice(start);
  return hash(content)[0] === check ? content : undefined;
}

const align4 = (n: number): number => (n + 3) & ~3;
