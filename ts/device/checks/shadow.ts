// SPDX-License-Identifier: MIT
//
// Words beside each byte of the device's memory, in pages that are made when they are first touched.

const PAGE_BITS = 10;
const PAGE = 1 << PAGE_BITS;

export class Shadow {
  private readonly pages = new Map<number, Uint32Array>();
  private lastNumber = -1;
  private last: Uint32Array = new Uint32Array(0);

  /** @param words of each byte */
  constructor(readonly words: number) {}

  /** The page that has an address: its words start at `at(address)`. */
  page(address: number): Uint32Array {
    const number = address >>> PAGE_BITS;
    if (number === this.lastNumber) return this.last;
    let page = this.pages.get(number);
    if (!page) {
      page = new Uint32Array(PAGE * this.words);
      this.pages.set(number, page);
    }
    this.lastNumber = number;
    this.last = page;
    return page;
  }

  at(address: number): number {
    return (address & (PAGE - 1)) * this.words;
  }

  clear(): void {
    this.pages.clear();
    this.lastNumber = -1;
  }
}
