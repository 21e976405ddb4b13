// SPDX-License-Identifier: MIT
// The package's further entries, which use the main one as any program does: a file for `require`, one for `import` that loads the
// same, and one for bundlers over dist/bundler.mjs. What they import of ts/api/public.ts stays an import.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Names of the entries, and of their folders in ts/. */
export const ENTRIES = { array: 'ts/array/index.ts', testing: 'ts/testing/index.ts' };

const mainEntry = (path) => ({
  name: 'main-entry',
  setup(bundler) {
    bundler.onResolve({ filter: /\/api\/public$/ }, () => ({ path, external: true }));
  },
});

/** @param options of esbuild, without plugins */
export async function buildEntries(out, options) {
  for (const [name, entry] of Object.entries(ENTRIES)) {
    const file = (kind) => join(out, `${name}${kind}`);
    const common = { ...options, entryPoints: [entry], platform: 'neutral', external: ['node:*'] };
    await build({
      ...common,
      format: 'cjs',
      outfile: file('.cjs'),
      plugins: [mainEntry('./index.cjs')],
    });
    await build({
      ...common,
      format: 'esm',
      outfile: file('-bundler.mjs'),
      plugins: [mainEntry('./bundler.mjs')],
    });
    const names = Object.keys(createRequire(import.meta.url)(file('.cjs'))).sort();
    writeFileSync(
      file('.mjs'),
      `import entry from './${name}.cjs';\n\nexport const { ${names.join(', ')} } = entry;\n`,
    );
  }
}

/** The files that `buildEntries` writes. */
export const entryFiles = Object.keys(ENTRIES).flatMap((name) => [
  `${name}.cjs`,
  `${name}.mjs`,
  `${name}-bundler.mjs`,
]);
