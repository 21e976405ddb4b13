// SPDX-License-Identifier: MIT
//
// Calls every method of every public class with every wrong value in every position: each call must do what it says, or
// say in our words what is wrong. The methods are found by reflection, so that a new one cannot be forgotten.
import * as api from '../../ts';
import type { ClassName } from '../../ts/api/checks/classes';
import { anything, contextOf, type Kind } from '../../ts/api/checks/kinds';
import type { Signature } from '../../ts/api/checks/signature';
import { SIGNATURES } from '../../ts/api/checks/signatures';
import { Handle } from '../../ts/api/objects/handle';
import { type Objects, objectsOf, RIGHT, type Twin, twins, type Values, wrongValues } from './values';

/** The messages of JavaScript's own errors, which show a missing check. */
const UNCLEAR =
  /is not (a function|iterable|defined|a constructor|an? object)|Cannot |private (member|field)|Invalid (array|typed)|Receiver must|incompatible receiver|Maximum call stack|undefined is not|null is not|out of bounds|Invalid time/;

/** The symbols of public methods; others name what only the API uses. */
const LANGUAGE: ReadonlySet<PropertyKey> = new Set([Symbol.dispose, Symbol.asyncDispose]);

/** One value of each kind is enough to find a fault. */
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

/** All methods of an object, including inherited ones, each with its signature in the table. */
function methodsOf(className: string, object: object): Case[] {
  const found = new Map<PropertyKey, Case>();
  for (
    let type = Object.getPrototypeOf(object);
    type !== Object.prototype;
    type = Object.getPrototypeOf(type)
  ) {
    const table = SIGNATURES[type.constructor.name as ClassName] ?? {};
    for (const key of Reflect.ownKeys(type)) {
      const { value } = Reflect.getOwnPropertyDescriptor(type, key)!;
      if (typeof value !== 'function' || key === 'constructor' || found.has(key)) continue;
      const signature = Object.hasOwn(table, key) ? table[key as string] : undefined;
      found.set(key, { name: `${className}.${String(key)}`, object, key, type: type.constructor, signature });
    }
  }
  return [...found.values()];
}

/** A parameter, or a member of one. */
interface Place {
  readonly kind: Kind;
  /** As errors name it: `options.waitFor`. */
  readonly path: string;
  /** The arguments of a call with a value in this place, and valid ones in the others. */
  args(value: unknown): unknown[];
}

/** Places whose values are not counts, or objects that only the method can check. */
const KNOWS_BETTER = [
  // Numbers of the buffer's elements or the image's channels, and values of kernel arguments: kernel-values.ts.
  /^Buffer\.(fill value|write data)$/,
  /^(Image\.fill|(CommandBuffer\.f|CommandQueue\.enqueueF)illImage) color$/,
  / (values|value)$/,
  // Levels of detail have fractions.
  / options\.lod(Min|Max)$/,
  // Commands of command buffers are any objects to the table.
  /^CommandBuffer\.\w+ (command|options\.after)$/,
  /^(User)?Event\.(then|catch|finally) /,
];
/** Handles of the operating system, and what is signed in GL. */
const NEGATIVE = [/\.handle$/, /^GlSharing\.texture options\.level$/, /^Semaphore\.reimportSyncFd fd$/];
/** What has 32 bits in OpenCL. */
const UINT = [
  ...['Context.createPipe packetSize', 'Context.createPipe maxPackets', 'Program.specialize id'],
  ...['Context.createQueue options.onDevice.size', 'Context.createUnifiedSvm options.typeIndex'],
  ...['Context.createImage shape.mipLevels', 'Context.createImage shape.samples', 'Kernel.setArg index'],
  ...['GlSharing.buffer name', 'GlSharing.texture target', 'GlSharing.texture name'],
  ...['GlSharing.texture options.level', 'GlSharing.renderbuffer name', 'Semaphore.reimportSyncFd fd'],
];

/** These methods destroy objects that the other cases need, so they are last. */
const ENDING =
  /^(release|close|terminate|free|enqueueSvmFree|enqueueUnmap|unmap|Symbol\(Symbol\.(dispose|asyncDispose)\))$/;
/** Slow methods of drivers are tried with only the first value. */
const SLOW = /^(Program|Session)\.(build|buildSync|compile)$|unloadCompiler|partition/;

