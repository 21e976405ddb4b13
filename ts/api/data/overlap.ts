// SPDX-License-Identifier: MIT
//
// Whether the two rectangles of a copy within one buffer overlap.
import type { RectLayout } from '../../backend/command';

/** @param from the start of the source's buffer in the memory that both share; `to` is the start of the target's */
export function rectsOverlap(rect: RectLayout, from: number, to: number): boolean {
  const { region, bufferRowPitch: rowPitch, bufferSlicePitch: slicePitch } = rect;
  const start = from + offsetOf(rect.bufferOrigin, rowPitch, slicePitch);
  const target = to + offsetOf(rect.hostOrigin, rect.hostRowPitch, rect.hostSlicePitch);
  if (start + spanOf(region, rowPitch, slicePitch) <= target) return false;
  if (target + spanOf(region, rect.hostRowPitch, rect.hostSlicePitch) <= start) return false;
  if (rowPitch !== rect.hostRowPitch || slicePitch !== rect.hostSlicePitch) return true;
  // With equal pitches they share a byte if the distance of their starts is a sum of columns, rows and slices, each of them
  // smaller in size than the region's extent. As a row contains the region's columns and a slice its rows, only the two nearest
  // numbers of slices and rows are possible.
  const rowsMeet = (rest: number): boolean => {
    const rows = Math.floor(rest / rowPitch);
    const columns = rest % rowPitch;
    return (
      (rows < region[1] && columns < region[0]) || (rows + 1 < region[1] && rowPitch - columns < region[0])
    );
  };
  const distance = Math.abs(start - target);
  const slices = Math.floor(distance / slicePitch);
  const rest = distance % slicePitch;
  return (slices < region[2] && rowsMeet(rest)) || (slices + 1 < region[2] && rowsMeet(slicePitch - rest));
}

type Triple = readonly [number, number, number];

const offsetOf = ([x, y, z]: Triple, rowPitch: number, slicePitch: number): number =>
  z * slicePitch + y * rowPitch + x;

/** From the first byte of the region to the end of its last. */
const spanOf = ([x, y, z]: Triple, rowPitch: number, slicePitch: number): number =>
  offsetOf([x, y - 1, z - 1], rowPitch, slicePitch);
