// SPDX-License-Identifier: MIT
//
// `#pragma clang diagnostic` and `#pragma GCC diagnostic`: the levels of warnings from each place on.
import type { Location } from './diagnostic';

export type WarningLevel = 'ignored' | 'warning' | 'error';

type Levels = ReadonlyMap<string, WarningLevel>;

const NONE: Levels = new Map();

export class WarningPragmas {
  /** The levels from each place on, in source order. */
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

  /** The level of the first name that has a level at a place in a file. */
  level(location: Location, names: Iterable<string>): WarningLevel | undefined {
    const levels = this.states.findLast(({ from }) => from <= location)?.levels ?? NONE;
    for (const name of names) {
      const level = levels.get(name);
      if (level !== undefined) return level;
    }
    return undefined;
  }
}
