// SPDX-License-Identifier: MIT
//
// Loops that may never end: each work-item has a budget of iterations for all of its loops.

export class LoopBudget {
  private left = new Float64Array(0);
  /** Set when one work-item has used up its budget: the others would take as long and report the same. */
  private isSpent = false;
  /** The group has begun and no iteration was counted: most kernels are not asked to count. */
  private isNew = true;
  private items = 0;

  constructor(private readonly budget: number) {}

  beginGroup(items: number): void {
    this.items = items;
    this.isNew = true;
  }

  /** Counts an iteration; false if there is none left. */
  step(item: number): boolean {
    if (this.isNew) this.fill();
    if (this.left[item]!-- > 0) return true;
    this.isSpent = true;
    return false;
  }

  private fill(): void {
    const { items } = this;
    this.isNew = false;
    if (this.left.length < items) this.left = new Float64Array(items);
    this.left.fill(this.isSpent ? 0 : this.budget, 0, items);
  }
}
