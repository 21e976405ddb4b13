// SPDX-License-Identifier: MIT
//
// Marks the bytes that a proven launch writes. Where no formula says which, the checks of the first group do: each group writes the
// same bytes of its own part of the buffer.
import { isMarked, mark } from '../../../device/checks/written';
import type { GroupBytes } from './patterns';
import type { Strip } from './written-strips';

/** A run of bytes, relative to the object. */
export interface Run {
  readonly first: number;
  readonly bytes: number;
}

/** Where an object's bits are; undefined if all of it counts as written. */
export type BitsOf = (argument: number) => number | undefined;

export interface WritesToMark {
  readonly memory: () => Uint8Array;
  readonly bitsOf: BitsOf;
  readonly markStrip: (address: number, bytes: number) => void;
  readonly strips: readonly Strip[];
  readonly repeated: readonly GroupBytes[];
  readonly groups: readonly number[];
}

export class LaunchWrites {
  /** Whether bytes were marked before this launch, by object that groups write a part of. */
  private before: boolean[][] = [];

  constructor(private readonly launch: WritesToMark) {}

  /** Before the first group: forgets what was marked in its parts. */
  begin(): void {
    const { repeated, bitsOf, memory } = this.launch;
    this.before = repeated.map(({ argument, first, bytes }) => {
      const bits = bitsOf(argument);
      if (bits === undefined) return [];
      const marked = Array.from({ length: bytes }, (_, at) => isMarked(memory(), bits, first + at));
      mark(memory(), bits, first, bytes, false);
      return marked;
    });
  }

  /** Marks them again. */
  restore(): void {
    const { repeated, bitsOf, memory } = this.launch;
    for (const [at, { argument, first }] of repeated.entries()) {
      const bits = bitsOf(argument);
      if (bits === undefined) continue;
      for (const { first: from, bytes } of runsOf(this.before[at] ?? []))
        mark(memory(), bits, first + from, bytes, true);
    }
    this.before = [];
  }

  /** What the first group has written, by object. */
  get found(): readonly (readonly Run[])[] {
    const { repeated, bitsOf, memory } = this.launch;
    return repeated.map(({ argument, first, bytes }) => {
      const bits = bitsOf(argument);
      if (bits === undefined) return [];
      return runsOf(Array.from({ length: bytes }, (_, at) => isMarked(memory(), bits, first + at))).map(
        (run) => ({ ...run, first: first + run.first }),
      );
    });
  }

  /** Marks what all groups write. */
  mark(found: readonly (readonly Run[])[]): void {
    const { strips, repeated, bitsOf, memory, markStrip, groups } = this.launch;
    for (const { address, bytes, step, count } of strips)
      for (let at = 0; at < count; at++) markStrip(address + at * step, bytes);
    for (const [at, { argument, shift }] of repeated.entries()) {
      const bits = bitsOf(argument);
      if (bits === undefined) continue;
      for (const { first, bytes } of found[at]!)
        for (let z = 0; z < groups[2]!; z++)
          for (let y = 0; y < groups[1]!; y++)
            for (let x = 0; x < groups[0]!; x++)
              mark(memory(), bits, first + x * shift[0] + y * shift[1] + z * shift[2], bytes, true);
    }
  }
}

function runsOf(marked: readonly boolean[]): Run[] {
  const runs: Run[] = [];
  for (let at = 0; at < marked.length; at++) {
    if (!marked[at]) continue;
    const first = at;
    while (marked[at]) at++;
    runs.push({ first, bytes: at - first });
  }
  return runs;
}
