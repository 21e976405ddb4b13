// SPDX-License-Identifier: MIT
//
// The environment variables of anycl: one table that says what each may be and what it means. Nothing else of TypeScript reads
// a variable named ANYCL_…, but what finds the addon and V8's stored code before there is a host.

interface Variable<T> {
  readonly name: `ANYCL_${string}`;
  /** What it is for, as the manual says. Variables without are for work on anycl itself. */
  readonly meaning?: string;
  /** The texts that it may hold, in words. */
  readonly values: string;
  /** Where it is unset or empty. */
  readonly byDefault: T;
  /** Undefined for a text that it may not hold. */
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

/** What ANYCL_DEBUG may list. */
const TOPICS = ['device', 'stacks', 'cache', 'calls', 'jit', 'verify'] as const;
export type DebugTopic = (typeof TOPICS)[number];

const debug: Variable<ReadonlySet<DebugTopic>> = {
  name: 'ANYCL_DEBUG',
  meaning:
    'what to say, as a list with commas: device, which device was chosen and why; stacks, internal frames of errors; ' +
    'cache, why compiled kernels are not kept; calls, why calls through the ICD failed; jit, what became of each kernel; verify checks the compiler’s own work',
  values: `a list of ${TOPICS.join(', ')}`,
  byDefault: new Set(),
  // A topic of another version is no reason to refuse to work.
  read: (value) => new Set(value.split(',').map((topic) => topic.trim() as DebugTopic)),
};

export const VARIABLES = {
  device: text('ANYCL_DEVICE', { meaning: 'the device to take, as --device' }),
  openclLibrary: text('ANYCL_OPENCL_LIBRARY', { meaning: 'the ICD loader to open instead of the system’s' }),
  buildOptions: text('ANYCL_BUILD_OPTIONS', { meaning: 'options for each build' }),
  threads: number('ANYCL_THREADS', {
    meaning: 'threads of the software device (default: as many as there are processor cores)',
    values: 'a whole number of threads',
    accepts: (value) => Number.isInteger(value) && value >= 0,
  }),
  timeout: number('ANYCL_TIMEOUT', {
    meaning:
      'milliseconds after which a kernel of the software device that makes no progress fails (default 60000; 0: never)',
    values: 'a number of milliseconds from 0 on',
    accepts: (value) => value >= 0,
  }),
  cacheFolder: text('ANYCL_CACHE_DIR', {
    meaning: 'where compiled kernels are kept; ANYCL_CACHE=0 keeps none',
  }),
  cache: text('ANYCL_CACHE', {}),
  debug,
  // Overrule the JIT's cost model, for experiments. 0: by the cost model.
  lanes: oneOf('ANYCL_LANES', [0, 1, 4, 8, 16, 32]),
  rows: oneOf('ANYCL_COARSENING', [0, 1, 2, 4]),
} as const;

type Table = typeof VARIABLES;
/** The values. Each is read, and checked, when it is asked for: a script may set variables until it is. */
export type Settings = {
  readonly [K in keyof Table]: Table[K]['byDefault'] | Exclude<ReturnType<Table[K]['read']>, undefined>;
};

/**
 * The settings of an environment.
 * @param refuse throws what a variable with a wrong value is refused with
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
