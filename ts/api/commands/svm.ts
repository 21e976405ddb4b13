// SPDX-License-Identifier: MIT
//
// Commands of shared virtual memory, and migration: each function checks the operands of one command and returns it as data. Offsets and
// sizes are bytes.

import type { Command } from '../../backend/command';
import { COMMANDS } from '../../backend/command-table';
import { ErrorCode, MemMigrationFlags } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { checkView, MAP_FLAGS, type MapMode, patternBytes } from '../data/transfers';
import { handleFor } from '../internals';
import type { ByteRange, CopyRange } from './buffers';
import type { MemoryOperand, SvmOperand } from './operands';

/** The bytes that the options name. They must be located in the memory. */
function svmSpan(
  svm: SvmOperand,
  { offset = 0, size = svm.size - offset }: ByteRange,
  functionName: string,
): { readonly offset: number; readonly size: number } {
  const whole = Number.isSafeInteger(offset) && Number.isSafeInteger(size);
  if (whole && offset >= 0 && size >= 1 && offset + size <= svm.size) return { offset, size };
  const detail = `bytes ${offset} to ${offset + size} exceed the memory's ${svm.size}`;
  throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, detail);
}

export function mapSvm(
  target: SvmOperand,
  mode: MapMode,
  range: ByteRange,
  functionName: string = COMMANDS.svmMap.enqueuedBy,
): Command<'svmMap'> {
  const span = svmSpan(target, range, functionName);
  return { op: 'svmMap', svm: target[handleFor](functionName).svm, flags: MAP_FLAGS[mode], ...span };
}

export const unmapSvm = (
  target: SvmOperand,
  functionName: string = COMMANDS.svmUnmap.enqueuedBy,
): Command<'svmUnmap'> => ({
  op: 'svmUnmap',
  svm: target[handleFor](functionName).svm,
});

export function copySvm(
  from: SvmOperand,
  to: SvmOperand | ArrayBufferView,
  { targetOffset = 0, ...source }: CopyRange,
  functionName: string = COMMANDS.svmMemcpy.enqueuedBy,
): Command<'svmMemcpy'> {
  const { offset, size } = svmSpan(from, source, functionName);
  if (ArrayBuffer.isView(to)) checkView(to, functionName);
  const room = ArrayBuffer.isView(to) ? to.byteLength : to.size;
  if (!Number.isSafeInteger(targetOffset) || targetOffset < 0 || targetOffset + size > room) {
    const detail = `${size} bytes do not fit at byte ${targetOffset} of the target's ${room}`;
    throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, detail);
  }
  if (to === from && offset < targetOffset + size && targetOffset < offset + size)
    throw new OpenCLError(ErrorCode.MEM_COPY_OVERLAP, functionName, 'source and target overlap');
  return {
    op: 'svmMemcpy',
    to: ArrayBuffer.isView(to) ? to : to[handleFor](functionName).svm,
    toOffset: targetOffset,
    from: from[handleFor](functionName).svm,
    fromOffset: offset,
    size,
  };
}

export function fillSvm(
  target: SvmOperand,
  pattern: ArrayBufferView,
  range: ByteRange,
  functionName: string = COMMANDS.svmFill.enqueuedBy,
): Command<'svmFill'> {
  const { offset, size } = svmSpan(target, range, functionName);
  const bytes = patternBytes(pattern, offset, size, functionName);
  return { op: 'svmFill', svm: target[handleFor](functionName).svm, offset, pattern: bytes, size };
}

/** The memories, each once. */
export function freeSvm(
  svms: readonly SvmOperand[],
  functionName: string = COMMANDS.svmFree.enqueuedBy,
): Command<'svmFree'> {
  if (svms.length === 0)
    throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, 'there is nothing to free');
  if (new Set(svms).size < svms.length)
    throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, '`svms` has one Svm twice');
  return { op: 'svmFree', svms: svms.map((svm) => svm[handleFor](functionName).svm) };
}

export function migrateSvm(
  svms: readonly SvmOperand[],
  options: MigrateOptions,
  functionName: string = COMMANDS.svmMigrate.enqueuedBy,
): Command<'svmMigrate'> {
  if (svms.length === 0)
    throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, 'there is nothing to migrate');
  const handles = svms.map((svm) => svm[handleFor](functionName).svm);
  return { op: 'svmMigrate', svms: handles, flags: migrationFlags(options) };
}

export function migrateMemory(
  memories: readonly MemoryOperand[],
  options: MigrateOptions,
  functionName: string = COMMANDS.migrate.enqueuedBy,
): Command<'migrate'> {
  if (memories.length === 0)
    throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, 'there is nothing to migrate');
  const handles = memories.map((memory) => memory[handleFor](functionName));
  return { op: 'migrate', memories: handles, flags: migrationFlags(options) };
}

/** Where memory is moved to. */
export interface MigrateOptions {
  /** To the host, not to the queue's device. */
  readonly toHost?: boolean;
  /** The contents need not be kept. */
  readonly contentUndefined?: boolean;
}

/** cl_mem_migration_flags */
const migrationFlags = ({ toHost, contentUndefined }: MigrateOptions): number =>
  (toHost ? MemMigrationFlags.HOST : 0) | (contentUndefined ? MemMigrationFlags.CONTENT_UNDEFINED : 0);
