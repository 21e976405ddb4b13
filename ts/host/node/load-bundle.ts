// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext, Script } from 'node:vm';

declare const ANYCL_BUILD: string;

type Wrapper = (
  exports: unknown,
  load: NodeJS.Require,
  module: { exports: unknown },
  file: string,
  folder: string,
) => void;

/**
 * Loads a bundle of dist/, with V8's code for it if scripts/code-cache.cjs has stored that for this version of Node.js.
 * Functions then need not be parsed and compiled when they first run, which would be most of the time to a first
 * result. V8 rejects code that another version or other flags made; all is as without it then.
 *
 * @param load the caller's `require`
 * @param around is handed what evaluates the bundle, and calls it
 * @returns the bundle's exports
 */
export function loadBundle(
  name: string,
  load: NodeJS.Require,
  around: (evaluate: () => void) => void = (evaluate) => evaluate(),
): unknown {
  const filename = join(__dirname, `${name}.cjs`);
  const cachedData = storedCode(name);
  if (!cachedData) return load(filename);
  // The build keeps the file to ASCII, which is the fastest to read.
  const text = readFileSync(filename, 'latin1');
  const script = new Script(text, { filename, cachedData });
  const module = { exports: {} };
  const make = script.runInThisContext() as Wrapper;
  around(() => make(module.exports, load, module, filename, __dirname));
  return module.exports;
}

function storedCode(name: string): Buffer | undefined {
  // Test runners load packages into contexts of their own, which a script would not run in.
  if (runInThisContext('globalThis') !== globalThis) return undefined;
  try {
    return readFileSync(
      join(__dirname, `code-${name}-${ANYCL_BUILD}-${process.version}-${process.arch}.bin`),
    );
  } catch {
    return undefined;
  }
}
