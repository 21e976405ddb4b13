// SPDX-License-Identifier: MIT
//
// The counters of one launch in the device's memory, and what they say when it has run.
import { COUNTER_BYTES, type CounterTable, type Coverage, coverageOf } from '../../../base/coverage';
import type { MemoryTraffic } from '../../../base/memory-traffic';
import type { Device } from '../../../device/device';
import type { Block } from '../../../device/memory/allocator';
import { exhausted } from '../memory/allocate';

export class LaunchCounters {
  /** Set when the launch has run. */
  coverage: Coverage | undefined;
  private readonly block: Block;

  constructor(
    private readonly device: Device,
    private readonly table: CounterTable,
  ) {
    const bytes = Math.max(1, table.counters) * COUNTER_BYTES;
    const block = device.memory.allocateCleared(bytes, 64);
    if (!block) throw exhausted(device, bytes, 'clEnqueueNDRangeKernel');
    this.block = block;
  }

  get address(): number {
    return this.block.address;
  }

  /** Reads the counters and frees them. */
  finish(memoryTraffic: readonly MemoryTraffic[] | undefined): void {
    const { memory } = this.device.memory;
    const view = new DataView(memory.buffer, this.address);
    const counts = Array.from({ length: this.table.counters }, (_, at) =>
      Number(view.getBigUint64(at * COUNTER_BYTES, true)),
    );
    const coverage = coverageOf(this.table, counts);
    this.coverage = memoryTraffic ? { ...coverage, memory: memoryTraffic } : coverage;
    this.device.memory.free(this.block);
  }
}
