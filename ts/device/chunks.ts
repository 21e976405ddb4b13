// SPDX-License-Identifier: MIT
//
// How many work-groups a worker takes at a time.

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

export interface ChunkedJob {
  readonly groups: number;
  /** Estimated nanoseconds of one group. */
  readonly groupCost: number;
  /** Nanoseconds that a worker should take for a chunk at least, beyond what is usual. */
  readonly leastChunk: number;
  /** Whether it ends for certain, as it has no loops: the estimate is about right, and the scheduling thread may run it itself. */
  readonly bounded: boolean;
}

/** The sizes between which `workers` choose, in groups. */
export function chunkLimits(job: ChunkedJob, workers: number): { least: number; most: number } {
  const { groups, groupCost, bounded } = job;
  const guessed = !bounded && groups * groupCost >= SHORT_NS;
  const short = LEAST_NS / groupCost;
  const least = Math.max(
    guessed ? Math.min(short, groups / (LAST_PART * workers)) : short,
    job.leastChunk / groupCost,
  );
  const long = Math.max(MOST_NS, Math.min(MOST_NS_OF_MANY, (groups / (MOST_CHUNKS * workers)) * groupCost));
  return {
    least: Math.min(Math.max(1, Math.ceil(least)), groups),
    most: Math.min(Math.max(1, Math.floor(long / groupCost)), groups),
  };
}
