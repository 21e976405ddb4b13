// SPDX-License-Identifier: MIT
//
// `#pragma clang diagnostic` and `#pragma GCC diagnostic`: which warnings are given from which place on.
import type { Location } from './diagnostic';

export type WarningLevel = 'ignored' | 'warning' | 'error';

type Levels = ReadonlyMap<string, WarningLevel>;

const NONE: Levels = new Map();

export class WarningPragmas {
  /** What holds from each place on, in the order in which the text is read. */
  private readonly states: { readonly from: Location; readonly levels: Levels }[] = [];
  private readonly pushed: Levels[] = [];

  get any(): boolean {
    return this.states.length > 0;
  }

  private get now(): Levels {
    return this.states.at(-1)?.levels ?? NONE;
  }

  set(from: Location, flag: string, level: WarningLevel): void {
    this.states.push({ from, levels: new Map([...this.now, [flag, level]]) });
  }

  push(): void {
    this.pushed.push(this.now);
  }

  /** False if nothing was pushed. */
  pop(from: Location): boolean {
    const levels = this.pushed.pop();
    if (levels === undefined) return false;
    this.states.push({ from, levels });
    return true;
  }

  /** What was said of one of the names, the nearest first, at a place in a file. */
  level(location: Location, names: Iterable<string>): WarningLevel | undefined {
    const levels = this.states.findLast(({ from }) => from <= location)?.levels ?? NONE;
    for (const name of names) {
      const level = levels.get(name);
      if (level !== undefined) return level;
    }
    return undefined;
  }
}
