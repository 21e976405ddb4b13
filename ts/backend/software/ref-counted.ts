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
    // Called in reverse order of registration, before the memory is freed, as clSetMemObjectDestructorCallback
    // specifies.
    for (const callback of this.callbacks?.reverse() ?? []) queueMicrotask(callback);
    this.destroy();
  }

  onDestroy(callback: () => void): void {
    this.callbacks ??= [];
    this.callbacks.push(callback);
  }

  protected abstract destroy(): void;
}
