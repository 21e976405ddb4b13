// SPDX-License-Identifier: MIT
//
// Deferred messages about a function, until it is known which of its statements are reachable.

export class Deferral {
  private readonly held: { readonly give: () => void; statement: object | undefined }[] = [];

  get count(): number {
    return this.held.length;
  }

  hold(give: () => void): void {
    this.held.push({ give, statement: undefined });
  }

  /** Assigns the messages from `first` on that belong to no statement yet to this one. */
  claim(first: number, statement: object | undefined): void {
    for (let i = first; i < this.held.length; i++) this.held[i]!.statement ??= statement;
  }

  /** Drops the messages from `first` to `end`: their code is never evaluated. */
  drop(first: number, end = this.held.length): void {
    this.held.splice(first, end - first);
  }

  /** Reports the messages of reachable statements, and those of no statement. */
  release(isReached: (statement: object) => boolean): void {
    for (const { give, statement } of this.held.splice(0))
      if (statement === undefined || isReached(statement)) give();
  }
}
