// SPDX-License-Identifier: MIT
//
// Places as runs of bytes, in the memory that owns them: a sub-buffer's bytes are its buffer's.
import type { Box, Memory, Place } from './program';

/** Bytes from the first number up to, but not including, the second. */
export type Run = readonly [from: number, to: number];

export interface Bytes {
  /** The memory that owns them. */
  readonly owner: number;
  readonly runs: readonly Run[];
}

export type Memories = ReadonlyMap<number, Memory>;

/** The runs of a box; a single one where it has no gaps. */
export function runsOfBox({ origin, region, rowPitch, slicePitch }: Box): Run[] {
  const runs: [number, number][] = [];
  for (let z = 0; z < region[2]; z++)
    for (let y = 0; y < region[1]; y++) {
      const from = (origin[2] + z) * slicePitch + (origin[1] + y) * rowPitch + origin[0];
      const last = runs.at(-1);
      if (last?.[1] === from) last[1] += region[0];
      else runs.push([from, from + region[0]]);
    }
  return runs;
}

/** The box of bytes that pixels of an image take, without gaps between the image's rows. */
export function boxOfPixels(image: Memory, { origin, region }: Extract<Place, { kind: 'pixels' }>): Box {
  if (image.kind !== 'image') throw new Error(`memory ${image.id} is not an image`);
  const { pixelBytes, extent } = image;
  return {
    origin: [origin[0] * pixelBytes, origin[1], origin[2]],
    region: [region[0] * pixelBytes, region[1], region[2]],
    rowPitch: extent[0] * pixelBytes,
    slicePitch: extent[0] * pixelBytes * extent[1],
  };
}

export function bytesAt(memories: Memories, place: Place): Bytes {
  const memory = memories.get(place.memory);
  if (!memory) throw new Error(`no memory ${place.memory}`);
  const runs =
    place.kind === 'span'
      ? [[place.offset, place.offset + place.size] as const]
      : runsOfBox(place.kind === 'box' ? place.box : boxOfPixels(memory, place));
  if (memory.kind === 'image' && memory.over !== undefined) return { owner: memory.over, runs };
  if (memory.kind !== 'sub') return { owner: memory.id, runs };
  return {
    owner: memory.parent,
    runs: runs.map(([from, to]) => [from + memory.origin, to + memory.origin] as const),
  };
}

export function wholePlace(memory: Memory): Place {
  return memory.kind === 'image'
    ? { memory: memory.id, kind: 'pixels', origin: [0, 0, 0], region: memory.extent }
    : { memory: memory.id, kind: 'span', offset: 0, size: memory.size };
}

export const sizeOf = (runs: readonly Run[]): number => runs.reduce((sum, [from, to]) => sum + to - from, 0);

/** Whether some byte is in both. Runs ascend. */
export function overlap(a: Bytes, b: Bytes): boolean {
  if (a.owner !== b.owner) return false;
  for (let i = 0, k = 0; i < a.runs.length && k < b.runs.length; ) {
    const [x, y] = [a.runs[i]!, b.runs[k]!];
    if (x[1] <= y[0]) i++;
    else if (y[1] <= x[0]) k++;
    else return true;
  }
  return false;
}

export function gather(from: Uint8Array, runs: readonly Run[]): Uint8Array {
  const bytes = new Uint8Array(sizeOf(runs));
  let at = 0;
  for (const [first, end] of runs) {
    bytes.set(from.subarray(first, end), at);
    at += end - first;
  }
  return bytes;
}

export function scatter(to: Uint8Array, runs: readonly Run[], bytes: Uint8Array): void {
  let at = 0;
  for (const [first, end] of runs) {
    to.set(bytes.subarray(at, at + end - first), first);
    at += end - first;
  }
}