/** Tests the calls on one device; `other` makes objects that the device's context must not be given. */
export function testEveryMethod(findDevice: () => api.Device, findOther: () => api.Device): void {
  let own: Objects;
  let wrong: Values;
  let twinned: readonly Twin[];
  /** A queue that wrong calls do not block. */
  let signalling: api.CommandQueue;
  const pending: PromiseLike<unknown>[] = [];

  beforeAll(() => {
    own = objectsOf(findDevice());
    signalling = (own.context as api.Context).createQueue();
    const released = objectsOf(findDevice());
    const { platform: _p, device: _d, gl: _g, egl: _e, mapping: _m, session: _s, ...rest } = released;
    for (const object of Object.values(rest)) (object as api.Buffer).release();
    const elsewhere = objectsOf(findDevice());
    const origins = { own, elsewhere, foreign: objectsOf(findOther()), released: rest };
    wrong = wrongValues(origins);
    twinned = twins(origins);
  });
  // Drivers build programs meanwhile, which takes long while other tests run.
  afterAll(async () => {
    await Promise.allSettled(pending);
  }, 120_000);

  /** Completes the events that an accepted call waits for; otherwise its queue would be blocked for ever. */
  function letGo({ name }: Case): void {
    if (/^(Semaphore\.wait|CommandQueue\.enqueueWaitSemaphores)$/.test(name) && own.semaphore)
      (own.semaphore as api.Semaphore).signal({ queue: signalling });
  }

  /** The fault in a call's outcome; undefined if there is none. */
  async function outcome(
    call: () => unknown,
    mustName: string | undefined,
    mustSay = /^/,
  ): Promise<string | undefined> {
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
      if (mustName && !text.includes(`\`${mustName}`)) return `'${mustName}' is not named: ${text}`;
      return mustSay.test(text) ? undefined : `does not say '${mustSay.source}': ${text}`;
    }
  }

  const rightValue = (kind: Kind, context: object | undefined): unknown =>
    kind === anything
      ? own.buffer
      : [...Object.values(own), ...RIGHT].find((value) => kind.accepts(value, context));

  /** Each parameter, each member of options, and each member of these. */
  function placesOf({ object, signature }: Case): Place[] {
    const context = contextOf(object);
    const parameters = Object.entries(signature?.parameters ?? {});
    const right = parameters.map(([, kind]) => rightValue(kind, context));
    const within = (place: Place, base: unknown): Place[] =>
      Object.entries(place.kind.members ?? {}).flatMap(([member, kind]) => {
        const inner = {
          kind,
          path: `${place.path}.${member}`,
          args: (value: unknown) =>
            place.args({ ...(typeof base === 'object' ? base : {}), [member]: value }),
        };
        return [inner, ...within(inner, rightValue(kind, context))];
      });
    return parameters.flatMap(([parameter, kind], i) => {
      const place = {
        kind,
        path: parameter.replace('...', ''),
        args: (value: unknown) => right.map((other, at) => (at === i ? value : other)),
      };
      return [place, ...within(place, right[i])];
    });
  }

  const methodOf = ({ object, key }: Case) =>
    (object as Values)[key as string] as (...args: unknown[]) => unknown;

  async function everyPosition(one: Case, problems: Problems): Promise<void> {
    const context = contextOf(one.object);
    const values = SLOW.test(one.name) ? Object.entries(wrong).slice(0, 24) : Object.entries(wrong);
    for (const { kind, path, args } of placesOf(one)) {
      for (const [what, value] of values) {
        const accepted = kind.accepts(value, context);
        const call = () => methodOf(one).apply(one.object, args(value));
        const problem = await outcome(call, accepted ? undefined : path);
        if (accepted && !problem) letGo(one);
        if (problem) problems.add(one.name, `${one.name}, ${path} = ${what}`, problem);
      }
    }
  }

  /** Where an object is accepted, its wrong twin must be refused for its own fault. */
  async function everyTwin(one: Case, problems: Problems): Promise<void> {
    const context = contextOf(one.object);
    for (const { kind, path, args } of placesOf(one)) {
      const place = `${one.name} ${path}`;
      if (KNOWS_BETTER.some((pattern) => pattern.test(place))) continue;
      for (const { what, right, wrong: value, says } of twinned) {
        if (!kind.accepts(right, context)) continue;
        if (NEGATIVE.some((pattern) => pattern.test(place)) && what.startsWith('-1')) continue;
        const call = () => methodOf(one).apply(one.object, args(value));
        const problem = await outcome(call, path, says);
        if (problem) problems.add(place, `${place} = ${what}`, problem);
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
      .filter(({ key }) => typeof key === 'string' || LANGUAGE.has(key));

  test('every argument of every method, with every wrong value', async () => {
    const problems = new Problems();
    const all = cases(own);
    expect(all.length).toBeGreaterThan(100);
    for (const one of all) if (!ENDING.test(String(one.key))) await everyPosition(one, problems);
    expect(problems.list).toEqual([]);
  }, 300_000);

  test('numbers that are not counts, and objects of another context or released, are refused everywhere', async () => {
    const problems = new Problems();
    for (const one of cases(own)) await everyTwin(one, problems);
    expect(problems.list).toEqual([]);
  }, 300_000);

  test('what has 32 bits takes no more', () => {
    const places = cases(own).flatMap((one) =>
      placesOf(one).map((place) => [`${one.name} ${place.path}`, place.kind] as const),
    );
    const known = places.filter(([place]) => UINT.includes(place) || place.endsWith(' key'));
    expect(known.length).toBeGreaterThan(20);
    expect(known.filter(([, kind]) => kind.accepts(2 ** 32)).map(([place]) => place)).toEqual([]);
  });

  test('every method called on something else', async () => {
    const problems = new Problems();
    for (const one of cases(own)) await everyReceiver(one, problems);
    expect(problems.list).toEqual([]);
  }, 300_000);

  test('every getter of an owned object read of something else', () => {
    const found = new Set<string>();
    for (const object of Object.values(own)) {
      for (let proto = Object.getPrototypeOf(object); proto; proto = Object.getPrototypeOf(proto)) {
        if (!(proto instanceof Handle || proto === Handle.prototype)) break;
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
      if (!what.startsWith('released') || Array.isArray(object)) continue;
      for (const { name, key, signature } of cases({ object })) {
        const context = contextOf(object);
        const args = Object.values(signature?.parameters ?? {}).map((kind) => rightValue(kind, context));
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
      // Enumerations are exported too, and are not classes. Errors may be made by anybody.
      if (/^[a-z]/.test(name) || /Error$/.test(name) || typeof type !== 'function') continue;
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
      'flow',
      'isDeviceFault',
      'local',
      'open',
      'openSync',
      'openTeam',
      'part',
      'platforms',
      'regroup',
      'remoteDevices',
      'schedule',
      'split',
      'struct',
      'throughFlow',
    ]);
    for (const [name, member] of functions) {
      if (typeof member !== 'function') continue;
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
