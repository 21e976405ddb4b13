#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// prebuildify runs this instead of node-gyp, which cannot compile for other systems: CMake, with zig as the compiler. Leaves the
// addon in ./build/Release. scripts/native/prebuild.mjs sets the variables.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { targets } from './prebuild-targets.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { system, zig } = targets[process.env.ANYCL_PREBUILD_TARGET];
const cmake = (...args) => execFileSync('cmake', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
const build = `${process.cwd()}/build`;
// Otherwise CMake would mix this compiler's cache with that of one at another path.
rmSync(build, { recursive: true, force: true });
// CMake's tests of the compiler link programs, for which zig would build its C++ library in a form that nothing else uses. So
// their results are given here, and the remaining tests link nothing.
const knownCompiler = {
  CMAKE_CXX_COMPILER_ID_RUN: 1,
  CMAKE_CXX_COMPILER_ID: 'Clang',
  CMAKE_CXX_COMPILER_FRONTEND_VARIANT: 'GNU',
  CMAKE_CXX_COMPILER_VERSION: '16.0',
  CMAKE_CXX_STANDARD_COMPUTED_DEFAULT: 17,
  CMAKE_CXX_COMPILER_WORKS: 1,
  CMAKE_CXX_ABI_COMPILED: 1,
  CMAKE_TRY_COMPILE_TARGET_TYPE: 'STATIC_LIBRARY',
  // A test that links nothing would find any library. zig adds what threads need.
  CMAKE_HAVE_LIBC_PTHREAD: 1,
};
cmake(
  ...['-S', '.', '-B', build, '-DCMAKE_BUILD_TYPE=Release', `-DCMAKE_SYSTEM_NAME=${system}`],
  `-DCMAKE_CXX_COMPILER=${process.env.ANYCL_ZIG}`,
  `-DCMAKE_CXX_COMPILER_ARG1=c++ -target ${zig}`,
  ...Object.entries(knownCompiler).map(([name, value]) => `-D${name}=${value}`),
  // Without symbol names a file has a third of the size.
  '-DCMAKE_SHARED_LINKER_FLAGS=-s',
  // Most of the time is spent in headers, which each unit reads again.
  ...['-DCMAKE_UNITY_BUILD=ON', '-DCMAKE_UNITY_BUILD_BATCH_SIZE=12'],
);
cmake('--build', build, '--parallel', `${availableParallelism()}`);
