// SPDX-License-Identifier: MIT
//
// Buffer commands: each function checks the operands of one command and returns it as data. Offsets and sizes are bytes.

import type { Command, RectLayout } from '../../backend/command';
import { COMMANDS } from '../../backend/command-table';
import { ErrorCode, MapFlags, MemFlags } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { rectsOverlap } from '../data/overlap';
import {
  checkHostAccess,
  checkSpan,
  checkView,
  MAP_FLAGS,
  type MapMode,
  patternBytes,
  type Rect,
  rectLayout,
} from '../data/transfers';
import { handleFor } from '../internals';
import type { BufferOperand } from './operands';

/** A part of a buffer, in bytes. */
export interface ByteRange {
  /** The first byte; default 0. */
  readonly offset?: number;
  /** The number of bytes; default: up to the end. */
  readonly size?: number;
}

/** The source's `offset` and the number of bytes, and the target's offset. */
export interface CopyRange extends ByteRange {
  /** The first byte of the target; default 0. */
  readonly targetOffset?: number;
}

/** Whether a transfer between host and buffer reads or writes the buffer, and the memory flags that forbid it. */
const READ = {
  forbidden: MemFlags.HOST_WRITE_ONLY | MemFlags.HOST_NO_ACCESS,
  use: 'read',
  mapping: 'mapped for reading',
} as const;
const WRITE = {
  forbidden: MemFlags.HOST_READ_ONLY | MemFlags.HOST_NO_ACCESS,
  use: 'written',
  mapping: 'mapped for writing',
} as const;
type Direction = typeof READ | typeof WRITE;

type Span = Pick<Command<'readBuffer'>, 'buffer' | 'offset'>;

/** A transfer of consecutive bytes: as many as the host's array has. */
function span(
  direction: Direction,
  memory: BufferOperand,
  host: ArrayBufferView,
  { offset = 0 }: ByteRange,
  functionName: string,
): Span {
  const buffer = memory[handleFor](functionName);
  checkView(host, functionName);
  checkTransfer(direction, memory, offset, host.byteLength, functionName);
  return { buffer, offset };
}

function checkTransfer(
  { forbidden, use }: Direction,
  memory: BufferOperand,
  offset: number,
  size: number,
  functionName: string,
): void {
  checkSpan(offset, size, memory, functionName);
  checkHostAccess(memory, forbidden, use, functionName);
}

/** A read of consecutive bytes into memory that the device makes. */
export function readNewBuffer(source: BufferOperand, offset: number, size: number): Span {
  const functionName = COMMANDS.readBuffer.enqueuedBy;
  const buffer = source[handleFor](functionName);
  checkTransfer(READ, source, offset, size, functionName);
  return { buffer, offset };
}

/** A transfer of a box. */
function box(
  { forbidden, use }: Direction,
  memory: BufferOperand,
  host: ArrayBufferView,
  rect: Rect,
  functionName: string,
): Pick<Command<'readBufferRect'>, 'buffer' | 'rect'> {
  const buffer = memory[handleFor](functionName);
  checkView(host, functionName);
  const layout = rectLayout(rect, memory.size, host.byteLength, functionName);
  checkHostAccess(memory, forbidden, use, functionName);
  return { buffer, rect: layout };
}

export function readBuffer(
  source: BufferOperand,
  into: ArrayBufferView,
  range: ByteRange,
): Command<'readBuffer'> {
  const { buffer, offset } = span(READ, source, into, range, COMMANDS.readBuffer.enqueuedBy);
  return { op: 'readBuffer', buffer, offset, into };
}

export function writeBuffer(
  target: BufferOperand,
  from: ArrayBufferView,
  range: ByteRange,
): Command<'writeBuffer'> {
  const { buffer, offset } = span(WRITE, target, from, range, COMMANDS.writeBuffer.enqueuedBy);
  return { op: 'writeBuffer', buffer, offset, from };
}

export const readBufferRect = (
  source: BufferOperand,
  into: ArrayBufferView,
  rect: Rect,
): Command<'readBufferRect'> => ({
  op: 'readBufferRect',
  ...box(READ, source, into, rect, COMMANDS.readBufferRect.enqueuedBy),
  into,
});

