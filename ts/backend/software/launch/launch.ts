// SPDX-License-Identifier: MIT
//
// A launch: which code it runs, with checks or clamps or without.
import type { Fault } from '../../../base/faults';
import type { NDRange } from '../../../base/nd-range';
import type { Failed, Prepared, Waiting, Work } from '../../../device/commands/command';
import type { WorkerRange } from '../../../device/workers/worker-range';
import type { CommandStream } from '../command-stream';
import type { CodeKind } from '../programs/executable';
import { SoftwareKernel } from '../programs/kernel';
import { resolveNDRange } from '../programs/nd-range';
import { usualCode } from '../programs/separate-arguments';
import type { EnqueuedBlock } from './device-enqueue';
import type { Region } from './launch-bounds';
import { launchByPattern } from './launch-by-pattern';
import { codeFor } from './launch-code';
import { type Launch, type LaunchOptions, prepareJob } from './launch-job';
import { checkArguments } from './launch-memory';
import { prepareCompiled } from './prepare-compiled';
import { RepeatedLaunch } from './repeated-launch';

/** The last launch of each kernel, if it can be repeated. */
const repeated = new WeakMap<SoftwareKernel, RepeatedLaunch>();

/** How and where a launch runs. */
interface Place {
  readonly profiled: boolean;
  readonly workers: WorkerRange;
  /** Its queue; undefined for what a kernel has enqueued. */
  readonly stream?: CommandStream;
  /** The size of the largest queue that a block may have captured. */
  readonly queueBytes?: number;
}

/**
 * Creates the device's work for a kernel with its current arguments. `given`: where the faults of what it enqueues are added, if that
 * are not its own.
 */
export function prepareLaunch(
  kernel: SoftwareKernel,
  range: NDRange,
  { profiled, workers, stream, queueBytes = 0 }: Place,
  inherited: readonly Region[] = [],
  given?: Fault[],
): Launch {
  const again = repeated.get(kernel)?.again(range, profiled, workers, stream);
  if (again) return again;
  const { global, local, offset } = range;
  checkArguments(kernel);
  if (global.includes(0)) {
    resolveNDRange(kernel, global, local, offset, usualCode(kernel));
    return { work: { kind: 'host', run: undefined }, uses: [] };
  }
  const { code, sizesOf, pattern, watch, alike } = codeFor(kernel, range);
  const options: LaunchOptions = {
    profiled,
    workers,
    stream,
    inherited,
    queueBytes,
    code,
    sizesOf,
    alike,
    prepareChild: (block, regions, own) => prepareBlock(kernel, block, regions, given ?? own),
  };
  if (pattern) return launchByPattern(kernel, range, pattern, options);
  if (watch) {
    const prepare = (code: CodeKind) => prepareJob(kernel, range, { ...options, code, sizesOf: 'guarded' });
    const { launchWatched } = require('../checks') as typeof import('../checks');
    const launch = launchWatched(kernel, range, watch, prepare);
    if (launch) return launch;
  }
  const launch = prepareJob(kernel, range, options);
  const { repeatable } = launch;
  if (repeatable) repeated.set(kernel, new RepeatedLaunch(kernel, repeatable));
  return launch;
}

/** The work for a block that a kernel has enqueued. Its faults are added to those of the launch that the program has enqueued. */
function prepareBlock(
  { device, executable }: SoftwareKernel,
  block: EnqueuedBlock,
  inherited: readonly Region[] | undefined,
  faults: Fault[] | undefined,
): () => Prepared | Failed | Waiting {
  return prepareCompiled(executable, () => {
    const signature = executable.blockSignature(block.number);
    const kernel = new SoftwareKernel(device, executable, signature, () => {});
    kernel.setBlockArguments(block.literal, block.literal.address, block.localSizes);
    const { global, local, offset } = block;
    const { work, uses, region } = prepareLaunch(
      kernel,
      { global, local, offset },
      { profiled: block.timed, workers: block.workers, queueBytes: block.queueBytes },
      inherited,
      faults,
    );
    for (const object of uses) object.retain();
    return { kind: 'prepared', work: addingFaults(work, faults), uses: region ? [...uses, region] : uses };
  });
}

function addingFaults(work: Work, faults: Fault[] | undefined): Work {
  if (work.kind !== 'job' || !work.faults || !faults) return work;
  const finish = (failure: string | undefined): Iterator<unknown> | undefined => {
    const steps = work.finish(failure);
    faults.push(...work.faults!);
    return steps;
  };
  return { ...work, finish };
}
