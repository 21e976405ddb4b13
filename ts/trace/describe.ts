// SPDX-License-Identifier: MIT
//
// The description of commands in a trace: a name, a category, and the number of bytes moved.
import type { BackendMemory } from '../backend/backend-objects';
import type { BackendArgument, BackendKernel } from '../backend/backend-queue';
import type { Command, CommandOp, RectLayout, Triple } from '../backend/command';
import type { NDRange } from '../base/nd-range';
import { ImageInfo, KernelInfo, MemInfo } from '../cl/constants.gen';
import { decodeInfo } from '../cl/info-values';
import type { Arguments, Category } from './events';

export interface Description {
  readonly name: string;
  readonly cat: Category;
  readonly args: Arguments;
}

const volume = ([x, y, z]: Triple): number => x * y * z;
const rectBytes = ({ region }: RectLayout): number => volume(region);
const pixelBytes = (image: BackendMemory, region: Triple): number =>
  volume(region) * number(() => decodeInfo('size', image.imageInfo(ImageInfo.ELEMENT_SIZE)));
const allBytes = (memories: readonly BackendMemory[]): number =>
  memories.reduce((sum, memory) => sum + sizeOf(memory), 0);

/** 0 if a device does not answer: a trace must not make a program fail. */
function number(query: () => unknown): number {
  try {
    return Number(query());
  } catch {
    return 0;
  }
}

const sizes = new WeakMap<BackendMemory, number>();

function sizeOf(memory: BackendMemory): number {
  const known = sizes.get(memory) ?? number(() => decodeInfo('size', memory.info(MemInfo.SIZE)));
  sizes.set(memory, known);
  return known;
}

interface Row<Op extends CommandOp> {
  readonly name: string;
  readonly cat: Category;
  bytes?(command: Command<Op>): number;
}

const transfer = <Op extends CommandOp>(name: string, bytes: (command: Command<Op>) => number): Row<Op> => ({
  name,
  cat: 'transfer',
  bytes,
});
const other = <Op extends CommandOp>(name: string): Row<Op> => ({ name, cat: 'command' });

const ROWS: { readonly [Op in CommandOp]: Row<Op> } = {
  readBuffer: transfer('read', ({ into }) => into.byteLength),
  writeBuffer: transfer('write', ({ from }) => from.byteLength),
  readBufferRect: transfer('read rectangle', ({ rect }) => rectBytes(rect)),
  writeBufferRect: transfer('write rectangle', ({ rect }) => rectBytes(rect)),
  copyBuffer: transfer('copy', ({ size }) => size),
  copyBufferRect: transfer('copy rectangle', ({ rect }) => rectBytes(rect)),
  fillBuffer: transfer('fill', ({ size }) => size),
  readImage: transfer('read image', ({ image, region }) => pixelBytes(image, region)),
  writeImage: transfer('write image', ({ image, region }) => pixelBytes(image, region)),
  copyImage: transfer('copy image', ({ from, region }) => pixelBytes(from, region)),
  fillImage: transfer('fill image', ({ image, region }) => pixelBytes(image, region)),
  copyImageToBuffer: transfer('copy image to buffer', ({ from, region }) => pixelBytes(from, region)),
  copyBufferToImage: transfer('copy buffer to image', ({ to, region }) => pixelBytes(to, region)),
  unmap: transfer('unmap', ({ mapping }) => mapping.bytes.byteLength),
  migrate: transfer('migrate', ({ memories }) => allBytes(memories)),
  svmMemcpy: transfer('copy shared memory', ({ size }) => size),
  svmFill: transfer('fill shared memory', ({ size }) => size),
  svmMap: transfer('map shared memory', ({ size }) => size),
  svmUnmap: transfer('unmap shared memory', ({ svm }) => svm.size),
  svmFree: other('free shared memory'),
  svmMigrate: transfer('migrate shared memory', ({ svms }) => svms.reduce((sum, { size }) => sum + size, 0)),
  barrier: other('barrier'),
  acquireExternal: other('acquire external memory'),
  releaseExternal: other('release external memory'),
  acquireGl: other('acquire GL objects'),
  releaseGl: other('release GL objects'),
  acquireEgl: other('acquire EGL objects'),
  releaseEgl: other('release EGL objects'),
  waitSemaphores: other('wait for semaphores'),
  signalSemaphores: other('signal semaphores'),
};

export function describeCommand(command: Command): Description {
  const { name, cat, bytes } = ROWS[command.op] as Row<CommandOp>;
  return { name, cat, args: bytes ? { bytes: bytes(command) } : {} };
}

export const describeMap = (name: string, bytes: number): Description => ({
  name,
  cat: 'transfer',
  args: { bytes },
});

/** A kernel as a trace describes it. */
export interface KernelNotes {
  readonly name: string;
  /** The memory objects among its arguments, by index. */
  readonly memories: (BackendMemory | undefined)[];
}

const notes = new WeakMap<BackendKernel, KernelNotes>();

export function notesOn(kernel: BackendKernel): KernelNotes {
  const known = notes.get(kernel);
  if (known) return known;
  const made = { name: decodeInfo('string', kernel.info(KernelInfo.FUNCTION_NAME)), memories: [] };
  notes.set(kernel, made);
  return made;
}

export const isMemory = (value: BackendArgument): value is BackendMemory =>
  typeof value === 'object' && value !== null && 'createSubBuffer' in value;

/** `bytes` is the size of all memory objects among the arguments: what the kernel moves if it accesses each byte once. */
export function describeLaunch(kernel: BackendKernel, { global, local, offset }: NDRange): Description {
  const { name, memories } = notesOn(kernel);
  const bytes = allBytes([...new Set(memories.filter((memory) => memory !== undefined))]);
  const args = {
    global,
    ...(local ? { local } : {}),
    ...(offset?.some((each) => each !== 0) ? { offset } : {}),
    ...(bytes > 0 ? { bytes } : {}),
  };
  return { name, cat: 'kernel', args };
}
