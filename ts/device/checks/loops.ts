// SPDX-License-Identifier: MIT
//
// Loops that may never end: a work-item has so many iterations, of all of its loops together.

export class LoopBudget {
  private left = new Float64Array(0);
  /** One work-item has spent it: the others would take as long, and say nothing new. */
  private isSpent = false;

  constructor(private readonly budget: number) {}

  beginGroup(items: number): void {
    if (this.left.length < items) this.left = new Float64Array(items);
    this.left.fill(this.isSpent ? 0 : this.budget, 0, items);
  }

  /** Counts an iteration; false if there is none left. */
  step(item: number): boolean {
    if (this.left[item]!-- > 0) return true;
    this.isSpent = true;
    return false;
  }
}
