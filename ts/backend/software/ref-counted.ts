// SPDX-License-Identifier: MIT

/** An object that is destroyed with its last reference: the caller's, its children's, or those of commands in flight. */
export abstract class RefCounted {
  private references = 1;
  private callbacks: (() => void)[] | undefined;

  get referenceCount(): number {
    return this.references;
  }

  retain(): void {
    this.references++;
  }

  release(): void {
    if (--this.references > 0) return;
    // Last registered, first called, and all before the memory goes, as clSetMemObjectDestructorCallback has it.
    for (const callback of this.callbacks?.reverse() ?? []) queueMicrotask(callback);
    this.destroy();
  }

  onDestroy(callback: () => void): void {
    this.callbacks ??= [];
    this.callbacks.push(callback);
  }

  protected abstract destroy(): void;
}
