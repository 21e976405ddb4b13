// SPDX-License-Identifier: MIT
//
// The job of a launch: its dispatch block, its memory, and what is released or reported when it has run.
import type { Fault } from '../../../base/faults';
import { DISPATCH, type KernelBinary } from '../../../base/kernel-abi';
import type { NDRange } from '../../../base/nd-range';
import type { Failed, JobWork, Prepared, Waiting, Work } from '../../../device/commands/command';
import type { Device } from '../../../device/device';
import type { Job } from '../../../device/workers/job';
import type { WorkerRange } from '../../../device/workers/worker-range';
import { writeBugReport } from '../build/internal-errors';
import type { LaunchChecks } from '../checks/launch-checks';
import type { CommandStream } from '../command-stream';
import { SoftwareDeviceQueue } from '../device-queue';
import type { CodeKind, RunnableModule } from '../programs/executable';
import type { SoftwareKernel } from '../programs/kernel';
import { usesOf } from '../programs/kernel-arguments';
import { type LaunchPlan, planFor } from '../programs/launch-plan';
import type { AlikeObjects } from '../proofs/alike-objects';
import type { PatternProof } from '../proofs/prove';
import type { RefCounted } from '../ref-counted';
import { type EnqueuedBlock, EnqueueRegion } from './device-enqueue';
import { type DispatchBlock, writeDispatchBlock } from './dispatch-block';
import { LaunchBounds, type Region } from './launch-bounds';
import { LaunchCounters } from './launch-counters';
import { ENQUEUE, localMemory, tooLarge } from './launch-memory';
import { privatizingOf } from './privatizing';
import type { Repeatable } from './repeated-launch';

/** Reserved after the kernel's own needs, so that arguments which need no local memory are never at a null address. */
const LEAST_SCRATCH = 64;
/** Nanoseconds for an empty work-group that runs alone. */
const GROUP_NS = 20;

export interface Launch {
  readonly work: Work;
  /** The objects to retain until the kernel has run. */
  readonly uses: readonly RefCounted[];
  /** Memory for the commands that the kernel enqueues; the caller owns it. */
  readonly region?: EnqueueRegion;
}

/** How a kernel is launched; children are the kernels that it enqueues. */
export interface LaunchOptions {
  readonly profiled: boolean;
  readonly workers: WorkerRange;
  /** The launch's queue; undefined for what a kernel has enqueued. */
  readonly stream?: CommandStream | undefined;
  readonly inherited: readonly Region[];
  /** Of a block: the size of the largest queue that it may have captured, otherwise 0. */
  readonly queueBytes: number;
  /** With checks or clamps, or without. */
  readonly code: CodeKind;
  /** The code whose preferences choose a missing local size, if it is not this one. */
  readonly sizesOf?: CodeKind | undefined;
  /** Of checked kernels: whether the first group's accesses stand for those of all. */
  readonly pattern?: PatternProof | undefined;
  /** Of launches that are checked: the objects that all groups access as the first one does. */
  readonly alike?: AlikeObjects | undefined;
  /** Of a job that follows another one of the same launch: the counters of that one, which finishes them. */
  readonly counters?: LaunchCounters | undefined;
  readonly prepareChild: (
    block: EnqueuedBlock,
    inherited: readonly Region[] | undefined,
    /** The launch's own, if it is checked. */
    faults: Fault[] | undefined,
  ) => () => Prepared | Failed | Waiting;
}

/** A launch's work that is a job. */
export interface PreparedJob extends Launch {
  readonly work: JobWork;
  readonly checks: LaunchChecks | undefined;
  readonly counters: LaunchCounters | undefined;
  /** Present if later launches may repeat it. */
  readonly repeatable?: Repeatable;
}

/** Throws if the sizes are not valid, or a work-group needs more memory than there is. */
export function checkResources(kernel: SoftwareKernel, { global, local, offset }: NDRange): void {
  const { binary, module, items } = planFor(kernel, global, local, offset, 'shared', 'guarded');
  resourcesOf(kernel, binary.localBytes, scratchBytes(module, items));
}

