// SPDX-License-Identifier: MIT
//
// Words for each granule of the device's memory, in pages that are created at their first use. A granule is one byte, or four if
// no access of the kernel is smaller.
import { PAGE_BITS } from './shadow-layout';
import type { ShadowMemory } from './shadow-memory';

const PAGE = 1 << PAGE_BITS;

export class Shadow {
  private readonly pages = new Map<number, Int32Array>();
  private lastNumber = -1;
  private last: Int32Array = new Int32Array(0);

  /** @param words per granule */
  constructor(
    private readonly memory: ShadowMemory,
    private readonly table: number,
    readonly words: number,
  ) {}

  /** The page of a granule, whose words start at `at(granule)`. */
  page(granule: number): Int32Array {
    const number = granule >>> PAGE_BITS;
    return number === this.lastNumber ? this.last : this.turnTo(number);
  }

  private turnTo(number: number): Int32Array {
    let page = this.pages.get(number);
    if (!page) {
      page = this.memory.page(this.table, number, PAGE * this.words);
      this.pages.set(number, page);
    }
    this.lastNumber = number;
    this.last = page;
    return page;
  }

  at(granule: number): number {
    return (granule & (PAGE - 1)) * this.words;
  }

  clear(): void {
    for (const page of this.pages.values()) page.fill(0);
  }
}
