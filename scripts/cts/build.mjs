// SPDX-License-Identifier: MIT
//
// Builds OpenCL-CTS from a checkout of it, of OpenCL-Headers and of SPIRV-Headers.
//
//     node scripts/cts/build.mjs --cts OpenCL-CTS --opencl-headers OpenCL-Headers --spirv-headers SPIRV-Headers --build FOLDER
//
// Needs cmake, ninja, a C++ compiler, an OpenCL loader to link with and SPIRV-Tools. A program that does not build is
// reported, and the others are built all the same.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    cts: { type: 'string' },
    'opencl-headers': { type: 'string' },
    'spirv-headers': { type: 'string' },
    build: { type: 'string' },
    jobs: { type: 'string', default: '2' },
  },
});
for (const name of ['cts', 'opencl-headers', 'spirv-headers', 'build'])
  if (!values[name]) throw new Error(`--${name} is missing; the head of this file shows the usage`);

function which(program) {
  const { stdout, status } = spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} is not installed`);
  return stdout.trim();
}

/** The folder in which the compiler finds a library for `-lOpenCL`. */
function libraryFolder() {
  const { stdout } = spawnSync('cc', ['-print-file-name=libOpenCL.so'], { encoding: 'utf8' });
  const file = stdout.trim();
  if (!file.startsWith('/'))
    throw new Error('no libOpenCL.so to link with: install an OpenCL loader (ocl-icd-opencl-dev)');
  return dirname(resolve(file));
}

function run(program, args, cwd) {
  const { status } = spawnSync(program, args, { cwd, stdio: 'inherit' });
  return status;
}

mkdirSync(values.build, { recursive: true });
const defines = {
  CL_INCLUDE_DIR: resolve(values['opencl-headers']),
  SPIRV_INCLUDE_DIR: resolve(values['spirv-headers']),
  CL_LIB_DIR: libraryFolder(),
  SPIRV_TOOLS_DIR: dirname(which('spirv-as')),
  OPENCL_LIBRARIES: '-lOpenCL',
  CMAKE_BUILD_TYPE: 'Release',
};
const configured = run(
  which('cmake'),
  [
    '-G',
    'Ninja',
    resolve(values.cts),
    ...Object.entries(defines).map(([name, value]) => `-D${name}=${value}`),
  ],
  values.build,
);
process.exitCode = configured || run(which('ninja'), ['-k', '0', '-j', values.jobs], values.build);
