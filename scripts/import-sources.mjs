// SPDX-License-Identifier: MIT
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');

/** Exports of the project's TypeScript sources, for scripts: `exports` is a module in TypeScript, `folder` what its imports are relative to. */
export async function importSources(folder, exports) {
  const { outputFiles } = await build({
    stdin: { contents: exports, resolveDir: join(root, folder), loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
