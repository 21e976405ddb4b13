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
  /** The ids of the groups that have begun, three each, in the order in which they ran. */
  private readonly groups: number[] = [];

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
  begin(x: number, y: number, z: number): number {
    this.groups.push(x, y, z);
    return this.sizeAlong(0, x) * this.sizeAlong(1, y) * this.sizeAlong(2, z);
  }

  isCurrent(x: number, y: number, z: number): boolean {
    const { groups } = this;
    const last = groups.length - 3;
    return last >= 0 && groups[last] === x && groups[last + 1] === y && groups[last + 2] === z;
  }

  private sizeAlong(dimension: 0 | 1 | 2, id: number): number {
    const size = this.localSize[dimension];
    return Math.min(size, this.globalSize[dimension] - id * size);
  }

  /** A work-item of the current group, or of an earlier one. Undefined for a number that none of them has. */
  item(number: number, group = this.groups.length / 3 - 1): WorkItem | undefined {
    const [x, y, z] = this.groups.slice(group * 3, group * 3 + 3);
    if (x === undefined || y === undefined || z === undefined) return undefined;
    const ids: Triple = [x, y, z];
    const [width, height, depth] = [this.sizeAlong(0, x), this.sizeAlong(1, y), this.sizeAlong(2, z)];
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
