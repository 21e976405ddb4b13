// SPDX-License-Identifier: MIT
//
// What can be wrong with OpenCL on a machine, as one table: how it is seen, what it means, and what to do about it.
import type { DeviceType } from '../../api/objects/device';

/** The child process's report about the machine's drivers. */
export interface DriverReport {
  readonly problem: string | undefined;
  readonly platforms: readonly {
    readonly name: string;
    readonly version: string;
    readonly devices: readonly {
      readonly name: string;
      readonly type: DeviceType;
      /** The address of a device of another machine. */
      readonly remote?: string | undefined;
      readonly test: string;
    }[];
  }[];
  /** Why the device that ANYCL_DEVICE names cannot be opened. */
  readonly wanted?: string | undefined;
}

/** The data that findings are derived from. */
export interface Examined {
  readonly platform: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The result of the software device's test: `ok, …` or the failure. */
  readonly software: string;
  /** The drivers' report, or why there is none. */
  readonly drivers: DriverReport | string;
  /** The commands found in PATH. */
  readonly commands: ReadonlySet<string>;
  /** Nodes in /dev that drivers open, and whether this user may. */
  readonly nodes: readonly { readonly path: string; readonly accessible: boolean }[];
  /** Vendors of the graphics cards on the PCI bus, such as `0x10de`. */
  readonly graphicsVendors: readonly string[];
  readonly inContainer: boolean;
  readonly icdFiles: readonly { readonly path: string; readonly library: string; readonly exists: boolean }[];
  /** What is wrong with variables of anycl. The rest was examined without these variables. */
  readonly wrongSettings: readonly string[];
  /** The folder of compiled kernels, and why it cannot be used. Undefined if the cache is disabled. */
  readonly cache?: { readonly folder?: string; readonly problem: string | undefined } | undefined;
}

export interface Finding {
  readonly id: string;
  /** `error`: something that was requested does not work; `warning`: the machine could have more devices. */
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly advice: readonly string[];
}

type Seen = { readonly message: string; readonly advice: readonly string[] } | undefined;

interface Row {
  readonly id: string;
  readonly severity: Finding['severity'];
  readonly look: (e: Examined) => Seen;
}

const report = (e: Examined): DriverReport | undefined =>
  typeof e.drivers === 'string' ? undefined : e.drivers;
const problem = (e: Examined): string => report(e)?.problem ?? '';
const devices = (e: Examined) => report(e)?.platforms.flatMap((platform) => platform.devices) ?? [];
const hasGpu = (e: Examined): boolean => devices(e).some(({ type }) => type === 'gpu');

const POCL = 'Portable Computing Language';
/** PoCL shows the processor of any machine, unless POCL_DEVICES names others. */
const lacksProcessor = (e: Examined): boolean =>
  !e.environment.POCL_DEVICES && report(e)?.platforms.find(({ name }) => name === POCL)?.devices.length === 0;
/** PoCL stores each program before it compiles it. */
const cannotBuild = (e: Examined): boolean =>
  report(e)?.platforms.some(
    ({ name, devices: own }) =>
      name === POCL && own.some(({ test }) => test.includes('CL_BUILD_PROGRAM_FAILURE')),
  ) ?? false;

const VENDORS: Readonly<Record<string, string>> = {
  '0x10de': 'NVIDIA: install nvidia-driver with nvidia-opencl-icd',
  '0x1002': 'AMD: install rocm-opencl-runtime, or mesa-opencl-icd with RUSTICL_ENABLE=radeonsi',
  '0x8086': 'Intel: install intel-opencl-icd, or mesa-opencl-icd with RUSTICL_ENABLE=iris',
};

const CACHE_ADVICE =
  'let ANYCL_CACHE_DIR name a folder that belongs to this user and that nobody else can write to';
const NO_CACHE_ADVICE =
  'without a cache each process compiles its kernels again; if that is intended, ANYCL_CACHE=0 says so';

