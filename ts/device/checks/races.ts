// SPDX-License-Identifier: MIT
//
// Data races: two unordered accesses to a byte by different work-items, at least one of them a write and at least one of them no
// atomic. Groups run one after another here, so a stamp identifies an access: the interval between two barriers (its time) and the
// work-item. Accesses of different groups of a launch, or of the same time, are not ordered. Barriers of sub-groups divide a time
// into moments: they order the accesses of their work-items only.
import type { CheckTable } from '../../base/checks';
import type { KnownRaces } from './known-races';
import { Shadow } from './shadow';
import { ACCESS, FEW, GRANULE, LAYOUT, RACE_STATE, STATE } from './shadow-layout';
import type { ShadowMemory } from './shadow-memory';

/** `atomic-read`: an atomic that has changed nothing. */
export type AccessKind = 'read' | 'write' | 'atomic' | 'atomic-read';

/** An earlier access. */
export interface Earlier {
  readonly site: number;
  readonly item: number;
  /** The number of its group in the launch, in the order in which they ran. */
  readonly group: number;
  readonly kind: AccessKind;
}

/** A granule's words (shadow-layout.ts). Two work-items of one time suffice to find a conflict with any third one. */
const WRITE = GRANULE.write;
const READ = GRANULE.read;
const SECOND_READ = GRANULE.secondRead;
const FOREIGN_READ = GRANULE.foreignRead;
const ATOMIC = GRANULE.atomic;
const SECOND_ATOMIC = GRANULE.secondAtomic;
const ATOMIC_READ = GRANULE.atomicRead;
const SITE = GRANULE.toSite;

const KIND_OF_WORD: Readonly<Record<number, AccessKind>> = {
  [WRITE]: 'write',
  [READ]: 'read',
  [SECOND_READ]: 'read',
  [FOREIGN_READ]: 'read',
  [ATOMIC]: 'atomic',
  [SECOND_ATOMIC]: 'atomic',
  [ATOMIC_READ]: 'atomic-read',
};

const CONFLICTS: Readonly<Record<AccessKind, readonly number[]>> = {
  read: [WRITE, ATOMIC, SECOND_ATOMIC],
  'atomic-read': [WRITE],
  atomic: [WRITE, READ, SECOND_READ, FOREIGN_READ],
  write: [WRITE, READ, SECOND_READ, FOREIGN_READ, ATOMIC, SECOND_ATOMIC, ATOMIC_READ],
};

/** Stamps must be small integers for V8. */
const MOST_STAMPS = 2 ** 30;

/**
 * Whether two reads of a time, or of two groups, suffice: nothing but barriers of all work-items orders accesses, so a write that is in
 * conflict with a third one is so with one of the two.
 */
export const keepsReads = ({ sites }: CheckTable): boolean =>
  !sites.some(({ action, isOfSubGroup }) => action === 'atomic' || (action === 'barrier' && isOfSubGroup));

const NOBODY = { site: -1, item: -1, subGroup: -1 };

/** The accesses to one address space: a barrier may order the accesses to only one. */
export class Races {
  private readonly shadow: Shadow;
  private readonly few: Shadow;
  /** Where its state begins (`RACE_STATE`). */
  private readonly stateAt: number;
  private readonly state: Int32Array;
  /** The low bits of a stamp are the work-item. */
  private itemBits = 0;
  /** Times and moments are numbered consecutively over all launches; 0 precedes all. A time has the number of its first moment. */
  private time = 1;
  private moment = 1;
  private launchStart = 1;
  /** The times at which the launch's groups began. */
  private groupStarts: number[] = [];
  private groupStart = 1;
  /** The same as stamps: the first stamp of each time. */
  private timeStamp = 1;
  private groupStamp = 1;
  private launchStamp = 1;
  /** Accesses of other groups before this time are ordered by atomics, as soon as this group has used one. */
  private released = 0;
  private hasAcquired = false;
  private lastRelease = 0;
  /** By work-item: the time in which it has last used an ordering atomic. */
  private synchronized = new Int32Array(0);
  /** By work-item: the moment that its sub-group's last barrier began. */
  private subGroupMoment = new Int32Array(0);
  private lastArrival = NOBODY;

  /**
   * @param isShared whether groups share the memory; else each has its own, which has no earlier accesses
   * @param shift of a granule: 0 for bytes, 2 for words
   */
  constructor(
    private readonly isShared: boolean,
    private readonly shift: number,
    memory: ShadowMemory,
    private readonly known: KnownRaces,
    private readonly keepsReads: boolean,
  ) {
    const table = isShared ? LAYOUT.globalRaces : LAYOUT.localRaces;
    this.shadow = new Shadow(memory, table, GRANULE.words);
    this.few = new Shadow(memory, isShared ? LAYOUT.fewGlobal : LAYOUT.fewLocal, FEW.words);
    this.state = memory.state;
    this.stateAt = isShared ? STATE.races.global : STATE.races.local;
    this.state[this.stateAt + RACE_STATE.table] = table;
  }

