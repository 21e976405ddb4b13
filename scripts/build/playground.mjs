// SPDX-License-Identifier: MIT
// Bundles ts/playground/ into dist/playground/: static files for any server, made of the same sources as the package.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, transform } from 'esbuild';
import { compactEnums } from './compact-enums.mjs';

/** The package has the built-in library in a file already: the threads import it, and `anycl playground` serves that one. */
const libraryBeside = {
  name: 'library-beside',
  setup(bundler) {
    bundler.onResolve({ filter: /^\.\/library\.mjs$/ }, ({ path }) => ({ path, external: true }));
    bundler.onLoad({ filter: /browser.embedded\.ts$/ }, () => ({
      contents: `
        import base64 from './library.mjs';
        export const library = () => Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));`,
    }));
  },
};

/** @param options of esbuild */
export async function buildPlayground(root, dist, options) {
  const out = join(dist, 'playground');
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const { outputFiles } = await build({
    ...options,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    entryPoints: ['page', 'language-thread', 'device-thread'].map((name) => `ts/playground/${name}.ts`),
    outdir: out,
    write: false,
    splitting: true,
    chunkNames: 'shared-[hash]',
    loader: { '.cl': 'text' },
    plugins: [libraryBeside],
  });
  // The page is loaded over the network, and its users do not look into it.
  for (const { path, text } of outputFiles) {
    const { code } = await transform(compactEnums(text), { format: 'esm', target: 'es2022', minify: true });
    writeFileSync(path, code);
  }
  copyFileSync(join(dist, 'library.mjs'), join(out, 'library.mjs'));
  for (const name of ['index.html', 'style.css', 'photo.webp'])
    copyFileSync(join(root, 'ts/playground', name), join(out, name));
}
