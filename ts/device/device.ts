// SPDX-License-Identifier: MIT
import type { Checking } from '../base/checks';
import type { CoverageKind } from '../base/coverage';
import type { Host } from '../base/host';
import type { AddressBits } from '../base/kernel-abi';
import { Turns } from '../base/turns';
import type { CheckedMemory } from './checks/checked-memory';
import { Command } from './commands/command';
import { Queue } from './commands/queue';
import { Scheduler } from './commands/scheduler';
import { DeviceMemory } from './memory/memory';
import { Reader } from './reads/reader';
import { Failure } from './workers/job';
import { WorkerPool } from './workers/pool';

/** Shared by all contexts: the threads and the command graph. */
export class Processor {
  readonly pool: WorkerPool;
  readonly scheduler: Scheduler;
  readonly reader: Reader;
  /** Memories whose contexts were released; they may still hold allocations. */
  private readonly left = new Set<DeviceMemory>();

  constructor(
    readonly host: Host,
    turns = new Turns(host),
  ) {
    this.pool = new WorkerPool(host);
    this.scheduler = new Scheduler(host, this.pool, turns);
    this.reader = new Reader(host);
  }

  async shutdown(): Promise<void> {
    await Promise.all([this.pool.shutdown(), this.reader.shutdown()]);
  }

  /** Throws where the process has no address space for another memory. */
  takeMemory(addressBits: AddressBits): DeviceMemory {
    for (const memory of this.left) {
      if (memory.addressBits !== addressBits) continue;
      if (memory.used > this.pool.arenas.bytes(memory)) continue;
      this.left.delete(memory);
      this.pool.arenas.free(memory);
      memory.wipe();
      return memory;
    }
    return new DeviceMemory({ addressBits });
  }

  /** Workers keep a reference to each memory, so it is reused for another context once nothing is allocated in it. */
  leaveMemory(memory: DeviceMemory): void {
    this.left.add(memory);
  }
}

/** A device-side queue: kernels enqueue to it. */
export interface DeviceQueue {
  /** The unique address by which kernels refer to it. */
  readonly handle: number;
  /** The bytes of records that one launch may enqueue. */
  readonly bytes: number;
}

export interface DeviceOptions {
  /** Whether `terminate` may be called. */
  readonly terminable?: boolean;
  readonly checking?: Checking | undefined;
  readonly addressBits?: AddressBits;
  /** Whether other contexts of the same OpenCL device have 64-bit addresses, and so more memory. */
  readonly isNarrowed?: boolean;
}

/** The software device of one context: a memory that no other context's kernels can reach, and any number of queues. */
export class Device {
  readonly memory: DeviceMemory;
  /** Present if its kernels are checked. */
  readonly checked: CheckedMemory | undefined;
  /** The default queue of kernels. */
  defaultQueue: DeviceQueue | undefined;
  /** The commands whose events kernels can use, by the events' addresses. */
  readonly events = new Map<number, Command>();
  /** Whether its kernels are kept to what they are given. */
  isRobust = false;
  /** What its kernels count. */
  coverage: CoverageKind | undefined;
  /** How long each launch may run, in milliseconds. */
  limitMs: number | undefined;

  private isTerminated = false;
  /** The incomplete commands. */
  private readonly commands = new Set<Command>();
  /** Registers a command, so that `terminate` ends it. */
  readonly track: ((command: Command) => void) | undefined;

  /** Whether `terminate` may be called. */
  readonly terminable: boolean;
  readonly isNarrowed: boolean;

  constructor(
    readonly processor: Processor,
    { terminable = false, checking, addressBits = 32, isNarrowed = false }: DeviceOptions = {},
  ) {
    this.terminable = terminable;
    this.isNarrowed = isNarrowed;
    this.memory = processor.takeMemory(addressBits);
    if (checking) {
      const checks = require('./checks') as typeof import('./checks');
      this.checked = new checks.CheckedMemory(this.memory, checking);
    }
    if (terminable)
      this.track = (command) => {
        this.commands.add(command);
        command.whenDone(() => this.commands.delete(command));
      };
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
    return new Queue(this.scheduler, options.outOfOrder, options.profiling, this.track);
  }

  createUserEvent(): Command {
    return new Command({ kind: 'user' }, false);
  }

  get terminated(): boolean {
    return this.isTerminated;
  }

  /** Ends all commands, including running ones. */
  terminate(): void {
    this.isTerminated = true;
    this.scheduler.stops.stopAll(this.commands, ({ ticket }) => ({
      status: Failure.ContextTerminated,
      text: ticket ? 'was ended with its context' : 'its context was terminated',
    }));
  }

  /** After this nothing more is allocated; existing allocations may still be freed. */
  close(): void {
    this.processor.leaveMemory(this.memory);
  }
}
