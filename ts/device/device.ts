// SPDX-License-Identifier: MIT
import type { Host } from '../base/host';
import { Command } from './command';
import { DeviceMemory } from './memory';
import { WorkerPool } from './pool';
import { Queue } from './queue';
import { Scheduler } from './scheduler';

/** The software device: one memory, one pool of workers, any number of queues. */
export class Device {
  readonly memory: DeviceMemory;
  readonly pool: WorkerPool;
  readonly scheduler: Scheduler;

  constructor(readonly host: Host) {
    this.memory = new DeviceMemory();
    this.pool = new WorkerPool(host, this.memory);
    this.scheduler = new Scheduler(host, this.pool);
  }

  createQueue(options: { readonly outOfOrder: boolean; readonly profiling: boolean }): Queue {
    return new Queue(this.scheduler, options.outOfOrder, options.profiling);
  }

  createUserEvent(): Command {
    return new Command({ kind: 'user' }, false);
  }
}
