// SPDX-License-Identifier: MIT
//
// Pairs of sites that have raced so often in a launch that more races of the two are neither looked at nor counted.
import { KNOWN_RACES, LAYOUT } from './shadow-layout';
import type { ShadowMemory } from './shadow-memory';

const NOBODY = -1;

export class KnownRaces {
  /** By site: those that it raced with. */
  private readonly others = new Map<number, number[]>();

  constructor(
    private readonly memory: ShadowMemory,
    sites: number,
  ) {
    if (memory.memory) for (let site = 0; site < sites; site++) this.clear(site);
  }

  beginLaunch(): void {
    if (this.others.size === 0) return;
    if (this.memory.memory) for (const site of this.others.keys()) this.clear(site);
    this.others.clear();
  }

  has(site: number, other: number): boolean {
    return this.others.get(site)?.includes(other) === true;
  }

  /** Returns whether there was room: a site that races with many others is one that TypeScript looks at. */
  add(site: number, other: number): boolean {
    const known = this.others.get(site) ?? [];
    if (known.length === KNOWN_RACES.most) return false;
    if (this.memory.memory) this.memory.set(addressOf(site) + known.length * 4, other);
    known.push(other);
    this.others.set(site, known);
    return true;
  }

  private clear(site: number): void {
    for (let i = 0; i < KNOWN_RACES.most; i++) this.memory.set(addressOf(site) + i * 4, NOBODY);
  }
}

const addressOf = (site: number) => LAYOUT.knownRaces + site * KNOWN_RACES.bytes;
