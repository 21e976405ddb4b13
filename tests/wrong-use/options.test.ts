// SPDX-License-Identifier: MIT
//
// Options that nobody knows, elements of another class, and options that the device has no extension for.
import { type Buffer, findDevice, open, openSync, type Session } from '../../ts';
import type { Kind } from '../../ts/api/checks/kinds';
import { SIGNATURES } from '../../ts/api/checks/signatures';

/** Calls as of a script without types. */
// biome-ignore lint/suspicious/noExplicitAny: as JavaScript has it.
type Untyped = any;

let cl: Session;
beforeAll(() => {
  cl = openSync({ device: 'software' });
});
afterAll(() => cl.close());

/** The message of the error that `act` throws or rejects with. */
async function message(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was thrown';
}

describe('options are read once: a getter may answer differently the next time', () => {
  /** Answers `first` once, then `later`. */
  const changing = (name: string, first: unknown, later: unknown): Untyped => {
    let reads = 0;
    return {
      get [name]() {
        return reads++ === 0 ? first : later;
      },
    };
  };
  const { signal } = new AbortController();

  test.each<[string, (wrong: unknown) => Promise<unknown>]>([
    ['finish', (wrong) => cl.queue.finish(changing('signal', signal, wrong))],
    ['build', (wrong) => cl.build('kernel void k() {}', '', changing('signal', signal, wrong))],
    ['open', async (wrong) => (await open(changing('device', 'software', wrong))).close()],
    ['read', async (wrong) => cl.buffer(new Uint8Array(4)).read(changing('length', 2, wrong))],
  ])('%s', async (_name, act) => {
    for (const wrong of [Symbol('s'), null, {}, 2 ** 40, 'text']) await act(wrong);
  });

  test('of launches', async () => {
    const { kernels } = await cl.build('kernel void k(global int *o) { o[get_global_id(0)] += 1; }');
    const o = cl.buffer(new Int32Array(8));
    const sizes = [2];
    const gate = cl.context.createUserEvent();
    kernels.k!.setArgs(o);
    await cl.queue.enqueueNDRange(kernels.k!, changing('global', 2, 8) as { global: number });
    const waits = changing('waitFor', [gate], [null]);
    const last = cl.queue.enqueueNDRange(kernels.k!, { global: sizes }, waits);
    sizes[0] = 8;
    gate.complete();
    await last;
    // The range that was remembered is not the changed one.
    await kernels.k!.run({ global: 2 }, o);
    expect([...(await o.read())]).toEqual([3, 3, 0, 0, 0, 0, 0, 0]);
  });
});

