// SPDX-License-Identifier: MIT
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { EXIT, inputError } from './exit';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ENOSPC: 'no space left on the disk',
  EROFS: 'the file system is read-only',
  ELOOP: 'its symbolic links lead nowhere',
  EFBIG: 'it is not a file, and has no end within 1 GiB',
  ENAMETOOLONG: 'its name is too long',
};

const reason = (error: unknown): string => {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return REASONS[code] ?? (code || String(error));
};

/** Reads a file, `-` being standard input; a failure ends the command with status 1. */
export function readInput(path: string): Uint8Array {
  try {
    if (path === '-') return readOpen(0);
    const file = openSync(path, constants.O_RDONLY);
    try {
      return readOpen(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw inputError(`cannot read '${path}': ${reason(error)}`);
  }
}

/** Devices and pipes need not have an end: what exceeds this is not for us to read. */
const LIMIT_BYTES = 1 << 30;
const PIECE_BYTES = 1 << 20;

function readOpen(file: number): Uint8Array {
  const stats = fstatSync(file);
  if (stats.isFile() || stats.isDirectory()) return readFileSync(file);
  const pieces: Uint8Array[] = [];
  const piece = new Uint8Array(PIECE_BYTES);
  for (let total = 0; ; ) {
    const count = readSync(file, piece);
    if (count === 0) return Buffer.concat(pieces);
    total += count;
    if (total > LIMIT_BYTES) throw Object.assign(new Error(), { code: 'EFBIG' });
    pieces.push(piece.slice(0, count));
  }
}

/** Whether a file begins as a SPIR-V module does, in either byte order. */
export const isSpirv = (content: Uint8Array): boolean =>
  content.byteLength >= 4 &&
  [0x07230203, 0x03022307].includes(new DataView(content.buffer, content.byteOffset).getUint32(0, true));

/**
 * The folders that `#include` may read besides those of `-I`: the source's own, which is searched first, and the working
 * directory.
 */
export function foldersOf(file: string): readonly string[] {
  return [...new Set([file === '-' ? '.' : dirname(file), '.'])];
}

/** Writes a file, `-` being standard output. */
export function writeOutput(path: string, content: string | Uint8Array): void {
  if (path === '-') {
    // Not by file descriptor: a full pipe would be an error.
    standardOutput().write(content);
    return;
  }
  try {
    writeOver(path, content);
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'no such folder' : reason(error);
    throw inputError(`cannot write '${path}': ${why}`);
  }
}

/**
 * Overwrites an existing file and then truncates it. writeFileSync truncates first, and then ext4 (auto_da_alloc) writes
 * the file to the disk before the command ends, which takes longer than most compilations.
 */
function writeOver(path: string, content: string | Uint8Array): void {
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT, 0o666);
  try {
    writeFileSync(file, content);
    const length = Buffer.byteLength(content);
    const found = fstatSync(file);
    if (found.isFile() && found.size > length) ftruncateSync(file, length);
  } finally {
    closeSync(file);
  }
}

let output: NodeJS.WriteStream | undefined;
let errors: NodeJS.WriteStream | undefined;

/** Standard output. A reader may close it without an error. Created when needed, because the stream is slow to create. */
export function standardOutput(): NodeJS.WriteStream {
  if (output) return output;
  output = process.stdout;
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.done);
    throw error;
  });
  return output;
}

export function standardError(): NodeJS.WriteStream {
  errors ??= process.stderr;
  return errors;
}

/** Whether neither stream was used: then no text can be on its way. */
export const isSilent = (): boolean => output === undefined && errors === undefined;
