// SPDX-License-Identifier: MIT
//
// The contract of checked runs: the JIT adds calls to a kernel (jit/checks), the device answers them (device/checks), and the
// backend describes a launch's memory and reads the faults (backend/software/checks). See docs/adr/0028-checked-runs.md.

/** The checks that a context can be created with. */
export const CHECKS = [
  'bounds',
  'races',
  'uninitialized',
  'barriers',
  'assertions',
  'arithmetic',
  'loops',
] as const;
/** A group of faults that `check` looks for (docs/checks.md lists the faults of each). */
export type Check = (typeof CHECKS)[number];

/** Checks that correct programs may fail on purpose, and that `all` therefore excludes: wrapping arithmetic, long loops. */
const OPTIONAL: readonly Check[] = ['arithmetic', 'loops'];
const ALL = CHECKS.filter((check) => !OPTIONAL.includes(check));

/** The function that a checked kernel calls for an assertion: with its outcome, and the address of its text. */
export const ASSERT_FUNCTION = '__anycl_assert';
/** The function of C libraries, for modules of other compilers: the assertion's text, its file, its line, its function. */
export const ASSERT_FAIL_FUNCTION = '__assert_fail';
/** Functions that modules may import without defining them. */
export const DEVICE_FUNCTIONS: ReadonlySet<string> = new Set([ASSERT_FUNCTION, ASSERT_FAIL_FUNCTION]);

/** The name of a struct's member that is padding, which has no contents and is copied with the others. No identifier is like it. */
export const PADDING_NAME = '<padding>';

/** The default budget of loop iterations for a work-item: some seconds of a checked run. */
export const DEFAULT_LOOP_BUDGET = 1_000_000;

/** The context property: a bit for each check, and above them the budget of loops. No other vendor has properties near this number. */
export const CHECK_PROPERTY = 0x414e5943;
const BUDGET_SHIFT = 16n;

/** What a watched launch is described by (`JitOptions.watched`): a word for each argument, from its memory to the marks of its bytes. */
export const WATCH_BLOCK = { entry: 4 } as const;

/** What a context checks, and how. */
export interface Checking {
  readonly checks: readonly Check[];
  readonly loopBudget: number;
}

export function checkProperty(checks: readonly Check[], loopBudget: number): bigint {
  const bits = checks.reduce((all, check) => all | (1 << CHECKS.indexOf(check)), 0);
  return (BigInt(loopBudget) << BUDGET_SHIFT) | BigInt(bits);
}

export function readCheckProperty(value: bigint): Checking {
  const checks = CHECKS.filter((_, at) => value & (1n << BigInt(at)));
  return { checks, loopBudget: Number(value >> BUDGET_SHIFT) };
}

/** The list with `all` expanded, without duplicates. */
export function expandChecks(list: 'all' | readonly ('all' | Check)[]): readonly Check[] {
  const words = list === 'all' ? [list] : list;
  const hasAll = words.includes('all');
  return CHECKS.filter((check) => words.includes(check) || (hasAll && ALL.includes(check)));
}

const isCheck = (word: string) => CHECKS.some((check) => check === word);

/** A list such as `bounds,races`, or `all`, or `all,arithmetic`; undefined if a word is not a check. */
export function parseChecks(text: string): readonly Check[] | undefined {
  const words = text.split(',').map((word) => word.trim());
  const known = words.filter((word): word is 'all' | Check => word === 'all' || isCheck(word));
  return known.length === words.length ? expandChecks(known) : undefined;
}

/** A place in the source of a program. */
export interface SourcePlace {
  /** The name of the file; empty for the source itself. */
  readonly file: string;
  /** The line, from 1. */
  readonly line: number;
  /** The column, from 1. */
  readonly column: number;
}

/** Where an instruction is in a module without source lines: the function, and its number there, from 1. */
export interface InstructionPlace {
  readonly function: string;
  readonly number: number;
}

/** The kernel's action at the place of a check. */
export interface CheckSite {
  readonly action:
    | 'read'
    | 'write'
    | 'atomic'
    | 'copy'
    | 'wait'
    | 'use'
    | 'barrier'
    | 'collective'
    | 'end'
    | 'begin'
    | 'step'
    | FaultKind;
  /** Undefined if the module has no source lines. */
  readonly place?: SourcePlace;
  /** Set instead of the source's place: the function, and the number of the instruction in it. */
  readonly instruction?: InstructionPlace;
  /** Accesses: the bytes, relative to the address, and the alignment that the type needs. */
  readonly offset?: number;
  readonly size?: number;
  readonly align?: number;
  /** The index in `CheckTable.regions` of the object that the pointer is derived from; -1 if it is unknown. */
  readonly region?: number;
  /** Accesses of a block: the captured variable that the pointer was in. */
  readonly captured?: string;
  /** Accesses: the index of the first in the kernel's summary (base/access-summary.ts), if it has one, and their number. */
  readonly access?: number;
  readonly accesses?: number;
  /** Reads: a fault is reported here if a byte was never written. */
  readonly mustBeWritten?: boolean;
  /** Atomics: whether it orders accesses of other work-groups too. */
  readonly allGroups?: boolean;
  /** Atomics: whether it releases the earlier accesses of its work-item. */
  readonly releases?: boolean;
  /** Atomics: whether it changes the memory is known only afterwards (`exchanged`), or it never does. */
  readonly changes?: 'perhaps' | 'never';
  /** Of copies by a group, whose `size` is that of an element: the object that they read, and whether they read with the stride. */
  readonly source?: number;
  readonly gather?: boolean;
  /** The text of an assertion; for other actions, the part of the message that describes it. */
  readonly text?: string;
  /** The types of the values that a report shows. */
  readonly shown?: readonly ShownType[];
  /** Reads: volatile, in a kernel that has atomics. */
  readonly isVolatile?: boolean;
  /** Barriers: which memory it orders. */
  readonly orders?: { readonly local: boolean; readonly global: boolean };
  /** Barriers and collective operations: only for the work-items of a sub-group. */
  readonly isOfSubGroup?: boolean;
}

