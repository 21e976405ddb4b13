// SPDX-License-Identifier: MIT
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext, Script } from 'node:vm';
import { CodeCache } from './code-cache';

type Wrapper = (
  exports: unknown,
  load: (id: string) => unknown,
  module: { exports: unknown },
  file: string,
  folder: string,
) => void;

const loaded = new Map<string, { exports: unknown }>();

/**
 * Loads a bundle that is a file beside this one, with V8's code for it where there is some.
 *
 * @param load the caller's `require`
 * @param asModule requires the bundle as a module like any other. Bundlers find the file by this call, and what they make of
 *   the package uses it, as does a context of its own (test runners), in which a script would not run
 * @param around is handed what evaluates the bundle, and calls it
 * @returns the bundle's exports
 */
export function loadBundle(
  name: string,
  load: NodeJS.Require,
  asModule: () => unknown,
  around: (evaluate: () => void) => void = (evaluate) => evaluate(),
): unknown {
  if (typeof __dirname !== 'string' || runInThisContext('globalThis') !== globalThis) return asModule();
  const folder = __dirname;
  const filename = join(folder, `${name}.cjs`);
  const known = loaded.get(filename);
  if (known) return known.exports;
  if (!existsSync(filename)) return asModule();
  const module = { exports: {} };
  loaded.set(filename, module);
  const cache = new CodeCache(name, folder);
  const kept = cache.read();
  // The build keeps the file to ASCII, which is the fastest to read.
  const text = readFileSync(filename, 'latin1');
  const script = new Script(
    text,
    kept ? { filename, cachedData: Buffer.from(kept.code.buffer, 0, kept.code.length) } : { filename },
  );
  const taken = kept && !script.cachedDataRejected ? kept : undefined;
  if (!taken || !cache.isComplete(taken.additions)) cache.keepAtExit(script, taken !== undefined);
  const make = script.runInThisContext() as Wrapper;
  const loadBeside = (id: string): unknown => {
    const beside = /^\.\/(\w+)\.cjs$/.exec(id)?.[1];
    return beside === undefined ? load(id) : loadBundle(beside, load, () => load(id));
  };
  around(() => make(module.exports, loadBeside, module, filename, folder));
  return module.exports;
}
