// SPDX-License-Identifier: MIT
// The package's further entries, which use the main entry as any program does. The code of each is a chunk (scripts/build/chunks.mjs).
// It takes its imports from ts/api/public.ts from the main entry. Each has a file for `require`, one for `import` that loads the same
// code, and one for bundlers.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { writeEntryBundlerModule } from './bundler-module.mjs';

/** Names of the entries, and of their folders in ts/. */
export const ENTRIES = { array: 'ts/array/index.ts', testing: 'ts/testing/index.ts' };

/** @param name of an entry; returns that of its chunk */
export const codeOf = (name) => `${name}-code`;

/** Modules of Node.js without `require`: esbuild cannot provide `require` for a CommonJS file in an ES module. */
export function bundleBuiltins(file) {
  const code = readFileSync(file, 'utf8').replaceAll('require("node:', 'builtin("node:');
  writeFileSync(file, `var builtin = process.getBuiltinModule ?? ((id) => require(id));\n${code}`);
}

/** @param options of esbuild for files that load chunks */
export async function buildEntries(out, options) {
  for (const name of Object.keys(ENTRIES)) {
    const bundled = `./${name}-bundler.mjs`;
    const file = join(out, `${name}.cjs`);
    await build({
      ...options,
      entryPoints: ['ts/host/node/entry-main.ts'],
      outfile: file,
      define: {
        ...options.define,
        ANYCL_ENTRY: JSON.stringify(codeOf(name)),
        ANYCL_ENTRY_BUNDLED: JSON.stringify(bundled),
      },
      external: ['./index.cjs', bundled],
    });
    bundleBuiltins(file);
    // By name, because Node.js cannot see the exports in the text of the file.
    const names = Object.keys(createRequire(import.meta.url)(file)).sort();
    writeFileSync(
      join(out, `${name}.mjs`),
      `import entry from './${name}.cjs';\n\nexport const { ${names.join(', ')} } = entry;\n`,
    );
    writeEntryBundlerModule(out, name, codeOf(name), names);
  }
}

/** The files that `buildEntries` writes. */
export const entryFiles = Object.keys(ENTRIES).flatMap((name) => [
  `${name}.cjs`,
  `${name}.mjs`,
  `${name}-bundler.mjs`,
]);
