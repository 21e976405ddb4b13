// SPDX-License-Identifier: MIT
import { existsSync, lstatSync, readdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CacheEntry } from '../../base/host';
import type { Settings } from '../../base/settings';
import { decodeEntry, encodeEntry, encodeKey, fileName, MAX_ENTRY_BYTES } from './cache-entry';
import { cacheFolder } from './cache-folder';
import { userId } from './environment';
import { makePrivate } from './private-folder';
import { readRegularFile } from './regular-file';

/** The size limit of the folder. A process that writes deletes the oldest entries beyond it. */
const LIMIT_BYTES = 256 << 20;
/**
 * The folder is measured once for about this many bytes that all processes together write, which takes 0.2 s where it is full of small
 * entries. By then it is beyond its limit by a few times as much.
 */
const SWEEP_BYTES = LIMIT_BYTES / 32;
/** Writing a program and its kernel takes 2 ms. The first run's result should not wait for it. */
const DELAY_MS = 100;

/**
 * A folder of compiled programs, one file each (cache-entry.ts). Never throws: an unreadable entry counts as
 * missing, and an entry that cannot be written is not cached. Files get their name by a rename, so readers never
 * see a partial file, and any number of processes of one user may share the folder. Other users must not: a writer
 * of entries decides what kernels do (private-folder.ts).
 */
export class DiskCache {
  private folder: string | undefined;
  private resolved = false;
  private writes = 0;
  /** The entries still to be written. */
  private waiting: (() => CacheEntry)[] = [];
  readonly flush = (): void => {
    process.off('exit', this.flush);
    const { waiting } = this;
    this.waiting = [];
    for (const entry of waiting) this.store(entry);
  };

  constructor(private readonly settings: Pick<Settings, 'cache' | 'cacheFolder' | 'debug'>) {}

  /** @param parts the key: everything that the content depends on */
  read(parts: readonly string[]): Uint8Array | undefined {
    const folder = this.path();
    if (folder === undefined) return undefined;
    if (this.waiting.length > 0) this.flush();
    const key = encodeKey(parts);
    const file = join(folder, fileName(key));
    // On a first run the entry does not exist. Creating an error takes longer than checking whether the file
    // exists.
    if (!existsSync(file)) return undefined;
    try {
      const bytes = readRegularFile(file, { limitBytes: MAX_ENTRY_BYTES, noLinks: true, accept: isOwn });
      return bytes && decodeEntry(key, bytes);
    } catch {
      return undefined;
    }
  }

  /** Writes an entry shortly afterwards, or when the process exits. */
  write(entry: () => CacheEntry): void {
    if (this.path() === undefined) return;
    this.waiting.push(entry);
    if (this.waiting.length > 1) return;
    process.on('exit', this.flush);
    setTimeout(this.flush, DELAY_MS).unref();
  }

  private store(entry: () => CacheEntry): void {
    const folder = this.path();
    if (folder === undefined) return;
    try {
      const { key: parts, bytes: content } = entry();
      const key = encodeKey(parts);
      const bytes = encodeEntry(key, content);
      if (bytes.length > MAX_ENTRY_BYTES) return;
      const name = fileName(key);
      writeWhole(folder, name, bytes, `${process.pid}.${this.writes++}`);
      if (isDue(name, bytes.length)) sweep(folder);
    } catch {
      // Without the folder there is no cache.
    }
  }

  private path(): string | undefined {
    if (!this.resolved) {
      this.resolved = true;
      this.folder = this.usable(cacheFolder(this.settings));
    }
    return this.folder;
  }

  private usable(folder: string | undefined): string | undefined {
    if (folder === undefined) return undefined;
    const problem = makePrivate(folder);
    if (problem === undefined) return folder;
    if (this.settings.debug.has('cache'))
      process.stderr.write(`anycl: compiled programs are not cached in ${folder}: ${problem}\n`);
    return undefined;
  }
}

function isOwn({ uid }: { readonly uid: number }): boolean {
  const user = userId();
  return user === undefined || uid === user;
}

/** Writes a file, which appears under its name when it is complete. */
function writeWhole(folder: string, name: string, bytes: Uint8Array, suffix: string): void {
  const temporary = join(folder, `.${name}.${suffix}`);
  try {
    writeFileSync(temporary, bytes, { flag: 'wx', mode: 0o600 });
    renameSync(temporary, join(folder, name));
  } catch (error) {
    if (!isExisting(error)) tryUnlink(temporary);
    throw error;
  }
}

const isExisting = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST';

function tryUnlink(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It did not exist.
  }
}

/**
 * Whether the folder is to be measured after an entry was written. The name, which is a hash, decides in place of chance: many processes
 * write a few entries each, and none knows of the others.
 */
export function isDue(name: string, bytes: number): boolean {
  return Number.parseInt(name.slice(0, 8), 16) / 2 ** 32 < bytes / SWEEP_BYTES;
}

function sweep(folder: string): void {
  const files = readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats?.isFile() ? [{ path, size: stats.size, mtimeMs: stats.mtimeMs }] : [];
  });
  let total = files.reduce((sum, file) => sum + file.size, 0);
  files.sort((a, b) => a.mtimeMs - b.mtimeMs);
  for (const file of files) {
    if (total <= LIMIT_BYTES) return;
    tryUnlink(file.path);
    total -= file.size;
  }
}
