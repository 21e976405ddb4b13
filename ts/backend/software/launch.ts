// SPDX-License-Identifier: MIT

import { type AtomicsKind, DISPATCH, type KernelBinary, moduleKind } from '../../base/kernel-abi';
import type { Work } from '../../device/command';
import { firstRange, type GroupRange } from '../../device/groups';
import { readPrintf } from '../../device/printf';
import type { WorkSizes } from '../backend-queue';
import { ErrorCode } from '../cl.gen';
import { OpenCLError } from '../opencl-error';
import { collectingOf, describeCopies, dispatchBytes } from './collecting';
import type { Counted } from './counted';
import type { RunnableModule } from './executable';
import type { SoftwareKernel } from './kernel';
import { LOCAL_MEMORY_BYTES, PRINTF_BUFFER_BYTES } from './limits';
import { allocate } from './memory';
import { type NDRange, resolveNDRange } from './nd-range';

const ENQUEUE = 'clEnqueueNDRangeKernel';
/** Reserved after the kernel's own needs, so that arguments which need no local memory are never at a null address. */
const LEAST_SCRATCH = 64;
/** Nanoseconds that a group takes where it is run by itself, and nothing is done in it. */
const GROUP_NS = 20;

export interface Launch {
  readonly work: Work;
  /** To be retained until the kernel has run. */
  readonly uses: readonly Counted[];
}

/** What follows from a kernel and the sizes of an ND-range alone. */
export interface LaunchPlan {
  readonly global: readonly number[];
  readonly local: readonly number[] | undefined;
  readonly offset: readonly number[] | undefined;
  readonly range: NDRange;
  readonly binary: KernelBinary;
  readonly atomics: AtomicsKind;
  readonly module: RunnableModule;
  readonly items: number;
  readonly groups: GroupRange;
}

/** The plan of a launch; most launches have the sizes of the one before, whose plan the kernel keeps. */
function planFor(
  kernel: SoftwareKernel,
  global: readonly number[],
  local: readonly number[] | undefined,
  offset: readonly number[] | undefined,
  atomics: AtomicsKind,
): LaunchPlan {
  const { plan: last, executable, signature } = kernel;
  if (
    last &&
    last.atomics === atomics &&
    sameSizes(last.global, global) &&
    sameSizes(last.local, local) &&
    sameSizes(last.offset, offset)
  )
    return last;
  const range = resolveNDRange(kernel, global, local, offset);
  const binary = executable.kernel(signature.name);
  const plan: LaunchPlan = {
    global: [...global],
    local: local && [...local],
    offset: offset && [...offset],
    range,
    binary,
    atomics,
    module: executable.module(signature.name, moduleKind(binary, range.global, range.local), atomics),
    items: range.local.reduce((all, size) => all * size, 1),
    groups: firstRange(range.groups),
  };
  kernel.plan = plan;
  return plan;
}

function sameSizes(a: readonly number[] | undefined, b: readonly number[] | undefined): boolean {
  if (a === b) return true;
  if (!a || !b || a.length !== b.length) return false;
  for (let d = 0; d < a.length; d++) if (a[d] !== b[d]) return false;
  return true;
}

/** Makes a kernel and its arguments of now into work for the device. */
export function prepareLaunch(
  kernel: SoftwareKernel,
  { global, local, offset }: WorkSizes,
  profiled: boolean,
): Launch {
  const { device, signature, executable } = kernel;
  const missing = kernel.values.indexOf(undefined);
  if (missing >= 0) {
    throw new OpenCLError(
      ErrorCode.INVALID_KERNEL_ARGS,
      ENQUEUE,
      `argument ${missing} ('${signature.arguments[missing]!.name}') of kernel '${signature.name}' has not been set`,
    );
  }
  const uses: Counted[] = [executable];
  for (const value of kernel.values) if (value?.kind === 'word' && value.uses) uses.push(value.uses);
  uses.push(...kernel.indirect);
  if (global.includes(0)) {
    resolveNDRange(kernel, global, local, offset);
    return { work: { kind: 'host', run: undefined }, uses };
  }

  const collecting = collectingOf(kernel, global);
  const atomics = collecting ? 'collected' : 'shared';
  const { range, binary, module, items, groups } = planFor(kernel, global, local, offset, atomics);
  const { loaded, scratch } = module;
  const { memory } = device;
  const programBase = executable.globalsAddress();
  const prints = binary.printfFormats.length > 0;
  const ring = prints ? allocate(device, PRINTF_BUFFER_BYTES, 64, ENQUEUE) : undefined;
  const block = allocate(device, dispatchBytes(binary), 64, ENQUEUE);
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
  word(DISPATCH.printfBuffer, ring ? ring.address : 0);
  u8.fill(0, base + DISPATCH.zeros, base + DISPATCH.arguments);
  if (ring) {
    i32[ring.address >>> 2] = 0;
    i32[(ring.address + 4) >>> 2] = PRINTF_BUFFER_BYTES;
  }
  let localBytes = binary.localBytes;
  kernel.values.forEach((value, index) => {
    const { offset: at, align } = signature.arguments[index]!;
    if (value!.kind === 'bytes') {
      u8.set(value!.bytes, base + at);
    } else if (value!.kind === 'word') {
      word(at, value!.word);
    } else {
      localBytes = Math.ceil(localBytes / Math.max(align, 16)) * Math.max(align, 16);
      word(at, localBytes);
      localBytes += value!.bytes;
    }
  });
  if (localBytes > LOCAL_MEMORY_BYTES) {
    memory.free(block);
    if (ring) memory.free(ring);
    throw new OpenCLError(
      ErrorCode.OUT_OF_RESOURCES,
      ENQUEUE,
      `kernel '${signature.name}' needs ${localBytes} bytes of local memory, a work-group has ${LOCAL_MEMORY_BYTES}`,
    );
  }
  const scratchBytes = Math.ceil((scratch.fixed + scratch.perWorkItem * items + LEAST_SCRATCH) / 64) * 64;
  if (collecting) describeCopies(memory, base, collecting, scratchBytes);
  const allScratchBytes = scratchBytes + (collecting?.bytes ?? 0);
  word(DISPATCH.scratchBytes, allScratchBytes);
  return {
    uses,
    work: {
      kind: 'job',
      job: {
        kernel: loaded,
        dispatch: base,
        groups,
        groupItems: items,
        groupCost: Math.max(binary.groupsUnobservable ? 1 : GROUP_NS, binary.costPerItem * items),
        localBytes,
        scratchBytes: allScratchBytes,
        leastChunk: collecting?.leastChunk ?? 0,
        bounded: binary.bounded === true,
        timed: profiled,
      },
      finish: () => {
        memory.free(block);
        if (!ring) return;
        const text = readPrintf(memory.u8, ring.address, binary.printfFormats);
        memory.free(ring);
        if (text !== '') device.host.writeOut(text);
      },
    },
  };
}