/** Throws if a work-group needs more local memory than there is. */
export function checkLocalMemory(kernel: SoftwareKernel): void {
  resourcesOf(kernel, kernel.signature.staticLocalBytes, 0);
}

/** The local memory of a work-group. */
function resourcesOf(kernel: SoftwareKernel, ownLocalBytes: number, scratch: number): number {
  const { memory, pool } = kernel.device;
  const bytes = localMemory(kernel, ownLocalBytes);
  const refusal = pool.refusal(memory, bytes, scratch);
  if (refusal !== undefined) throw tooLarge(kernel.signature.name, refusal);
  return bytes;
}

/** Creates the job of a kernel with its current arguments, which are all set; no size is 0. */
export function prepareJob(kernel: SoftwareKernel, asked: NDRange, options: LaunchOptions): PreparedJob {
  const { global, local, offset } = asked;
  const { code, workers, prepareChild } = options;
  const { device, signature, executable } = kernel;
  const uses = usesOf(kernel);
  const before = kernel.plan;
  const privatizing = privatizingOf(kernel, global, code);
  const atomics = privatizing ? 'privatized' : 'shared';
  const plan = planFor(kernel, global, local, offset, atomics, code, options.sizesOf);
  const ownScratch = scratchBytes(plan.module, plan.items);
  const allScratch = ownScratch + (privatizing?.bytes ?? 0);
  const localBytes = resourcesOf(kernel, plan.binary.localBytes, allScratch);

  const globals: Region = { base: executable.globalsAddress(), size: executable.globalBytes };
  const region = signature.enqueues
    ? EnqueueRegion.for(device, queuesOf(kernel), options.queueBytes, workers)
    : undefined;
  const dispatch = writeDispatchBlock(kernel, plan, {
    globals,
    ownScratch,
    allScratch,
    privatizing,
    region,
    stream: options.stream,
  });
  const guards = startGuards(kernel, plan.binary, dispatch.address, globals, region, options);
  const { checks, bounds, counters } = guards;

  const leastChunk = privatizing?.leastChunk ?? 0;
  const job = jobOf(
    plan,
    dispatch.address,
    { localBytes, scratchBytes: allScratch, leastChunk },
    options,
    checks,
  );
  const reportInternalError = internalErrorReporter(kernel, asked, code);
  const finish = finishOf(device, dispatch, guards);
  // Those of its children are added.
  const faults = checks?.faults ?? (device.checked && []);
  const work: JobWork = {
    kind: 'job',
    job,
    finish,
    reportInternalError,
    children: region && (() => region.children((block) => prepareChild(block, bounds?.forChildren, faults))),
    faults,
    ...(counters ? { counters } : {}),
  };
  // Its code depends on the arguments only by whether they are separate, and nothing but the dispatch block is its own.
  const isPlain =
    !device.isRobust &&
    !device.checked &&
    finish === dispatch.release &&
    !dispatch.prints &&
    !region &&
    !counters &&
    !privatizing;
  const isRepeatable = isPlain && plan === before && kernel.indirect.length === 0;
  return {
    uses,
    work,
    checks,
    counters,
    ...(region ? { region } : {}),
    ...(isRepeatable
      ? { repeatable: { plan, job, workers, bytes: dispatch.bytes, reportInternalError } }
      : {}),
  };
}

function jobOf(
  { binary, module, items, groups }: LaunchPlan,
  dispatch: number,
  needs: Pick<Job, 'localBytes' | 'scratchBytes' | 'leastChunk'>,
  { profiled, workers }: LaunchOptions,
  checks: LaunchChecks | undefined,
): Job {
  return {
    kernel: module.loaded,
    dispatch,
    groups,
    groupItems: items,
    groupCost: Math.max(binary.groupsUnobservable ? 1 : GROUP_NS, binary.costPerItem * items),
    ...needs,
    bounded: binary.bounded === true,
    costIsGuess: binary.costIsGuess === true,
    timed: profiled,
    // One thread runs checked groups one after another, so the state of the checks needs no synchronization.
    workers: checks ? { ...workers, count: 1 } : workers,
  };
}

