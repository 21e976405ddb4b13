// SPDX-License-Identifier: MIT
// The addon's tests with a build that has AddressSanitizer and UndefinedBehaviorSanitizer: npm run test:sanitizers
// Node.js itself is not instrumented, so the run-time libraries are loaded before it; what it leaks is not looked for.
import { execFileSync, spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'build', 'sanitizers');
const run = (command, args, env = {}) =>
  spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1;

const built = run(process.execPath, [
  join(root, 'scripts', 'build-native.mjs'),
  `--out=${join(folder, 'build')}`,
  '-DANYCL_ASAN=ON',
  '-DANYCL_UBSAN=ON',
]);
if (built !== 0) process.exit(built);

const library = (name) => execFileSync('c++', [`-print-file-name=${name}`], { encoding: 'utf8' }).trim();
process.exit(
  run(
    process.execPath,
    [join(root, 'node_modules', 'jest', 'bin', 'jest.js'), '-i', 'tests/stub-icd', 'ts/backend/native'],
    {
      ANYCL_PREBUILD: folder,
      LD_PRELOAD: `${library('libasan.so')} ${library('libubsan.so')}`,
      ASAN_OPTIONS: 'detect_leaks=0',
      UBSAN_OPTIONS: 'print_stacktrace=1:halt_on_error=1',
    },
  ),
);
