// SPDX-License-Identifier: MIT
//
// `anycl build-addon`: compiles the native addon of the installed package, where no prebuilt one fits. What CMake needs beside
// a compiler comes from the npm registry, into a temporary folder.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folder } from '../host/node/place';
import { inputError } from './exit';

const TOOLS = ['cmake-js@^8.0.0', 'node-addon-api@^8.9.2', 'node-api-headers@^1.9.0'];

const INSTALL: Readonly<Record<string, string>> = {
  linux:
    'install both with: apt install cmake make g++ (Debian), dnf install cmake make gcc-c++ (Fedora), apk add cmake make g++ (Alpine)',
  darwin: 'install them with: xcode-select --install && brew install cmake',
  win32: 'install CMake from cmake.org, and the C++ workload of Visual Studio’s build tools',
};

/** A sentence for each program that the build needs and `has` does not find, and how to install them. */
export function missingPrograms(platform: string, has: (program: string) => boolean): readonly string[] {
  const missing: string[] = [];
  if (!has('cmake')) missing.push('CMake is not installed: no cmake in PATH');
  // On Windows CMake finds Visual Studio's compiler, which is not in PATH.
  if (platform !== 'win32') {
    if (!['c++', 'g++', 'clang++'].some(has))
      missing.push('no C++ compiler is installed: no c++, g++ or clang++ in PATH');
    if (!has('make')) missing.push('make is not installed: no make in PATH');
  }
  if (!has('npm')) missing.push(`npm is not in PATH: it fetches ${TOOLS.join(', ')}`);
  if (missing.length > 0 && INSTALL[platform] !== undefined) missing.push(INSTALL[platform]);
  return missing;
}

const shell = process.platform === 'win32';
const found = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore', shell }).status === 0;

export async function buildAddon(): Promise<void> {
  const root = join(folder, '..');
  const missing = existsSync(join(root, 'CMakeLists.txt'))
    ? missingPrograms(process.platform, found)
    : [`${root} has no CMakeLists.txt: run the command of the installed package`];
  if (missing.length > 0) throw inputError(missing.join('\n'));
  const tools = mkdtempSync(join(tmpdir(), 'anycl-build-'));
  try {
    writeFileSync(join(tools, 'package.json'), '{}');
    const npm = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', ...TOOLS];
    if (spawnSync('npm', npm, { cwd: tools, stdio: 'inherit', shell }).status !== 0)
      throw inputError(
        `npm could not fetch ${TOOLS.join(', ')}: is there a network, or a registry in .npmrc?`,
      );
    const modules = join(tools, 'node_modules');
    const cmakeJs = [join(modules, 'cmake-js', 'bin', 'cmake-js'), 'rebuild', '--directory', root];
    const generator = process.platform === 'win32' ? [] : ['--generator', 'Unix Makefiles'];
    const args = [...cmakeJs, '--out', join(root, 'build'), ...generator];
    // CMakeLists.txt queries Node.js for the place of the headers.
    const env = { ...process.env, NODE_PATH: modules };
    if (spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env }).status !== 0)
      throw inputError('the build failed; what CMake or the compiler says is above');
    console.log(`built ${join(root, 'build', 'Release', 'anycl.node')}; anycl doctor uses it`);
  } finally {
    rmSync(tools, { recursive: true, force: true });
  }
}
