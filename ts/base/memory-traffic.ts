// SPDX-License-Identifier: MIT
//
// The contract of runs that count what their accesses cost a memory system (device/checks/memory-trace.ts).
import type { CheckTable, InstructionPlace, SourcePlace } from './checks';

/** The memory system that is assumed: work-items whose accesses are one request, bytes of a cache line, banks of local memory. */
export const TRACE = { items: 32, lineBytes: 64, banks: 32, bankBytes: 4 } as const;

/** What is counted for each site of a checked kernel, as numbers of 64 bits one after another. */
export const TRACE_SITE = {
  requests: 0,
  accesses: 1,
  lines: 2,
  leastLines: 3,
  newLines: 4,
  localRequests: 5,
  cycles: 6,
  leastCycles: 7,
  words: 8,
} as const;

/** What the accesses of one instruction cost, if 32 neighbouring work-items access memory together. */
export interface MemoryTraffic {
  /** Undefined in a module without lines. */
  readonly place: SourcePlace | undefined;
  /** In a module without lines: the instruction. */
  readonly instruction: InstructionPlace | undefined;
  /** Generic: pointers that lead into both. */
  readonly space: 'local' | 'global' | 'generic';
  /** What the instruction does. */
  readonly access: 'load' | 'store' | 'atomic';
  /** What is accessed, if it is known. */
  readonly object: string | undefined;
  /** Accesses of work-items. */
  readonly accesses: number;
  /** All bytes that they accessed. */
  readonly bytes: number;
  /** Sets of 32 work-items that accessed memory together. */
  readonly requests: number;
  /** Global memory: cache lines of 64 bytes that the requests touch. */
  readonly lines: number;
  /** How many cache lines would do if the bytes of each request lay one after another. */
  readonly leastLines: number;
  /** The different cache lines that this instruction was the first one to touch. */
  readonly newLines: number;
  /** Local memory: cycles that requests wait because 32 banks of 4 bytes deliver one word in a cycle. */
  readonly conflicts: number;
}

const ACCESSES = { read: 'load', write: 'store', atomic: 'atomic' } as const;

/** What the numbers of the sites say. */
export function trafficOf(
  { sites, regions }: CheckTable,
  value: (site: number, word: number) => number,
): MemoryTraffic[] {
  return sites.flatMap(({ action, place, instruction, size = 0, region = -1 }, site) => {
    const requests = value(site, TRACE_SITE.requests);
    if (requests === 0) return [];
    const accesses = value(site, TRACE_SITE.accesses);
    const local = value(site, TRACE_SITE.localRequests);
    return {
      place,
      instruction,
      space: local === 0 ? 'global' : local === requests ? 'local' : 'generic',
      access: ACCESSES[action as keyof typeof ACCESSES],
      object: regions[region]?.name || undefined,
      accesses,
      bytes: accesses * size,
      requests,
      lines: value(site, TRACE_SITE.lines),
      leastLines: value(site, TRACE_SITE.leastLines),
      newLines: value(site, TRACE_SITE.newLines),
      conflicts: value(site, TRACE_SITE.cycles) - value(site, TRACE_SITE.leastCycles),
    };
  });
}
