// SPDX-License-Identifier: MIT
//
// Buffer commands: each function checks the operands of one command and returns it as data. Offsets and sizes are bytes.

import type { Command } from '../../backend/command';
import { ErrorCode, MapFlags, MemFlags } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
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
import type { Buffer } from '../objects/buffer';

/** A part of a buffer, in bytes. */
export interface ByteRange {
  readonly offset?: number;
  readonly size?: number;
}

/** The source's `offset` and the number of bytes, and the target's offset. */
export interface CopyRange extends ByteRange {
  readonly targetOffset?: number;
}

const NO_HOST_READ = MemFlags.HOST_WRITE_ONLY | MemFlags.HOST_NO_ACCESS;
const NO_HOST_WRITE = MemFlags.HOST_READ_ONLY | MemFlags.HOST_NO_ACCESS;

export function readBuffer(
  source: Buffer,
  into: ArrayBufferView,
  { offset = 0 }: ByteRange,
  functionName: string,
): Command<'readBuffer'> {
  const buffer = source.handleFor(functionName);
  checkView(into, functionName);
  checkSpan(offset, into.byteLength, source, functionName);
  checkHostAccess(source, NO_HOST_READ, 'read', functionName);
  return { op: 'readBuffer', buffer, offset, into };
}

export function writeBuffer(
  target: Buffer,
  from: ArrayBufferView,
  { offset = 0 }: ByteRange,
  functionName: string,
): Command<'writeBuffer'> {
  const buffer = target.handleFor(functionName);
  checkView(from, functionName);
  checkSpan(offset, from.byteLength, target, functionName);
  checkHostAccess(target, NO_HOST_WRITE, 'written', functionName);
  return { op: 'writeBuffer', buffer, offset, from };
}

export function readBufferRect(
  source: Buffer,
  into: ArrayBufferView,
  rect: Rect,
  functionName: string,
): Command<'readBufferRect'> {
  const buffer = source.handleFor(functionName);
  checkView(into, functionName);
  const layout = rectLayout(rect, source.size, into.byteLength, functionName);
  checkHostAccess(source, NO_HOST_READ, 'read', functionName);
  return { op: 'readBufferRect', buffer, into, rect: layout };
}

export function writeBufferRect(
  target: Buffer,
  from: ArrayBufferView,
  rect: Rect,
  functionName: string,
): Command<'writeBufferRect'> {
  const buffer = target.handleFor(functionName);
  checkView(from, functionName);
  const layout = rectLayout(rect, target.size, from.byteLength, functionName);
  checkHostAccess(target, NO_HOST_WRITE, 'written', functionName);
  return { op: 'writeBufferRect', buffer, from, rect: layout };
}

export function copyBuffer(
  from: Buffer,
  to: Buffer,
  { offset = 0, targetOffset = 0, size = from.size - offset }: CopyRange,
  functionName: string,
): Command<'copyBuffer'> {
  const [source, target] = [from.handleFor(functionName), to.handleFor(functionName)];
  checkSpan(offset, size, from, functionName);
  checkSpan(targetOffset, size, to, functionName);
  const start = from.origin + offset;
  const targetStart = to.origin + targetOffset;
  const shared = (from.parent ?? from) === (to.parent ?? to);
  if (shared && start < targetStart + size && targetStart < start + size) {
    const detail = 'source and target overlap in one buffer';
    throw new OpenCLError(ErrorCode.MEM_COPY_OVERLAP, functionName, detail);
  }
  return { op: 'copyBuffer', from: source, to: target, fromOffset: offset, toOffset: targetOffset, size };
}

export function copyBufferRect(
  from: Buffer,
  to: Buffer,
  rect: Rect,
  functionName: string,
): Command<'copyBufferRect'> {
  const [source, target] = [from.handleFor(functionName), to.handleFor(functionName)];
  const layout = rectLayout(rect, from.size, to.size, functionName);
  return { op: 'copyBufferRect', from: source, to: target, rect: layout };
}

export function fillBuffer(
  target: Buffer,
  pattern: ArrayBufferView,
  { offset = 0, size = target.size - offset }: ByteRange,
  functionName: string,
): Command<'fillBuffer'> {
  const buffer = target.handleFor(functionName);
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
  buffer: Buffer,
  mode: MapMode,
  { offset = 0, size = buffer.size - offset }: ByteRange,
  functionName: string,
): { readonly flags: number; readonly offset: number; readonly size: number } {
  const flags = MAP_FLAGS[mode];
  checkSpan(offset, size, buffer, functionName);
  if (flags & MapFlags.READ) checkHostAccess(buffer, NO_HOST_READ, 'mapped for reading', functionName);
  if (flags & (MapFlags.WRITE | MapFlags.WRITE_INVALIDATE_REGION))
    checkHostAccess(buffer, NO_HOST_WRITE, 'mapped for writing', functionName);
  return { flags, offset, size };
}