describe('misspelt options are refused with the right name', () => {
  const floats = (): Untyped => cl.buffer(new Float32Array(8));
  const context = (): Untyped => cl.context;
  test.each<[string, () => unknown, RegExp]>([
    ['open', () => open({ devices: 'gpu' } as Untyped), /open: `options\.devices`.*did you mean `device`/],
    [
      'createContext',
      () => findDevice('software').createContext({ terminatable: true } as Untyped),
      /`terminable`/,
    ],
    ['createQueue', () => context().createQueue({ outOforder: true }), /did you mean `outOfOrder`/],
    [
      'a queue on the device',
      () => context().createQueue({ onDevice: { sise: 1 } }),
      /onDevice\.sise`.*`size`/,
    ],
    ['buffer', () => (cl as Untyped).buffer(8, { acess: 'read-only' }), /acess`.*did you mean `access`/],
    ['image', () => (cl as Untyped).image({ format: 'rgba8', widht: 4 }), /widht`.*did you mean `width`/],
    ['sampler', () => (cl as Untyped).sampler({ adressing: 'clamp' }), /did you mean `addressing`/],
    ['build', () => (cl as Untyped).build('kernel void f() {}', '', { sginal: 1 }), /did you mean `signal`/],
    ['read', () => floats().read({ lenght: 4 }), /lenght`.*did you mean `length`/],
    ['write', () => floats().write([1], { ofset: 4 }), /did you mean `offset`/],
    [
      'what is like nothing',
      () => floats().read({ colour: 4 }),
      /`options\.colour` is not an option\. Known are/,
    ],
  ])('%s', async (_name, act, expected) => {
    expect(await message(act)).toMatch(expected);
  });

  test('of runs, each way to run a kernel', async () => {
    const kernel: Untyped = (await cl.build('kernel void f() {}')).createKernel('f');
    const queue: Untyped = cl.queue;
    const range = { global: 4, locl: 4 };
    for (const run of [
      () => kernel.run(range),
      () => kernel.runSync(range),
      () => queue.enqueueNDRange(kernel, range),
      () => queue.enqueueNDRange(kernel, range, { event: false }),
    ])
      expect(await message(run)).toMatch(/locl`.*did you mean `local`/);
    expect(await message(() => queue.enqueueNDRange(kernel, { global: 4 }, { waitfor: [] }))).toMatch(
      /did you mean `waitFor`/,
    );
    await kernel.run({ global: 4, local: 2, waitFor: [], queue });
    // A name that every object has is not an option, either.
    expect(await message(() => queue.enqueueNDRange(kernel, { global: 4, constructor: 1 }))).toMatch(
      /`range\.constructor` is not an option/,
    );
    expect(await message(() => queue.enqueueNDRange(kernel, { global: 4 }, { valueOf: 1 }))).toMatch(
      /`options\.valueOf` is not an option/,
    );
    const all = { waitFor: [], event: true, timeout: 1000, signal: new AbortController().signal };
    await queue.enqueueNDRange(kernel, { global: 4, local: 2, offset: 0 }, all);
  });

  test('wherever options are taken', () => {
    const takers = Object.entries(SIGNATURES).flatMap(([type, signatures]) =>
      Object.entries(signatures).flatMap(([method, { parameters }]) =>
        Object.values(parameters).flatMap((kind: Kind) =>
          kind.members ? [{ name: `${type}.${method}`, kind }] : [],
        ),
      ),
    );
    expect(takers.length).toBeGreaterThan(50);
    const lax = takers.filter(({ kind }) => kind.accepts({ nobodyKnowsThis: 1 }, undefined));
    expect(lax.map(({ name }) => name)).toEqual([]);
  });
});

describe('elements of another class are refused', () => {
  let floats: Buffer<Float32Array>;
  beforeAll(() => {
    floats = cl.buffer(new Float32Array(8));
  });
  const wrong = new Int32Array(8) as Untyped;

  test.each([
    ['write', () => floats.write(wrong)],
    ['read', () => floats.read({ into: wrong })],
    ['fill', () => floats.fill(wrong.subarray(0, 1))],
    ['image.write', () => cl.image({ format: 'r32f', width: 8 }).write(wrong)],
  ])('%s', async (_name, act) => {
    expect(await message(act)).toMatch(/Float32Array.*Int32Array|Int32Array.*Float32Array/);
  });

  test('bytes are taken as they are, and so are integers of another sign', async () => {
    const bits = new Uint8Array(new Float32Array([1.5]).buffer);
    await floats.write(bits);
    await floats.write(new DataView(bits.buffer), { offset: 1 });
    expect([...(await floats.read({ length: 2 }))]).toEqual([1.5, 1.5]);
    const words: Untyped = cl.buffer(Int32Array, 2);
    await words.write(new Uint32Array([1, 0xffffffff]));
    expect([...(await words.read())]).toEqual([1, -1]);
    const raw = cl.buffer(8);
    await raw.write(new Float32Array([1, 2]));
    expect(new Float32Array((await raw.read()).buffer)[1]).toBe(2);
  });
});

test('an option of contexts that needs an extension names it where the device has none', async () => {
  const device = findDevice('software');
  expect(device.extensions).not.toContain('cl_khr_gl_sharing');
  const gl = { context: 1n, display: 1n, system: 'egl' } as const;
  expect(await message(() => device.createContext({ gl }))).toMatch(
    /clCreateContext: CL_INVALID_PROPERTY .*`options\.gl` needs cl_khr_gl_sharing/,
  );
});