  beginLaunch(mostItems: number): void {
    const bits = 32 - Math.clz32(mostItems);
    if (bits !== this.itemBits) {
      this.itemBits = bits;
      this.synchronized = new Int32Array(1 << bits);
      this.subGroupMoment = new Int32Array(1 << bits);
      this.reset();
    }
    this.nextTime();
    this.launchStart = this.time;
    this.groupStarts = [];
    this.released = 0;
    this.lastRelease = 0;
    this.updateStamps();
  }

  beginGroup(): void {
    this.nextTime();
    this.groupStart = this.time;
    if (!this.isShared) this.launchStart = this.time;
    this.groupStarts.push(this.time);
    this.released = Math.max(this.released, this.lastRelease + 1);
    this.hasAcquired = false;
    this.updateStamps();
  }

  barrier(): void {
    this.nextTime();
    this.updateStamps();
  }

  /** A work-item arrives at a barrier of its sub-group, whose work-items run together. */
  subGroupBarrier(site: number, item: number, subGroup: number): void {
    const last = this.lastArrival;
    if (last.site !== site || last.subGroup !== subGroup || item <= last.item) this.nextMoment();
    this.lastArrival = { site, item, subGroup };
    this.subGroupMoment[item] = this.moment;
  }

  /** An atomic that orders accesses for other groups, or only for this one. `releases`: including earlier ones of its work-item. */
  synchronize(item: number, allGroups: boolean, releases: boolean): void {
    if (releases) this.synchronized[item] = this.time;
    if (!allGroups) return;
    this.hasAcquired = true;
    this.state[this.stateAt + RACE_STATE.hasAcquired] = 1;
    if (releases) this.lastRelease = this.time;
  }

  /** Records an access; returns an earlier one that it is in conflict with, if the two are not known to be. */
  access(kind: AccessKind, address: number, size: number, item: number, site: number): Earlier | undefined {
    const { shadow, shift } = this;
    const stamp = (this.moment << this.itemBits) | item;
    const last = (address + size - 1) >>> shift;
    let found: Earlier | undefined;
    for (let granule = address >>> shift; granule <= last; granule++) {
      const page = shadow.page(granule);
      const at = shadow.at(granule);
      this.moveFew(granule, page, at);
      if (kind === 'read') {
        if (this.conflicts(page[at + WRITE]!, stamp) || page[at + ATOMIC]! >= this.launchStamp)
          found ??= this.find(kind, page, at, stamp, site);
        this.recordRead(page, at, stamp, site);
      } else {
        found ??= this.find(kind, page, at, stamp, site);
        this.record(kind, page, at, stamp, site);
      }
    }
    return found;
  }

  /** Puts the accesses that a granule has in the table of few among the words of all kinds. */
  private moveFew(granule: number, page: Int32Array, at: number): void {
    const words = this.few.page(granule);
    const from = this.few.at(granule);
    const [stamp, access] = [words[from + FEW.stamp]!, words[from + FEW.access]!];
    const first = this.isShared ? this.launchStamp : this.timeStamp;
    const isCurrent = stamp >= first;
    if (isCurrent && access & ACCESS.isElsewhere) return;
    if (isCurrent) {
      const [second, secondSite] = [words[from + FEW.second]!, words[from + FEW.secondSite]!];
      const put = (word: number, value: number, site: number) => {
        page[at + word] = value;
        page[at + word + SITE] = site;
      };
      const isFinal = (access & ACCESS.isFinal) !== 0;
      put(access & ACCESS.isWrite ? WRITE : isFinal ? FOREIGN_READ : READ, stamp, (access / ACCESS.site) | 0);
      if (isFinal || (!(access & ACCESS.isWrite) && second >= first))
        put(isFinal ? READ : SECOND_READ, second, secondSite);
    }
    words[from + FEW.stamp] = first;
    words[from + FEW.access] = ACCESS.isElsewhere;
  }

  private find(
    kind: AccessKind,
    page: Int32Array,
    at: number,
    stamp: number,
    site: number,
  ): Earlier | undefined {
    const words = CONFLICTS[kind];
    for (let i = 0; i < words.length; i++) {
      const word = words[i]!;
      const earlier = page[at + word]!;
      if (!this.conflicts(earlier, stamp)) continue;
      const other = page[at + word + SITE]!;
      if (this.known.has(site, other)) continue;
      const time = earlier >>> this.itemBits;
      const group = this.groupAt(time);
      const item = earlier & ((1 << this.itemBits) - 1);
      return { site: other, item, group, kind: KIND_OF_WORD[word]! };
    }
    return undefined;
  }

