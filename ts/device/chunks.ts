// SPDX-License-Identifier: MIT
//
// How many work-groups a worker takes at a time.
import { MOST_ITEMS } from '../base/kernel-abi';

/** A chunk should take at least so long, so that taking it costs nothing… */
const LEAST_NS = 20_000;
/** …and at most so long, so that workers end together and the watchdog sees them move… */
const MOST_NS = 2_000_000;
/** …but for each worker there are no more of them, where the estimate is too high: its loops end sooner than was guessed… */
const MOST_CHUNKS = 64;
/** …as far as one may take so long by the estimate. */
const MOST_NS_OF_MANY = 100 * MOST_NS;
/** Where it is too low, the last one of a worker is so small a part of what each has. */
const LAST_PART = 32;
/** Of jobs below, the time to take a chunk counts for more. */
const SHORT_NS = 5 * LEAST_NS;

/** What a worker takes at most, in nanoseconds as it has measured them: the watchdog sees that it moves. */
const MOST_MEASURED_NS = 100_000_000;
/** What it takes first, measured in an earlier launch whose loops may have been shorter. */
const FIRST_MEASURED_NS = 1_000_000;

export interface ChunkedJob {
  /** Work-items of one group, at most. */
  readonly groupItems: number;
  /** Estimated nanoseconds of one group. */
  readonly groupCost: number;
  /** Nanoseconds that a worker should take for a chunk at least, beyond what is usual. */
  readonly leastChunk: number;
  /** Whether it ends for certain, as it has no loops: the estimate is about right, and the scheduling thread may run it itself. */
  readonly bounded: boolean;
}

export interface ChunkLimits {
  /** Whether the estimate is a guess: workers measure how long groups take. */
  readonly measured: boolean;
  readonly least: number;
  readonly most: number;
}

/** The sizes between which `workers` choose, of a job of so many groups. */
export function chunkLimits(groups: number, job: ChunkedJob, workers: number): ChunkLimits {
  const { groupItems, groupCost, bounded } = job;
  const guessed = !bounded && groups * groupCost >= SHORT_NS;
  const short = LEAST_NS / groupCost;
  const least = Math.max(
    guessed ? Math.min(short, groups / (LAST_PART * workers)) : short,
    job.leastChunk / groupCost,
  );
  const long = Math.max(MOST_NS, Math.min(MOST_NS_OF_MANY, (groups / (MOST_CHUNKS * workers)) * groupCost));
  const limit = Math.min(groups, Math.floor(MOST_ITEMS / groupItems));
  const limited = (chunk: number): number => Math.min(Math.max(1, chunk), limit);
  const limits = { least: limited(Math.ceil(least)), most: limited(Math.floor(long / groupCost)) };
  return { ...limits, measured: !bounded && job.leastChunk === 0 };
}

/** The most groups to take of a job where the last ones took `groupNs` nanoseconds each. */
export function mostMeasured(groupNs: number): number {
  return Math.max(1, Math.floor(MOST_MEASURED_NS / groupNs));
}

/** The groups to take first of a job; one, which is then measured, of a kernel that was never run: `groupNs` is 0. */
export function firstMeasured(groupNs: number): number {
  return groupNs === 0 ? 1 : Math.max(1, Math.floor(FIRST_MEASURED_NS / groupNs));
}
