// SPDX-License-Identifier: MIT
//
// Launches of a kernel that differ from the one before at most in the values of arguments, as in loops: each copies the dispatch
// block of the first one.
import type { NDRange } from '../../../base/nd-range';
import type { JobWork } from '../../../device/commands/command';
import type { Block } from '../../../device/memory/allocator';
import type { Job } from '../../../device/workers/job';
import type { WorkerRange } from '../../../device/workers/worker-range';
import type { CommandStream } from '../command-stream';
import type { SoftwareKernel } from '../programs/kernel';
import { usesOf } from '../programs/kernel-arguments';
import { type LaunchPlan, sameSizes } from '../programs/launch-plan';
import { codeForArguments } from '../programs/separate-arguments';
import type { RefCounted } from '../ref-counted';
import { localMemory, writeArguments } from './launch-memory';
import { writeSoleWrites } from './sole-writer';

/** What a launch has that can be repeated: nothing of it belongs to this launch alone but its dispatch block. */
export interface Repeatable {
  readonly plan: LaunchPlan;
  readonly job: Job;
  readonly workers: WorkerRange;
  /** Bytes of the dispatch block. */
  readonly bytes: number;
  readonly reportInternalError: (error: unknown) => string;
}

export class RepeatedLaunch {
  /** The dispatch block. */
  private readonly words: Int32Array;
  private readonly bytes: Uint8Array;
  private uses: readonly RefCounted[];
  /** The arguments that they are of. */
  private version: number;

  constructor(
    private readonly kernel: SoftwareKernel,
    private readonly first: Repeatable,
  ) {
    const start = first.job.dispatch >>> 2;
    this.words = kernel.device.memory.i32.slice(start, start + Math.ceil(first.bytes / 4));
    this.bytes = new Uint8Array(this.words.buffer);
    this.uses = usesOf(kernel);
    this.version = kernel.version;
  }

  /** The launch with the kernel's current arguments; undefined if it needs more than that, or has an error. */
  again(
    { global, local, offset }: NDRange,
    profiled: boolean,
    workers: WorkerRange,
    stream: CommandStream | undefined,
  ): { readonly work: JobWork; readonly uses: readonly RefCounted[] } | undefined {
    const { kernel, first } = this;
    const { plan, job } = first;
    if (profiled !== job.timed || workers !== first.workers) return undefined;
    if (!sameSizes(plan.global, global) || !sameSizes(plan.local, local) || !sameSizes(plan.offset, offset))
      return undefined;
    if (this.version !== kernel.version && !this.update()) return undefined;
    const { uses } = this;
    for (let i = 0; i < uses.length; i++) if (uses[i]!.referenceCount <= 0) return undefined;
    const { memory } = kernel.device;
    const block = memory.allocate(first.bytes, 64);
    if (!block) return undefined;
    // Another queue or a map may have come between.
    writeSoleWrites(kernel, plan.binary, plan.range, stream, this.words, 0);
    memory.i32.set(this.words, block.address >>> 2);
    return { uses, work: new RepeatedWork(kernel, first, block) };
  }

  /** Takes over the kernel's arguments. False if they need other memory. */
  private update(): boolean {
    const { kernel, words, bytes } = this;
    const { plan, job } = this.first;
    if (kernel.values.includes(undefined) || kernel.indirect.length > 0) return false;
    if (codeForArguments(kernel) !== plan.code) return false;
    if (localMemory(kernel, plan.binary.localBytes) !== job.localBytes) return false;
    writeArguments(kernel, { i32: words, u8: bytes }, 0, plan.binary.localBytes);
    this.uses = usesOf(kernel);
    this.version = kernel.version;
    return true;
  }
}

class RepeatedWork implements JobWork {
  readonly kind = 'job';
  readonly finishesLater = true;
  job: Job;

  constructor(
    private readonly kernel: SoftwareKernel,
    private readonly first: Repeatable,
    private readonly block: Block,
  ) {
    const { kernel: code, groups, groupItems, groupCost, localBytes } = first.job;
    const { scratchBytes, leastChunk, bounded, costIsGuess, timed, workers } = first.job;
    this.job = {
      kernel: code,
      dispatch: block.address,
      groups,
      groupItems,
      groupCost,
      localBytes,
      scratchBytes,
      leastChunk,
      bounded,
      costIsGuess,
      timed,
      workers,
    };
  }

  finish(): undefined {
    this.kernel.device.memory.free(this.block);
  }

  reportInternalError(error: unknown): string {
    return this.first.reportInternalError(error);
  }
}
