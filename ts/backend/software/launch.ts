// SPDX-License-Identifier: MIT

import type { Fault } from '../../base/checks';
import { DISPATCH, type KernelBinary } from '../../base/kernel-abi';
import type { NDRange } from '../../base/nd-range';
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import type { Block } from '../../device/allocator';
import type { Failed, Prepared, Work } from '../../device/command';
import type { Device } from '../../device/device';
import type { Job, WorkerRange } from '../../device/job';
import { makeRing, readPrintf } from '../../device/printf';
import { LaunchChecks } from './checks/launch-checks';
import { type EnqueuedBlock, EnqueueRegion } from './device-enqueue';
import { SoftwareDeviceQueue } from './device-queue';
import type { RunnableModule } from './executable';
import { failedBefore } from './failed-before';
import { SoftwareKernel } from './kernel';
import { LaunchBounds, type Region } from './launch-bounds';
import { planFor } from './launch-plan';
import { LOCAL_MEMORY_BYTES, PRINTF_BUFFER_BYTES } from './limits';
import { allocate, exhausted } from './memory';
import { resolveNDRange } from './nd-range';
import { reportedFault } from './own-fault';
import { describeCopies, dispatchBytes, privatizingOf } from './privatizing';
import { isProven } from './proofs/launch-proof';
import type { RefCounted } from './ref-counted';

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

/** Throws unless all arguments are set and their objects exist. */
export function checkArguments({ values, signature }: SoftwareKernel): void {
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (value && (value.kind !== 'word' || !value.uses || value.uses.referenceCount > 0)) continue;
    const problem = value ? 'names an object that was released' : 'has not been set';
    throw new OpenCLError(
      ErrorCode.INVALID_KERNEL_ARGS,
      ENQUEUE,
      `argument ${index} ('${signature.arguments[index]!.name}') of kernel '${signature.name}' ${problem}`,
    );
  }
}

