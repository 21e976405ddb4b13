// SPDX-License-Identifier: MIT
//
// The job of a launch: its dispatch block, its memory, and what is released or reported when it has run.
import type { Fault } from '../../../base/faults';
import { DISPATCH, type KernelBinary } from '../../../base/kernel-abi';
import type { NDRange } from '../../../base/nd-range';
import type { Block } from '../../../device/allocator';
import type { Failed, JobWork, Prepared, Waiting, Work } from '../../../device/command';
import type { Device } from '../../../device/device';
import type { Job, WorkerRange } from '../../../device/job';
import { readPrintf } from '../../../device/printf';
import { reportedFault } from '../build/own-fault';
import { LaunchChecks } from '../checks/launch-checks';
import { SoftwareDeviceQueue } from '../device-queue';
import { allocate } from '../memory/memory';
import type { CodeKind, RunnableModule } from '../programs/executable';
import type { SoftwareKernel } from '../programs/kernel';
import { usesOf } from '../programs/kernel-arguments';
import { planFor } from '../programs/launch-plan';
import type { AlikeObjects } from '../proofs/alike-objects';
import type { PatternProof } from '../proofs/prove';
import type { RefCounted } from '../ref-counted';
import { type EnqueuedBlock, EnqueueRegion } from './device-enqueue';
import { LaunchBounds, type Region } from './launch-bounds';
import { LaunchCounters } from './launch-counters';
import { localMemory, tooLarge, writeArguments, writeRange } from './launch-memory';
import { PrintfRings } from './printf-rings';
import { describeCopies, dispatchBytes, privatizingOf } from './privatizing';
import type { Repeatable } from './repeated-launch';

const ENQUEUE = 'clEnqueueNDRangeKernel';
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
  readonly inherited: readonly Region[];
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
  const { profiled, workers, code, prepareChild } = options;
  const { device, signature, executable } = kernel;
  const uses = usesOf(kernel);
  const before = kernel.plan;
  const privatizing = privatizingOf(kernel, global, code);
  const atomics = privatizing ? 'privatized' : 'shared';
  const plan = planFor(kernel, global, local, offset, atomics, code, options.sizesOf);
  const { binary, module, items, groups } = plan;
  const { memory } = device;
  const ownScratch = scratchBytes(module, items);
  const allScratch = ownScratch + (privatizing?.bytes ?? 0);
  const localBytes = resourcesOf(kernel, binary.localBytes, allScratch);

  const globals: Region = { base: executable.globalsAddress(), size: executable.globalBytes };
  const region = signature.enqueues ? EnqueueRegion.for(device, queuesOf(kernel), workers) : undefined;
  const bytes = dispatchBytes(binary);
  const { block, printing } = allocateFor(device, binary, bytes, globals, region);
  const base = block.address;
  writeRange(memory, base, plan.range);
  memory.u8.fill(0, base + DISPATCH.zeros, base + DISPATCH.arguments);
  writeWords(memory.i32, base, globals.base, allScratch, printing?.address, region?.address);
  writeArguments(kernel, memory, base, binary.localBytes);
  if (privatizing) describeCopies(memory, base, privatizing, ownScratch);
  const guards = startGuards(kernel, binary, base, globals, region, options);
  const { checks, bounds, counters, ownCounters } = guards;

  const release = printing
    ? printing.finish
    : (): undefined => {
        memory.free(block);
      };
  const finish =
    checks || bounds || ownCounters
      ? () => {
          checks?.finish(reportTo(device));
          bounds?.free();
          ownCounters?.finish(checks?.memoryTraffic);
          return release();
        }
      : release;
  const job: Job = {
    kernel: module.loaded,
    dispatch: base,
    groups,
    groupItems: items,
    groupCost: Math.max(binary.groupsUnobservable ? 1 : GROUP_NS, binary.costPerItem * items),
    localBytes,
    scratchBytes: allScratch,
    leastChunk: privatizing?.leastChunk ?? 0,
    bounded: binary.bounded === true,
    timed: profiled,
    // One thread runs checked groups one after another, so the state of the checks needs no synchronization.
    workers: checks ? { ...workers, count: 1 } : workers,
  };
  const reportFault = (fault: unknown): string => {
    const { files, given } = executable.reproduction(signature.name, code);
    return reportedFault(device.host, fault, ENQUEUE, { files, given: { ...given, global, local, offset } });
  };
  // Its code depends on the arguments only by whether they are separate, and nothing but the dispatch block is its own.
  const isPlain =
    !device.isRobust &&
    !device.checked &&
    finish === release &&
    !printing &&
    !region &&
    !counters &&
    !privatizing;
  const isRepeatable = isPlain && plan === before && kernel.indirect.length === 0;
  const work: JobWork = {
    kind: 'job',
    job,
    finish,
    reportFault,
    children: region && (() => region.children((block) => prepareChild(block, bounds?.regions))),
    faults: checks?.faults ?? (device.checked && []),
    ...(counters ? { counters } : {}),
  };
  return {
    uses,
    work,
    checks,
    counters,
    ...(region ? { region } : {}),
    ...(isRepeatable ? { repeatable: { plan, job, workers, bytes, reportFault } } : {}),
  };
}

/** Writes the addresses and sizes of a dispatch block that no argument determines. */
function writeWords(
  i32: Int32Array,
  base: number,
  programBase: number,
  scratch: number,
  printfBuffer = 0,
  enqueueRegion = 0,
): void {
  i32[(base + DISPATCH.programBase) >>> 2] = programBase;
  i32[(base + DISPATCH.printfBuffer) >>> 2] = printfBuffer;
  i32[(base + DISPATCH.scratchBytes) >>> 2] = scratch;
  i32[(base + DISPATCH.enqueueRegion) >>> 2] = enqueueRegion;
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
    new LaunchChecks(
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

interface Printing {
  readonly address: number;
  /** Writes the text, and frees the ring and the dispatch block, also after an error. */
  readonly finish: () => Iterator<unknown>;
}

/** A launch's dispatch block, and its ring if it prints. */
function allocateFor(
  device: Device,
  binary: KernelBinary,
  bytes: number,
  globals: Region,
  region: EnqueueRegion | undefined,
): { readonly block: Block; readonly printing: Printing | undefined } {
  let rings: ReturnType<PrintfRings['take']> | undefined;
  try {
    rings = binary.printfFormats.length > 0 ? PrintfRings.of(device).take(ENQUEUE) : undefined;
    const block = allocate(device, bytes, 64, ENQUEUE);
    return { block, printing: rings && startPrinting(device, binary, block, globals, rings) };
  } catch (error) {
    rings?.free();
    region?.release();
    throw error;
  }
}

function startPrinting(
  device: Device,
  binary: KernelBinary,
  dispatch: Block,
  globals: Region,
  { ring, free }: ReturnType<PrintfRings['take']>,
): Printing {
  const { memory, host } = device;
  function* write(): Generator<void> {
    try {
      const strings = device.isRobust ? globals : undefined;
      for (const bytes of readPrintf({ ...ring, strings }, binary.printfFormats)) {
        host.writeOut(bytes);
        yield;
      }
    } finally {
      free();
      memory.free(dispatch);
    }
  }
  return { address: ring.address, finish: write };
}
