// SPDX-License-Identifier: MIT
//
// The faults of a launch, each once with its number, as records in the launch's description.
import { CHECK_BLOCK } from '../../base/checks';
import type { FaultRecord } from '../../base/faults';

/** The most different faults of one launch. */
const MOST_FAULTS = 1000;

type Fault = Omit<FaultRecord, 'count'>;

export class Reports {
  private readonly counts = new Map<string, { fault: Fault; count: number }>();
  private readonly encoder = new TextEncoder();

  /** Adds a fault. `describe` is called only for the first of equal ones. */
  add(key: string, describe: () => Fault): void {
    const known = this.counts.get(key);
    if (known) known.count++;
    else if (this.counts.size < MOST_FAULTS) this.counts.set(key, { fault: describe(), count: 1 });
  }

  /** Writes the faults that were added since the last call. Equal faults may be written again: readers add up their counts. */
  flush(memory: Uint8Array, words: Uint32Array, block: number, start: number): void {
    const header = block >>> 2;
    for (const { fault, count } of this.counts.values()) {
      const bytes = this.encoder.encode(JSON.stringify({ ...fault, count }));
      const used = words[header + (CHECK_BLOCK.reportBytes >>> 2)]!;
      const room = words[header + (CHECK_BLOCK.reportCapacity >>> 2)]!;
      const length = 4 + Math.ceil(bytes.length / 4) * 4;
      if (used + length > room) {
        words[header + (CHECK_BLOCK.lost >>> 2)]! += count;
        continue;
      }
      words[(start + used) >>> 2] = bytes.length;
      memory.set(bytes, start + used + 4);
      words[header + (CHECK_BLOCK.reportBytes >>> 2)] = used + length;
    }
    this.counts.clear();
  }
}
