// SPDX-License-Identifier: MIT
import { existsSync, lstatSync, readdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CacheEntry } from '../../base/host';
import type { Settings } from '../../base/settings';
import { decodeEntry, encodeEntry, encodeKey, fileName, MAX_ENTRY_BYTES } from './cache-entry';
import { cacheFolder } from './cache-folder';
import { makePrivate } from './private-folder';
import { readRegularFile } from './regular-file';

/** The limit of the folder. A process that writes deletes entries beyond it, oldest first. */
const LIMIT_BYTES = 256 << 20;
/** One write in this many measures the folder. */
const SWEEP_EVERY = 64;
/** To write a program and its kernel takes 2 ms, which the first run's result should not wait for. */
const DELAY_MS = 100;

/**
 * A folder of compiled programs, one file each (cache-entry.ts). Never throws: what cannot be read is a missing
 * entry, what cannot be written is not cached. Files appear under their name by a rename, so readers never see half
 * of one, and any number of processes of one user may share the folder. Nobody else may: who can write an entry can
 * choose what a kernel does (private-folder.ts).
 */
export class DiskCache {
  private folder: string | undefined;
  private resolved = false;
  private writes = 0;
  /** What is still to be written. */
  private waiting: (() => CacheEntry)[] = [];
  readonly flush = (): void => {
    process.off('exit', this.flush);
    const { waiting } = this;
    this.waiting = [];
    for (const entry of waiting) this.store(entry);
  };

  constructor(private readonly settings: Pick<Settings, 'cache' | 'cacheFolder' | 'debug'>) {}

  /** @param parts the key: all that the content depends on */
  read(parts: readonly string[]): Uint8Array | undefined {
    const folder = this.path();
    if (folder === undefined) return undefined;
    if (this.waiting.length > 0) this.flush();
    const key = encodeKey(parts);
    const file = join(folder, fileName(key));
    // On a first run there is nothing: an error that is made to be thrown away takes longer than to look.
    if (!existsSync(file)) return undefined;
    try {
      const bytes = readRegularFile(file, { limitBytes: MAX_ENTRY_BYTES, noLinks: true, accept: isOwn });
      return bytes && decodeEntry(key, bytes);
    } catch {
      return undefined;
    }
  }

  /** Writes an entry a little later, or when the process exits. */
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
      writeWhole(folder, fileName(key), bytes, `${process.pid}.${this.writes}`);
      if (this.writes++ % SWEEP_EVERY === SWEEP_EVERY - 1) sweep(folder);
    } catch {
      // No cache, then.
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
  const user = process.getuid?.();
  return user === undefined || uid === user;
}

/** Writes a file that appears under its name when it is whole. */
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
    // It was not there.
  }
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
