// SPDX-License-Identifier: MIT
//
// What one thread keeps of a kernel from launch to launch: its shadow memory, and who uses it.
import type { CheckTable } from '../../base/checks';
import { KnownRaces } from './known-races';
import { keepsReads, type RaceState, Races } from './races';
import type { ShadowMemory } from './shadow-memory';
import { ShadowTables } from './shadow-tables';
import { WrittenBytes } from './written';

export class KernelShadow {
  readonly races: RaceState | undefined;
  readonly knownRaces: KnownRaces;
  readonly written: WrittenBytes;
  readonly tables: ShadowTables;

  constructor(
    table: CheckTable,
    readonly memory: ShadowMemory,
  ) {
    const shift = shiftOf(table);
    this.knownRaces = new KnownRaces(memory, table.sites.length);
    const races = (isShared: boolean) =>
      new Races(isShared, shift, memory, this.knownRaces, keepsReads(table));
    if (table.checks.includes('races')) this.races = { local: races(false), global: races(true) };
    this.written = new WrittenBytes(memory, shift);
    this.tables = new ShadowTables(memory, table);
  }
}

/** log2 of a granule's bytes. */
export function shiftOf({ granule }: CheckTable): 0 | 2 {
  return granule === 4 ? 2 : 0;
}
