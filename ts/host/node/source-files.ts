// SPDX-License-Identifier: MIT
//
// The files that `#include` may read: regular ones of a bounded size, below the folders that were named. A symbolic link
// counts as the file that it leads to, so one that leaves the folders is not followed.
import { existsSync, realpathSync, statSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { readRegularFile } from './regular-file';

const LIMIT_BYTES = 16 << 20;

/** The bytes of `path`; undefined if there is no such file, or if it must not be read. */
export function readSource(path: string, folders: readonly string[]): Uint8Array | undefined {
  // Most of the paths do not exist. Creating an error takes longer than checking whether the file exists.
  if (folders.length === 0 || !existsSync(path)) return undefined;
  try {
    const file = realpathSync(path);
    if (!folders.some((folder) => isBelow(file, folder))) return undefined;
    return readRegularFile(file, { limitBytes: LIMIT_BYTES, noLinks: true });
  } catch {
    return undefined;
  }
}

/** As `readSource`, for users who may know which files exist: 'forbidden' for an existing file that must not be read. */
export function readOwnSource(
  path: string,
  folders: readonly string[],
): Uint8Array | 'forbidden' | undefined {
  return readSource(path, folders) ?? (isFile(path) ? 'forbidden' : undefined);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isBelow(file: string, folder: string): boolean {
  if (!existsSync(folder)) return false;
  const way = relative(realpathSync(folder), file);
  return way !== '..' && !way.startsWith(`..${sep}`) && !/^[A-Za-z]:/.test(way);
}
