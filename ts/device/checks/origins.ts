// SPDX-License-Identifier: MIT
//
// Where undefined values come from: reads of bytes that were never written, by number, and the bytes that such values were stored to.
import { ORIGIN } from '../../base/checks';
import type { Origin } from '../../base/faults';
import { where } from './bounds';
import type { Extent, Objects } from './objects';

/** Bytes whose origin is remembered, at most. */
const MOST_BYTES = 1 << 16;
const MOST_ORIGINS = 1 << 12;

export class Origins {
  /** By number, from 1 on. */
  private readonly found: Origin[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly byAddress = new Map<number, number>();

  constructor(private readonly objects: Objects) {}

  private numberOf(origin: Origin): number {
    const { site, object, at } = origin;
    const key = `${site} ${object ? `${object.of} ${object.index}` : ''} ${at}`;
    let number = this.numbers.get(key);
    if (number === undefined) {
      if (this.found.length >= MOST_ORIGINS) return this.found.length;
      number = this.found.push(origin);
      this.numbers.set(key, number);
    }
    return number;
  }

  get(number: number): Origin | undefined {
    const site = ORIGIN.siteOf(number);
    return site === undefined ? this.found[number - 1] : { site };
  }

  /** These bytes get no contents. */
  store(address: number, size: number, item: number, origin: number): void {
    for (let byte = address; byte < address + size; byte++) {
      const key = this.keyOf(byte, item);
      if (this.byAddress.has(key) || this.byAddress.size < MOST_BYTES) this.byAddress.set(key, origin);
    }
  }

  /** A byte without contents is copied. */
  copy(site: number, extent: Extent | undefined, from: number, to: number, item: number): void {
    this.store(to, 1, item, this.ofByte(site, extent, from, item));
  }

  /** The number of the origin of a byte that is read without contents: what was stored there, or this read. */
  ofByte(site: number, extent: Extent | undefined, address: number, item: number): number {
    return this.at(address, item) || this.numberOf({ site, ...where(extent, address) });
  }

  /** The origin of a byte without contents; 0 if it was never written. */
  at(address: number, item: number): number {
    return this.byAddress.get(this.keyOf(address, item)) ?? 0;
  }

  /** Work-items take turns with private memory. */
  private keyOf(address: number, item: number): number {
    return this.objects.isPrivate(address) ? address + (item + 1) * 2 ** 32 : address;
  }

  /** Local and private memory belong to another group. */
  beginGroup(): void {
    if (this.byAddress.size === 0) return;
    for (const key of this.byAddress.keys())
      if (this.objects.isInArena(key % 2 ** 32)) this.byAddress.delete(key);
  }
}
