// SPDX-License-Identifier: MIT

const LARGEST = 1 << 16;
const blank: undefined[] = [];

/**
 * A table with a place for each number below `length`, all undefined. It has its full length from the start, because V8 stores arrays
 * with gaps as slow hash tables; a copy of a part of an array takes a third of the time of `fill`.
 */
export function blankTable<T>(length: number): (T | undefined)[] {
  if (length > LARGEST) return new Array<T | undefined>(length).fill(undefined);
  while (blank.length < length) blank.push(undefined);
  return blank.slice(0, length);
}

/**
 * Numbers by id, for one computation at a time, which gets the memory of the one before. V8 takes more than a microsecond for a typed array of
 * more than 64 bytes, which would be a tenth of many passes.
 */
export class Scratch {
  private memory = new Int32Array(0);

  /** At least `length` zeros, until the next call. */
  zeros(length: number): Int32Array {
    if (length > LARGEST) return new Int32Array(length);
    if (length > this.memory.length) this.memory = new Int32Array(2 * length);
    else this.memory.fill(0, 0, length);
    return this.memory;
  }
}
