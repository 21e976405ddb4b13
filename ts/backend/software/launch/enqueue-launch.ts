// SPDX-License-Identifier: MIT
//
// Enqueues a kernel: decides whether its launch is prepared now, when its code is compiled, or when it starts.
import type { NDRange } from '../../../base/nd-range';
import { CommandType } from '../../../cl/constants.gen';
import type { Prepared } from '../../../device/commands/command';
import type { MaybeEvent, Wait } from '../../backend-queue';
import type { CommandStream } from '../command-stream';
import { MissingCode } from '../programs/executable';
import type { SoftwareKernel } from '../programs/kernel';
import { usesOf } from '../programs/kernel-arguments';
import { prepareLaunch } from './launch';
import { checkLocalMemory, checkResources, type Launch } from './launch-job';
import { launchLater, launchWhenStarted, mustWait } from './launch-later';
import { checkArguments } from './launch-memory';
import { MissingRing, PrintfRings } from './printf-rings';

/** Errors of the call are thrown now, whenever the launch is prepared. */
export function enqueueLaunch(
  stream: CommandStream,
  kernel: SoftwareKernel,
  range: NDRange,
  wait: Wait,
  wantEvent: boolean,
): MaybeEvent {
  if (mustWait(kernel, range)) return launchWhenCompiled(stream, kernel, range, wait, wantEvent);
  if (stream.device.checked && !range.global.includes(0)) {
    // Its checks depend on what the commands before it have written.
    checkLaunch(kernel, range);
    return launchWhenReady(stream, kernel, range, wait, wantEvent);
  }
  const launch = prepareNow(stream, kernel, range);
  if (!launch) return launchWhenReady(stream, kernel, range, wait, wantEvent);
  const { work, uses, region } = launch;
  const all = region ? [...uses, region] : uses;
  const event = stream.submit(CommandType.NDRANGE_KERNEL, work, all, wait, wantEvent);
  region?.release();
  return event;
}

function launchOn(stream: CommandStream, kernel: SoftwareKernel, range: NDRange): Launch {
  const { queue, workers } = stream;
  return prepareLaunch(kernel, range, { profiled: queue.profiling, workers, stream });
}

/**
 * The launch; undefined if it has to wait for code that is not compiled, as what is proven of it decides which code that is, or for
 * a ring that other launches have.
 */
function prepareNow(stream: CommandStream, kernel: SoftwareKernel, range: NDRange): Launch | undefined {
  const { device } = stream;
  const prepare = (): Launch => launchOn(stream, kernel, range);
  try {
    return PrintfRings.of(device).early(() => (device.isRobust ? ifCompiled(kernel, prepare) : prepare()));
  } catch (error) {
    if (error instanceof MissingRing) return undefined;
    throw error;
  }
}

function checkLaunch(kernel: SoftwareKernel, range: NDRange): void {
  checkArguments(kernel);
  const hasResources = ifCompiled(kernel, () => {
    checkResources(kernel, range);
    return true;
  });
  if (!hasResources) checkLocalMemory(kernel);
}

/** Prepares the launch when all that it waits for is complete. */
function launchWhenReady(
  stream: CommandStream,
  kernel: SoftwareKernel,
  range: NDRange,
  wait: Wait,
  wantEvent: boolean,
): MaybeEvent {
  // The command keeps a snapshot of the kernel, not what it uses.
  stream.noteUses(usesOf(kernel));
  const { work, snapshot } = launchWhenStarted(kernel, range, preparation(stream));
  const event = stream.submit(CommandType.NDRANGE_KERNEL, work, [snapshot], wait, wantEvent);
  // The command keeps it alive.
  snapshot.release();
  return event;
}

/** The same, once its code is compiled. */
function launchWhenCompiled(
  stream: CommandStream,
  kernel: SoftwareKernel,
  range: NDRange,
  wait: Wait,
  wantEvent: boolean,
): MaybeEvent {
  // The command keeps a snapshot of the kernel, not what it uses.
  stream.noteUses(usesOf(kernel));
  const { work, compiled, snapshot } = launchLater(kernel, range, preparation(stream));
  const ready = stream.device.scheduler.untilSettled(compiled);
  const event = stream.submit(CommandType.NDRANGE_KERNEL, work, [snapshot], wait, wantEvent, [ready]);
  snapshot.release();
  return event;
}

const preparation =
  (stream: CommandStream) =>
  (kernel: SoftwareKernel, range: NDRange): Prepared => {
    const { work, region } = launchOn(stream, kernel, range);
    return { kind: 'prepared', work, uses: region ? [region] : [] };
  };

/** What a step returns; undefined if it needs code that is not compiled. */
function ifCompiled<T>({ executable }: SoftwareKernel, step: () => T): T | undefined {
  try {
    return executable.withoutCompiling(step);
  } catch (error) {
    if (error instanceof MissingCode) return undefined;
    throw error;
  }
}
