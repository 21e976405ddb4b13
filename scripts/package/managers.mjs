// SPDX-License-Identifier: MIT
// Installs the packed package with each package manager, scripts blocked, into a fresh folder, and runs programs there:
//     node scripts/package/managers.mjs [--ci] [NAME…]
// `--ci`: npm, pnpm and the test runners on this Node.js alone. Else all managers on four versions of Node.js, which come from
// the npm registry as the managers do, and other runtimes.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installTools, pack } from './install.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const platform = `${process.platform}-${process.arch}`;
const VERSIONS = {
  pnpm: '12.21.0',
  yarn: '1.22.22',
  '@yarnpkg/cli-dist': '4.18.1',
  [`@oven/bun-${platform}`]: '1.4.5',
  [`@deno/${platform}-glibc`]: '2.9.6',
};
const NODES = ['20', '22', '24', '26'];

/** A kernel with a function of the built-in library, on worker threads; and every device that is there. */
const PROGRAM = `import { open, platforms } from 'anycl';
const names = platforms().flatMap(({ devices }) => devices.map(({ name }) => name));
const cl = await open({ device: 'software' });
if (!names.includes(cl.device.name)) throw new Error('the software device is not listed');
const { kernels } = await cl.build('kernel void wave(global float *a) { size_t i = get_global_id(0); a[i] = sin(a[i]); }');
const a = cl.buffer(Float32Array.from({ length: 65536 }, (_, i) => i / 1000));
await kernels.wave.run({ global: 65536 }, a);
const out = await a.read();
if (!out.every((y, i) => Math.abs(y - Math.sin(i / 1000)) < 1e-5)) throw new Error('wrong sines');
cl.close();
console.log('sines');
`;

const THREAD = `import { Worker, isMainThread } from 'node:worker_threads';
if (isMainThread) new Worker(new URL(import.meta.url)).on('error', (error) => { throw error; });
else await import('./program.mjs');
`;

/** With the default settings of each runner; \`require\` where it has no ES modules. */
/** The runners' own limits, 5 s, are too short where all cores are busy. */
const TEST_MS = 120_000;
const TEST = `const { open } = require('anycl');
test('a kernel runs', async () => {
  const cl = await open({ device: 'software' });
  const { kernels } = await cl.build('kernel void wave(global float *a) { size_t i = get_global_id(0); a[i] = sin(a[i]); }');
  const a = cl.buffer(Float32Array.from({ length: 65536 }, (_, i) => i / 1000));
  await kernels.wave.run({ global: 65536 }, a);
  const out = await a.read();
  expect(out).toBeInstanceOf(Float32Array);
  expect(out[1000]).toBeCloseTo(Math.sin(1), 5);
  expect(() => cl.buffer(-1)).toThrow(/INVALID/);
  cl.close();
}, ${TEST_MS});
`;
const MODULE_TEST = TEST.replace("const { open } = require('anycl');", "import { open } from 'anycl';");
const VITEST = `import { expect, test } from 'vitest';\n${MODULE_TEST}`;

let tools;
const tool = (path) => join(tools, 'node_modules', path);
const yarnRc = (linker) => `nodeLinker: ${linker}\nenableScripts: false\nenableTelemetry: false\n`;

/** Each installs the package \`tarball\` into the current folder. \`files\` are written before; \`run\` is the runtime, if it is not Node.js. */
const MANAGERS = {
  npm: { install: (tarball) => ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', tarball] },
  pnpm: {
    install: (tarball) => [process.execPath, tool('pnpm/bin/pnpm.mjs'), 'add', '--ignore-scripts', tarball],
  },
  'yarn-1': {
    install: (tarball) => [process.execPath, tool('yarn/bin/yarn.js'), 'add', '--ignore-scripts', tarball],
  },
  'yarn-4': {
    files: { '.yarnrc.yml': yarnRc('node-modules'), 'yarn.lock': '' },
    install: (tarball) => [
      process.execPath,
      tool('@yarnpkg/cli-dist/bin/yarn.js'),
      'add',
      `anycl@file:${tarball}`,
    ],
  },
  'yarn-4-pnp': {
    files: { '.yarnrc.yml': `${yarnRc('pnp')}pnpEnableEsmLoader: true\n`, 'yarn.lock': '' },
    install: (tarball) => [
      process.execPath,
      tool('@yarnpkg/cli-dist/bin/yarn.js'),
      'add',
      `anycl@file:${tarball}`,
    ],
    options: ['--require', './.pnp.cjs', '--experimental-loader', './.pnp.loader.mjs', '--no-warnings'],
  },
};

const RUNTIMES = {
  bun: {
    install: (tarball) => [tool(`@oven/bun-${platform}/bin/bun`), 'add', '--ignore-scripts', tarball],
    run: (file) => [tool(`@oven/bun-${platform}/bin/bun`), file],
  },
  deno: {
    install: MANAGERS.npm.install,
    run: (file) => [tool(`@deno/${platform}-glibc/deno`), 'run', '--allow-all', file],
  },
};

/** The runner ends by itself: threads of the device do not hold its processes. */
const RUNNERS = {
  jest: {
    spec: 'jest@30.5.2',
    file: 'kernel.test.js',
    text: TEST,
    args: ['jest/bin/jest.js', '--detectOpenHandles'],
  },
  'jest-workers': {
    spec: 'jest@30.5.2',
    file: 'kernel.test.js',
    text: TEST,
    args: ['jest/bin/jest.js', '--maxWorkers=2'],
    more: { 'other.test.js': TEST },
    complains: /did not exit|failed to exit|open handle/,
  },
  'jest-esm': {
    spec: 'jest@30.5.2',
    file: 'kernel.test.mjs',
    text: MODULE_TEST,
    options: ['--experimental-vm-modules', '--no-warnings'],
    args: ['jest/bin/jest.js'],
  },
  vitest: { spec: 'vitest@5.1.1', file: 'kernel.test.mjs', text: VITEST, args: ['vitest/vitest.mjs', 'run'] },
};

function command([program, ...args], cwd, env = {}) {
  const run = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    timeout: 180_000,
    env: {
      ...process.env,
      ANYCL_CACHE_DIR: join(temporary, 'cache'),
      YARN_CACHE_FOLDER: join(temporary, 'yarn'),
      ...env,
    },
  });
  if (run.status !== 0)
    throw new Error(
      `${program} ${args.join(' ')} ended with ${run.status ?? run.signal}\n${run.stdout}${run.stderr}`,
    );
  return run;
}

