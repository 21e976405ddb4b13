// SPDX-License-Identifier: MIT
//
// A launch of a checked kernel whose groups all do the same accesses (proofs/patterns.ts): the first group runs with checks, and the
// others run plain code if it has no fault (docs/adr/0040-first-group-for-all.md).
import type { NDRange } from '../../../base/nd-range';
import { firstGroup, groupsAfterFirst } from '../../../device/workers/groups';
import type { Job } from '../../../device/workers/job';
import type { SoftwareKernel } from '../programs/kernel';
import { planFor } from '../programs/launch-plan';
import type { Pattern } from '../proofs/launch-proof';
import { inOrder } from './in-order';
import { type Launch, type LaunchOptions, type PreparedJob, prepareJob } from './launch-job';
import { privatizingOf } from './privatizing';

/** The kernel's arguments must not change until it has run. */
export function launchByPattern(
  kernel: SoftwareKernel,
  range: NDRange,
  { proof, writes, isClean }: Pattern,
  options: LaunchOptions,
): Launch {
  // Before anything is counted as written: the rest of the launch follows the first group at once.
  const { global, local, offset } = range;
  const atomics = privatizingOf(kernel, global, 'plain') ? 'privatized' : 'shared';
  planFor(kernel, global, local, offset, atomics, 'plain', 'guarded');
  const first = prepareJob(kernel, range, { ...options, code: 'guarded', pattern: proof });
  const { counts } = first.work.job.groups;
  let second: PreparedJob | undefined;
  let isFollowed = false;
  const next = (): Job | undefined => {
    if (isFollowed) return undefined;
    isFollowed = true;
    const groups = groupsAfterFirst(counts);
    if (first.checks!.hasFault) {
      writes.restore();
      return { ...first.work.job, groups };
    }
    const { found } = writes;
    writes.restore();
    writes.mark(found);
    isClean(found);
    const { counters } = first;
    second = prepareJob(kernel, range, { ...options, code: 'plain', sizesOf: 'guarded', counters });
    return { ...second.work.job, groups };
  };
  const finish = (failure: string | undefined): Iterator<unknown> | undefined => {
    if (!isFollowed) writes.restore();
    return inOrder(first.work.finish(failure), second?.work.finish(failure));
  };
  writes.begin();
  const job = { ...first.work.job, groups: firstGroup(counts) };
  return { ...first, work: { ...first.work, job, next, finish } };
}
