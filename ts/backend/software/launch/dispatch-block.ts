// SPDX-License-Identifier: MIT
//
// A launch's dispatch block: the sizes, addresses and arguments that its kernel reads (base/kernel-abi).
import { DISPATCH, endOfWords, type KernelBinary } from '../../../base/kernel-abi';
import type { Device } from '../../../device/device';
import type { Block } from '../../../device/memory/allocator';
import { readPrintf } from '../../../device/printf/printf';
import type { CommandStream } from '../command-stream';
import { allocate } from '../memory/allocate';
import type { SoftwareKernel } from '../programs/kernel';
import type { LaunchPlan } from '../programs/launch-plan';
import type { EnqueueRegion } from './device-enqueue';
import type { Region } from './launch-bounds';
import { ENQUEUE, writeArguments, writeRange } from './launch-memory';
import { PrintfRings } from './printf-rings';
import { describeCopies, type Privatizing } from './privatizing';
import { writeSoleWrites } from './sole-writer';

/** What a dispatch block refers to besides the arguments. */
export interface DispatchReferences {
  /** The program's variables. */
  readonly globals: Region;
  /** Bytes of a worker's private memory: of the work-items, and of all. The privatized copies are between. */
  readonly ownScratch: number;
  readonly allScratch: number;
  readonly privatizing: Privatizing | undefined;
  /** Memory for the commands that the kernel enqueues; released if there is no memory for the block. */
  readonly region: EnqueueRegion | undefined;
  /** The queue that the launch is of, if it is known to be one. */
  readonly stream: CommandStream | undefined;
}

/** A block that is written, except for the addresses of checks, bounds and counters. */
export interface DispatchBlock {
  readonly address: number;
  readonly bytes: number;
  readonly prints: boolean;
  /** Frees it, also after an error; writes first what the kernel has printed. */
  readonly release: () => Iterator<unknown> | undefined;
}

export function writeDispatchBlock(
  kernel: SoftwareKernel,
  { binary, range }: LaunchPlan,
  { globals, ownScratch, allScratch, privatizing, region, stream }: DispatchReferences,
): DispatchBlock {
  const { device } = kernel;
  const { memory } = device;
  const bytes = dispatchBytes(binary);
  const { block, printing } = allocateFor(device, binary, bytes, globals, region);
  const base = block.address;
  const { i32 } = memory;
  writeRange(memory, base, range);
  memory.u8.fill(0, base + DISPATCH.zeros, base + DISPATCH.arguments);
  i32[(base + DISPATCH.programBase) >>> 2] = globals.base;
  i32[(base + DISPATCH.printfBuffer) >>> 2] = printing?.address ?? 0;
  i32[(base + DISPATCH.scratchBytes) >>> 2] = allScratch;
  i32[(base + DISPATCH.enqueueRegion) >>> 2] = region?.address ?? 0;
  writeArguments(kernel, memory, base, binary.localBytes);
  writeSoleWrites(kernel, binary, range, stream, i32, base);
  if (privatizing) describeCopies(memory, base, privatizing, ownScratch);
  const release = printing
    ? printing.finish
    : (): undefined => {
        memory.free(block);
      };
  return { address: base, bytes, prints: printing !== undefined, release };
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

/** Bytes of a dispatch block with the words after the arguments. */
const dispatchBytes = ({ signature, privatized, soleWrites = [] }: KernelBinary): number =>
  endOfWords(signature.dispatchBytes, [...privatized, ...soleWrites]);
