// SPDX-License-Identifier: MIT
// Fails if modules need each other to load. Types may refer to each other, so this checks the imports that remain after esbuild
// has removed the types; dependency-cruiser, which looks at types too, checks the layers.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const entries = ['ts/index.ts', 'ts/cli/main.ts', 'ts/host/node/worker-main.ts'];
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: entries.filter((entry) => existsSync(join(root, entry))),
  outdir: 'unused',
  bundle: true,
  write: false,
  metafile: true,
  platform: 'node',
  packages: 'external',
  // The bundles load each other.
  plugins: [
    {
      name: 'besides',
      setup: (b) => b.onResolve({ filter: /^\.\/\w+\.cjs$/ }, ({ path }) => ({ path, external: true })),
    },
  ],
  treeShaking: false,
});

const state = new Map();
const cycles = [];
function visit(file, path) {
  if (state.get(file) === 'done') return;
  if (state.get(file) === 'open') {
    cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
    return;
  }
  state.set(file, 'open');
  for (const { path: next, external } of metafile.inputs[file].imports)
    if (!external) visit(next, [...path, file]);
  state.set(file, 'done');
}
for (const file of Object.keys(metafile.inputs)) visit(file, []);
for (const cycle of cycles) console.error(`import cycle: ${cycle}`);
process.exit(cycles.length > 0 ? 1 : 0);