/** What is done when the launch has run: its guards end, and its dispatch block is released. */
function finishOf(
  device: Device,
  { release }: DispatchBlock,
  { checks, bounds, ownCounters }: Guards,
): JobWork['finish'] {
  if (!checks && !bounds && !ownCounters) return release;
  return () => {
    checks?.finish(reportTo(device));
    bounds?.free();
    ownCounters?.finish(checks?.memoryTraffic);
    return release();
  };
}

/** Reports an internal error of the launch, with what reproduces it. */
function internalErrorReporter(
  { device, signature, executable }: SoftwareKernel,
  { global, local, offset }: NDRange,
  code: CodeKind,
): (error: unknown) => string {
  return (error) => {
    const { files, given } = executable.reproduction(signature.name, code);
    return writeBugReport(device.host, error, ENQUEUE, { files, given: { ...given, global, local, offset } });
  };
}

/** What observes or limits a launch while it runs. */
interface Guards {
  readonly checks: LaunchChecks | undefined;
  readonly bounds: LaunchBounds | undefined;
  /** The counters of this job, or of the job that it follows. */
  readonly counters: LaunchCounters | undefined;
  /** The counters, if this job finishes them. */
  readonly ownCounters: LaunchCounters | undefined;
}

/** Creates what the kernel's code needs of checks, bounds and counters, and writes their addresses into the dispatch block. */
function startGuards(
  kernel: SoftwareKernel,
  binary: KernelBinary,
  base: number,
  globals: Region,
  region: EnqueueRegion | undefined,
  { inherited, code, pattern, alike, counters: given }: LaunchOptions,
): Guards {
  const { device, signature, executable, values, indirect } = kernel;
  const checks =
    binary.checks &&
    new (require('../checks') as typeof import('../checks')).LaunchChecks(
      {
        device,
        memory: device.checked!,
        signature,
        values,
        dispatch: base,
        globals: { address: globals.base, size: globals.size },
        source: (file) => (file === '<source>' ? executable.source : undefined),
        pattern,
        alike,
      },
      binary.checks,
    );
  const ownCounters = binary.counters && !given ? new LaunchCounters(device, binary.counters) : undefined;
  const counters = given ?? ownCounters;
  const bounds =
    device.isRobust && !checks && code === 'guarded'
      ? new LaunchBounds(device, {
          values,
          globalBytes: globals.size,
          enqueued: region,
          indirect,
          inherited,
        })
      : undefined;
  const { i32 } = device.memory;
  const guard = checks ?? bounds;
  if (guard) i32[(base + DISPATCH.checks) >>> 2] = guard.address;
  if (counters) i32[(base + DISPATCH.counters) >>> 2] = counters.address;
  return { checks, bounds, counters, ownCounters };
}

/** Prints the faults if the environment, and not the API, requested the checks. */
function reportTo({ host }: Device): ((faults: readonly Fault[]) => void) | undefined {
  if (host.settings.check.length === 0) return undefined;
  return (faults) => {
    for (const { text } of faults) console.error(text);
  };
}

/** The queues among a kernel's arguments. */
function queuesOf({ values }: SoftwareKernel): SoftwareDeviceQueue[] {
  return values.flatMap((value) =>
    value?.kind === 'word' && value.uses instanceof SoftwareDeviceQueue ? [value.uses] : [],
  );
}

/** Bytes of a worker's private memory for a group of `items` work-items. */
function scratchBytes({ scratch }: RunnableModule, items: number): number {
  return Math.ceil((scratch.fixed + scratch.perWorkItem * items + LEAST_SCRATCH) / 64) * 64;
}
