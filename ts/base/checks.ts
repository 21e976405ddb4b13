// SPDX-License-Identifier: MIT
//
// The contract of checked runs: the JIT adds calls to a kernel (jit/checks), the device answers them (device/checks), and the
// backend describes a launch's memory and reads the faults (backend/software/checks). See docs/adr/0028-checked-runs.md.

/** The checks that a context can be created with. */
export const CHECKS = ['bounds', 'races', 'uninitialized', 'barriers'] as const;
export type Check = (typeof CHECKS)[number];

/** The context property with a bit for each check. No other vendor has properties near this number. */
export const CHECK_PROPERTY = 0x414e5943;

export function checkBits(checks: readonly Check[]): number {
  return checks.reduce((bits, check) => bits | (1 << CHECKS.indexOf(check)), 0);
}

export function checksOfBits(bits: number): readonly Check[] {
  return CHECKS.filter((_, at) => bits & (1 << at));
}

/** A list such as `bounds,races`, or `all`; undefined if a word is no check. */
export function parseChecks(text: string): readonly Check[] | undefined {
  const words = text.split(',').map((word) => word.trim());
  const checks = words.flatMap((word) =>
    word === 'all' ? CHECKS : CHECKS.filter((check) => check === word),
  );
  const known = words.every((word) => word === 'all' || CHECKS.some((check) => check === word));
  return known ? CHECKS.filter((check) => checks.includes(check)) : undefined;
}

export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** What a kernel does at the place of a check. */
export interface CheckSite {
  readonly action: 'read' | 'write' | 'atomic' | 'copy' | 'use' | 'barrier' | 'end' | 'begin' | FaultKind;
  /** Undefined where the module has no source lines. */
  readonly place?: SourcePlace;
  /** Accesses: the bytes, relative to the address, and the alignment that the type needs. */
  readonly offset?: number;
  readonly size?: number;
  readonly align?: number;
  /** The index in `CheckTable.regions` of the object that the pointer is derived from; -1 if it is unknown. */
  readonly region?: number;
  /** Reads: a fault is reported here if a byte was never written. */
  readonly mustBeWritten?: boolean;
  /** Atomics: whether it orders accesses of other work-groups too. */
  readonly allGroups?: boolean;
  /** Barriers: which memory it orders. */
  readonly orders?: { readonly local: boolean; readonly global: boolean };
}

/** An object that pointers are derived from. */
export interface CheckRegion {
  readonly kind: 'argument' | 'local' | 'private' | 'program';
  readonly name: string;
  /** Of arguments. */
  readonly argument?: number;
  /** In the local arena or in the program's globals. */
  readonly offset?: number;
  /** Bytes; those of arguments depend on the launch. */
  readonly size?: number;
}

/** The table that a checked kernel's calls refer to. */
export interface CheckTable {
  readonly checks: readonly Check[];
  readonly sites: readonly CheckSite[];
  readonly regions: readonly CheckRegion[];
}

/**
 * The functions that checked kernels import from `check`: their parameters after the number of the site, all i32, and whether
 * they return an i32. `item` is the local linear id.
 */
export const CHECK_CALLS = {
  /** A work-item begins: the ids of its group, item. */
  begin: { parameters: 4, result: false },
  /** Address, address of a private object, item. Returns the address, or another one that is safe to access. */
  access: { parameters: 3, result: true },
  /** Address, item. Returns 1 if a byte that is read there was never written. */
  isUnwritten: { parameters: 2, result: true },
  /** Address, item, flag: 1 if the stored value is made from bytes that were never written. */
  stored: { parameters: 3, result: false },
  /** To, from, item: copies the state of the bytes (written or not) as well. */
  copied: { parameters: 3, result: false },
  /** Item, flag: reports the site if the flag is not 0. */
  report: { parameters: 2, result: false },
  /** Item: reports that it has reached the barrier, or the kernel's end. */
  arrive: { parameters: 1, result: false },
} as const;
export type CheckCall = keyof typeof CHECK_CALLS;

/**
 * The description of a launch, in the device's memory: 32-bit words. `DISPATCH.checks` has its address. Descriptions of regions
 * follow: one for each kernel argument, one for the program's globals, and one for each other object of the context. After them
 * are the zeros that faulty reads return, the memory for faulty writes, and the reports: each has a length in bytes and JSON
 * text.
 */
export const CHECK_BLOCK = {
  launch: 0,
  regions: 4,
  reportBytes: 8,
  reportCapacity: 12,
  /** The number of reports that did not fit. */
  lost: 16,
  header: 32,
} as const;

/** One region: base, size in bytes, address of the bits that say which bytes were written (0: all were). */
export const REGION_WORDS = 3;
/** Bytes of the memory for faulty accesses; also the most bytes that one check covers. */
export const SAFE_BYTES = 128;

export function checkBlockLayout(regions: number): { zeros: number; sink: number; reports: number } {
  const zeros = Math.ceil((CHECK_BLOCK.header + regions * REGION_WORDS * 4) / 64) * 64;
  return { zeros, sink: zeros + SAFE_BYTES, reports: zeros + 2 * SAFE_BYTES };
}

export const FAULT_KINDS = [
  'out-of-bounds',
  'null-pointer',
  'no-object',
  'misaligned',
  'uninitialized',
  'race',
  'divergent-barrier',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** A work-item of a launch. */
export interface WorkItem {
  readonly group: readonly number[];
  readonly local: readonly number[];
  readonly global: readonly number[];
}

/** A fault as the device reports it. Its place is the number of a site. */
export interface FaultRecord {
  readonly kind: FaultKind;
  readonly site: number;
  readonly item?: WorkItem;
  readonly count: number;
  /** The other access of a race, or the barrier that another work-item has reached. */
  readonly other?: { readonly site: number; readonly item?: WorkItem };
  /** The accessed object: its index among the launch's regions, or among the kernel's if it is local or private. */
  readonly object?: { readonly of: 'launch' | 'kernel'; readonly index: number };
  /** Of the first wrong byte in the object. */
  readonly at?: number;
  readonly address?: number;
  /** Bytes of the object. */
  readonly bytes?: number;
}

/** A fault of a kernel, as users see it. */
export interface Fault {
  readonly kind: FaultKind;
  readonly kernel: string;
  readonly message: string;
  /** The whole report, as a diagnostic: place, source line, notes. */
  readonly text: string;
  /** How often it has happened. The other properties describe the first time. */
  readonly count: number;
  /** Undefined where the program has no source lines. */
  readonly place?: SourcePlace;
  readonly item?: WorkItem;
  readonly object?: {
    readonly kind: CheckRegion['kind'] | 'other';
    readonly name: string;
    readonly argument?: number;
    readonly element?: number;
    readonly elementBytes?: number;
  };
  /** Of the object's bytes, the first wrong one. */
  readonly byte?: number;
  readonly objectBytes?: number;
  readonly address?: number;
  /** The other work-item of a race or of a divergent barrier. */
  readonly other?: {
    readonly action: string;
    readonly place?: SourcePlace;
    readonly item?: WorkItem;
  };
}
