// SPDX-License-Identifier: MIT
// The addon's tests over special builds of it: npm run test:sanitizers [-- BUILD…] [-- ARGUMENTS OF JEST]
// Node.js and the drivers are not instrumented, so the run-time libraries of the sanitizers are loaded before them.
// docs/native.md tells what each of these can see.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const suppressions = (name) => join(root, 'scripts', 'sanitizers', `${name}.supp`);

const suites = ['tests/stub-icd', 'ts/backend/native', 'tests/conformance'];

/** What CMake and the stub library are built with, what is loaded first, and what it is told. */
const builds = {
  address: {
    options: ['-DANYCL_ASAN=ON', '-DANYCL_UBSAN=ON'],
    stub: '-fsanitize=address,undefined',
    libraries: ['libasan.so', 'libubsan.so'],
    // What Node.js leaks at its end is not looked for here: see tests/stub-icd/leaks.
    env: {
      ASAN_OPTIONS: 'detect_leaks=0:detect_stack_use_after_return=1',
      UBSAN_OPTIONS: 'print_stacktrace=1:halt_on_error=1',
    },
  },
  thread: {
    options: ['-DANYCL_TSAN=ON'],
    stub: '-fsanitize=thread',
    libraries: ['libtsan.so'],
    // The layout of memory that it wants is that without random addresses.
    wrapper: ['setarch', '-R'],
    env: {
      // V8 orders its accesses with instructions that only compiled-in instrumentation would see.
      TSAN_OPTIONS: `ignore_noninstrumented_modules=1:halt_on_error=1:exitcode=66:second_deadlock_stack=1:suppressions=${suppressions('thread')}`,
    },
  },
  copying: { options: ['-DANYCL_NO_EXTERNAL_BUFFERS=ON'], libraries: [], env: {} },
};

const [first, ...rest] = process.argv.slice(2).join('\n').split('\n--\n');
const chosen = first ? first.split('\n').filter((name) => name !== '--') : [];
const forJest = rest.length > 0 ? rest.join('\n').split('\n') : suites;
for (const name of chosen)
  if (!(name in builds)) throw new Error(`no build ${name}; there are ${Object.keys(builds).join(', ')}`);

function run(command, args, env = {}) {
  return (
    spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1
  );
}
const library = (name) => execFileSync('c++', [`-print-file-name=${name}`], { encoding: 'utf8' }).trim();

for (const [name, build] of Object.entries(builds)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const folder = join(root, 'build', 'sanitizers', name);
  mkdirSync(folder, { recursive: true });
  const built = run(process.execPath, [
    join(root, 'scripts', 'build-native.mjs'),
    `--out=${join(folder, 'build')}`,
    '-DCMAKE_CXX_FLAGS_RELEASE=-O1 -g',
    ...build.options,
  ]);
  if (built !== 0) process.exit(built);
  console.log(`the addon's tests with the build "${name}"`);
  const jest = [process.execPath, join(root, 'node_modules', 'jest', 'bin', 'jest.js'), '-i', ...forJest];
  const [command, ...args] = [...(build.wrapper ?? []), ...jest];
  const status = run(command, args, {
    ANYCL_PREBUILD: folder,
    ...(build.stub ? { ANYCL_STUB_FLAGS: build.stub } : {}),
    ...(build.libraries.length > 0 ? { LD_PRELOAD: build.libraries.map(library).join(' ') } : {}),
    ...build.env,
  });
  if (status !== 0) process.exit(status);
}
