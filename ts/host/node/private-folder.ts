// SPDX-License-Identifier: MIT
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { userId } from './environment';

const PRIVATE = 0o700;
const WRITABLE_BY_OTHERS = 0o022;
const OF_OTHERS = 0o077;

/**
 * Creates a folder and those that it is in. Node.js' own option `recursive` never returns where a folder exists in which none can be
 * made, such as /proc.
 */
export function makeFolders(folder: string, mode?: number): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolders(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Creates a folder that only this user may enter, or checks that an existing one is such a folder: it must belong to this
 * user, and no other user may have been able to write to it. Returns the reason if it is not. Windows has neither owners nor
 * modes in this sense; a user's folders are private there.
 */
export function makePrivate(folder: string): string | undefined {
  try {
    makeFolders(folder, PRIVATE);
    const stats = statSync(folder);
    if (!stats.isDirectory()) return 'it is not a folder';
    const user = userId();
    if (user === undefined) return undefined;
    if (stats.uid !== user) return `it belongs to user ${stats.uid}, not to ${user}`;
    if ((stats.mode & WRITABLE_BY_OTHERS) !== 0)
      return `other users can write to it (mode ${(stats.mode & 0o777).toString(8)})`;
    if ((stats.mode & OF_OTHERS) !== 0) chmodSync(folder, stats.mode & PRIVATE);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
