// SPDX-License-Identifier: MIT
//
// A launch: which code it runs, with checks or clamps or without.
import type { NDRange } from '../../../base/nd-range';
import type { Failed, Prepared, Waiting } from '../../../device/command';
import type { WorkerRange } from '../../../device/job';
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

/** Creates the device's work for a kernel with its current arguments. */
export function prepareLaunch(
  kernel: SoftwareKernel,
  range: NDRange,
  profiled: boolean,
  workers: WorkerRange,
  inherited: readonly Region[] = [],
): Launch {
  const again = repeated.get(kernel)?.again(range, profiled, workers);
  if (again) return again;
  const { global, local, offset } = range;
  checkArguments(kernel);
  if (global.includes(0)) {
    resolveNDRange(kernel, global, local, offset, usualCode(kernel));
    return { work: { kind: 'host', run: undefined }, uses: [] };
  }
  const { code, sizesOf, pattern, alike } = codeFor(kernel, range);
  const options: LaunchOptions = {
    profiled,
    workers,
    inherited,
    code,
    sizesOf,
    alike,
    prepareChild: (block, regions) => prepareBlock(kernel, block, regions),
  };
  if (pattern) return launchByPattern(kernel, range, pattern, options);
  const launch = prepareJob(kernel, range, options);
  const { repeatable } = launch;
  if (repeatable) repeated.set(kernel, new RepeatedLaunch(kernel, repeatable));
  return launch;
}

/** The work for a block that a kernel has enqueued. */
function prepareBlock(
  { device, executable }: SoftwareKernel,
  block: EnqueuedBlock,
  inherited: readonly Region[] | undefined,
): () => Prepared | Failed | Waiting {
  return prepareCompiled(executable, () => {
    const signature = executable.blockSignature(block.number);
    const kernel = new SoftwareKernel(device, executable, signature, () => {});
    kernel.setBlockArguments(block.literal, block.literal.address, block.localSizes);
    const { global, local, offset } = block;
    const { work, uses, region } = prepareLaunch(
      kernel,
      { global, local, offset },
      block.timed,
      block.workers,
      inherited,
    );
    for (const object of uses) object.retain();
    return { kind: 'prepared', work, uses: region ? [...uses, region] : uses };
  });
}
