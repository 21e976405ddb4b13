// SPDX-License-Identifier: MIT
import type { Arena } from './arenas';
import type { ChunkLimits } from './chunks';
import { JobFailure, SLOT, SlotState } from './control';
import { align64, type Job, type Ticket } from './job';

/** Writes a job's words into a free slot and opens it to the workers; returns the slot's new generation. */
export function openSlot(
  words: Int32Array,
  base: number,
  job: Job,
  after: Ticket | undefined,
  arena: Arena,
  { measured, least, most }: ChunkLimits,
): number {
  const generation = words[base + SLOT.generation]! + 1;
  Atomics.store(words, base + SLOT.generation, generation);
  words[base + SLOT.kernel] = job.kernel.id;
  words[base + SLOT.dispatch] = job.dispatch;
  const { first: firstGroup, counts, count } = job.groups;
  words[base + SLOT.firstGroup] = firstGroup[0];
  words[base + SLOT.firstGroup + 1] = firstGroup[1];
  words[base + SLOT.firstGroup + 2] = firstGroup[2];
  words[base + SLOT.groupCounts] = counts[0];
  words[base + SLOT.groupCounts + 1] = counts[1];
  words[base + SLOT.groupCounts + 2] = counts[2];
  words[base + SLOT.firstWorker] = job.workers.first;
  words[base + SLOT.workers] = job.workers.count;
  words[base + SLOT.groups] = count;
  words[base + SLOT.done] = 0;
  words[base + SLOT.measured] = measured ? 1 : 0;
  words[base + SLOT.leastChunk] = least;
  words[base + SLOT.mostChunk] = most;
  words[base + SLOT.afterSlot] = after ? after.slot : -1;
  words[base + SLOT.afterGeneration] = after ? after.generation : 0;
  words[base + SLOT.arena] = arena.block.address;
  words[base + SLOT.arenaStride] = arena.stride;
  words[base + SLOT.scratch] = align64(job.localBytes);
  words[base + SLOT.started] = 0;
  words[base + SLOT.announced] = 0;
  words[base + SLOT.quiet] = 0;
  words[base + SLOT.failed] = JobFailure.None;
  words[base + SLOT.timed] = job.timed ? 1 : 0;
  Atomics.store(words, base + SLOT.next, 0);
  Atomics.store(words, base + SLOT.state, SlotState.Open);
  return generation;
}
