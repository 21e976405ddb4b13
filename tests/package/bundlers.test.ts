// SPDX-License-Identifier: MIT
// Programs that bundlers make of the packed package run away from node_modules.
import { node } from '../helpers/command';

const NAMES = [
  ...['esbuild-esm', 'esbuild-cjs', 'esbuild-conditions', 'rollup', 'webpack', 'vite', 'nft'],
  'single-executable',
];

test('bundled programs run', () => {
  const { status, stdout } = node('scripts/package/bundlers.mjs', NAMES, { timeoutMs: 280_000 });
  expect(stdout.trim().split('\n')).toEqual(NAMES.map((name) => `${name}: runs`));
  expect(status).toBe(0);
}, 300_000);
