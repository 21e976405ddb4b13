// SPDX-License-Identifier: MIT
//
// A byte array in which most bytes are 0 and take no memory.

const PAGE_BITS = 12;
const PAGE = 1 << PAGE_BITS;

export interface SparseBytesParts {
  readonly size: number;
  readonly pages: ReadonlyMap<number, DataView>;
}

export class SparseBytes {
  private readonly pages = new Map<number, DataView>();
  /** The page that was accessed last. */
  private number = -1;
  private page: DataView | undefined;

  constructor(readonly size: number) {}

  /** Restores bytes from `parts` of another thread. */
  static from({ size, pages }: SparseBytesParts): SparseBytes {
    const bytes = new SparseBytes(size);
    for (const [number, page] of pages) bytes.pages.set(number, page);
    return bytes;
  }

  /** The contents as data that can be posted to another thread. */
  get parts(): SparseBytesParts {
    return { size: this.size, pages: this.pages };
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
      if (page) result.set(new Uint8Array(page.buffer, start, length), done);
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
    for (const [number, page] of this.pages) {
      const at = number * PAGE;
      target.set(new Uint8Array(page.buffer, 0, Math.min(PAGE, this.size - at)), at);
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
