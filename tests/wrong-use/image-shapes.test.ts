// SPDX-License-Identifier: MIT
//
// The sizes of an image say its type; a size that the type does not have is refused, and never dropped.
import { openSync, type Session } from '../../ts';

/** Calls as of a script without types. */
// biome-ignore lint/suspicious/noExplicitAny: as JavaScript has it.
type Untyped = any;

let cl: Session;
beforeAll(() => {
  cl = openSync({ device: 'software' });
});
afterAll(() => cl.close());

test.each([
  [{ width: 4 }, '1d', [4, 1, 1]],
  [{ width: 4, layers: 3 }, '1d-array', [4, 3, 1]],
  [{ width: 4, height: 2 }, '2d', [4, 2, 1]],
  [{ width: 4, height: 2, layers: 3 }, '2d-array', [4, 2, 3]],
  [{ width: 4, height: 2, depth: 3 }, '3d', [4, 2, 3]],
])('%j is of type %s', async (sizes, type, extent) => {
  const pixels = extent.reduce((product, size) => product * size, 1);
  const data = Uint8Array.from({ length: pixels }, (_, i) => i + 1);
  const image = cl.image({ format: 'r8ui', ...sizes } as const, data);
  expect([image.type, image.extent]).toEqual([type, extent]);
  expect(await image.read()).toEqual(data);
});

test('a width alone over a buffer is an image over the buffer', async () => {
  const buffer = cl.buffer(Float32Array.of(1, 2, 3, 4));
  const image = cl.image({ format: 'r32f', width: 4, buffer });
  expect(image.type).toBe('1d-buffer');
  const { copy } = cl.buildSync(`
    kernel void copy(read_only image1d_buffer_t from, global float *to) {
      to[get_global_id(0)] = read_imagef(from, (int)get_global_id(0)).x;
    }`).kernels;
  const to = cl.buffer(Float32Array, 4);
  await copy.run({ global: 4 }, image, to);
  expect(await to.read()).toEqual(Float32Array.of(1, 2, 3, 4));
});

test.each([
  [{ type: '2d', height: 2, layers: 3 }, /type '2d' has no `layers`, but 3 were given.*width, height$/],
  [{ type: '2d', height: 2, depth: 3 }, /type '2d' has no `depth`/],
  [{ type: '1d', height: 2 }, /type '1d' has no `height`/],
  [{ type: '1d-array', height: 2 }, /type '1d-array' has no `height`.*width, layers$/],
  [{ type: '3d', height: 2, layers: 2 }, /type '3d' has no `layers`/],
  [{ height: 2, depth: 2, layers: 2 }, /type '3d' has no `layers`/],
])('%j is refused', (sizes, message) => {
  expect(() => cl.image({ format: 'r8', width: 4, ...sizes } as Untyped)).toThrow(message);
});

test('a size of 1 that the type does not have says the same', () => {
  expect(cl.image({ type: '2d', format: 'r8', width: 4, height: 2, depth: 1, layers: 1 }).extent).toEqual([
    4, 2, 1,
  ]);
});
