// SPDX-License-Identifier: MIT
import type { DeviceTrace } from '../../base/trace';
import { ChunkLog } from './chunk-log';
import type { Job, LoadedKernel, Outcome } from './job';

/** What a pool tells a trace: which thread ran which groups. */
export class PoolTrace {
  readonly log: ChunkLog;
  private readonly names = new Map<number, string>();

  constructor(
    private readonly trace: DeviceTrace,
    private readonly workers: number,
  ) {
    this.log = ChunkLog.create(workers);
    trace.threads(workers);
    trace.onDrain(() => this.tell());
  }

  knows(kernel: LoadedKernel): void {
    this.names.set(kernel.id, kernel.name);
  }

  /** Tells what the workers have done. */
  tell(): void {
    this.log.drain(this.trace, (kernel) => this.names.get(kernel) ?? 'a kernel');
  }

  /** A job that the scheduling thread has run itself. */
  ranHere({ kernel, groups, timed }: Job, { start, end }: Outcome): void {
    if (!timed) return;
    this.ranChunk(kernel, 0, groups.count, start, end);
  }

  /** Groups that the scheduling thread has run. */
  ranChunk({ name }: LoadedKernel, first: number, count: number, start: bigint, end: bigint): void {
    const times = { start: Number(start), end: Number(end) };
    this.trace.chunk({ worker: this.workers, kernel: name, ...times, first, count });
  }
}
