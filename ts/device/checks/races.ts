// SPDX-License-Identifier: MIT
//
// Data races: two accesses to a byte by different work-items, one of them a write, one of them no atomic, and nothing that
// orders them. Groups run one after another here, so an access is known by a stamp: the time between two barriers in which
// it was made, and the work-item. What was in another group of the launch, or in the same time, is not ordered with this.
import { Shadow } from './shadow';

export type AccessKind = 'read' | 'write' | 'atomic';

/** An earlier access. */
export interface Earlier {
  readonly site: number;
  readonly item: number;
  /** The number of its group in the launch, in the order in which they ran. */
  readonly group: number;
  readonly kind: AccessKind;
}

/** Words of a byte: stamps with sites. Two work-items of a time are enough to conflict with any third one. */
const WRITE = 0;
const READ = 2;
const SECOND_READ = 4;
/** Of an earlier group. */
const FOREIGN_READ = 6;
const ATOMIC = 8;
const SECOND_ATOMIC = 10;
const WORDS = 12;

const CONFLICTS: Readonly<Record<AccessKind, readonly (readonly [number, AccessKind])[]>> = {
  read: [
    [WRITE, 'write'],
    [ATOMIC, 'atomic'],
    [SECOND_ATOMIC, 'atomic'],
  ],
  atomic: [
    [WRITE, 'write'],
    [READ, 'read'],
    [SECOND_READ, 'read'],
    [FOREIGN_READ, 'read'],
  ],
  write: [
    [WRITE, 'write'],
    [READ, 'read'],
    [SECOND_READ, 'read'],
    [FOREIGN_READ, 'read'],
    [ATOMIC, 'atomic'],
    [SECOND_ATOMIC, 'atomic'],
  ],
};

/** The accesses to one address space, as a barrier may order only one. */
export class Races {
  private readonly shadow = new Shadow(WORDS);
  private items = 1;
  /** Times are numbered on through all launches. 0 is before everything. */
  private time = 1;
  private launchStart = 1;
  /** The times at which the launch's groups began. */
  private groupStarts: number[] = [];
  private groupStart = 1;
  /** Accesses of other groups before this time are ordered by atomics, as soon as this group has used one. */
  private released = 0;
  private hasAcquired = false;
  private lastAtomic = 0;

  /** @param isShared whether groups share the memory; else each has its own, which has no earlier accesses. */
  constructor(private readonly isShared: boolean) {}

  beginLaunch(mostItems: number): void {
    if (mostItems !== this.items) this.reset();
    this.items = mostItems;
    this.time++;
    this.launchStart = this.time;
    this.groupStarts = [];
    this.released = 0;
    this.lastAtomic = 0;
  }

  beginGroup(): void {
    this.nextTime();
    this.groupStart = this.time;
    if (!this.isShared) this.launchStart = this.time;
    this.groupStarts.push(this.time);
    this.released = Math.max(this.released, this.lastAtomic + 1);
    this.hasAcquired = false;
  }

  barrier(): void {
    this.nextTime();
  }

  /** An atomic that orders accesses of several groups. */
  synchronize(): void {
    this.hasAcquired = true;
    this.lastAtomic = this.time;
  }

  /** Records an access; returns an earlier one that it is in conflict with. */
  access(kind: AccessKind, address: number, size: number, item: number, site: number): Earlier | undefined {
    const { shadow } = this;
    const stamp = this.time * this.items + item;
    let found: Earlier | undefined;
    for (let i = 0; i < size; i++) {
      const page = shadow.page(address + i);
      const at = shadow.at(address + i);
      found ??= this.conflict(kind, page, at, stamp);
      this.record(kind, page, at, stamp, site);
    }
    return found;
  }

  private conflict(kind: AccessKind, page: Uint32Array, at: number, stamp: number): Earlier | undefined {
    for (const [word, other] of CONFLICTS[kind]) {
      const earlier = page[at + word]!;
      if (earlier === 0 || earlier === stamp || !this.isUnordered(earlier)) continue;
      const time = Math.floor(earlier / this.items);
      const group = this.groupStarts.findLastIndex((start) => start <= time);
      return { site: page[at + word + 1]!, item: earlier % this.items, group, kind: other };
    }
    return undefined;
  }

  private isUnordered(earlier: number): boolean {
    const time = Math.floor(earlier / this.items);
    if (time < this.launchStart) return false;
    if (time < this.groupStart) return !(this.hasAcquired && time < this.released);
    return time === this.time;
  }

  private record(kind: AccessKind, page: Uint32Array, at: number, stamp: number, site: number): void {
    const set = (word: number, value = stamp, place = site) => {
      page[at + word] = value;
      page[at + word + 1] = place;
    };
    if (kind === 'write') {
      set(WRITE);
      return;
    }
    const [first, second] = kind === 'read' ? [READ, SECOND_READ] : [ATOMIC, SECOND_ATOMIC];
    const known = page[at + first]!;
    if (known === stamp) return;
    const knownTime = Math.floor(known / this.items);
    if (knownTime === this.time) {
      set(second);
      return;
    }
    if (kind === 'read' && knownTime >= this.launchStart && knownTime < this.groupStart)
      set(FOREIGN_READ, known, page[at + first + 1]!);
    set(first);
    page[at + second] = 0;
  }

  private nextTime(): void {
    this.time++;
    if ((this.time + 1) * this.items >= 2 ** 32) this.reset();
  }

  /** Forgets all accesses: a race with them is missed, none is invented. */
  private reset(): void {
    this.shadow.clear();
    this.time = 1;
    this.launchStart = 1;
    this.groupStart = 1;
    this.groupStarts = [1];
    this.released = 0;
    this.lastAtomic = 0;
  }
}