export const writeBufferRect = (
  target: BufferOperand,
  from: ArrayBufferView,
  rect: Rect,
): Command<'writeBufferRect'> => ({
  op: 'writeBufferRect',
  ...box(WRITE, target, from, rect, COMMANDS.writeBufferRect.enqueuedBy),
  from,
});

const isOneMemory = (from: BufferOperand, to: BufferOperand): boolean =>
  (from.parent ?? from) === (to.parent ?? to);

const overlapping = (functionName: string): OpenCLError =>
  new OpenCLError(ErrorCode.MEM_COPY_OVERLAP, functionName, 'source and target overlap in one buffer');

export function copyBuffer(
  from: BufferOperand,
  to: BufferOperand,
  { offset = 0, targetOffset = 0, size = from.size - offset }: CopyRange,
  functionName: string = COMMANDS.copyBuffer.enqueuedBy,
): Command<'copyBuffer'> {
  const [source, target] = [from[handleFor](functionName), to[handleFor](functionName)];
  checkSpan(offset, size, from, functionName);
  checkSpan(targetOffset, size, to, functionName);
  const start = from.origin + offset;
  const targetStart = to.origin + targetOffset;
  if (isOneMemory(from, to) && start < targetStart + size && targetStart < start + size)
    throw overlapping(functionName);
  return { op: 'copyBuffer', from: source, to: target, fromOffset: offset, toOffset: targetOffset, size };
}

export function copyBufferRect(
  from: BufferOperand,
  to: BufferOperand,
  rect: Rect,
  functionName: string = COMMANDS.copyBufferRect.enqueuedBy,
): Command<'copyBufferRect'> {
  const [source, target] = [from[handleFor](functionName), to[handleFor](functionName)];
  const layout = rectLayout(rect, from.size, to.size, functionName);
  if (source === target) checkOwnPitches(layout, functionName);
  if (isOneMemory(from, to) && rectsOverlap(layout, from.origin, to.origin)) throw overlapping(functionName);
  return { op: 'copyBufferRect', from: source, to: target, rect: layout };
}

/** Within one buffer, OpenCL allows only one pair of pitches; drivers give no reason for their error. */
function checkOwnPitches(layout: RectLayout, functionName: string): void {
  const { bufferRowPitch, bufferSlicePitch, hostRowPitch, hostSlicePitch } = layout;
  if (bufferRowPitch === hostRowPitch || bufferSlicePitch === hostSlicePitch) return;
  throw new OpenCLError(
    ErrorCode.INVALID_VALUE,
    functionName,
    `a box is copied within one buffer with the same pitches: from rows of ${bufferRowPitch} and slices of ${bufferSlicePitch} bytes to ${hostRowPitch} and ${hostSlicePitch} is refused by OpenCL (use a second buffer)`,
  );
}

export function fillBuffer(
  target: BufferOperand,
  pattern: ArrayBufferView,
  { offset = 0, size = target.size - offset }: ByteRange,
  functionName: string = COMMANDS.fillBuffer.enqueuedBy,
): Command<'fillBuffer'> {
  const buffer = target[handleFor](functionName);
  checkSpan(offset, size, target, functionName);
  return {
    op: 'fillBuffer',
    buffer,
    pattern: patternBytes(pattern, offset, size, functionName),
    offset,
    size,
  };
}

/** The operands of clEnqueueMapBuffer. */
export function bufferMap(
  buffer: BufferOperand,
  mode: MapMode,
  { offset = 0, size = buffer.size - offset }: ByteRange,
  functionName: string,
): { readonly flags: number; readonly offset: number; readonly size: number } {
  const flags = MAP_FLAGS[mode];
  checkSpan(offset, size, buffer, functionName);
  if (flags & MapFlags.READ) checkHostAccess(buffer, READ.forbidden, READ.mapping, functionName);
  if (flags & (MapFlags.WRITE | MapFlags.WRITE_INVALIDATE_REGION))
    checkHostAccess(buffer, WRITE.forbidden, WRITE.mapping, functionName);
  return { flags, offset, size };
}
