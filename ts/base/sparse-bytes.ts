// SPDX-License-Identifier: MIT
//
// A byte array in which most bytes are 0 and take no memory.

const PAGE_BITS = 12;
const PAGE = 1 << PAGE_BITS;

export interface SparseBytesParts {
  readonly size: number;
  /** The numbers of the pages that are not all 0. */
  readonly numbers: Uint32Array<ArrayBuffer>;
  /** These pages, one after the other. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export class SparseBytes {
  private readonly pages = new Map<number, DataView>();
  /** The page that was accessed last. */
  private number = -1;
  private page: DataView | undefined;

  constructor(readonly size: number) {}

  /** Restores bytes from `parts` of another thread. */
  static from({ size, numbers, bytes }: SparseBytesParts): SparseBytes {
    const made = new SparseBytes(size);
    numbers.forEach((number, i) => {
      made.pages.set(number, new DataView(bytes.buffer, bytes.byteOffset + i * PAGE, PAGE));
    });
    return made;
  }

  /** A copy of the contents, in two buffers that can be transferred to another thread. */
  parts(): SparseBytesParts {
    const bytes = new Uint8Array(this.pages.size * PAGE);
    let at = 0;
    for (const page of this.pages.values()) {
      bytes.set(bytesOf(page, 0, PAGE), at);
      at += PAGE;
    }
    return { size: this.size, numbers: Uint32Array.from(this.pages.keys()), bytes };
  }

  /** Stores the bytes of `value`, as many as it has. */
  write(at: number, value: Uint8Array): void {
    for (let i = 0; i < value.length; i++) {
      const byte = value[i]!;
      if (byte === 0 && !this.pageAt(at + i)) continue;
      this.pageFor(at + i).setUint8((at + i) & (PAGE - 1), byte);
    }
  }

  /** Stores a 32-bit word. */
  writeWord(at: number, word: number): void {
    const place = at & (PAGE - 1);
    if (place > PAGE - 4) {
      const bytes = new Uint8Array(4);
      new DataView(bytes.buffer).setInt32(0, word, true);
      this.write(at, bytes);
    } else if (word !== 0 || this.pageAt(at)) {
      this.pageFor(at).setInt32(place, word, true);
    }
  }

  /** A copy of a range. */
  read(at: number, size: number): Uint8Array {
    const result = new Uint8Array(size);
    for (let done = 0; done < size; ) {
      const start = (at + done) & (PAGE - 1);
      const length = Math.min(size - done, PAGE - start);
      const page = this.pageAt(at + done);
      if (page) result.set(bytesOf(page, start, length), done);
      done += length;
    }
    return result;
  }

  /** The index of the first 0 at or after `from`; `size` if there is none. */
  zeroAfter(from: number): number {
    for (let at = from; at < this.size; at++) if (!this.pageAt(at)?.getUint8(at & (PAGE - 1))) return at;
    return this.size;
  }

  /** Copies the bytes that are not 0 into bytes that are all 0. */
  copyInto(target: Uint8Array): void {
    for (const _ of this.copySteps(target, Number.POSITIVE_INFINITY));
  }

  /** As `copyInto`, in steps of about this many bytes. */
  *copySteps(target: Uint8Array, stepBytes: number): Generator<undefined, void> {
    let left = stepBytes;
    for (const [number, page] of this.pages) {
      const at = number * PAGE;
      target.set(bytesOf(page, 0, Math.min(PAGE, this.size - at)), at);
      left -= PAGE;
      if (left > 0) continue;
      left = stepBytes;
      yield;
    }
  }

  private pageAt(at: number): DataView | undefined {
    const number = Math.floor(at / PAGE);
    if (number !== this.number) {
      this.number = number;
      this.page = this.pages.get(number);
    }
    return this.page;
  }

  private pageFor(at: number): DataView {
    const known = this.pageAt(at);
    if (known) return known;
    this.page = new DataView(new ArrayBuffer(PAGE));
    this.pages.set(this.number, this.page);
    return this.page;
  }
}

const bytesOf = (page: DataView, start: number, length: number): Uint8Array =>
  new Uint8Array(page.buffer, page.byteOffset + start, length);
