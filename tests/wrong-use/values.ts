// SPDX-License-Identifier: MIT
//
// Objects of every class, and values that are wrong for nearly everything.
import * as api from '../../ts';

export type Values = Record<string, unknown>;
/** Of a device. */
export type Objects = Values & { readonly buffer: object; readonly kernel: object };

const SOURCE = 'kernel void k(global int *p, int x, local int *l) { p[0] = x; }';

function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof api.OpenCLError) return undefined;
    throw error;
  }
}

/** An object of each class of one context, as far as the device has such. */
export function objectsOf(device: api.Device): Objects {
  const context = device.createContext();
  const queue = context.createQueue();
  const program = context.createProgram(SOURCE).buildSync();
  const kernel = program.createKernel(program.kernelNames[0]!);
  const buffer = context.createBuffer(4096);
  // The stub's kernels and the null device's have arguments of their own.
  for (let i = 0; i < kernel.argumentCount; i++) {
    const fits = (value: api.KernelValue) => attempt(() => kernel.setArg(i, value));
    [buffer, 1, api.local(4), new Uint8Array(4)].find(fits);
  }
  const userEvent = context.createUserEvent();
  userEvent.complete();
  const commandBuffer = context.createCommandBuffer(queue);
  const objects: Values = {
    platform: device.platform,
    device,
    context,
    queue,
    buffer,
    program,
    kernel,
    userEvent,
    commandBuffer,
    event: queue.enqueueMarker(),
    mapping: queue.enqueueMap(buffer, 'read').waitSync(),
    image: attempt(() => context.createImage({ format: 'rgba8', width: 4, height: 4 })),
    sampler: attempt(() => context.createSampler()),
    pipe: attempt(() => context.createPipe(4, 4)),
    svm: attempt(() => context.createSvm(64)),
    semaphore: attempt(() => context.createSemaphore()),
    gl: context.gl,
    egl: context.egl,
    session: api.openSync({ device }),
  };
  return Object.fromEntries(Object.entries(objects).filter(([, object]) => object !== undefined)) as Objects;
}

/** Objects by their origin. */
export interface Origins {
  readonly own: Objects;
  /** Of another context of the device; the driver would treat its objects as its own. */
  readonly elsewhere: Objects;
  /** Of another platform, if there is one. */
  readonly foreign: Objects;
  readonly released: Values;
}

/** Those that methods take in arrays. */
const LISTED = ['event', 'userEvent', 'queue', 'buffer', 'image', 'program', 'device', 'semaphore'];
const prefixed = (prefix: string, values: Values) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
      const single: [string, unknown] = [`${prefix} ${name}`, value];
      return LISTED.includes(name) ? [single, [`${prefix} ${name} in an array`, [value]]] : [single];
    }),
  );

/** Values that are not a count, size, offset or index. */
const NO_COUNTS: Values = {
  '-1': -1,
  0.5: 0.5,
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '2^53': 2 ** 53,
  '1e300': 1e300,
};
/** Arrays of numbers as methods take them. */
const SHAPES: Readonly<Record<string, (n: unknown) => unknown>> = {
  alone: (n) => n,
  'in an array': (n) => [n],
  'among three': (n) => [1, n, 1],
  'among four': (n) => [1, n, 1, 1],
};

const noCounts = (shape: string): Values =>
  Object.fromEntries(Object.entries(NO_COUNTS).map(([name, n]) => [`${name} ${shape}`, SHAPES[shape]!(n)]));

export function wrongValues({ own, elsewhere, foreign, released }: Origins): Values {
  const detached = new Float32Array(16);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  return {
    undefined: undefined,
    null: null,
    true: true,
    0: 0,
    '2^32': 2 ** 32,
    ...Object.assign({}, ...Object.keys(SHAPES).map(noCounts)),
    '1n': 1n,
    '-1n': -1n,
    '2^70n': 2n ** 70n,
    'an empty string': '',
    'a string': 'constructor',
    'a symbol': Symbol('s'),
    'an object': {},
    'an object without prototype': Object.create(null),
    'a date': new Date(0),
    'a map': new Map(),
    'an empty array': [],
    'an array of undefined': [undefined],
    'an array with a hole': new Array(2),
    // biome-ignore lint/suspicious/noSparseArray: that is what it tests
    'an array with a hole among three': [1, , 1],
    'an array of objects': [{}],
    'a long array': new Array(100).fill(1),
    'a function': () => undefined,
    'an array buffer': new ArrayBuffer(8),
    'an empty array of bytes': new Uint8Array(),
    'three bytes': new Uint8Array(3),
    'an array of another type': new BigInt64Array(2),
    'a view of nothing': new DataView(new ArrayBuffer(8), 8),
    'a detached array': detached,
    'what inherits from a buffer': Object.create(api.Buffer.prototype),
    'a proxy of a buffer': new Proxy(own.buffer, {}),
    'a negative local size': Object.assign(api.local(4), { bytes: -4 }),
    ...prefixed('own', own),
    ...prefixed('elsewhere', elsewhere),
    ...prefixed('foreign', foreign),
    ...prefixed('released', released),
  };
}

/** A value that every parameter must refuse that accepts its valid twin, and the message for it. */
export interface Twin {
  readonly what: string;
  readonly wrong: unknown;
  readonly right: unknown;
  readonly says: RegExp;
}

export function twins({ own, elsewhere, foreign, released }: Origins): Twin[] {
  const right = prefixed('', own);
  const of = (origin: Values, prefix: string, says: RegExp): Twin[] =>
    Object.entries(prefixed('', origin))
      .map(([name, wrong]) => ({ what: `${prefix}${name}`, wrong, right: right[name], says }))
      // Platforms and devices may be the same ones; the rest is not a parameter of any method.
      .filter((twin) => [twin.right].flat()[0] !== [twin.wrong].flat()[0])
      .filter((twin) => twin.right !== undefined && !/ (platform|session|mapping|gl|egl)$/.test(twin.what));
  const numbers = Object.entries(SHAPES).flatMap(([shape, make]) =>
    Object.entries(NO_COUNTS).map(([name, n]) => ({
      what: `${name} ${shape}`,
      wrong: make(n),
      right: make(1),
      says: /must be|there is no argument/,
    })),
  );
  return [
    ...of(elsewhere, 'elsewhere', /CL_INVALID_CONTEXT.*of another context/),
    ...of(foreign, 'foreign', /CL_INVALID_CONTEXT.*of another context|CL_INVALID_DEVICE.*not made for/),
    ...of(released, 'released', /released/),
    ...numbers,
  ];
}

/** The other positions get values of these. */
export const RIGHT: readonly unknown[] = [
  ...['all', 'read', 'complete', '2d', 'profiling', 'external', 'opaque-fd', 'TEXTURE_TARGET', 'k', SOURCE],
  ...[new Uint8Array(16), 16, 1n, [0, 0, 0, 0], [1], true, () => undefined],
  ...[
    { format: 'rgba8', width: 4, height: 4 },
    { type: 'opaque-fd', handle: 1 },
    { region: [4, 1, 1] },
    { point: 1, command: 1 },
    { global: 1 },
  ],
  ...[{ context: 1n, display: 1n, system: 'egl' }, {}, Float32Array, [], undefined],
];
