// SPDX-License-Identifier: MIT

/** A range of the workers, by number. */
export interface WorkerRange {
  readonly first: number;
  readonly count: number;
}
