// SPDX-License-Identifier: MIT
// Bundles ts/browser.ts: the library for browsers, as one ES module or, for the global `anycl`, as a script.
//     node scripts/build/browser.mjs OUTFILE [esm|iife]
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { embedForBrowser } from './embed.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const [outfile, format = 'esm'] = process.argv.slice(2);
if (!outfile) throw new Error('usage: node scripts/build/browser.mjs OUTFILE [esm|iife]');
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['ts/browser.ts'],
  outfile,
  bundle: true,
  platform: 'browser',
  format,
  globalName: 'anycl',
  target: 'es2022',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  plugins: [embedForBrowser(join(root, 'dist/library.bin'))],
});
const output = Object.values(metafile.outputs)[0];
const imports = output.imports.map(({ path }) => path);
console.log(JSON.stringify({ bytes: output.bytes, inputs: Object.keys(output.inputs), imports }));
