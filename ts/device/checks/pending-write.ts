// SPDX-License-Identifier: MIT
//
// Two conflicting writes, until the second one is known to have changed the memory: two writes of the same value are not a fault.
import { STATE } from './shadow-layout';

interface Write {
  readonly site: number;
  readonly item: number;
  readonly address: number;
  readonly size: number;
  readonly report: () => void;
}

export class PendingWrite {
  private write: Write | undefined;
  private before: Uint8Array = new Uint8Array(0);

  /** `state`: `STATE`. `isSlow`: whether all checks are done in TypeScript anyway. */
  constructor(
    private readonly state: Int32Array,
    private isSlow: boolean,
  ) {
    this.state[STATE.slow] = isSlow ? 1 : 0;
  }

  /** Checks are done in WebAssembly from here on. No write is pending. */
  speedUp(): void {
    this.isSlow = false;
    this.state[STATE.slow] = 0;
  }

  /** Before the second write. */
  begin(memory: Uint8Array, write: Write): void {
    this.write = write;
    this.state[STATE.slow] = 1;
    this.before = memory.slice(write.address, write.address + write.size);
  }

  /** At the next check, when it was done. The lanes' checks of a site run one after the other, before the writes. */
  settle(memory: Uint8Array, site = -1, item = 0): void {
    const { write, before } = this;
    if (!write || (write.site === site && write.item !== item)) return;
    this.write = undefined;
    if (!this.isSlow) this.state[STATE.slow] = 0;
    if (before.some((byte, i) => memory[write.address + i] !== byte)) write.report();
  }
}