function freshFolder(name, files) {
  const folder = join(temporary, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  for (const [file, text] of Object.entries({ 'program.mjs': PROGRAM, 'thread.mjs': THREAD, ...files }))
    writeFileSync(join(folder, file), text);
  return folder;
}

function expectSines(words, folder, env) {
  const { stdout } = command(words, folder, env);
  if (stdout !== 'sines\n') throw new Error(`${words.join(' ')} wrote ${stdout}`);
}

function tryManager(name, { files = {}, install, options = [], run }, nodes) {
  const folder = freshFolder(name, files);
  command(install(tarball), folder);
  const programs = ['program.mjs', 'thread.mjs'];
  if (run) {
    for (const program of programs) report(`${name}, ${program}`, () => expectSines(run(program), folder));
    report(`${name}, the command on a driver`, () => runCommand(run, folder));
  } else
    for (const [version, node] of nodes)
      for (const program of programs)
        report(`${name}, Node.js ${version}, ${program}`, () =>
          expectSines([node, ...options, program], folder),
        );
}

/** By this checkout's addon, on a driver if the machine has one. Only a promise refers to what the command awaits. */
function runCommand(run, folder) {
  const env = { ANYCL_PREBUILD: root };
  const info = spawnSync(process.execPath, ['node_modules/anycl/dist/cli.cjs', 'info', '--json'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  const names = JSON.parse(info.stdout).platforms.flatMap(({ devices }) => devices.map(({ NAME }) => NAME));
  const device = names.find((name) => !name.startsWith('anycl')) ?? names[0];
  const saxpy = ['run', 'node_modules/anycl/kernels/examples/saxpy.cl', '--kernel', 'saxpy', '--global', '4'];
  const given = ['float=2', 'float[4]=range', 'float[4]=zero'].flatMap((arg) => ['--arg', arg]);
  const words = [
    ...run('node_modules/anycl/dist/cli.cjs'),
    ...saxpy,
    ...given,
    '--print',
    '2',
    '--device',
    device,
  ];
  const { stdout } = command(words, folder, env);
  if (stdout.trim() !== '0 2 4 6') throw new Error(`${words.join(' ')} wrote '${stdout}'`);
}

function tryRunner(name, { spec, file, text, args, options = [], more = {}, complains }) {
  report(name, () => {
    const folder = freshFolder(name, { [file]: text, ...more });
    command(['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', tarball, spec], folder);
    const [script, ...rest] = args;
    const { stdout, stderr } = command(
      [process.execPath, ...options, join(folder, 'node_modules', script), ...rest],
      folder,
    );
    if (complains?.test(stdout + stderr)) throw new Error(stdout + stderr);
  });
}

let failed = 0;
function report(what, attempt) {
  const started = performance.now();
  try {
    attempt();
    console.log(`${what}: runs (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.log(`${what}: FAILS\n${String(error.message).slice(0, 3000)}`);
  }
}

/** [version, program]: of the registry, in folders of their own, as one name cannot be installed twice. */
function nodesOf(versions) {
  return versions.map((version) => {
    const folder = installTools(`node-${version}`, [`node-${platform}@${version}`]);
    return [version, join(folder, 'node_modules', `node-${platform}`, 'bin', 'node')];
  });
}

const { values: flags, positionals } = parseArgs({
  options: { ci: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const all = { ...MANAGERS, ...RUNTIMES, ...RUNNERS };
const CI = ['npm', 'pnpm', 'jest', 'jest-workers', 'vitest'];
const wanted = positionals.length > 0 ? positionals : flags.ci ? CI : Object.keys(all);
const unknown = wanted.filter((name) => !(name in all));
if (unknown.length > 0)
  throw new Error(`there is no ${unknown.join(', ')}; there are ${Object.keys(all).join(', ')}`);

const needed = flags.ci ? ['pnpm'] : Object.keys(VERSIONS);
tools = installTools(
  flags.ci ? 'managers-ci' : 'managers',
  needed.map((name) => `${name}@${VERSIONS[name]}`),
);
const nodes = flags.ci ? [[process.versions.node, process.execPath]] : nodesOf(NODES);
const temporary = mkdtempSync(join(tmpdir(), 'anycl-managers-'));
let tarball;
try {
  tarball = pack(temporary);
  for (const name of wanted) {
    try {
      if (RUNNERS[name]) tryRunner(name, RUNNERS[name]);
      else tryManager(name, all[name], nodes);
    } catch (error) {
      failed++;
      console.log(`${name}: FAILS\n${String(error.message).slice(0, 3000)}`);
    }
    rmSync(join(temporary, name), { recursive: true, force: true });
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
