// SPDX-License-Identifier: MIT
//
// The generators of tests/fuzz and the sources that they test as one module, which Node.js can load.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const require = createRequire(import.meta.url);

/** A temporary folder, which is removed when the process ends. */
export function scratchFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'anycl-fuzz-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes what the modules export, whose paths are relative to the repository, to a file of CommonJS; returns the file. */
export async function bundle(modules, outfile) {
  const contents = modules.map((module) => `export * from './${module}';`).join('\n');
  await build({ stdin: { contents, resolveDir: root }, bundle: true, platform: 'node', outfile });
  return outfile;
}

/** What the modules export. */
export const load = async (modules) => require(await bundle(modules, join(scratchFolder(), 'fuzz.cjs')));