/** Creates the device's work for a kernel with its current arguments. */
export function prepareLaunch(
  kernel: SoftwareKernel,
  { global, local, offset }: NDRange,
  profiled: boolean,
  workers: WorkerRange,
  inherited: readonly Region[] = [],
): Launch {
  const { device, signature, executable } = kernel;
  checkArguments(kernel);
  const uses: RefCounted[] = [executable];
  for (const value of kernel.values) if (value?.kind === 'word' && value.uses) uses.push(value.uses);
  for (const svm of kernel.indirect) if (svm.referenceCount > 0) uses.push(svm);
  if (global.includes(0)) {
    resolveNDRange(kernel, global, local, offset);
    return { work: { kind: 'host', run: undefined }, uses };
  }

  const code = isProven(kernel, { global, local, offset }) ? 'plain' : 'guarded';
  const privatizing = privatizingOf(kernel, global, code);
  const atomics = privatizing ? 'privatized' : 'shared';
  const { range, binary, module, items, groups } = planFor(kernel, global, local, offset, atomics, code);
  const { memory, pool } = device;
  const localBytes = localMemory(kernel, binary);
  const ownScratch = scratchBytes(module, items);
  const allScratch = ownScratch + (privatizing?.bytes ?? 0);
  const refusal = pool.refusal(memory, localBytes, allScratch);
  if (refusal !== undefined) throw tooLarge(signature.name, refusal);

  const programBase = executable.globalsAddress();
  const region = signature.enqueues ? EnqueueRegion.for(device, queuesOf(kernel), workers) : undefined;
  const block = allocate(device, dispatchBytes(binary), 64, ENQUEUE);
  const printing =
    binary.printfFormats.length > 0
      ? startPrinting(device, binary, block, {
          base: programBase,
          size: executable.globalBytes,
        })
      : undefined;
  const base = block.address;
  const { i32, u8 } = memory;
  const word = (at: number, value: number): void => {
    i32[(base + at) >>> 2] = value;
  };
  word(DISPATCH.workDim, range.dimensions);
  for (let d = 0; d < 3; d++) {
    word(DISPATCH.globalSize + 4 * d, range.global[d]!);
    word(DISPATCH.globalOffset + 4 * d, range.offset[d]!);
    word(DISPATCH.localSize + 4 * d, range.local[d]!);
    word(DISPATCH.numGroups + 4 * d, range.groups[d]!);
  }
  word(DISPATCH.programBase, programBase);
  word(DISPATCH.printfBuffer, printing ? printing.address : 0);
  word(DISPATCH.scratchBytes, allScratch);
  u8.fill(0, base + DISPATCH.zeros, base + DISPATCH.arguments);
  word(DISPATCH.enqueueRegion, region ? region.address : 0);
  let localEnd = binary.localBytes;
  for (let index = 0; index < kernel.values.length; index++) {
    const value = kernel.values[index]!;
    const { offset: at, align } = signature.arguments[index]!;
    if (value.kind === 'bytes') u8.set(value.bytes, base + at);
    else if (value.kind === 'word') word(at, value.word);
    else {
      const start = alignLocal(localEnd, align);
      word(at, start);
      localEnd = start + value.bytes;
    }
  }
  if (privatizing) describeCopies(memory, base, privatizing, ownScratch);
  const checks =
    binary.checks &&
    new LaunchChecks(
      {
        device,
        memory: device.checked!,
        signature,
        values: kernel.values,
        dispatch: base,
        globals: { address: programBase, size: executable.globalBytes },
        source: (file) => (file === '<source>' ? executable.source : undefined),
      },
      binary.checks,
    );
  if (checks) word(DISPATCH.checks, checks.address);
  const { globalBytes } = executable;
  const bounds =
    device.isRobust && !checks && code === 'guarded'
      ? new LaunchBounds(device, {
          values: kernel.values,
          globalBytes,
          enqueued: region,
          indirect: kernel.indirect,
          inherited,
        })
      : undefined;
  if (bounds) word(DISPATCH.checks, bounds.address);
  const release = printing
    ? printing.finish
    : (): undefined => {
        memory.free(block);
      };
  const finish = checks
    ? () => {
        checks.finish(reportTo(device));
        return release();
      }
    : bounds
      ? () => {
          bounds.free();
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
    const { files, given } = executable.reproduction(signature.name);
    return reportedFault(device.host, fault, ENQUEUE, { files, given: { ...given, global, local, offset } });
  };
  const children = region && (() => region.children((block) => prepareBlock(kernel, block, bounds?.regions)));
  const work: Work = {
    kind: 'job',
    job,
    finish,
    reportFault,
    children,
    faults: checks?.faults ?? (device.checked && []),
  };
  return region ? { uses, region, work } : { uses, work };
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

/** The work for a block that a kernel has enqueued. */
function prepareBlock(
  { device, executable }: SoftwareKernel,
  block: EnqueuedBlock,
  inherited: readonly Region[] | undefined,
): Prepared | Failed {
  try {
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
  } catch (error) {
    return failedBefore(error);
  }
}

/** Bytes of a work-group's local memory: the kernel's own variables, followed by those of arguments. */
function localMemory({ values, signature }: SoftwareKernel, binary: KernelBinary): number {
  let end = binary.localBytes;
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (value?.kind === 'local') end = alignLocal(end, signature.arguments[index]!.align) + value.bytes;
  }
  if (end > LOCAL_MEMORY_BYTES)
    throw tooLarge(
      signature.name,
      `it needs ${end} bytes of local memory, a work-group has ${LOCAL_MEMORY_BYTES}`,
    );
  return end;
}

/** The offset of an argument's local memory after `end` bytes. */
function alignLocal(end: number, align: number): number {
  const step = Math.max(align, 16);
  return Math.ceil(end / step) * step;
}

/** Bytes of a worker's private memory for a group of `items` work-items. */
function scratchBytes({ scratch }: RunnableModule, items: number): number {
  return Math.ceil((scratch.fixed + scratch.perWorkItem * items + LEAST_SCRATCH) / 64) * 64;
}

function tooLarge(kernel: string, why: string): OpenCLError {
  return new OpenCLError(ErrorCode.OUT_OF_RESOURCES, ENQUEUE, `kernel '${kernel}': ${why}`);
}

/** The ring of a launch that prints. Its `finish` frees it and the dispatch block, also after an error. */
function startPrinting(
  device: Device,
  binary: KernelBinary,
  dispatch: Block,
  globals: Region,
): { readonly address: number; readonly finish: () => Iterator<unknown> } {
  const { memory, host } = device;
  const block = memory.allocate(PRINTF_BUFFER_BYTES, 64);
  if (!block) {
    memory.free(dispatch);
    throw exhausted(device, PRINTF_BUFFER_BYTES, ENQUEUE);
  }
  const { capacity } = makeRing(memory.u8, block.address, PRINTF_BUFFER_BYTES);
  function* write(): Generator<void> {
    try {
      const strings = device.isRobust ? globals : undefined;
      const ring = { memory: memory.u8, address: block!.address, capacity, strings };
      for (const text of readPrintf(ring, binary.printfFormats)) {
        host.writeOut(text);
        yield;
      }
    } finally {
      memory.free(block!);
      memory.free(dispatch);
    }
  }
  return { address: block.address, finish: write };
}
