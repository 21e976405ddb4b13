// SPDX-License-Identifier: MIT
// Builds the addon into build/Release, from whose place the package loads it first. Options go to CMake:
// `npm run build:native -- -DANYCL_ASAN=ON`; `--out=DIR` builds elsewhere. Nothing is built where there is no CMake.
import { spawnSync } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const options = process.argv.slice(2);
const out = resolve(root, options.find((o) => o.startsWith('--out='))?.slice(6) ?? 'build');
const run = (...args) => spawnSync('cmake', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });

const configured = run(
  '-S',
  '.',
  '-B',
  out,
  '-DCMAKE_BUILD_TYPE=Release',
  ...options.filter((o) => o.startsWith('-D')),
);
if (configured.error) {
  console.log('the native addon is not built: CMake is not installed');
  process.exit(0);
}
if (configured.status !== 0) process.exit(1);
process.exit(run('--build', out, '--config', 'Release', '--parallel', '2').status ?? 1);
