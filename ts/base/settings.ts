// SPDX-License-Identifier: MIT
//
// The environment variables of anycl: one table of their names, values and meanings.

import { CHECKS, type Check, parseChecks } from './checks';

interface Variable<T> {
  readonly name: `ANYCL_${string}`;
  /** The manual's description. Variables without one are for developers of anycl. */
  readonly meaning?: string;
  /** A description of its values. */
  readonly values: string;
  /** The value of an unset or empty variable. */
  readonly byDefault: T;
  /** Undefined for a text that is not one of the values. */
  read(text: string): T | undefined;
}

type Details = Pick<Variable<unknown>, 'meaning'>;

const text = (name: Variable<string>['name'], details: Details): Variable<string | undefined> => ({
  name,
  values: 'any text',
  byDefault: undefined,
  read: (value) => value,
  ...details,
});

const oneOf = (
  name: Variable<number>['name'],
  choices: readonly number[],
  details: Details = {},
): Variable<number> => ({
  name,
  values: choices.slice(1).join(', '),
  byDefault: choices[0]!,
  read: (value) => choices.find((choice) => choice === Number(value)),
  ...details,
});

const number = (
  name: Variable<number>['name'],
  { values, accepts, ...details }: Details & { values: string; accepts(value: number): boolean },
): Variable<number | undefined> => ({
  name,
  values,
  byDefault: undefined,
  read: (value) => (accepts(Number(value)) ? Number(value) : undefined),
  ...details,
});

/** The topics that ANYCL_DEBUG can list. */
const TOPICS = ['device', 'stacks', 'cache', 'calls', 'jit', 'verify'] as const;
export type DebugTopic = (typeof TOPICS)[number];

const debug: Variable<ReadonlySet<DebugTopic>> = {
  name: 'ANYCL_DEBUG',
  meaning:
    'what to report, separated by commas: device, which device was chosen and why; stacks, internal frames of errors; ' +
    'cache, why compiled kernels are not cached; calls, why calls through the ICD failed; jit, how each kernel was compiled; verify, checks of the compiler’s own work',
  values: `a list of ${TOPICS.join(', ')}`,
  byDefault: new Set(),
  // Unknown topics are ignored, because another version may have them.
  read: (value) => new Set(value.split(',').map((topic) => topic.trim() as DebugTopic)),
};

export const VARIABLES = {
  device: text('ANYCL_DEVICE', { meaning: 'the device to use, as --device' }),
  openclLibrary: text('ANYCL_OPENCL_LIBRARY', { meaning: 'the ICD loader to open instead of the system’s' }),
  buildOptions: text('ANYCL_BUILD_OPTIONS', { meaning: 'options for each build' }),
  threads: number('ANYCL_THREADS', {
    meaning: 'threads of the software device (default: one for each processor core)',
    values: 'a whole number of threads',
    accepts: (value) => Number.isInteger(value) && value >= 0,
  }),
  timeout: number('ANYCL_TIMEOUT', {
    meaning:
      'milliseconds after which a kernel of the software device that makes no progress fails (default 60000; 0: never)',
    values: 'a number of milliseconds, 0 or more',
    accepts: (value) => value >= 0,
  }),
  remoteTimeout: number('ANYCL_REMOTE_TIMEOUT', {
    meaning:
      'seconds without a sign of life after which a server of remote devices is lost, while it is awaited (default 60; 0: never)',
    values: 'a number of seconds from 0 to 1000000',
    accepts: (value) => value >= 0 && value <= 1e6,
  }),
  cacheFolder: text('ANYCL_CACHE_DIR', {
    meaning: 'folder of the cache of compiled kernels; ANYCL_CACHE=0 disables the cache',
  }),
  cache: text('ANYCL_CACHE', {}),
  debug,
  /** The only folder to look for the addon in. */
  addonFolder: text('ANYCL_PREBUILD', {}),
  trace: text('ANYCL_TRACE', {
    meaning:
      'file to record a trace in: every command, build and wait of the process, as JSON for Perfetto or, if it ends in .html, as a page; %p in it is the process’s number',
  }),
  check: {
    name: 'ANYCL_CHECK',
    meaning:
      'the faults of kernels to look for on the software device, as --check; reports go to standard error',
    values: `a list of ${CHECKS.join(', ')}, or all`,
    byDefault: [] as readonly Check[],
    read: parseChecks,
  },
  wide: oneOf('ANYCL_WIDE', [0, 1], {
    meaning: '1: kernels use vectors of 256 bits with Node.js 26 and AVX2; an experiment of V8 (default 0)',
  }),
  affinity: oneOf('ANYCL_AFFINITY', [1, 0], {
    meaning:
      '0: the system may run each thread of the software device on any processor (default 1: on Linux, each has processors of its own)',
  }),
  // Override the JIT's cost model, for experiments. 0: the cost model decides.
  lanes: oneOf('ANYCL_LANES', [0, 1, 4, 8, 16, 32]),
  rows: oneOf('ANYCL_COARSENING', [0, 1, 2, 4]),
} as const;

type Table = typeof VARIABLES;
/** The values. Each is read and checked when it is needed: until then a script may set the variable. */
export type Settings = {
  readonly [K in keyof Table]: Table[K]['byDefault'] | Exclude<ReturnType<Table[K]['read']>, undefined>;
};

/**
 * The settings of an environment.
 * @param refuse throws the error of a variable with a wrong value
 */
export function readSettings(
  environment: (name: string) => string | undefined,
  refuse: (problem: string) => never = refuseSetting,
): Settings {
  const valueOfVariable = ({ name, values, byDefault, read }: Variable<unknown>): unknown => {
    const value = environment(name);
    if (value === undefined || value === '') return byDefault;
    const result = read(value);
    return result ?? refuse(`${name} is '${value}'; it can be ${values}, or empty`);
  };
  const getters = Object.entries(VARIABLES).map(
    ([key, variable]) => [key, { get: () => valueOfVariable(variable), enumerable: true }] as const,
  );
  return Object.defineProperties({}, Object.fromEntries(getters)) as Settings;
}

function refuseSetting(problem: string): never {
  throw new Error(problem);
}
