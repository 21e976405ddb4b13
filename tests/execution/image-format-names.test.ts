// SPDX-License-Identifier: MIT
//
// Every format of the software device has a name, by which an image of it can be made, filled, read by a kernel and by the host.
import { openSync, type Session } from '../../ts';
import { formatByName, type ImageFormatName } from '../../ts/api/data/image-formats';

let cl: Session;
beforeAll(() => {
  cl = openSync({ device: 'software' });
});
afterAll(() => cl.close());

test.each(['1d', '2d', '2d-array', '3d', '1d-array', '1d-buffer'] as const)('of %s images', (type) => {
  for (const format of cl.context.supportedImageFormats(type))
    expect(formatByName(format.name)).toMatchObject({ order: format.order, type: format.type });
});

const READ = `kernel void read(read_only image2d_t from, global float4 *to) { to[0] = read_imagef(from, (int2)(0)); }`;

test.each<[ImageFormatName, number[], number[]]>([
  ['rgb565', [0b11111_000000_11111], [1, 0, 1, 1]],
  ['rgb565', [0b00000_111111_00000], [0, 1, 0, 1]],
  ['rgb555', [0b0_11111_00000_00000], [1, 0, 0, 1]],
  ['rgb101010', [0b00_0000000000_1111111111_0000000000], [0, 1, 0, 1]],
  ['abgr8', [255, 0, 51, 102], [0.4, 0.2, 0, 1]],
  ['sbgra8', [0, 255, 0, 255], [0, 1, 0, 1]],
])('%s: %j is %j in a kernel', async (format, pixel, color) => {
  const { array } = formatByName(format);
  const data = new array(pixel.length) as Uint32Array;
  data.set(pixel);
  const image = cl.image({ format, width: 1, height: 1 }, data);
  const out = cl.buffer(Float32Array, 4);
  await cl.buildSync(READ).kernels.read.run({ global: 1 }, image, out);
  const seen = await out.read();
  for (let i = 0; i < 4; i++) expect(seen[i]).toBeCloseTo(color[i]!, 5);
  expect(await image.read()).toEqual(data);
  await image.fill([0, 0, 0, 1]);
  await image.fill(color as [number, number, number, number]);
  expect(await image.read()).toEqual(data);
});

test('the arrays of packed formats are typed', async () => {
  const shorts: Uint16Array = await cl.image({ format: 'rgb565', width: 2 }).read();
  const words: Uint32Array = await cl.image({ format: 'rgb101010', width: 2 }).read();
  expect([shorts.length, words.length]).toEqual([2, 2]);
  expect(() => cl.image({ format: 'rgb8' as 'rgba8', width: 1 })).toThrow(
    /no image format 'rgb8'.*abgr.*rgb565/,
  );
});
