// SPDX-License-Identifier: MIT
// The addon's tests over special builds of it: npm run test:sanitizers [-- BUILD…] [-- ARGUMENTS OF JEST] Node.js and the drivers
// are not instrumented, so the run-time libraries of the sanitizers are loaded before them. docs/native.md describes what each of
// them detects.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const suites = ['tests/stub-icd', 'ts/backend/native', 'tests/conformance'];

/** The build options of CMake and the stub library, the library to load first, and its options. */
const builds = {
  address: {
    options: ['-DANYCL_ASAN=ON', '-DANYCL_UBSAN=ON'],
    stub: '-fsanitize=address,undefined',
    libraries: ['libasan.so', 'libubsan.so'],
    // Each process writes a report of its leaks. Node.js and the drivers leak, so `checkLeaks` evaluates the reports.
    env: {
      ASAN_OPTIONS: 'detect_leaks=1:detect_stack_use_after_return=1',
      LSAN_OPTIONS: 'exitcode=0',
      UBSAN_OPTIONS: 'print_stacktrace=1:halt_on_error=1',
    },
    reports: 'ASAN_OPTIONS',
    planted: 'leak',
  },
  thread: {
    options: ['-DANYCL_TSAN=ON'],
    stub: '-fsanitize=thread',
    libraries: ['libtsan.so'],
    // It requires a memory layout without random addresses.
    wrapper: ['setarch', '-R'],
    env: {
      // V8 orders its accesses with instructions that only compiled-in instrumentation would see. process.exit() does not end the
      // threads of abandoned builds.
      TSAN_OPTIONS:
        'ignore_noninstrumented_modules=1:exitcode=66:second_deadlock_stack=1:report_thread_leaks=0',
    },
    reports: 'TSAN_OPTIONS',
    planted: 'race',
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
/** A leak is ours if our code allocated the memory itself or through the C++ library. */
function isOurs(record) {
  const frames = record.split('\n').filter((line) => /^ +#/.test(line));
  const first = frames.find((line) => !/lib(asan|ubsan|stdc\+\+)\.so|libsanitizer|interceptor/.test(line));
  // Symbolized, a frame names the source; else the addon.
  return /anycl\.node|\/native\/src\//.test(first ?? '');
}

const readReports = (folder) => readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));

/** Throws if a process leaked memory that the addon allocated. */
function checkLeaks(folder) {
  const records = readReports(folder)
    .flatMap((report) => report.split('\n\n'))
    .filter((record) => /leak of/.test(record));
  const ours = records.filter(isOurs);
  console.log(`leaks: ${ours.length} of ours, ${records.length - ours.length} of others`);
  if (ours.length > 0) throw new Error(`memory that the addon leaked:\n${ours.slice(0, 20).join('\n\n')}`);
}

/** Throws if the sanitizer does not find the deliberate fault in native/sanitizers/planted.cc. */
function checkPlanted(build, folder) {
  const script = `require(${JSON.stringify(join(folder, 'build', 'Release', 'planted.node'))}).${build.planted}()`;
  const [command, ...args] = [...(build.wrapper ?? []), process.execPath, '-e', script];
  const reports = join(folder, 'planted');
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports);
  const env = { ...process.env, ...build.env, LD_PRELOAD: build.libraries.map(library).join(' ') };
  env[build.reports] += `:log_path=${join(reports, 'report')}`;
  spawnSync(command, args, { encoding: 'utf8', env });
  const found = build.planted === 'race' ? /data race[\s\S]*planted\.node/ : /leak of 12345 byte/;
  if (!readReports(reports).some((report) => found.test(report)))
    throw new Error(`the sanitizer did not find the planted ${build.planted}`);
  console.log(`the sanitizer finds the planted ${build.planted}`);
}

const library = (name) => execFileSync('c++', [`-print-file-name=${name}`], { encoding: 'utf8' }).trim();

for (const [name, build] of Object.entries(builds)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const folder = join(root, 'build', 'sanitizers', name);
  mkdirSync(folder, { recursive: true });
  const built = run(process.execPath, [
    join(root, 'scripts/native/build-native.mjs'),
    `--out=${join(folder, 'build')}`,
    '-DCMAKE_CXX_FLAGS_RELEASE=-O1 -g',
    ...build.options,
  ]);
  if (built !== 0) process.exit(built);
  console.log(`the addon's tests with the build "${name}"`);
  const reports = join(folder, 'reports');
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports);
  const env = { ...build.env };
  if (build.reports) env[build.reports] += `:log_path=${join(reports, 'report')}`;
  const jest = [process.execPath, join(root, 'node_modules', 'jest', 'bin', 'jest.js'), '-i', ...forJest];
  if (build.planted) checkPlanted(build, folder);
  const [command, ...args] = [...(build.wrapper ?? []), ...jest];
  const status = run(command, args, {
    ANYCL_PREBUILD: folder,
    ...(build.stub ? { ANYCL_STUB_FLAGS: build.stub } : {}),
    ...(build.libraries.length > 0 ? { LD_PRELOAD: build.libraries.map(library).join(' ') } : {}),
    ...env,
  });
  const errors = readdirSync(reports)
    .map((file) => readFileSync(join(reports, file), 'utf8'))
    .filter((text) => /ERROR: AddressSanitizer|WARNING: ThreadSanitizer|runtime error/.test(text));
  for (const text of errors) console.error(text);
  if (status !== 0 || errors.length > 0) process.exit(status || 1);
  if (build.reports === 'ASAN_OPTIONS') checkLeaks(reports);
}
