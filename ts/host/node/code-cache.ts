// SPDX-License-Identifier: MIT
//
// A cache of V8's code for the bundles, as Python's `__pycache__`. Processes that use the package write it, for their version of
// Node.js and their flags. Cached functions need not be parsed and compiled when they first run, which would be most of the
// time to a first result. Node.js's own cache (module.enableCompileCache) would also cache the program's other modules, which
// a library must not decide, and it keeps only what the first process ran.
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Script } from 'node:vm';
import { cacheFolder } from './cache-folder';
import { environment, processSettings, userId } from './environment';
import { makeFolders, makePrivate } from './private-folder';
import { readRegularFile } from './regular-file';

declare const ANYCL_BUILD: string;

/** This many processes add the functions that they ran; then the cache is complete. */
const ADDITIONS = 8;
/** Each version of Node.js and set of flags has some ten files. Beyond this many, the oldest are deleted. */
const FILES = 64;
/** The number of processes that have added to the code; it follows the code. */
const FOOTER_BYTES = 1;
const LIMIT_BYTES = 64 << 20;

/**
 * The engine that the code is for. V8 makes this name if the process was started with options: 'node:v8' and what it loads take a tenth
 * of the time of `anycl compile`. If a program changes flags by itself, V8 rejects the code that others stored, and it is replaced.
 */
function engine(): string {
  if (process.execArgv.length === 0 && !environment('NODE_OPTIONS'))
    return `${process.versions.v8}-${process.arch}`;
  const { cachedDataVersionTag } = require('node:v8') as typeof import('node:v8');
  return cachedDataVersionTag().toString(16);
}

export class CodeCache {
  private readonly settings = processSettings();
  private readonly paths: readonly string[];
  private readonly owners: readonly (number | undefined)[];

  /** @param folder of the bundles: used if it is writable; otherwise the user's private cache is used */
  constructor(name: string, folder: string) {
    const file = `${name}-${ANYCL_BUILD}-${engine()}.bin`;
    const user = cacheFolder(this.settings);
    const ownFolder = user !== undefined && makePrivate(user) === undefined;
    this.paths = [join(folder, 'cache', file), ...(ownFolder ? [join(user, 'code', file)] : [])];
    // V8 does not verify the file's contents: it must belong to this user or to the owner of the package.
    this.owners = [userId(), statSync(folder).uid];
  }

  /**
   * The code, and how many processes have added to it.
   * @param memory for the code, as in `ReadRules`
   */
  read(memory?: (bytes: number) => Uint8Array): { code: Uint8Array; additions: number } | undefined {
    const accept = ({ uid }: { readonly uid: number }) =>
      process.platform === 'win32' || this.owners.includes(uid);
    for (const path of this.paths) {
      try {
        const bytes = readRegularFile(path, {
          limitBytes: LIMIT_BYTES,
          noLinks: true,
          accept,
          ...(memory && { memory }),
        });
        if (!bytes || bytes.length <= FOOTER_BYTES) continue;
        const size = bytes.length - FOOTER_BYTES;
        return { code: bytes.subarray(0, size), additions: bytes[size] ?? 0 };
      } catch {
        // The file is missing or not readable.
      }
    }
    return undefined;
  }

  /**
   * Stores the script's code when the process ends. Worker threads, which can be terminated at any time, only read.
   * @param adding to the code that V8 accepted; code that it rejected is replaced
   */
  keepAtExit(script: Script, adding: boolean): void {
    const { isMainThread } = require('node:worker_threads') as typeof import('node:worker_threads');
    if (!isMainThread || this.settings.cache === '0') return;
    whenProcessEnds(() => {
      const made = script.createCachedData();
      // Another process may have stored more, and V8 discards code that has not run for a while.
      const { code = made, additions = 0 } = (adding && this.read()) || {};
      const file = Buffer.concat([made.length > code.length ? made : code, Buffer.of(additions + 1)]);
      this.paths.some((path) => stored(path, file));
    });
  }

  /** Whether enough processes have added their functions. */
  isComplete(additions: number): boolean {
    return additions >= ADDITIONS;
  }
}

const actions: (() => void)[] = [];

/** By one listener: Node.js warns where an event has more than ten. */
function whenProcessEnds(action: () => void): void {
  if (actions.length === 0)
    process.once('exit', () => {
      for (const each of actions) each();
    });
  actions.push(action);
}

function stored(path: string, bytes: Uint8Array): boolean {
  const folder = dirname(path);
  try {
    makeFolders(folder);
    // A rename is atomic: another process finds either the complete file or none.
    writeFileSync(`${path}.${process.pid}`, bytes);
    renameSync(`${path}.${process.pid}`, path);
    sweep(folder);
    return true;
  } catch {
    return false;
  }
}

function sweep(folder: string): void {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.bin'))
    .map((name) => ({ path: join(folder, name), time: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.time - a.time);
  for (const { path } of files.slice(FILES)) rmSync(path, { force: true });
}