/** In the order of the report: causes before their consequences. */
const ROWS: readonly Row[] = [
  {
    id: 'setting',
    severity: 'error',
    look: ({ wrongSettings }) =>
      wrongSettings.length === 0
        ? undefined
        : {
            message: wrongSettings.join('; '),
            advice: ['correct the variable, or unset it; until then every program of anycl fails'],
          },
  },
  {
    id: 'software-device',
    severity: 'error',
    look: ({ software }) =>
      software.startsWith('ok')
        ? undefined
        : {
            message: `the software device does not work: ${software}`,
            advice: ['install anycl again; should that not help, please report it'],
          },
  },
  {
    id: 'library-file',
    severity: 'error',
    look: ({ environment, platform, drivers }) => {
      const path = environment.ANYCL_OPENCL_LIBRARY;
      const why = typeof drivers === 'string' ? '' : (drivers.problem ?? '');
      if (!path || !why.includes('ANYCL_OPENCL_LIBRARY')) return undefined;
      const name = platform === 'win32' ? 'OpenCL.dll' : 'libOpenCL.so.1';
      return { message: why, advice: [`unset ANYCL_OPENCL_LIBRARY, or let it name an ICD loader (${name})`] };
    },
  },
  {
    id: 'wanted-device',
    severity: 'error',
    look: ({ environment, drivers }) =>
      typeof drivers === 'string' || drivers.wanted === undefined
        ? undefined
        : {
            message: `ANYCL_DEVICE is '${environment.ANYCL_DEVICE}': ${drivers.wanted}`,
            advice: ['anycl info -l lists the devices; unset ANYCL_DEVICE to take the best one'],
          },
  },
  {
    id: 'cache-folder',
    severity: 'error',
    look: ({ environment, cache }) =>
      environment.ANYCL_CACHE_DIR && cache?.problem
        ? {
            message: `ANYCL_CACHE_DIR is ${cache.folder}, where compiled kernels cannot be kept: ${cache.problem}`,
            advice: [CACHE_ADVICE, NO_CACHE_ADVICE],
          }
        : undefined,
  },
  {
    id: 'no-cache',
    severity: 'warning',
    look: ({ environment, cache }) =>
      !environment.ANYCL_CACHE_DIR && cache?.problem
        ? {
            message: `compiled kernels are not kept${cache.folder === undefined ? '' : ` in ${cache.folder}`}: ${cache.problem}`,
            advice: [CACHE_ADVICE, NO_CACHE_ADVICE],
          }
        : undefined,
  },
  {
    id: 'addon-missing',
    severity: 'warning',
    look: (e) => {
      if (!problem(e).includes('native addon')) return undefined;
      return {
        message: problem(e),
        advice: ['without the addon there are no drivers, and programs run on the software device'],
      };
    },
  },
  {
    id: 'cmake-missing',
    severity: 'warning',
    look: (e) =>
      problem(e).includes('native addon') && !e.commands.has('cmake')
        ? {
            message: 'CMake is not installed, which building the addon needs beside a C++ compiler',
            advice: ['install cmake and a compiler (Debian: apt install cmake g++)'],
          }
        : undefined,
  },
  {
    id: 'driver-crash',
    severity: 'warning',
    look: ({ drivers }) =>
      typeof drivers === 'string'
        ? { message: drivers, advice: ['ANYCL_DEVICE=software lets programs load no driver at all'] }
        : undefined,
  },
  {
    id: 'loader-missing',
    severity: 'warning',
    look: (e) =>
      problem(e).includes('no OpenCL loader')
        ? { message: problem(e), advice: ['every driver needs the ICD loader (Debian: ocl-icd-libopencl1)'] }
        : undefined,
  },
  {
    id: 'no-driver',
    severity: 'warning',
    look: (e) =>
      problem(e).includes('no driver')
        ? {
            message: problem(e),
            advice: [
              'programs run on the software device',
              'for the processor there is pocl-opencl-icd as well',
            ],
          }
        : undefined,
  },
  {
    id: 'driver-library',
    severity: 'warning',
    look: ({ icdFiles }) => {
      const broken = icdFiles.filter(({ exists }) => !exists);
      return broken.length === 0
        ? undefined
        : {
            message: broken
              .map(({ path, library }) => `${path} names ${library}, which is not there`)
              .join('; '),
            advice: ['install that driver again, or remove the file'],
          };
    },
  },
  {
    id: 'rusticl-enable',
    severity: 'warning',
    look: (e) => {
      const mesa = report(e)?.platforms.find(({ name }) => name === 'rusticl');
      if (!mesa || mesa.devices.length > 0 || e.environment.RUSTICL_ENABLE) return undefined;
      return {
        message: 'Mesa’s rusticl has no device because RUSTICL_ENABLE is not set',
        advice: [
          'set RUSTICL_ENABLE to the driver of the GPU: radeonsi, iris, nouveau, or llvmpipe for the processor',
        ],
      };
    },
  },
  {
    id: 'pocl-cache',
    severity: 'warning',
    look: (e) => {
      const what = lacksProcessor(e)
        ? 'does not show the processor'
        : cannotBuild(e) && 'cannot build a small kernel';
      return what
        ? {
            message: `${POCL} ${what}: probably it may not write to its folder of compiled kernels`,
            advice: [
              'set POCL_CACHE_DIR to a folder that this user can write to; by default it is in the home folder, or /tmp/pocl',
            ],
          }
        : undefined;
    },
  },
  {
    id: 'driver-without-device',
    severity: 'warning',
    look: (e) => {
      const empty = report(e)?.platforms.filter(
        ({ name, devices: own }) =>
          own.length === 0 && name !== 'rusticl' && !(name === POCL && lacksProcessor(e)),
      );
      return !empty || empty.length === 0
        ? undefined
        : {
            message: `${empty.map(({ name }) => name).join(', ')}: a driver without a device`,
            advice: ['it found no hardware that it drives; it does no harm'],
          };
    },
  },
  {
    id: 'remote-client',
    severity: 'error',
    look: (e) => {
      const wanted = (e.environment.POCL_DEVICES ?? '').split(' ').filter((name) => name === 'remote').length;
      const found = devices(e).filter(({ remote }) => remote !== undefined).length;
      if (wanted === 0 || found > 0) return undefined;
      const hasClient = report(e)?.platforms.some(({ version }) => /\bPoCL .*\bREMOTE\b/.test(version));
      const addresses = Object.entries(e.environment).flatMap(([name, value]) =>
        /^POCL_REMOTE\d+_PARAMETERS$/.test(name) && value ? [value.replace(/#.*$/, '')] : [],
      );
      return {
        message: `POCL_DEVICES names remote devices, and there are none: ${addresses.join(', ') || 'POCL_REMOTE0_PARAMETERS is not set'}`,
        advice: hasClient
          ? [
              'does pocld run there, and does the network let its port and the next two through? POCL_DEBUG=err,remote says more',
            ]
          : ['install PoCL 7.2 or newer with its remote client (docs/guides/remote.md)'],
      };
    },
  },
  {
    id: 'device-files',
    severity: 'warning',
    look: ({ nodes }) => {
      const closed = nodes.filter(({ accessible }) => !accessible).map(({ path }) => path);
      return closed.length === 0
        ? undefined
        : {
            message: `this user may not open ${closed.join(', ')}`,
            advice: [
              'add the user to the groups render and video (usermod -aG render,video USER), and log in again',
            ],
          };
    },
  },
  {
    id: 'container-without-gpu',
    severity: 'warning',
    look: (e) =>
      e.inContainer && e.graphicsVendors.length > 0 && e.nodes.length === 0
        ? {
            message: 'the machine has a GPU, and this container was not given it',
            advice: ['docker run --gpus all (NVIDIA), or --device /dev/dri (Intel, AMD)'],
          }
        : undefined,
  },
  {
    id: 'gpu-without-driver',
    severity: 'warning',
    look: (e) => {
      const known = e.graphicsVendors.flatMap((vendor) => VENDORS[vendor] ?? []);
      return known.length === 0 || hasGpu(e) || typeof e.drivers === 'string'
        ? undefined
        : { message: 'the machine has a GPU that no OpenCL driver shows', advice: known };
    },
  },
  {
    id: 'device-fails',
    severity: 'warning',
    look: (e) => {
      const failing = devices(e).filter(({ test }) => !test.startsWith('ok'));
      return failing.length === 0
        ? undefined
        : {
            message: failing.map(({ name, test }) => `${name} fails a small kernel: ${test}`).join('; '),
            advice: ['update its driver; ANYCL_DEVICE names another device until then'],
          };
    },
  },
];

/** The names of all findings. */
export const FINDINGS: readonly string[] = ROWS.map(({ id }) => id);

/** The problems, errors first. */
export function findingsOf(examined: Examined): readonly Finding[] {
  const found = ROWS.flatMap(({ id, severity, look }) => {
    const seen = look(examined);
    return seen ? [{ id, severity, ...seen }] : [];
  });
  return [...found].sort((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'));
}
