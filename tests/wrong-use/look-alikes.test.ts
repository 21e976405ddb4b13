// SPDX-License-Identifier: MIT
//
// Values that look like what a call takes: Proxies, objects of another copy of the package, arrays without memory, other realms'.
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { local, open, openSync, type Session, struct } from '../../ts';
import { root } from '../helpers/command';

/** Calls as of a script without types. */
// biome-ignore lint/suspicious/noExplicitAny: as JavaScript has it.
type Untyped = any;

let cl: Session;
// biome-ignore lint/suspicious/noExplicitAny: as JavaScript has it.
let kernel: any;
beforeAll(async () => {
  cl = openSync({ device: 'software' });
  const { kernels } = await cl.build('kernel void f(global float *y, float a) { y[get_global_id(0)] = a; }');
  kernel = kernels.f;
});
afterAll(() => cl.close());

async function failure(act: () => unknown): Promise<Error> {
  try {
    await act();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

function detached(): Uint8Array {
  const bytes = new Uint8Array(64);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
}

describe('are named for what they are', () => {
  const otherCopy = (): Untyped => {
    // The bundle is another copy than the sources that this test imports.
    const { openSync: openOther } = require(join(root, 'dist/index.cjs')) as Untyped;
    return openOther({ device: 'software' });
  };

  test.each<[string, () => unknown, RegExp]>([
    [
      'a Proxy',
      () => kernel.run({ global: 4 }, new Proxy(cl.buffer(Float32Array, 4), {}), 1),
      /not a Buffer of another copy of anycl, or a Proxy/,
    ],
    [
      'a buffer of another copy',
      () => kernel.run({ global: 4 }, otherCopy().buffer(Float32Array, 4), 1),
      /not a Buffer of another copy of anycl, or a Proxy/,
    ],
    [
      'a device of another copy',
      () => open({ device: otherCopy().device }),
      /`options\.device` must be .*, not a Device of another copy of anycl/,
    ],
    [
      'a Buffer of Node.js',
      () => kernel.run({ global: 4 }, Buffer.alloc(16), 1),
      /takes a buffer, not a Buffer of Node\.js/,
    ],
    [
      'a Proxy of an array',
      () => cl.buffer(new Proxy(new Float32Array(4), {}) as Untyped),
      /must be a typed array.*, not a Proxy of a Float32Array/,
    ],
    [
      'a buffer for a kernel',
      () => cl.queue.enqueueNDRange(cl.buffer(4) as Untyped, { global: 4 }),
      /must be a Kernel .*, not a Buffer$/,
    ],
    ['detached SPIR-V', () => cl.build(detached()), /CL_INVALID_HOST_PTR.*the array has no memory any more/],
    [
      'a detached binary',
      () => cl.context.createProgramWithBinary([detached()]),
      /CL_INVALID_HOST_PTR.*the array has no memory any more/,
    ],
    [
      'the name of a check',
      () => open({ check: 'bounds' as Untyped }),
      /`options\.check` must be 'all' or an array of 'bounds', 'races', .*, not 'bounds'/,
    ],
  ])('%s', async (_name, act, says) => {
    const error = await failure(act);
    expect(error).toMatchObject({ name: 'OpenCLError', message: expect.stringMatching(says) });
  });
});

test('arrays and options of another realm are taken', async () => {
  const buffer = cl.buffer(runInNewContext('new Float32Array([1, 2, 3, 4])'));
  await kernel.run(runInNewContext('({ global: [2] })'), buffer, 5);
  expect([...(await buffer.read(runInNewContext('({ offset: 1, length: 2 })')))]).toEqual([5, 3]);
});

test.each<[string, () => unknown]>([
  ['local', () => local(-1)],
  ['local of a class', () => local(Float32Array, Number.NaN)],
  ['struct', () => struct('S', 4, { x: ['flaot', 0] } as Untyped)],
  ['Session', () => new (cl.constructor as Untyped)()],
])('the stack of %s begins at the call', async (_name, act) => {
  const { stack } = await failure(act);
  expect(/^ {4}at .*$/m.exec(stack!)![0]).toContain('look-alikes.test.ts');
});
