#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// prebuildify runs this instead of node-gyp, which cannot compile for other systems: CMake, with zig as the compiler. Leaves the
// addon in ./build/Release. scripts/native/prebuild.mjs sets the variables.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { targets } from './prebuild-targets.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { system, zig } = targets[process.env.ANYCL_PREBUILD_TARGET];
const cmake = (...args) => execFileSync('cmake', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
const build = `${process.cwd()}/build`;
// CMake would mix its cache of a compiler at another path with this one's.
rmSync(build, { recursive: true, force: true });
cmake(
  ...['-S', '.', '-B', build, '-DCMAKE_BUILD_TYPE=Release', `-DCMAKE_SYSTEM_NAME=${system}`],
  `-DCMAKE_CXX_COMPILER=${process.env.ANYCL_ZIG}`,
  `-DCMAKE_CXX_COMPILER_ARG1=c++ -target ${zig}`,
  // Without symbol names a file is a third of the size.
  '-DCMAKE_SHARED_LINKER_FLAGS=-s',
);
cmake('--build', build, '--parallel', '2');
