// SPDX-License-Identifier: MIT
// Builds the addon with cmake-js into build/Release, where the package looks first. Options go to CMake: `npm run build:native --
// -DANYCL_ASAN=ON`; `--out=DIR` builds elsewhere. On a machine without CMake it only prints a message: the tests use the prebuilt
// addon or the software device there.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const options = process.argv.slice(2);
const out = resolve(root, options.find((o) => o.startsWith('--out='))?.slice(6) ?? 'build');

if (spawnSync('cmake', ['--version']).error) {
  console.log('the native addon is not built: CMake is not installed');
  process.exit(0);
}
const cmakeJs = createRequire(import.meta.url).resolve('cmake-js/bin/cmake-js');
const generator = process.platform === 'win32' ? [] : ['--generator', 'Unix Makefiles'];
const { status } = spawnSync(
  process.execPath,
  [
    ...[cmakeJs, 'build', '--directory', root, '--out', out, '--parallel', '2', '--log-level', 'warn'],
    ...generator,
    ...options.filter((o) => o.startsWith('-D')).map((o) => `--CD${o.slice(2)}`),
  ],
  { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
);
process.exit(status ?? 1);
