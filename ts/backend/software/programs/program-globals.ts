// SPDX-License-Identifier: MIT
//
// A program's variables and constants in the device's memory.
import type { ProgramBinary } from '../../../base/kernel-abi';
import type { Device } from '../../../device/device';
import type { Block } from '../../../device/memory/allocator';
import { exhausted } from '../memory/allocate';

/** So many bytes are copied in less than a millisecond, first accesses of their pages included. */
const STEP_BYTES = 1 << 18;

export class ProgramGlobals {
  private block: Block | undefined;
  /** What is left to do until the contents are there. */
  private rest: Iterator<unknown> | undefined;

  constructor(
    private readonly device: Device,
    private readonly binary: ProgramBinary,
  ) {}

  /** Where they are; allocated and initialized on first use. 0 if there are none. */
  address(): number {
    if (this.binary.globals.size === 0) return 0;
    const block = this.allocated();
    while (this.rest) this.step();
    return block.address;
  }

  /** Initializes them in steps between which the event loop continues. Throws nothing: `address` does. */
  async place(): Promise<void> {
    if (this.block || this.binary.globals.size <= STEP_BYTES) return;
    try {
      this.allocated();
    } catch {
      return;
    }
    while (this.rest) {
      this.step();
      await this.device.host.nextTurn();
    }
  }

  release(): void {
    this.rest = undefined;
    if (this.block) this.device.memory.free(this.block);
    this.block = undefined;
  }

  private allocated(): Block {
    if (this.block) return this.block;
    const { size } = this.binary.globals;
    const { memory } = this.device;
    const block = memory.allocateCleared(size, this.binary.globalsAlign);
    if (!block) throw exhausted(this.device, size, 'clEnqueueNDRangeKernel');
    this.block = block;
    this.rest = this.contents(block.address);
    return block;
  }

  private step(): void {
    if (this.rest?.next().done) this.rest = undefined;
  }

  private *contents(address: number): Generator<undefined, void> {
    const { globals, relocations } = this.binary;
    const { memory } = this.device;
    yield* globals.copySteps(memory.bytes(address, globals.size), STEP_BYTES);
    const view = new DataView(memory.memory.buffer, address, globals.size);
    let left = STEP_BYTES / 16;
    for (const at of relocations) {
      view.setUint32(at, view.getUint32(at, true) + address, true);
      if (--left > 0) continue;
      left = STEP_BYTES / 16;
      yield;
    }
  }
}
