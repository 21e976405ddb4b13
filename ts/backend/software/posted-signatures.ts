// SPDX-License-Identifier: MIT
//
// Signatures of kernels as they are posted between threads. A program may have 10^5 kernels: their objects would block the event
// loop for seconds while the message is read, and most are never asked for.
import type { KernelSignature } from '../../base/kernel-abi';

type Signatures = ReadonlyMap<string, KernelSignature>;

/** A line of JSON for each name, and for each signature. */
export interface PostedSignatures {
  readonly names: string;
  readonly lines: string;
}

export function postSignatures(signatures: Signatures): PostedSignatures {
  const lines = [...signatures.values()].map((signature) => JSON.stringify(signature));
  return { names: JSON.stringify([...signatures.keys()]), lines: lines.join('\n') };
}

/** The signatures, each parsed when it is first asked for. */
export function readSignatures({ names, lines }: PostedSignatures): Signatures {
  const list = lines.split('\n');
  const texts = new Map((JSON.parse(names) as string[]).map((name, i) => [name, list[i]!]));
  return new LazySignatures(texts);
}

class LazySignatures implements Signatures {
  private readonly parsed = new Map<string, KernelSignature>();

  constructor(private readonly texts: ReadonlyMap<string, string>) {}

  get size(): number {
    return this.texts.size;
  }

  has(name: string): boolean {
    return this.texts.has(name);
  }

  get(name: string): KernelSignature | undefined {
    const known = this.parsed.get(name);
    const text = this.texts.get(name);
    if (known || text === undefined) return known;
    const signature = JSON.parse(text) as KernelSignature;
    this.parsed.set(name, signature);
    return signature;
  }

  keys(): MapIterator<string> {
    return this.texts.keys();
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
