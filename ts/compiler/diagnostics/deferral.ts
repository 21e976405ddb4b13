// SPDX-License-Identifier: MIT
//
// Messages about a function that wait until it is known which of its statements control can reach.

export class Deferral {
  private readonly held: { readonly give: () => void; statement: object | undefined }[] = [];

  get count(): number {
    return this.held.length;
  }

  hold(give: () => void): void {
    this.held.push({ give, statement: undefined });
  }

  /** Of those from `first` on, what belongs to no statement yet is this one's. */
  claim(first: number, statement: object | undefined): void {
    for (let i = first; i < this.held.length; i++) this.held[i]!.statement ??= statement;
  }

  /** Forgets those from `first` on, up to `end`: what they are about is never evaluated. */
  drop(first: number, end = this.held.length): void {
    this.held.splice(first, end - first);
  }

  /** Gives those of statements that are reached, and of no statement. */
  release(isReached: (statement: object) => boolean): void {
    for (const { give, statement } of this.held.splice(0))
      if (statement === undefined || isReached(statement)) give();
  }
}
