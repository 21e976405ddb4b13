// SPDX-License-Identifier: MIT
// Packages from the npm registry in named versions, installed once into build/npm; and this package, packed and installed without
// scripts, as users get it.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export function npm(args, cwd) {
  return execFileSync('npm', [...args, '--silent', '--no-audit', '--no-fund'], { cwd, encoding: 'utf8' });
}

/** @param specs as npm takes them: `esbuild@0.28.2`. Returns the folder whose node_modules has them. */
export function installTools(name, specs) {
  const folder = join(root, 'build', 'npm', name);
  const list = join(folder, 'installed.json');
  const wanted = JSON.stringify(specs);
  mkdirSync(folder, { recursive: true });
  if (!existsSync(list) || readFileSync(list, 'utf8') !== wanted) {
    writeFileSync(join(folder, 'package.json'), '{}');
    npm(['install', '--ignore-scripts', ...specs], folder);
    writeFileSync(list, wanted);
  }
  return folder;
}

/** Packs dist/ as it is, into `folder`; returns the tarball. */
export function pack(folder) {
  return join(folder, npm(['pack', '--ignore-scripts', '--pack-destination', folder], root).trim());
}

/** If the tarball has no addon for this machine, the one that was built here is used. */
export function ensureAddon(packageFolder) {
  const folder = join(packageFolder, 'prebuilds', `${process.platform}-${process.arch}`);
  const built = join(root, 'build', 'Release', 'anycl.node');
  if (existsSync(folder) || !existsSync(built)) return;
  mkdirSync(folder, { recursive: true });
  copyFileSync(built, join(folder, 'anycl.node'));
}

/** The bundlers that are tried, for `installTools('bundlers', …)`. */
export const BUNDLER_TOOLS = {
  esbuild: '0.28.2',
  rollup: '4.68.7',
  '@rollup/plugin-node-resolve': '16.0.3',
  '@rollup/plugin-commonjs': '29.0.3',
  webpack: '5.112.2',
  vite: '7.3.8',
  '@vercel/nft': '1.11.5',
  postject: '1.0.0-alpha.6',
};
