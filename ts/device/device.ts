// SPDX-License-Identifier: MIT
import type { Host } from '../base/host';
import { Command } from './command';
import { DeviceMemory } from './memory';
import { WorkerPool } from './pool';
import { Queue } from './queue';
import { Scheduler } from './scheduler';

/** What all contexts share: the threads, and the graph of commands. */
export class Processor {
  readonly pool: WorkerPool;
  readonly scheduler: Scheduler;
  /** Memories whose contexts are gone; something may still lie in them. */
  private readonly left = new Set<DeviceMemory>();

  constructor(readonly host: Host) {
    this.pool = new WorkerPool(host);
    this.scheduler = new Scheduler(host, this.pool);
  }

  /** Throws where the process has no address space for another memory. */
  takeMemory(): DeviceMemory {
    for (const memory of this.left) {
      if (memory.used > this.pool.arenaBytes(memory)) continue;
      this.left.delete(memory);
      this.pool.freeArena(memory);
      memory.wipe();
      return memory;
    }
    return new DeviceMemory();
  }

  /** Workers keep a memory that they have seen, so another context gets it when nothing of this one lies in it. */
  leaveMemory(memory: DeviceMemory): void {
    this.left.add(memory);
  }
}

/** The software device as one context has it: a memory that no other context's kernels reach, and any number of queues. */
export class Device {
  readonly memory: DeviceMemory;

  constructor(readonly processor: Processor) {
    this.memory = processor.takeMemory();
  }

  get host(): Host {
    return this.processor.host;
  }

  get pool(): WorkerPool {
    return this.processor.pool;
  }

  get scheduler(): Scheduler {
    return this.processor.scheduler;
  }

  createQueue(options: { readonly outOfOrder: boolean; readonly profiling: boolean }): Queue {
    return new Queue(this.scheduler, options.outOfOrder, options.profiling);
  }

  createUserEvent(): Command {
    return new Command({ kind: 'user' }, false);
  }

  /** After this nothing is allocated any more; what is, is freed. */
  close(): void {
    this.processor.leaveMemory(this.memory);
  }
}
