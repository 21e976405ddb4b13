// SPDX-License-Identifier: MIT
// Programs that bundlers make of the packed package run away from node_modules. scripts/package/bundlers.mjs has webpack and
// vite as well, which take longer.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { node, root } from '../helpers/command';

const NAMES = ['esbuild-esm', 'esbuild-cjs', 'esbuild-conditions', 'rollup', 'nft', 'single-executable'];
// `node scripts/build.mjs --fast` does not make the ES module that bundlers take.
const built = existsSync(join(root, 'dist/bundler.mjs')) ? test : test.skip;

built(
  'bundled programs run',
  () => {
    const { status, stdout } = node('scripts/package/bundlers.mjs', NAMES, { timeoutMs: 280_000 });
    expect(stdout.trim().split('\n')).toEqual(NAMES.map((name) => `${name}: runs`));
    expect(status).toBe(0);
  },
  300_000,
);
