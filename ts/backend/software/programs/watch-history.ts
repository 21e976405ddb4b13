// SPDX-License-Identifier: MIT
//
// Which kernels' watched launches had to be checked after all (launch/watched-launch.ts): such a kernel will probably have it again.

/** Launches that are checked at once after a conflict, at most. */
const MOST_LEFT_OUT = 256;

interface Conflicts {
  /** In a row. */
  count: number;
  /** How many launches are checked at once. */
  left: number;
}

export class WatchHistory {
  private readonly conflicts = new Map<string, Conflicts>();

  /** Whether a launch of the kernel should be watched. */
  mayTry(kernel: string): boolean {
    const known = this.conflicts.get(kernel);
    if (!known || known.left === 0) return true;
    known.left--;
    return false;
  }

  /** A watched launch of the kernel has ended. */
  note(kernel: string, hasConflict: boolean): void {
    if (!hasConflict) {
      this.conflicts.delete(kernel);
      return;
    }
    const count = (this.conflicts.get(kernel)?.count ?? 0) + 1;
    this.conflicts.set(kernel, { count, left: Math.min(2 ** count, MOST_LEFT_OUT) });
  }
}
