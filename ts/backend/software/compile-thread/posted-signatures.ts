// SPDX-License-Identifier: MIT
//
// Signatures of kernels as they are posted between threads. A program may have 10^5 kernels: even a string for each would block the
// event loop while the message is read, and most are never asked for. So they are text in one buffer, with a hash table.
import type { KernelSignature } from '../../../base/kernel-abi';

type Signatures = ReadonlyMap<string, KernelSignature>;

export interface PostedSignatures {
  /** The kernels' names as JSON. */
  readonly names: string;
  /** For each kernel `[name, signature]` as JSON in UTF-8, one after the other. */
  readonly text: Uint8Array<ArrayBuffer>;
  /** Where each kernel's text starts, and where the last one ends. */
  readonly starts: Uint32Array<ArrayBuffer>;
  /** From hashes of names to the numbers of kernels, plus 1: open addressing, 0 where there is none. Its length is a power of two. */
  readonly table: Uint32Array<ArrayBuffer>;
}

export function postSignatures(signatures: Signatures): PostedSignatures {
  const encoder = new TextEncoder();
  const count = signatures.size;
  const starts = new Uint32Array(count + 1);
  const table = new Uint32Array(2 ** Math.ceil(Math.log2(2 * count + 1)));
  const parts: Uint8Array[] = [];
  let number = 0;
  for (const entry of signatures) {
    const part = encoder.encode(JSON.stringify(entry));
    parts.push(part);
    starts[number + 1] = starts[number]! + part.length;
    let slot = hash(entry[0]) & (table.length - 1);
    while (table[slot] !== 0) slot = (slot + 1) & (table.length - 1);
    table[slot] = ++number;
  }
  const text = new Uint8Array(starts[count]!);
  parts.forEach((part, i) => {
    text.set(part, starts[i]!);
  });
  return { names: JSON.stringify([...signatures.keys()]), text, starts, table };
}

/** The signatures, each parsed when it is first asked for. */
export const readSignatures = (posted: PostedSignatures): Signatures => new LazySignatures(posted);

class LazySignatures implements Signatures {
  private readonly parsed = new Map<string, KernelSignature>();
  private readonly decoder = new TextDecoder();
  private names: readonly string[] | undefined;

  constructor(private readonly posted: PostedSignatures) {}

  get size(): number {
    return this.posted.starts.length - 1;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  get(name: string): KernelSignature | undefined {
    const known = this.parsed.get(name);
    if (known) return known;
    const { text, starts, table } = this.posted;
    for (let slot = hash(name); ; slot++) {
      const end = table[slot & (table.length - 1)]!;
      if (end === 0) return undefined;
      const json = this.decoder.decode(text.subarray(starts[end - 1], starts[end]));
      const [found, signature] = JSON.parse(json) as [string, KernelSignature];
      if (found !== name) continue;
      this.parsed.set(name, signature);
      return signature;
    }
  }

  keys(): MapIterator<string> {
    this.names ??= JSON.parse(this.posted.names) as string[];
    return this.names.values();
  }

  *values(): Generator<KernelSignature, undefined> {
    for (const name of this.keys()) yield this.get(name)!;
  }

  *entries(): Generator<[string, KernelSignature], undefined> {
    for (const name of this.keys()) yield [name, this.get(name)!];
  }

  [Symbol.iterator](): Generator<[string, KernelSignature], undefined> {
    return this.entries();
  }

  forEach(visit: (signature: KernelSignature, name: string, all: Signatures) => void): void {
    for (const [name, signature] of this) visit(signature, name, this);
  }
}

/** FNV-1a over the code units, without its sign. */
function hash(name: string): number {
  let state = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) state = Math.imul(state ^ name.charCodeAt(i), 0x01000193);
  // The low bits alone would depend on the low bits of the characters.
  return (state ^ (state >>> 15)) >>> 0;
}
