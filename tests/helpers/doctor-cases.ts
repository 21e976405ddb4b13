// SPDX-License-Identifier: MIT
//
// Machines on which something is wrong, one for each finding of `anycl doctor`.
import type { Examined } from '../../ts/cli/doctor/findings';

const gpu = {
  name: 'NVIDIA',
  version: 'OpenCL 3.0',
  devices: [{ name: 'H200', type: 'gpu', test: 'ok, 9 ms' }],
} as const;
export const healthy: Examined = {
  platform: 'linux',
  environment: {},
  software: 'ok, 5 ms',
  drivers: { problem: undefined, platforms: [gpu] },
  commands: new Set(['cmake']),
  nodes: [{ path: '/dev/dri/renderD128', accessible: true }],
  graphicsVendors: ['0x10de'],
  inContainer: false,
  icdFiles: [],
  wrongSettings: [],
  cache: { folder: '/home/u/.cache/anycl', problem: undefined },
};
const none = (problem: string) => ({ problem, platforms: [] });

export const CASES: readonly (readonly [
  id: string,
  severity: string,
  change: Partial<Examined>,
  says: RegExp,
])[] = [
  [
    'setting',
    'error',
    { wrongSettings: ["ANYCL_THREADS is 'many'; it can be a whole number of threads, or empty"] },
    /'many'[\s\S]*unset it/,
  ],
  ['software-device', 'error', { software: 'sin is not supported' }, /sin is not supported/],
  [
    'library-file',
    'error',
    {
      environment: { ANYCL_OPENCL_LIBRARY: '/x.so' },
      drivers: none('ANYCL_OPENCL_LIBRARY is /x.so, which cannot be opened: no such file'),
    },
    /\/x\.so[\s\S]*libOpenCL\.so\.1/,
  ],
  [
    'wanted-device',
    'error',
    {
      environment: { ANYCL_DEVICE: 'nix' },
      drivers: { problem: undefined, platforms: [gpu], wanted: "no device 'nix'" },
    },
    /'nix'/,
  ],
  [
    'cache-folder',
    'error',
    {
      environment: { ANYCL_CACHE_DIR: '/proc/x' },
      cache: { folder: '/proc/x', problem: 'ENOENT: no such file or directory' },
    },
    /\/proc\/x[\s\S]*ENOENT[\s\S]*ANYCL_CACHE=0/,
  ],
  [
    'no-cache',
    'warning',
    { cache: { folder: '/home/u/.cache/anycl', problem: 'EROFS: read-only file system' } },
    /\.cache\/anycl: EROFS[\s\S]*ANYCL_CACHE_DIR/,
  ],
  [
    'addon-missing',
    'warning',
    { drivers: none('the native addon is not there') },
    /programs run on the software device/,
  ],
  [
    'cmake-missing',
    'warning',
    { commands: new Set(), drivers: none('the native addon is not there') },
    /install cmake/,
  ],
  ['driver-crash', 'warning', { drivers: 'a driver crashed' }, /ANYCL_DEVICE=software/],
  ['loader-missing', 'warning', { drivers: none('no OpenCL loader is installed') }, /ocl-icd-libopencl1/],
  [
    'no-driver',
    'warning',
    { drivers: none('an OpenCL loader is installed, but no driver') },
    /pocl-opencl-icd/,
  ],
  [
    'driver-library',
    'warning',
    { icdFiles: [{ path: '/etc/a.icd', library: '/usr/lib/gone.so', exists: false }] },
    /gone\.so, which is not there/,
  ],
  [
    'rusticl-enable',
    'warning',
    { drivers: { problem: undefined, platforms: [gpu, { name: 'rusticl', version: '', devices: [] }] } },
    /radeonsi, iris/,
  ],
  [
    'pocl-cache',
    'warning',
    {
      drivers: {
        problem: undefined,
        platforms: [gpu, { name: 'Portable Computing Language', version: '', devices: [] }],
      },
    },
    /POCL_CACHE_DIR/,
  ],
  [
    'pocl-cache',
    'warning',
    {
      drivers: {
        problem: undefined,
        platforms: [
          {
            name: 'Portable Computing Language',
            version: '',
            devices: [
              {
                name: 'cpu',
                type: 'cpu',
                test: 'clBuildProgram: CL_BUILD_PROGRAM_FAILURE (-11): the build log says: Device cpu failed to build the program',
              },
            ],
          },
        ],
      },
    },
    /cannot build a small kernel.*POCL_CACHE_DIR/s,
  ],
  [
    'driver-without-device',
    'warning',
    { drivers: { problem: undefined, platforms: [gpu, { name: 'Clover', version: '', devices: [] }] } },
    /Clover/,
  ],
  [
    'remote-client',
    'error',
    { environment: { POCL_DEVICES: 'cpu remote', POCL_REMOTE0_PARAMETERS: 'render-1:10998/0#x' } },
    /render-1:10998\/0\n.*PoCL 7\.2/,
  ],
  [
    'device-files',
    'warning',
    { nodes: [{ path: '/dev/nvidia0', accessible: false }] },
    /\/dev\/nvidia0[\s\S]*render,video/,
  ],
  ['container-without-gpu', 'warning', { inContainer: true, nodes: [] }, /--gpus all/],
  ['gpu-without-driver', 'warning', { drivers: { problem: undefined, platforms: [] } }, /nvidia-opencl-icd/],
  [
    'device-fails',
    'warning',
    {
      drivers: {
        problem: undefined,
        platforms: [{ ...gpu, devices: [{ ...gpu.devices[0], test: 'wrong result at element 3' }] }],
      },
    },
    /H200.*element 3/,
  ],
];
