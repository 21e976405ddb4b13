// SPDX-License-Identifier: MIT
//
// How many work-groups a worker takes at a time.
import { MOST_ITEMS } from '../../base/kernel-abi';

/** A chunk should take at least this long, so that the cost of taking it is negligible… */
const LEAST_NS = 20_000;
/** …and at most this long, so that workers end together and the watchdog sees progress… */
const MOST_NS = 2_000_000;
/** …but each worker takes at most this many, in case the estimate is too high because loops end sooner than assumed… */
const MOST_CHUNKS = 64;
/** …unless one would take longer than this by the estimate. */
const MOST_NS_OF_MANY = 100 * MOST_NS;
/** The estimate may be too low, so the last chunk of a worker is this fraction of its share. */
const LAST_PART = 32;
/** In shorter jobs, the time to take a chunk matters more. */
const SHORT_NS = 5 * LEAST_NS;

/** The longest chunk of a worker, in measured nanoseconds, so that the watchdog sees progress. */
const MOST_MEASURED_NS = 100_000_000;
/** The same for its first chunk: the measurement is of an earlier launch, whose loops may have been shorter. */
const FIRST_MEASURED_NS = 1_000_000;
/** The estimate may make chunks much shorter than needed. With a measurement, they may grow to this time… */
const USUAL_MEASURED_NS = 200_000;
/** …as long as each worker still takes this many: other groups of the job may take longer than the measured ones. */
const USUAL_CHUNKS = 16;

export interface ChunkedJob {
  /** The most work-items of one group. */
  readonly groupItems: number;
  /** Estimated nanoseconds of one group. */
  readonly groupCost: number;
  /** The least nanoseconds of a chunk, if it is more than usual. */
  readonly leastChunk: number;
  /** Whether it certainly ends, so that the scheduling thread may run it. */
  readonly bounded: boolean;
  /** Whether `groupCost` may be far from the truth, because there are loops: then workers measure. */
  readonly costIsGuess: boolean;
}

export interface ChunkLimits {
  /** Whether the estimate is a guess: workers measure how long groups take. */
  readonly measured: boolean;
  readonly least: number;
  readonly most: number;
}

/** The least and the greatest chunk size for a job of this many groups on this many workers. */
export function chunkLimits(groups: number, job: ChunkedJob, workers: number): ChunkLimits {
  const { groupItems, groupCost, costIsGuess } = job;
  const guessed = costIsGuess && groups * groupCost >= SHORT_NS;
  const short = LEAST_NS / groupCost;
  const least = Math.max(
    guessed ? Math.min(short, groups / (LAST_PART * workers)) : short,
    job.leastChunk / groupCost,
  );
  const long = Math.max(MOST_NS, Math.min(MOST_NS_OF_MANY, (groups / (MOST_CHUNKS * workers)) * groupCost));
  const limit = Math.min(groups, Math.floor(MOST_ITEMS / groupItems));
  // Each launch comes here, so there are no functions and no objects besides.
  return {
    // With large copies for atomics (leastChunk), the time of one group is mostly that of the copies.
    measured: costIsGuess && job.leastChunk <= LEAST_NS,
    least: Math.min(Math.max(1, Math.ceil(least)), limit),
    most: Math.min(Math.max(1, Math.floor(long / groupCost)), limit),
  };
}

/** The most groups to take of a job whose last groups took `groupNs` nanoseconds each. */
export function mostMeasured(groupNs: number): number {
  return Math.max(1, Math.floor(MOST_MEASURED_NS / groupNs));
}

/** The chunk size, in groups, that need not be divided further, given that the last groups took `groupNs` each. */
export function usualMeasured(groups: number, workers: number, groupNs: number): number {
  return Math.floor(Math.min(USUAL_MEASURED_NS / groupNs, groups / (USUAL_CHUNKS * workers)));
}

/** The least chunk size, in groups, given that the last groups took `groupNs` each, and the one by the estimate, which may be too low. */
export function leastMeasured(groups: number, workers: number, groupNs: number, estimated: number): number {
  const measured = LEAST_NS / groupNs;
  return Math.floor(Math.min(measured, Math.max(estimated, groups / (LAST_PART * workers))));
}

/**
 * Whether a job for which only some workers were woken, because the estimate made it a short one, is a long one: `left` groups, of
 * `groupNs` each by measurement.
 */
export function isForMore(
  groups: number,
  workers: number,
  least: number,
  left: number,
  groupNs: number,
): boolean {
  return groups < least * workers && left * groupNs >= SHORT_NS;
}

/**
 * The number of groups in a job's first chunk. For a kernel that has never run (`groupNs` is 0) it is one group, which is then
 * measured.
 */
export function firstMeasured(groupNs: number): number {
  return groupNs === 0 ? 1 : Math.max(1, Math.floor(FIRST_MEASURED_NS / groupNs));
}
