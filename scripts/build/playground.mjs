// SPDX-License-Identifier: MIT
// Bundles ts/playground/ into dist/playground/: static files for any server, made of the same sources as the package.
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { embedForBrowser } from './embed.mjs';

/** @param options of esbuild */
export async function buildPlayground(root, dist, options) {
  const out = join(dist, 'playground');
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  await build({
    ...options,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    entryPoints: ['page', 'language-thread', 'device-thread'].map((name) => `ts/playground/${name}.ts`),
    outdir: out,
    // The page is loaded over the network, and its users do not look into it.
    minify: true,
    splitting: true,
    chunkNames: 'shared-[hash]',
    loader: { '.cl': 'text' },
    plugins: [embedForBrowser(join(dist, 'library.bin'))],
  });
  for (const name of ['index.html', 'style.css', 'photo.webp']) copyFileSync(join(root, 'ts/playground', name), join(out, name));
}
