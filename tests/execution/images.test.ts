// SPDX-License-Identifier: MIT
//
// Images in kernels, on the software device and on drivers that have images: every addressing and filter mode against
// the specification's formulas, and every format there and back.
import { join } from 'node:path';
import { formatByName } from '../../ts/api/data/image-formats';
import { root } from '../helpers/command';

const { open, openSync, platforms } = require(join(root, 'dist/index.cjs'));
type Session = Awaited<ReturnType<typeof open>>;

const drivers: string[] = platforms().map((platform: { name: string }) => platform.name);
const devices = ['software', ...drivers.filter((name) => name === 'Portable Computing Language')];

/** Faults of PoCL 3.1: it reads zeros from single halves, and no border from images without alpha. */
const DEVIATIONS: Readonly<Record<string, readonly string[]>> = {
  'Portable Computing Language': ['r16f', 'volumes'],
};

/** Formats that the device does not list, or is known to get wrong. */
function missingFormats(device: string, formats: readonly string[]): Set<string> {
  const session = openSync({ device });
  const listed = new Set<string>(
    session.context
      .supportedImageFormats('2d')
      .map(({ order, type }: { order: number; type: number }) => `${order}/${type}`),
  );
  session.close();
  return new Set(
    formats.filter((name) => {
      const { order, type } = formatByName(name);
      return !listed.has(`${order}/${type}`) || DEVIATIONS[device]?.includes(name);
    }),
  );
}

const WIDTH = 5;
const HEIGHT = 4;
const COUNT = 400;

const SOURCE = `
#define COORDINATES global const float2 *c
kernel void sample(read_only image2d_t im, sampler_t s, COORDINATES, global float4 *out) {
  size_t i = get_global_id(0);
  out[i] = read_imagef(im, s, c[i]);
}
kernel void sample_integer(read_only image2d_t im, sampler_t s, COORDINATES, global uint4 *out) {
  size_t i = get_global_id(0);
  out[i] = read_imageui(im, s, convert_int2_rtn(c[i]));
}
kernel void copy(read_only image2d_t from, write_only image2d_t to) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(to, at, read_imagef(from, at));
}
kernel void copy_unsigned(read_only image2d_t from, write_only image2d_t to) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imageui(to, at, read_imageui(from, at));
}
kernel void copy_signed(read_only image2d_t from, write_only image2d_t to) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagei(to, at, read_imagei(from, at));
}
kernel void convert(write_only image2d_t to, global const float4 *values) {
  int i = get_global_id(0);
  write_imagef(to, (int2)(i, 0), values[i]);
}
kernel void volumes(read_only image3d_t a, read_only image2d_array_t b, read_only image1d_t d, sampler_t s, global float4 *out) {
  int i = get_global_id(0);
  int x = i % 2, y = i / 2 % 2, z = i / 4;
  out[i] = (float4)(read_imagef(a, (int4)(x, y, z, 0)).x, read_imagef(b, s, (float4)(x, y, z + 0.4f, 0)).x,
                    read_imagef(d, x).x, read_imagef(a, s, (float4)(x + 9, 0, 0, 0)).w);
}`;

/** One dimension's indices and weight of the second (the specification's formulas). */
function locate(addressing: string, linear: boolean, s: number, size: number): [number, number, number] {
  const clamp = (i: number, low: number, high: number) => Math.min(Math.max(i, low), high);
  const f = Math.fround;
  const half = (u: number) => {
    const v = f(u - 0.5);
    return [Math.floor(v), f(v - Math.floor(v))] as const;
  };
  if (addressing === 'repeat') {
    const u = f(f(s - Math.floor(s)) * size);
    if (!linear) return [Math.floor(u) > size - 1 ? Math.floor(u) - size : Math.floor(u), 0, 0];
    const [i, a] = half(u);
    return [i < 0 ? i + size : i, i + 1 > size - 1 ? i + 1 - size : i + 1, a];
  }
  if (addressing === 'mirrored-repeat') {
    const even = 2 * Math.round(0.5 * s);
    const u = f(Math.abs(f(s - even)) * size);
    if (!linear) return [Math.min(Math.floor(u), size - 1), 0, 0];
    const [i, a] = half(u);
    return [Math.max(i, 0), Math.min(i + 1, size - 1), a];
  }
  const mode = (i: number) => (addressing === 'clamp' ? clamp(i, -1, size) : clamp(i, 0, size - 1));
  if (!linear) return [mode(Math.floor(s)), 0, 0];
  const [i, a] = half(s);
  return [mode(i), mode(i + 1), a];
}

