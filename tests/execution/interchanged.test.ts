// SPDX-License-Identifier: MIT
//
// Kernels whose x and y the JIT exchanges: launches of all sizes see the ids and sizes of their own dimensions.
import { open, type Session } from '../../ts/index';

const SOURCE = `kernel void ids(global uint *out, int pitch) {
    size_t i = get_global_id(0), j = get_global_id(1);
    out[i * pitch + j] = (i * 131 + j) ^ (get_global_size(0) << 20) ^ (get_global_size(1) << 10) ^ get_global_offset(1) ^ get_work_dim();
  }
  kernel void marks(global const uchar *in, global uchar *out, int n) {
    int i = get_global_id(0), j = get_global_id(1);
    if (in[i * n + j] > 99) out[i * n + j] = 7;
  }`;

let cl: Session;
beforeAll(async () => {
  cl = await open({ device: 'software' });
});
afterAll(() => cl.close());

test.each([
  { global: [64, 64] },
  { global: [5, 129] },
  { global: [129, 5] },
  { global: [300, 1] },
  { global: [300] },
  { global: [40, 48], local: [8, 4] },
  { global: [16, 64], local: [1, 64] },
  { global: [33, 70], offset: [3, 9] },
])('%j', async (range) => {
  const { ids } = (await cl.build(SOURCE)).kernels;
  const [w, h = 1] = range.global as [number, number?];
  const [x, y = 0] = (range.offset ?? [0, 0]) as [number, number?];
  const pitch = y + h + 2;
  const out = cl.buffer(new Uint32Array((x + w + 1) * pitch));
  const dimensions = range.global.length;
  // Launches of other sizes, with other code, come between.
  for (const other of [range, { global: [2, 2] }, range]) await ids!.run(other, out, pitch);
  const expected = new Uint32Array((x + w + 1) * pitch);
  for (const [i, j] of [0, 1].flatMap((a) => [0, 1].map((b) => [a, b] as const)))
    expected[i * pitch + j] = (i * 131 + j) ^ (2 << 20) ^ (2 << 10) ^ 2;
  for (let i = x; i < x + w; i++)
    for (let j = y; j < y + h; j++)
      expected[i * pitch + j] = (i * 131 + j) ^ (w << 20) ^ (h << 10) ^ y ^ dimensions;
  expect(await out.read()).toEqual(expected);
});

test('elements that no work-item writes keep their contents', async () => {
  const { marks } = (await cl.build(SOURCE)).kernels;
  const n = 75;
  const bytes = Uint8Array.from({ length: 50 * n }, (_, i) => (i * 77) % 256);
  const out = cl.buffer(bytes.map((b) => b ^ 1));
  await marks!.run({ global: [48, n] }, cl.buffer(bytes), out, n);
  expect(await out.read()).toEqual(bytes.map((b, i) => (i < 48 * n && b > 99 ? 7 : b ^ 1)));
});
