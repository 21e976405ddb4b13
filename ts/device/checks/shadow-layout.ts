// SPDX-License-Identifier: MIT
//
// The shadow memory that the checks in WebAssembly (fast-checks.ts) and those in TypeScript share. Offsets are in bytes.

/** A stamp and the site of the access, for each kind of access to a granule: the stamps first. */
export const GRANULE = {
  write: 0,
  atomic: 1,
  secondAtomic: 2,
  atomicRead: 3,
  read: 4,
  secondRead: 5,
  /** A read by an earlier group. */
  foreignRead: 6,
  /** Global memory: the stamp of an access after which all bytes of the granule were known to have contents. */
  contents: 7,
  /** From the word of a stamp to that of its site. */
  toSite: 8,
  words: 16,
} as const;

/**
 * Most granules have few accesses in a launch, or in local memory from one barrier to the next: of one work-item, or reads of several.
 * These words are all that they have, in a table of their own: the first access, as its site times `ACCESS.site` with marks, and a
 * read by another work-item. From the first access on that they do not suffice for, the granule has its words in the other table.
 */
export const FEW = { stamp: 0, access: 1, second: 2, secondSite: 3, words: 4 } as const;
/** `isFinal`: the two reads are of two groups, so any write is in conflict with one of them. `isElsewhere`: in the other table. */
export const ACCESS = { isWrite: 1, isFinal: 2, isElsewhere: 4, site: 8 } as const;

/** Granules of a page, as a power of two. */
export const PAGE_BITS = 10;

/** Words of the state. */
export const STATE = {
  /** Not 0 while every check has to be done in TypeScript. */
  slow: 0,
  /** Work-items of the group that have executed a fence. */
  fenced: 1,
  arenaStart: 2,
  scratchStart: 3,
  arenaEnd: 4,
  /** Whose the contents of local memory are, and those of the first work-item's private memory. */
  localOwner: 5,
  privateOwner: 6,
  /** 1 if a group has begun, and its ids. */
  begun: 7,
  group: 8,
  /** The barrier that work-items have reached, -1 if none, and how many are still to come. */
  barrier: 11,
  absent: 12,
  races: { local: 16, global: 48 },
  words: 80,
} as const;

/** Words of the state of the races in one address space; the first three are vectors of equal lanes. `now`: of new stamps. */
export const RACE_STATE = { launch: 0, group: 4, time: 8, hasAcquired: 12, table: 13, now: 14 } as const;

/** What accesses may do to an object (`REGION_ENTRY.flags`). */
export const MAY = { read: 1, write: 2 } as const;
/** Also in `REGION_ENTRY.flags`: all bytes have contents. */
export const IS = { written: 4 } as const;

export const REGION_ENTRY = { base: 0, size: 4, flags: 8, bytes: 16 } as const;

export const KIND = { read: 0, write: 1, atomic: 2, atomicRead: 3 } as const;

/** By site: those that it is known to race with. */
export const KNOWN_RACES = { most: 4, bytes: 16 } as const;

const TABLE_BYTES = 4 << (32 - PAGE_BITS);
const TABLES = 1 << 21;
const KNOWN = TABLES / 2;
export const LAYOUT = {
  regions: 1 << 12,
  mostRegions: (KNOWN - (1 << 12)) / REGION_ENTRY.bytes,
  /** `KNOWN_RACES`: there are fewer sites than there is room for objects. */
  knownRaces: KNOWN,
  /** Tables of the pages' addresses: by granule / 2^PAGE_BITS. */
  localRaces: TABLES,
  globalRaces: TABLES + TABLE_BYTES,
  /** Whose the contents of local and private memory are. */
  owners: TABLES + 2 * TABLE_BYTES,
  fewLocal: TABLES + 3 * TABLE_BYTES,
  fewGlobal: TABLES + 4 * TABLE_BYTES,
  pages: TABLES + 5 * TABLE_BYTES,
} as const;