describe.each(devices)('on %s', (device) => {
  let cl: Session;
  let kernels: Record<string, { run(range: unknown, ...args: unknown[]): Promise<unknown> }>;
  beforeAll(async () => {
    cl = await open({ device });
    ({ kernels } = await cl.build(SOURCE));
  });
  afterAll(() => cl.close());

  const coordinates = new Float32Array(2 * COUNT);
  let state = 1;
  for (let i = 0; i < coordinates.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    // Not near points where rounding chooses between texels.
    coordinates[i] = (Math.floor((state / 2 ** 32) * 160) - 60) / 16 + 1 / 64;
  }
  const pixels = Float32Array.from({ length: WIDTH * HEIGHT * 4 }, (_, i) => ((i * 37) % 101) / 16);

  const modes = ['none', 'clamp-to-edge', 'clamp', 'repeat', 'mirrored-repeat'].flatMap((addressing) =>
    ['nearest', 'linear'].flatMap((filter) =>
      (addressing.includes('repeat') ? [true] : [false, true]).map(
        (normalized) => [addressing, filter, normalized] as const,
      ),
    ),
  );

  test.each(modes)('addressing %s, filter %s, normalized %s', async (addressing, filter, normalized) => {
    const image = cl.image({ format: 'rgba32f', width: WIDTH, height: HEIGHT }, pixels);
    const out = cl.buffer(Float32Array, 4 * COUNT);
    const sampler = cl.sampler({ addressing, filter, normalized });
    await kernels.sample!.run({ global: COUNT }, image, sampler, cl.buffer(coordinates), out);
    const result: Float32Array = await out.read();
    const linear = filter === 'linear';
    const texel = (x: number, y: number, k: number) =>
      x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT ? 0 : pixels[(y * WIDTH + x) * 4 + k]!;
    for (let i = 0; i < COUNT; i++) {
      const scale = normalized && !addressing.includes('repeat');
      const s = coordinates[2 * i]! * (scale ? WIDTH : 1);
      const t = coordinates[2 * i + 1]! * (scale ? HEIGHT : 1);
      // Without an addressing mode, reads outside are undefined.
      if (addressing === 'none' && (s < 1 || t < 1 || s > WIDTH - 1 || t > HEIGHT - 1)) continue;
      const [x0, x1, a] = locate(addressing, linear, s, WIDTH);
      const [y0, y1, b] = locate(addressing, linear, t, HEIGHT);
      for (let k = 0; k < 4; k++) {
        const expected = linear
          ? (1 - a) * (1 - b) * texel(x0, y0, k) +
            a * (1 - b) * texel(x1, y0, k) +
            (1 - a) * b * texel(x0, y1, k) +
            a * b * texel(x1, y1, k)
          : texel(x0, y0, k);
        if (Math.abs(result[4 * i + k]! - expected) > (linear ? 0.05 : 0)) {
          throw new Error(`(${s}, ${t})[${k}] = ${result[4 * i + k]}, not ${expected}`);
        }
      }
    }
  });

  const FORMATS = ['r', 'rg', 'rgba', 'bgra'].flatMap((order) =>
    (order === 'bgra'
      ? ['8']
      : ['8', '16', '8snorm', '16snorm', '16f', '32f', '8ui', '16ui', '32ui', '8i', '16i', '32i']
    ).map((type) => order + type),
  );
  const missing = missingFormats(device, FORMATS);
  test.skip.each([...missing])('%s is not there', () => {});
  test.each(FORMATS.filter((name) => !missing.has(name)))(
    '%s goes through a kernel unchanged',
    async (format) => {
      const shape = { format, width: 4, height: 2 };
      const from = cl.image(shape);
      const { array, channels } = from.format;
      const data = new array(8 * channels).map((_: number, i: number) => (i * 7) % 100);
      if (format.endsWith('16f')) data.set(data.map((_: number, i: number) => 0x3c00 + i * 17));
      await from.write(data);
      const to = cl.image(shape);
      const kernel = format.endsWith('ui') ? 'copy_unsigned' : /\di$/.test(format) ? 'copy_signed' : 'copy';
      await kernels[kernel]!.run({ global: [4, 2] }, from, to);
      expect(await to.read()).toEqual(data);
    },
  );

  test('colours are rounded to the nearest value and clamped', async () => {
    const to = cl.image({ format: 'rgba8', width: 4, height: 1 });
    const values = Float32Array.of(
      0,
      1,
      0.5,
      2,
      -1,
      0.001,
      0.002,
      0.999,
      0.25,
      0.75,
      0.1,
      0.9,
      1e30,
      -1e30,
      0.4,
      0.6,
    );
    await kernels.convert!.run({ global: 4 }, to, cl.buffer(values));
    const bytes: Uint8Array = await to.read();
    bytes.forEach((byte, i) => {
      const exact = Math.min(Math.max(values[i]! * 255, 0), 255);
      expect(Math.abs(byte - exact)).toBeLessThanOrEqual(0.6);
    });
  });

  test('integer coordinates', async () => {
    const image = cl.image(
      { format: 'rgba8ui', width: WIDTH, height: HEIGHT },
      Uint8Array.from({ length: WIDTH * HEIGHT * 4 }, (_, i) => i),
    );
    const out = cl.buffer(Uint32Array, 4 * COUNT);
    const sampler = cl.sampler({ addressing: 'clamp' });
    await kernels.sample_integer!.run({ global: COUNT }, image, sampler, cl.buffer(coordinates), out);
    const result: Uint32Array = await out.read();
    for (let i = 0; i < COUNT; i++) {
      const x = Math.floor(coordinates[2 * i]!);
      const y = Math.floor(coordinates[2 * i + 1]!);
      const inside = x >= 0 && y >= 0 && x < WIDTH && y < HEIGHT;
      expect(result[4 * i + 1]).toBe(inside ? (y * WIDTH + x) * 4 + 1 : 0);
    }
  });

  const volumes = DEVIATIONS[device]?.includes('volumes') ? test.skip : test;
  volumes('three dimensions, arrays and one dimension', async () => {
    const data = Float32Array.from({ length: 8 }, (_, i) => i + 1);
    const out = cl.buffer(Float32Array, 32);
    await kernels.volumes!.run(
      { global: 8 },
      cl.image({ format: 'r32f', width: 2, height: 2, depth: 2 }, data),
      cl.image({ type: '2d-array', format: 'r32f', width: 2, height: 2, layers: 2 }, data),
      cl.image({ type: '1d', format: 'r32f', width: 2 }, data),
      cl.sampler({ addressing: 'clamp' }),
      out,
    );
    const result: Float32Array = await out.read();
    for (let i = 0; i < 8; i++) {
      // The border of an image without alpha is opaque.
      expect([...result.subarray(4 * i, 4 * i + 4)]).toEqual([i + 1, i + 1, (i % 2) + 1, 1]);
    }
  });
});