  /** The number of the group that ran at a time of this launch. */
  private groupAt(time: number): number {
    const { groupStarts } = this;
    let [low, high] = [0, groupStarts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (groupStarts[middle]! <= time) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Whether nothing orders an earlier access with this one, and they are of different work-items. */
  private conflicts(earlier: number, stamp: number): boolean {
    if (earlier < this.launchStamp || earlier === stamp) return false;
    if (earlier < this.groupStamp) return !(this.hasAcquired && earlier >>> this.itemBits < this.released);
    if (earlier < this.timeStamp) return false;
    const mask = (1 << this.itemBits) - 1;
    const [one, other] = [earlier & mask, stamp & mask];
    if (one === other) return false;
    const { synchronized, subGroupMoment, time } = this;
    const ordered = subGroupMoment[other]!;
    if (subGroupMoment[one] === ordered && earlier >>> this.itemBits < ordered) return false;
    return synchronized[one] !== time || synchronized[other] !== time;
  }

  private recordRead(page: Int32Array, at: number, stamp: number, site: number): void {
    const known = page[at + READ]!;
    if (known === stamp) return;
    const isSite = (word: number) => page[at + word + SITE] === site;
    if (this.keepsReads && this.isShared && page[at + FOREIGN_READ]! >= this.launchStamp) {
      if (isSite(FOREIGN_READ) || isSite(READ)) return;
      page[at + READ] = stamp;
      page[at + READ + SITE] = site;
      return;
    }
    if (known >= this.timeStamp) {
      const isSecond = page[at + SECOND_READ]! >= this.timeStamp;
      if (this.keepsReads && isSecond && (isSite(READ) || isSite(SECOND_READ))) return;
      page[at + SECOND_READ] = stamp;
      page[at + SECOND_READ + SITE] = site;
      return;
    }
    if (known >= this.launchStamp && known < this.groupStamp) {
      page[at + FOREIGN_READ] = known;
      page[at + FOREIGN_READ + SITE] = page[at + READ + SITE]!;
    }
    page[at + READ] = stamp;
    page[at + READ + SITE] = site;
    page[at + SECOND_READ] = 0;
  }

  private record(kind: AccessKind, page: Int32Array, at: number, stamp: number, site: number): void {
    let word: number = WRITE;
    if (kind === 'atomic-read') word = ATOMIC_READ;
    else if (kind === 'atomic') {
      const known = page[at + ATOMIC]!;
      if (known === stamp) return;
      if (known >= this.timeStamp) word = SECOND_ATOMIC;
      else {
        word = ATOMIC;
        page[at + SECOND_ATOMIC] = 0;
      }
    }
    page[at + word] = stamp;
    page[at + word + SITE] = site;
  }

  private updateStamps(): void {
    this.timeStamp = this.time << this.itemBits;
    this.groupStamp = this.groupStart << this.itemBits;
    this.launchStamp = this.launchStart << this.itemBits;
    const { state, stateAt } = this;
    // Each group comes here, so there are no objects.
    for (let lane = stateAt; lane < stateAt + 4; lane++) {
      state[lane + RACE_STATE.time] = this.timeStamp;
      state[lane + RACE_STATE.group] = this.groupStamp;
      state[lane + RACE_STATE.launch] = this.launchStamp;
    }
    state[stateAt + RACE_STATE.hasAcquired] = this.hasAcquired ? 1 : 0;
    state[stateAt + RACE_STATE.now] = this.moment << this.itemBits;
  }

  /** Remembers for the rest of the launch whether granules that were accessed have contents. */
  noteContents(address: number, size: number, hasContents: boolean): void {
    const { shadow, shift } = this;
    const last = (address + size - 1) >>> shift;
    for (let granule = address >>> shift; granule <= last; granule++)
      shadow.page(granule)[shadow.at(granule) + GRANULE.contents] = hasContents ? this.timeStamp : 0;
  }

  private nextTime(): void {
    this.lastArrival = NOBODY;
    this.moment++;
    this.time = this.moment;
    if ((this.moment + 1) << this.itemBits >= MOST_STAMPS) this.reset();
  }

  private nextMoment(): void {
    this.moment++;
    if ((this.moment + 1) << this.itemBits >= MOST_STAMPS) {
      this.reset();
      this.updateStamps();
    }
    this.state[this.stateAt + RACE_STATE.now] = this.moment << this.itemBits;
  }

  /** Forgets all accesses: races with them are missed, but no false ones are reported. */
  private reset(): void {
    this.shadow.clear();
    this.few.clear();
    this.synchronized.fill(0);
    this.subGroupMoment.fill(0);
    this.time = 1;
    this.moment = 1;
    this.launchStart = 1;
    this.groupStart = 1;
    this.groupStarts = [1];
    this.released = 0;
    this.lastRelease = 0;
  }
}

/** The races in local and global memory; they outlive a launch, so that memory need not be cleared for the next. */
export interface RaceState {
  readonly local: Races;
  readonly global: Races;
}
