// SPDX-License-Identifier: MIT
//
// Calls every method of every public class with every wrong value in every position: each call must do what it says, or
// say in our words what is wrong. The methods are found by reflection, so that a new one cannot be forgotten.
import * as api from '../../ts';
import type { Signature } from '../../ts/api/checks/guard';
import { anything, contextOf, type Kind } from '../../ts/api/checks/kinds';
import { INTERNAL, SIGNATURES } from '../../ts/api/checks/signatures';
import { Owned } from '../../ts/api/lifetime';

type Values = Record<string, unknown>;
/** Of a device. */
type Objects = Values & { readonly buffer: object; readonly kernel: object };

const SOURCE = 'kernel void k(global int *p, int x, local int *l) { p[0] = x; }';

/** What JavaScript says where nobody has checked. */
const UNCLEAR =
  /is not (a function|iterable|defined|a constructor|an? object)|Cannot |private (member|field)|Invalid (array|typed)|Receiver must|incompatible receiver|Maximum call stack|undefined is not|null is not|out of bounds|Invalid time/;

function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof api.OpenCLError) return undefined;
    throw error;
  }
}

/** An object of each class of one context, as far as the device has such. */
function objectsOf(device: api.Device): Objects {
  const context = device.createContext();
  const queue = context.createQueue();
  const program = context.createProgram(SOURCE).buildSync();
  const kernel = program.createKernel(program.kernelNames[0]!);
  const buffer = context.createBuffer(4096);
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

function wrongValues(own: Objects, foreign: Objects, released: Objects): Values {
  const detached = new Float32Array(16);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  const prefixed = (prefix: string, values: Values) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix} ${name}`, value]));
  return {
    undefined: undefined,
    null: null,
    true: true,
    0: 0,
    '-1': -1,
    0.5: 0.5,
    NaN: Number.NaN,
    Infinity: Number.POSITIVE_INFINITY,
    '2^32': 2 ** 32,
    '2^53': 2 ** 53,
    '1e300': 1e300,
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
    'an array of NaN': [Number.NaN],
    'an array of objects': [{}],
    'an array of a released buffer': [released.buffer],
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
    ...prefixed('foreign', foreign),
    ...prefixed('released', released),
  };
}

/** Of these is what the other positions are given. */
const RIGHT: readonly unknown[] = [
  ...['all', 'read', 'complete', '2d', 'profiling', 'external', 'opaque-fd', 'TEXTURE_TARGET', 'k', SOURCE],
  ...[new Uint8Array(16), 16, 1n, [0, 0, 0, 0], [1], true, () => undefined],
  ...[
    { format: 'rgba8', width: 4, height: 4 },
    { region: [4, 1, 1] },
    { point: 1, command: 1 },
    { global: 1 },
  ],
  ...[{ context: 1n, display: 1n, system: 'egl' }, {}, Float32Array, [], undefined],
];

/** One of each kind is enough to see what is wrong. */
class Problems {
  readonly #first = new Map<string, string>();

  add(name: string, use: string, problem: string): void {
    const key = `${name}: ${problem.slice(0, 40)}`;
    if (!this.#first.has(key)) this.#first.set(key, `${use}: ${problem}`);
  }

  get list(): readonly string[] {
    return [...this.#first.values()];
  }
}

interface Case {
  readonly name: string;
  readonly object: object;
  readonly key: PropertyKey;
  /** The class that has it. */
  readonly type: new () => unknown;
  readonly signature: Signature | undefined;
}

/** All methods of an object, those that are inherited too, and of each the signature in the table. */
function methodsOf(className: string, object: object): Case[] {
  const found = new Map<PropertyKey, Case>();
  for (
    let type = Object.getPrototypeOf(object);
    type !== Object.prototype;
    type = Object.getPrototypeOf(type)
  ) {
    const table = SIGNATURES.find(([{ prototype }]) => prototype === type)?.[1] ?? {};
    for (const key of Reflect.ownKeys(type)) {
      const { value } = Reflect.getOwnPropertyDescriptor(type, key)!;
      if (typeof value !== 'function' || key === 'constructor' || found.has(key)) continue;
      const signature = Object.hasOwn(table, key) ? table[key as string] : undefined;
      found.set(key, { name: `${className}.${String(key)}`, object, key, type: type.constructor, signature });
    }
  }
  return [...found.values()];
}

/** They end what the other cases need; those that come last of all. */
const ENDING = /^(release|close|terminate|free|unmap|Symbol\(Symbol\.(dispose|asyncDispose)\))$/;
/** What a driver takes long for is tried with the first of the values only. */
const SLOW = /^(Program|Session)\.(build|buildSync|compile)$|unloadCompiler|partition/;

/** Tests the calls on one device; `other` makes objects that the device's context must not be given. */
export function testEveryMethod(findDevice: () => api.Device, findOther: () => api.Device): void {
  let own: Objects;
  let wrong: Values;
  const pending: PromiseLike<unknown>[] = [];

  beforeAll(() => {
    own = objectsOf(findDevice());
    const released = objectsOf(findDevice());
    const { platform: _p, device: _d, gl: _g, egl: _e, mapping: _m, session: _s, ...rest } = released;
    for (const object of Object.values(rest)) (object as api.Buffer).release();
    wrong = wrongValues(own, objectsOf(findOther()), rest as Objects);
  });
  afterAll(async () => {
    await Promise.allSettled(pending);
  });

  /** What was wrong with how a call ended; undefined if nothing. */
  async function outcome(call: () => unknown, mustName: string | undefined): Promise<string | undefined> {
    try {
      const result = call();
      if (typeof (result as PromiseLike<unknown>)?.then === 'function') {
        const promise = Promise.resolve(result as PromiseLike<unknown>);
        pending.push(promise);
        promise.catch(() => undefined);
        await Promise.race([promise, new Promise(setImmediate)]);
      }
      return mustName && 'was accepted';
    } catch (error) {
      const text = String((error as Error)?.message);
      if (UNCLEAR.test(text)) return text;
      if (!(error instanceof api.OpenCLError) && !/must be called on|not made with/.test(text))
        return `no OpenCLError: ${String(error)}`;
      return mustName && !text.includes(`\`${mustName}`) ? `'${mustName}' is not named: ${text}` : undefined;
    }
  }

  const rightValue = (name: string, kind: Kind, context: object | undefined): unknown => {
    if (kind !== anything)
      return [...Object.values(own), ...RIGHT].find((value) => kind.accepts(value, context));
    const known: Values = {
      kernel: own.kernel,
      range: { global: 1 },
      index: 0,
      '...values': own.buffer,
    };
    return known[name];
  };

  /** Every position of the method, and every member of what is an object of options. */
  async function everyPosition({ name, object, key, signature }: Case, problems: Problems): Promise<void> {
    const method = (object as Values)[key as string] as (...args: unknown[]) => unknown;
    const context = contextOf(object);
    const parameters = Object.entries(signature?.parameters ?? {});
    const right = parameters.map(([parameter, kind]) => rightValue(parameter, kind, context));
    const values = SLOW.test(name) ? Object.entries(wrong).slice(0, 24) : Object.entries(wrong);
    for (const [i, [parameter, kind]] of parameters.entries()) {
      const tries: [what: string, path: string, argument: unknown, accepted: boolean][] = [];
      for (const [what, value] of values) {
        tries.push([what, parameter.replace('...', ''), value, kind.accepts(value, context)]);
        for (const [member, inner] of Object.entries(kind.members ?? {})) {
          const base = typeof right[i] === 'object' ? right[i] : {};
          const path = `${parameter}.${member}`;
          tries.push([
            `${member}: ${what}`,
            path,
            { ...base, [member]: value },
            inner.accepts(value, context),
          ]);
        }
      }
      for (const [what, path, argument, accepted] of tries) {
        const args = right.map((value, at) => (at === i ? argument : value));
        const problem = await outcome(() => method.apply(object, args), accepted ? undefined : path);
        if (problem) problems.add(name, `${name}, ${parameter} = ${what}`, problem);
      }
    }
  }

  async function everyReceiver({ name, object, key, type }: Case, problems: Problems): Promise<void> {
    const method = (object as Values)[key as string] as (...args: unknown[]) => unknown;
    for (const [what, value] of Object.entries(wrong)) {
      if (value instanceof type && !/what inherits|a proxy/.test(what)) continue;
      const problem = await outcome(() => method.apply(value, []), undefined);
      if (problem) problems.add(name, `${name} called on ${what}`, problem);
    }
  }

  const cases = (objects: Values): Case[] =>
    Object.values(objects)
      .flatMap((object) => methodsOf((object as object).constructor.name, object as object))
      .filter(({ key }) => !INTERNAL.has(String(key)));

  test('every argument of every method, with every wrong value', async () => {
    const problems = new Problems();
    const all = cases(own);
    expect(all.length).toBeGreaterThan(100);
    for (const one of all) if (!ENDING.test(String(one.key))) await everyPosition(one, problems);
    expect(problems.list).toEqual([]);
  }, 300_000);

  test('every method called on something else', async () => {
    const problems = new Problems();
    for (const one of cases(own)) await everyReceiver(one, problems);
    expect(problems.list).toEqual([]);
  }, 300_000);

  test('every getter of an owned object read of something else', () => {
    const found = new Set<string>();
    for (const object of Object.values(own)) {
      for (let proto = Object.getPrototypeOf(object); proto; proto = Object.getPrototypeOf(proto)) {
        if (!(proto instanceof Owned || proto === Owned.prototype)) break;
        for (const [key, { get }] of Object.entries(Object.getOwnPropertyDescriptors(proto))) {
          if (!get) continue;
          found.add(key);
          try {
            get.call({});
          } catch (error) {
            expect((error as Error).message).toMatch(/must be called on/);
          }
        }
      }
    }
    expect(found.size).toBeGreaterThan(10);
  });

  test('every method of a released object', async () => {
    const problems = new Problems();
    for (const [what, object] of Object.entries(wrong)) {
      if (!what.startsWith('released')) continue;
      for (const { name, key, signature } of cases({ object })) {
        const context = contextOf(object);
        const args = Object.entries(signature?.parameters ?? {}).map(([n, kind]) =>
          rightValue(n, kind, context),
        );
        const method = (object as Values)[key as string] as (...args: unknown[]) => unknown;
        const problem = await outcome(() => method.apply(object, args), undefined);
        if (problem) problems.add(name, `${name} of a released object`, problem);
      }
    }
    expect(problems.list).toEqual([]);
  });

  test('every class called, or made with new', async () => {
    const problems = new Problems();
    for (const [name, type] of Object.entries(api)) {
      if (/^[a-z]/.test(name) || name === 'OpenCLError') continue;
      for (const [what, value] of Object.entries(wrong)) {
        const problem = await outcome(() => Reflect.construct(type as never, [value, value]), undefined);
        if (problem) problems.add(name, `new ${name}(${what})`, problem);
      }
    }
    expect(problems.list).toEqual([]);
  });

  test('every function with every wrong value', async () => {
    const problems = new Problems();
    const functions = Object.entries(api).filter(([name]) => /^[a-z]/.test(name));
    expect(functions.map(([name]) => name).sort()).toEqual([
      'findDevice',
      'local',
      'open',
      'openSync',
      'platforms',
    ]);
    for (const [name, member] of functions) {
      const f = member as (...args: unknown[]) => unknown;
      for (const [what, value] of Object.entries(wrong)) {
        for (const args of [[value], [{ device: value }], [Float32Array, value]]) {
          if (name.startsWith('open') && (value === undefined || value === '')) continue;
          const problem = await outcome(() => f(...args), undefined);
          if (problem) problems.add(name, `${name}(${args.length} arguments, ${what})`, problem);
        }
      }
    }
    expect(problems.list).toEqual([]);
  });
}
