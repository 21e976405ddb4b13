// SPDX-License-Identifier: MIT
//
// The work-items of the launch that runs: from their numbers to their ids.
import type { WorkItem } from '../../base/faults';
import { DISPATCH } from '../../base/kernel-abi';

type Triple = readonly [number, number, number];

export class WorkItems {
  private readonly globalSize: Triple;
  private readonly globalOffset: Triple;
  private readonly localSize: Triple;
  /** The groups that have begun, by their numbers in the order in which they ran. */
  private readonly groups: Triple[] = [];

  constructor(words: Uint32Array, dispatch: number) {
    const triple = (offset: number): Triple => {
      const at = (dispatch + offset) >>> 2;
      return [words[at]!, words[at + 1]!, words[at + 2]!];
    };
    this.globalSize = triple(DISPATCH.globalSize);
    this.globalOffset = triple(DISPATCH.globalOffset);
    this.localSize = triple(DISPATCH.localSize);
  }

  get mostItems(): number {
    const [x, y, z] = this.localSize;
    return x * y * z;
  }

  /** Begins a group; returns how many work-items it has. The last of a dimension may be smaller. */
  begin(group: Triple): number {
    this.groups.push(group);
    return this.sizeOf(group).reduce((all, size) => all * size, 1);
  }

  isCurrent(x: number, y: number, z: number): boolean {
    const last = this.groups[this.groups.length - 1];
    return last !== undefined && last[0] === x && last[1] === y && last[2] === z;
  }

  private sizeOf(group: Triple): number[] {
    return group.map((id, d) => Math.min(this.localSize[d]!, this.globalSize[d]! - id * this.localSize[d]!));
  }

  /** A work-item of the current group, or of an earlier one. Undefined for a number that none of them has. */
  item(number: number, group = this.groups.length - 1): WorkItem | undefined {
    const ids = this.groups[group];
    if (!ids) return undefined;
    const [width, height, depth] = this.sizeOf(ids) as [number, number, number];
    // A copy by the whole group.
    if (number >= width * height * depth) return undefined;
    const local = [
      number % width,
      Math.floor(number / width) % height,
      Math.floor(number / (width * height)),
    ];
    return {
      group: ids,
      local,
      global: local.map((id, d) => ids[d]! * this.localSize[d]! + id + this.globalOffset[d]!),
    };
  }
}