/** How a value of 64 bits is shown: a float is a double's bits. */
export type ShownType = 'int' | 'uint' | 'float';
/** Values that one report shows, at most. */
export const MOST_SHOWN = 6;

/** An object that pointers are derived from. */
export interface CheckRegion {
  readonly kind: 'argument' | 'local' | 'private' | 'program';
  readonly name: string;
  /** Of arguments. */
  readonly argument?: number;
  /** Of arguments in local memory. */
  readonly isLocal?: boolean;
  /** In the local arena or in the program's globals. */
  readonly offset?: number;
  /** Bytes; those of arguments depend on the launch. */
  readonly size?: number;
}

/** The table that a checked kernel's calls refer to. */
export interface CheckTable {
  readonly checks: readonly Check[];
  /** The granule in bytes, a power of two: sizes and addresses of all accesses are multiples of it. */
  readonly granule: 1 | 4;
  readonly sites: readonly CheckSite[];
  readonly regions: readonly CheckRegion[];
  /** Whether what the accesses cost is counted as well: then each is a call. */
  readonly countsTraffic?: boolean;
}

/**
 * The functions that checked kernels import from `check`: their parameters after the number of the site, and whether they return
 * an i32. `item` is the local linear id.
 */
export const CHECK_CALLS = {
  /** A work-item begins: the ids of its group, item. */
  begin: { parameters: ['i32', 'i32', 'i32', 'i32'], result: false },
  /** Address, address of a private object, item. Returns the address, or another one that is safe to access. */
  access: { parameters: ['i32', 'i32', 'i32'], result: true, inline: true },
  /** Address, item. Returns the number of an origin if a byte that is read there was never written, otherwise 0. */
  isUnwritten: { parameters: ['i32', 'i32'], result: true, inline: true },
  /** Origin of bytes that were never written, if the stored value is made from such; nothing is done otherwise. Address, item. */
  stored: { parameters: ['i32', 'i32', 'i32'], result: false, guarded: true },
  /** Address, item, 1 if the exchange took place: an atomic that changes memory perhaps. */
  exchanged: { parameters: ['i32', 'i32', 'i32'], result: false },
  /** Item: its later atomics release what it has done. */
  fence: { parameters: ['i32'], result: false },
  /**
   * Item, sub-group, number of its work-items: a barrier or an operation of the sub-group, or in kernels that have such, what
   * `arrive` reports.
   */
  subGroup: { parameters: ['i32', 'i32', 'i32'], result: false },
  /** To, from, item: copies the state of the bytes (written or not) as well. */
  copied: { parameters: ['i32', 'i32', 'i32'], result: false },
  /** Flag, or an origin: reports the site if it is not 0. Item. */
  report: { parameters: ['i32', 'i32'], result: false, guarded: true },
  /** The same with values (`CheckSite.shown`). */
  reportValues: {
    parameters: ['i32', 'i32', 'i64', 'i64', 'i64', 'i64', 'i64', 'i64'],
    result: false,
    guarded: true,
  },
  /** Item: reports that it has reached the barrier, or the kernel's end. */
  arrive: { parameters: ['i32'], result: false },
  /**
   * To, from, number of elements, stride, the event that it joins, item: a copy by the whole group. Returns its event, from
   * `FAULTY_COPY` on if it must not be made.
   */
  asyncCopy: { parameters: ['i32', 'i32', 'i32', 'i32', 'i32', 'i32'], result: true },
  /** Number of events, address of the list of them, item: before the barrier of the wait. */
  waitEvents: { parameters: ['i32', 'i32', 'i32'], result: false },
  /** Item: it begins an iteration of a loop. */
  step: { parameters: ['i32'], result: false },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly parameters: readonly ('i32' | 'i64')[];
      readonly result: boolean;
      /** The call is made only if the first operand is not 0. */
      readonly guarded?: true;
      /**
       * Two operands may follow, base and limit: the call is made only if the address, relative to the base, is not below the
       * limit, or is not aligned. It returns its first operand, or 0, otherwise.
       */
      readonly inline?: true;
    }
  >
