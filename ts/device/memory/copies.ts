// SPDX-License-Identifier: MIT
// Copies of boxes and patterns between byte arrays.

import { copyBytesWithin, fillBytes } from './bulk';

export type Triple = readonly [number, number, number];

/** A box in memory: `offset` of its first byte, pitches in bytes. */
export interface Box {
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly rowPitch: number;
  readonly slicePitch: number;
}

/** @param region bytes of a row, rows, slices. */
export function copyBox(from: Box, to: Box, region: Triple): void {
  const [width, rows, slices] = region;
  if (width === 0 || rows === 0 || slices === 0) return;
  const rowsTouch = rows === 1 || (from.rowPitch === width && to.rowPitch === width);
  const slicesTouch = slices === 1 || (from.slicePitch === width * rows && to.slicePitch === width * rows);
  if (rowsTouch && slicesTouch) {
    copyRange(from, from.offset, to, to.offset, width * rows * slices);
    return;
  }
  // Within one buffer the order of rows matters where the boxes overlap.
  const backwards = from.bytes === to.bytes && to.offset > from.offset;
  for (let i = 0; i < slices * rows; i++) {
    const n = backwards ? slices * rows - 1 - i : i;
    const slice = Math.floor(n / rows);
    const row = n % rows;
    const source = from.offset + slice * from.slicePitch + row * from.rowPitch;
    const target = to.offset + slice * to.slicePitch + row * to.rowPitch;
    copyRange(from, source, to, target, width);
  }
}

function copyRange(from: Box, source: number, to: Box, target: number, size: number): void {
  if (from.bytes === to.bytes) copyBytesWithin(to.bytes, target, source, size);
  else to.bytes.set(from.bytes.subarray(source, source + size), target);
}

/** Repeats a pattern over the whole of `target`. */
export function fillPattern(target: Uint8Array, pattern: Uint8Array): void {
  if (pattern.every((byte) => byte === pattern[0])) {
    fillBytes(target, pattern[0] ?? 0);
    return;
  }
  let filled = Math.min(pattern.length, target.length);
  target.set(pattern.subarray(0, filled));
  while (filled < target.length) {
    const size = Math.min(filled, target.length - filled);
    copyBytesWithin(target, filled, 0, size);
    filled += size;
  }
}
