// SPDX-License-Identifier: MIT
//
// What one thread keeps of a kernel from launch to launch: its shadow memory, and who uses it.
import type { CheckTable } from '../../base/checks';
import { type RaceState, Races } from './races';
import type { ShadowMemory } from './shadow-memory';
import { ShadowTables } from './shadow-tables';
import { WrittenBytes } from './written';

export class KernelShadow {
  readonly races: RaceState | undefined;
  readonly written: WrittenBytes;
  readonly tables: ShadowTables;

  constructor(
    table: CheckTable,
    readonly memory: ShadowMemory,
  ) {
    const shift = shiftOf(table);
    if (table.checks.includes('races'))
      this.races = { local: new Races(false, shift, memory), global: new Races(true, shift, memory) };
    this.written = new WrittenBytes(memory, shift);
    this.tables = new ShadowTables(memory, table);
  }
}

/** log2 of a granule's bytes. */
export function shiftOf({ granule }: CheckTable): 0 | 2 {
  return granule === 4 ? 2 : 0;
}
