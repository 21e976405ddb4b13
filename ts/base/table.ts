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
