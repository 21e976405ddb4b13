// SPDX-License-Identifier: MIT
import { chmodSync, mkdirSync, statSync } from 'node:fs';

const PRIVATE = 0o700;
const WRITABLE_BY_OTHERS = 0o022;
const OF_OTHERS = 0o077;

/**
 * Makes a folder that this user alone may enter, or makes sure that an existing one is such a folder: it may belong to
 * nobody else, and nobody else may have been able to write to it. Gives the reason where that is not so. Windows has neither
 * owners nor modes in this sense; a user's folders are private there.
 */
export function makePrivate(folder: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: PRIVATE });
    const stats = statSync(folder);
    if (!stats.isDirectory()) return 'it is no folder';
    const user = process.getuid?.();
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