>;
/**
 * Numbers of origins of undefined values, not 0: negative ones are sites, of a variable without a value (`text` is its name) or of
 * the end of a lifetime; the others count what a launch has found.
 */
export const ORIGIN = {
  ofSite: (site: number): number => -1 - site,
  siteOf: (origin: number): number | undefined => (origin < 0 ? -1 - origin : undefined),
} as const;

/** Events of copies that would access memory outside of their objects. */
export const FAULTY_COPY = 2 ** 30;
export type CheckCall = keyof typeof CHECK_CALLS;

/** A function that a kernel imports: calls with a site of their own may be answered by code for this site. */
export interface CheckImport {
  readonly call: CheckCall;
  readonly site: number | undefined;
}
const CALLS_OF_SITES = ['access', 'isUnwritten', 'exchanged'] as const satisfies readonly CheckCall[];
export type SiteCall = (typeof CALLS_OF_SITES)[number];

export const isOfSite = (call: CheckCall): call is SiteCall =>
  (CALLS_OF_SITES as readonly CheckCall[]).includes(call);

export function checkImportOf(call: CheckCall, site: number): CheckImport {
  return { call, site: isOfSite(call) ? site : undefined };
}

export function nameOfCheck({ call, site }: CheckImport): string {
  return site === undefined ? call : `${call}:${site}`;
}

export function readCheckImport(name: string): CheckImport {
  const [call, site] = name.split(':');
  return { call: call as CheckCall, site: site === undefined ? undefined : Number(site) };
}

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
  /** The budget of loop iterations for a work-item, if loops are checked. */
  budget: 20,
  /** The address of a description of a group whose accesses stand for those of all (`PATTERN`); 0 if there is none. */
  pattern: 24,
  /** Address of the numbers that count what accesses cost (base/memory-traffic.ts); 0 if nothing does. */
  traffic: 28,
  /**
   * The objects in local memory that all groups access as the first one does, as bits by region, up to `KNOWN_REGIONS`; and those
   * of them that need no checks any more, as the first group had no fault. The word changes between groups only.
   */
  alike: 32,
  known: 36,
  header: 40,
} as const;

/** Regions from this number on have no bit in `CHECK_BLOCK.known`. */
export const KNOWN_REGIONS = 31;

/**
 * The description of a pattern: whether it is broken, which the checks set where the group's accesses would not show a fault that
 * another group's may have. Then follow accesses whose address depends on contents of memory: for each one, its index in the
 * kernel's summary, and the first byte and the number of the bytes of its object that it may access.
 */
export const PATTERN = { broken: 0, count: 4, header: 8, entry: 12 } as const;

/**
 * One region: base; size in bytes; address of the bits that say which bytes were written (0: all were); the forbidden accesses
 * (`FORBIDDEN`); and the number of bytes from the base in which no read of this launch can be a fault, which kernels test themselves.
 */
export const REGION = { base: 0, size: 4, written: 8, forbidden: 12, readable: 16, bytes: 20 } as const;
export const FORBIDDEN = { reads: 1, writes: 2, readsWhileMapped: 4, writesWhileMapped: 8 } as const;
/** The bits of which any forbids an access. */
export const FORBIDS = {
  reads: FORBIDDEN.reads | FORBIDDEN.readsWhileMapped,
  writes: FORBIDDEN.writes | FORBIDDEN.writesWhileMapped,
} as const;
/** Bytes of the memory for faulty accesses; also the most bytes that one check covers. */
export const SAFE_BYTES = 128;

export function checkBlockLayout(regions: number): { zeros: number; sink: number; reports: number } {
  const zeros = Math.ceil((CHECK_BLOCK.header + regions * REGION.bytes) / 64) * 64;
  return { zeros, sink: zeros + SAFE_BYTES, reports: zeros + 2 * SAFE_BYTES };
}

const FAULT_KINDS = [
  'out-of-bounds',
  'null-pointer',
  'no-object',
  'misaligned',
  'forbidden-access',
  'mapped-access',
  'index-out-of-bounds',
  'uninitialized',
  'race',
  'divergent-barrier',
  'divergent-copy',
  'unwaited-copy',
  'invalid-event',
  'assertion',
  'trap',
  'image-out-of-bounds',
  'printf-format',
  'shift-too-wide',
  'division-by-zero',
  'overflow',
  'conversion',
  'endless-loop',
] as const;
/** A kind of fault that checked runs report. */
export type FaultKind = (typeof FAULT_KINDS)[number];

/** The faults that the kernel's code itself detects (`CheckSite.action`), and the check of each. */
export const CHECK_OF_FAULT = {
  assertion: 'assertions',
  trap: 'assertions',
  'printf-format': 'assertions',
  'image-out-of-bounds': 'bounds',
  'index-out-of-bounds': 'bounds',
  'shift-too-wide': 'arithmetic',
  'division-by-zero': 'arithmetic',
  overflow: 'arithmetic',
  conversion: 'arithmetic',
} as const satisfies Partial<Record<FaultKind, Check>>;
export type AssertedFault = keyof typeof CHECK_OF_FAULT;
