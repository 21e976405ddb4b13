// SPDX-License-Identifier: MIT
// Links a program to the library of a target, and runs it there: what programs in other languages get from the package.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { targets } from './prebuild-targets.mjs';
import { findZig } from './prebuild-tools.mjs';
import { icdOf } from './prebuilt.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * @param emulator the command that runs programs of the target, if it is not this machine's
 * @param node the Node.js of the target, which becomes the server
 * @returns what the program prints: `passed`
 * @throws Error if the program cannot be linked, or does not end by itself with 0
 */
export function checkIcd(name, { emulator, node }, out) {
  const folder = join(out, `icd-${name}`);
  mkdirSync(folder, { recursive: true });
  // Under the name that programs are linked to.
  const library = join(folder, 'libanycl-icd.so');
  copyFileSync(icdOf(targets[name]), library);
  const program = join(folder, 'program');
  const source = join(root, 'tests', 'prebuilt', 'icd.cc');
  const object = join(folder, 'program.o');
  const zig = (...args) => execFileSync(findZig(), args, { stdio: 'pipe' });
  const target = ['-target', targets[name].zig];
  zig('c++', ...target, '-std=c++17', '-fno-exceptions', '-O3', '-c', source, '-o', object);
  // As a C program: zig would build its C++ library once more.
  zig('cc', ...target, object, library, '-lm', '-s', `-Wl,-rpath,${folder}`, '-o', program);
  const server = join(folder, 'node');
  writeFileSync(server, `#!/bin/sh\nexec ${[...emulator, node].map((word) => `'${word}'`).join(' ')} "$@"\n`);
  chmodSync(server, 0o755);
  const [command, ...args] = [...emulator, program];
  const { status, signal, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    timeout: 300_000,
    env: {
      ...process.env,
      ANYCL_ICD_NODE: server,
      ANYCL_ICD_SERVER: join(root, 'dist', 'icd-server.cjs'),
    },
  });
  if (status !== 0) throw new Error(`${error ?? signal ?? `status ${status}`}: ${stdout}${stderr}`);
  return stdout.trim();
}
