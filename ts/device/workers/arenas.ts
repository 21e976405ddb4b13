// SPDX-License-Identifier: MIT
//
// The threads' private and local memory: an arena in each context's memory, with a part for each thread.
import { LOCAL_MEMORY_ALIGN } from '../../base/kernel-abi';
import type { Block } from '../memory/allocator';
import type { DeviceMemory } from '../memory/memory';
import { groupBytes, type Job } from './job';

export interface Arena {
  readonly block: Block;
  /** Bytes of a thread's part. */
  readonly stride: number;
  /** Jobs in flight that use it. */
  jobs: number;
}

export class OutOfDeviceMemory extends Error {}

export class Arenas {
  /** The current arena of each memory. A larger one replaces it when a job needs more. */
  private readonly current = new Map<DeviceMemory, Arena>();

  constructor(private readonly threads: number) {}

  /** The arena for a job, which the caller counts in `jobs`. Throws OutOfDeviceMemory. */
  of(job: Job): Arena {
    const { memory, name } = job.kernel;
    const need = groupBytes(job);
    const known = this.current.get(memory);
    if (known && known.stride >= need) return known;
    const stride = Math.ceil(Math.max(need, 65536) / LOCAL_MEMORY_ALIGN) * LOCAL_MEMORY_ALIGN;
    const bytes = stride * this.threads;
    const block = memory.allocate(bytes, LOCAL_MEMORY_ALIGN);
    if (!block)
      throw new OutOfDeviceMemory(
        `kernel '${name}' needs ${need} bytes of private and local memory for a work-group; an arena of ${bytes} bytes for ${this.threads} threads does not fit into the device's memory, of which ${memory.used} bytes are in use`,
      );
    if (known && known.jobs === 0) memory.free(known.block);
    const arena: Arena = { block, stride, jobs: 0 };
    this.current.set(memory, arena);
    return arena;
  }

  /** A job has ended: frees an arena that was replaced after its last job. */
  release(arena: Arena, memory: DeviceMemory): void {
    if (--arena.jobs === 0 && arena !== this.current.get(memory)) memory.free(arena.block);
  }

  /** Bytes of a memory in the threads' arena. */
  bytes(memory: DeviceMemory): number {
    return this.current.get(memory)?.block.size ?? 0;
  }

  /** Frees the arena; no job of the memory may be in flight. */
  free(memory: DeviceMemory): void {
    const arena = this.current.get(memory);
    if (arena) memory.free(arena.block);
    this.current.delete(memory);
  }
}
