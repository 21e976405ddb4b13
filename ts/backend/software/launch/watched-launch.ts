// SPDX-License-Identifier: MIT
//
// A launch of a checked kernel that has no fault unless it stores to certain bytes (proofs/watched-bytes.ts): it runs code that marks
// what it stores to. If it is one of these, all is undone, and the launch runs again with checks (docs/adr/0048-watched-launches.md).

import { WATCH_BLOCK } from '../../../base/checks';
import type { Fault } from '../../../base/faults';
import { DISPATCH } from '../../../base/kernel-abi';
import type { NDRange } from '../../../base/nd-range';
import type { JobWork } from '../../../device/commands/command';
import type { Block } from '../../../device/memory/allocator';
import { copyBytesWithin, fillBytes } from '../../../device/memory/bulk';
import type { Job } from '../../../device/workers/job';
import type { CodeKind } from '../programs/executable';
import type { SoftwareKernel } from '../programs/kernel';
import { planFor } from '../programs/launch-plan';
import type { Watch } from '../proofs/launch-proof';
import type { Rows, WatchedObject, WatchProof } from '../proofs/watched-bytes';
import { inOrder } from './in-order';

/** A job that is prepared, with its checks if it has some. */
interface Prepared {
  readonly work: JobWork;
  readonly checks: { readonly faults: readonly Fault[] } | undefined;
}

/**
 * The kernel's arguments must not change until it has run. Undefined if it cannot be watched after all. `prepare` creates the job of
 * a code, for groups as checked code prefers them.
 */
export function launchWatched<Made extends Prepared>(
  kernel: SoftwareKernel,
  range: NDRange,
  { proof, writes }: Watch,
  prepare: (code: CodeKind) => Made,
): Made | undefined {
  const { executable, signature, device } = kernel;
  const { global, local, offset } = range;
  const { binary } = planFor(kernel, global, local, offset, 'shared', 'watched', 'guarded');
  // What is printed cannot be undone.
  if (binary.printfFormats.length > 0 || binary.privatized.length > 0) return undefined;
  const marks = StoreMarks.of(kernel, proof);
  if (!marks) return undefined;
  let first: Made;
  try {
    first = prepare('watched');
  } catch (error) {
    marks.free();
    throw error;
  }
  device.memory.i32[(first.work.job.dispatch + DISPATCH.checks) >>> 2] = marks.address;
  let second: Made | undefined;
  let isFollowed = false;
  const faults: Fault[] = [];
  const next = (): Job | undefined => {
    if (isFollowed) return undefined;
    isFollowed = true;
    const hasConflict = marks.hasConflict;
    executable.watches.note(signature.name, hasConflict);
    if (!hasConflict) {
      writes.mark([]);
      return undefined;
    }
    marks.undo();
    second = prepare('guarded');
    return second.work.job;
  };
  const finish = (failure: string | undefined): Iterator<unknown> | undefined => {
    marks.free();
    const steps = inOrder(first.work.finish(failure), second?.work.finish(failure));
    if (second?.checks) faults.push(...second.checks.faults);
    return steps;
  };
  return { ...first, work: { ...first.work, next, finish, faults } };
}

/** The bytes of an object that the launch may write, as they were before it, and their marks. */
interface Marked extends WatchedObject {
  /** Addresses of the first byte, of its copy, and of its mark. */
  readonly from: number;
  readonly copy: number;
  readonly marks: number;
  readonly bytes: number;
}

const LINE = 64;
const roundUp = (bytes: number): number => Math.ceil(bytes / LINE) * LINE;

/** Copies of what a launch writes, and the marks of what it has written. */
class StoreMarks {
  private constructor(
    private readonly memory: SoftwareKernel['device']['memory'],
    private readonly block: Block,
    private readonly objects: readonly Marked[],
  ) {}

  /** Undefined if there is no memory for it. */
  static of({ device, signature, values }: SoftwareKernel, { objects }: WatchProof): StoreMarks | undefined {
    const { memory } = device;
    let bytes = roundUp(signature.arguments.length * WATCH_BLOCK.entry);
    const placed = objects.map((object) => {
      const value = values[object.argument];
      const base = value?.kind === 'word' ? value.word : 0;
      const { first, end } = object.writes;
      // Of all bytes from the object's first one on, so that no address is below the memory; at the same distance from a line.
      const marks = bytes + (base % LINE);
      const copy = roundUp(marks + end);
      bytes = roundUp(copy + end - first);
      return { ...object, base, marks, copy };
    });
    const block = memory.allocate(bytes, LINE);
    if (!block) return undefined;
    const { u8, i32 } = memory;
    const marked = placed.map(({ base, marks, copy, ...object }): Marked => {
      const { first, end } = object.writes;
      const own = {
        ...object,
        from: base + first,
        copy: block.address + copy,
        marks: block.address + marks + first,
        bytes: end - first,
      };
      i32[(block.address + object.argument * WATCH_BLOCK.entry) >>> 2] = own.marks - own.from;
      fillBytes(u8.subarray(own.marks, own.marks + own.bytes), 0);
      copyBytesWithin(u8, own.copy, own.from, own.bytes);
      return own;
    });
    return new StoreMarks(memory, block, marked);
  }

  get address(): number {
    return this.block.address;
  }

  /** Whether a byte was written that another work-item may have read. */
  get hasConflict(): boolean {
    return this.objects.some((object) => object.rows.some((rows) => this.isMarked(object, rows)));
  }

  private isMarked({ marks, writes, bytes: all }: Marked, { first, bytes, step, count }: Rows): boolean {
    const { u8 } = this.memory;
    for (let row = 0; row < count; row++) {
      const at = first + row * step - writes.first;
      const end = marks + Math.min(all, at + bytes);
      for (let mark = marks + Math.max(0, at); mark < end; mark++) if (u8[mark] !== 0) return true;
    }
    return false;
  }

  /** Gives all bytes that were written what they held before. */
  undo(): void {
    const { u8 } = this.memory;
    for (const { from, copy, marks, bytes } of this.objects)
      for (let at = 0; at < bytes; at++) if (u8[marks + at] !== 0) u8[from + at] = u8[copy + at]!;
  }

  free(): void {
    this.memory.free(this.block);
  }
}
