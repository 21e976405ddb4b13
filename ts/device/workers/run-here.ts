// SPDX-License-Identifier: MIT
import type { Host } from '../../base/host';
import { MOST_ITEMS } from '../../base/kernel-abi';
import type { Arena } from './arenas';
import { JobFailure } from './control';
import { groupAfter } from './groups';
import { align64, codeOf, type Job, type LoadedKernel, type Outcome, trapText } from './job';
import type { KernelFunction } from './kernel-function';
import { failureOf, instantiate } from './worker';

/** A kernel's function on the calling thread. */
export function kernelHere(host: Host, kernel: LoadedKernel): KernelFunction {
  kernel.run ??= instantiate(
    codeOf(kernel),
    () => host.now(),
    () => (require('../checks') as typeof import('../checks')).instantiateChecked,
  );
  return kernel.run;
}

/** Runs a job on the calling thread, in one part of the arena. */
export function runHere(host: Host, job: Job, arena: Arena, part: number): Outcome {
  const { kernel } = job;
  const start = job.timed ? host.now() : 0n;
  let failed: ReturnType<typeof failureOf> | undefined;
  try {
    const run = kernelHere(host, kernel);
    const base = arena.block.address + part * arena.stride;
    const scratch = base + align64(job.localBytes);
    const { first, counts, count } = job.groups;
    const most = Math.max(1, Math.floor(MOST_ITEMS / job.groupItems));
    for (let done = 0; done < count; done += most) {
      const [x, y, z] = done === 0 ? first : groupAfter(first, counts, done);
      run(job.dispatch, x, y, z, Math.min(most, count - done), base, scratch);
    }
  } catch (error) {
    failed = failureOf(error);
  }
  return {
    failure: failed && trapText(kernel, failed.text),
    isInternalError: failed?.kind === JobFailure.OfDevice,
    stopped: undefined,
    start,
    end: job.timed ? host.now() : 0n,
  };
}
