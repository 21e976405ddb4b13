// SPDX-License-Identifier: MIT
//
// Images with mip levels (cl_khr_mipmap_image, cl_khr_mipmap_image_writes) on the software device, against a reference
// that reads the levels as the specification and OpenGL define it.
import { join } from 'node:path';
import { root } from '../helpers/command';

const { open, Image } = require(join(root, 'dist/index.cjs'));
type Session = Awaited<ReturnType<typeof open>>;
type Mipmap = InstanceType<typeof Image>;

interface Shape {
  readonly type: '1d' | '1d-array' | '2d' | '2d-array' | '3d';
  /** The extents that shrink from level to level, and layers. */
  readonly axes: readonly number[];
  readonly layers: number;
  readonly levels: number;
}

const SHAPES: readonly Shape[] = [
  { type: '1d', axes: [13], layers: 0, levels: 4 },
  { type: '1d-array', axes: [9], layers: 3, levels: 3 },
  { type: '2d', axes: [12, 7], layers: 0, levels: 4 },
  { type: '2d-array', axes: [5, 8], layers: 3, levels: 4 },
  { type: '3d', axes: [6, 5, 9], layers: 0, levels: 4 },
];

/** The coordinates of each type of image in a kernel: c has four floats, the layer after the axes. */
const COORDINATES: Readonly<Record<Shape['type'], readonly [float: string, int: string, gradient: string]>> =
  {
    '1d': ['c.x', 'at.x', 'd.x'],
    '1d-array': ['c.xy', 'at.xy', 'd.x'],
    '2d': ['c.xy', 'at.xy', 'd.xy'],
    '2d-array': ['c', 'at', 'd.xy'],
    '3d': ['c', 'at', 'd'],
  };

const SOURCE = SHAPES.map(({ type }) => {
  const name = type.replace('-', '_');
  const image = `image${name}_t`;
  const [float, int, gradient] = COORDINATES[type];
  const dx = gradient.replace('d', 'dx[i]');
  const dy = gradient.replace('d', 'dy[i]');
  return `
kernel void lod_${name}(read_only ${image} im, sampler_t s, global const float4 *cs, global const float *lods, global float4 *out) {
  size_t i = get_global_id(0);
  float4 c = cs[i];
  out[i] = read_imagef(im, s, ${float}, lods[i]);
}
kernel void gradient_${name}(read_only ${image} im, sampler_t s, global const float4 *cs, global const float4 *dx, global const float4 *dy, global float4 *out) {
  size_t i = get_global_id(0);
  float4 c = cs[i];
  out[i] = read_imagef(im, s, ${float}, ${dx}, ${dy});
}
kernel void integers_${name}(read_only ${image} im, sampler_t s, global const float4 *cs, global const float *lods, global uint4 *out) {
  size_t i = get_global_id(0);
  float4 c = cs[i];
  out[i] = read_imageui(im, s, ${float}, lods[i]);
}
kernel void write_${name}(write_only ${image} im, int level, int4 size) {
  int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
  write_imageui(im, ${int}, level, (uint4)(at.x + 1, at.y + 1, at.z + 1, level + 1));
}
kernel void first_${name}(read_only ${image} im, sampler_t s, global const float4 *cs, global float4 *out) {
  size_t i = get_global_id(0);
  float4 c = cs[i];
  out[i] = read_imagef(im, s, ${float});
}
kernel void levels_${name}(read_only ${image} im, global int *out) {
  out[0] = get_image_num_mip_levels(im);
  out[1] = get_image_width(im);
}`;
}).join('\n');

/** A generator of numbers in [0, 1). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const levelAxes = ({ axes }: Shape, level: number): number[] => axes.map((n) => Math.max(1, n >> level));

function levelExtent(shape: Shape, level: number): [number, number, number] {
  const sizes = [...levelAxes(shape, level), ...(shape.layers > 0 ? [shape.layers] : []), 1, 1];
  return [sizes[0]!, sizes[1]!, sizes[2]!];
}

const origin = (shape: Shape, level: number): number[] => [
  ...shape.axes.map(() => 0),
  ...(shape.layers > 0 ? [0] : []),
  level,
];

/** An image, and the pixels of its levels, of four channels each. */
async function filled(cl: Session, shape: Shape, format: string, seed: number) {
  const [width, height, depth] = shape.axes;
  const image: Mipmap = cl.image({
    type: shape.type,
    format,
    width,
    ...(height === undefined ? {} : { height }),
    ...(depth === undefined ? {} : { depth }),
    ...(shape.layers > 0 ? { layers: shape.layers } : {}),
    mipLevels: shape.levels,
  });
  const next = random(seed);
  const levels: (Float32Array | Uint32Array)[] = [];
  for (let level = 0; level < shape.levels; level++) {
    const [w, h, d] = levelExtent(shape, level);
    const pixels = new (format === 'rgba32f' ? Float32Array : Uint32Array)(w * h * d * 4);
    for (let i = 0; i < pixels.length; i++) pixels[i] = Math.floor(next() * 1024) + level * 2048;
    levels.push(pixels);
    await image.write(pixels, { origin: origin(shape, level) });
  }
  return { image, levels };
}

const { fround } = Math;

/** One axis: the two indices and the weight of the second, for addresses that clamp to the edge or repeat. */
function locate(repeat: boolean, linear: boolean, s: number, size: number): [number, number, number] {
  const u = repeat ? fround(fround(s - Math.floor(s)) * size) : fround(s * size);
  const index = (i: number) => (repeat ? ((i % size) + size) % size : Math.max(0, Math.min(i, size - 1)));
  if (!linear) return [index(Math.floor(u)), 0, 0];
  const v = fround(u - 0.5);
  return [index(Math.floor(v)), index(Math.floor(v) + 1), fround(v - Math.floor(v))];
}

interface Sampling {
  readonly repeat: boolean;
  readonly linear: boolean;
  readonly mipLinear: boolean;
}

/** The texel, or the average, that a level has at a point. */
function inLevel(
  shape: Shape,
  pixels: ArrayLike<number>,
  level: number,
  c: readonly number[],
  { repeat, linear }: Sampling,
): number[] {
  const sizes = levelAxes(shape, level);
  const places = sizes.map((size, axis) => locate(repeat, linear, c[axis]!, size));
  const layer = shape.layers > 0 ? Math.max(0, Math.min(shape.layers - 1, Math.round(c[sizes.length]!))) : 0;
  const sum = [0, 0, 0, 0];
  for (let tap = 0; tap < (linear ? 1 << sizes.length : 1); tap++) {
    let weight = 1;
    let at = layer;
    for (let axis = sizes.length - 1; axis >= 0; axis--) {
      const [first, second, a] = places[axis]!;
      const upper = (tap >> axis) & 1;
      weight *= linear ? (upper ? a : 1 - a) : 1;
      at = at * sizes[axis]! + (upper ? second : first);
    }
    for (let k = 0; k < 4; k++) sum[k]! += weight * pixels[at * 4 + k]!;
  }
  return sum;
}

function expected(
  shape: Shape,
  levels: readonly ArrayLike<number>[],
  c: readonly number[],
  lod: number,
  sampling: Sampling,
): number[] {
  const clamped = Math.max(0, Math.min(lod, shape.levels - 1));
  const read = (level: number) => inLevel(shape, levels[level]!, level, c, sampling);
  if (!sampling.mipLinear) return read(Math.ceil(clamped + 0.5) - 1);
  const below = Math.floor(clamped);
  const weight = clamped - below;
  const lower = read(below);
  if (weight === 0) return lower;
  return lower.map((value, k) => (1 - weight) * value + weight * read(below + 1)[k]!);
}

const COUNT = 96;

/** Points that are not near those where rounding chooses between texels, with the layer after the coordinates. */
function points(shape: Shape, seed: number): Float32Array {
  const next = random(seed);
  const out = new Float32Array(COUNT * 4);
  for (let i = 0; i < COUNT; i++) {
    shape.axes.forEach((_, axis) => {
      out[i * 4 + axis] = (Math.floor(next() * 96) - 32) / 32 + 1 / 256 + 1 / 1024;
    });
    if (shape.layers > 0) out[i * 4 + shape.axes.length] = Math.floor(next() * (shape.layers + 1)) - 0.25;
  }
  return out;
}

const point = (all: Float32Array, i: number): number[] => [...all.subarray(i * 4, i * 4 + 4)];

function expectNear(actual: ArrayLike<number>, wanted: readonly number[], what: string): void {
  wanted.forEach((value, k) => {
    const error = Math.abs(actual[k]! - value);
    if (!(error <= 1e-4 * Math.abs(value) + 0.5)) {
      throw new Error(`${what}: channel ${k} is ${actual[k]}, not ${value}`);
    }
  });
}

describe.each(SHAPES)('$type', (shape) => {
  const name = shape.type.replace('-', '_');
  let cl: Session;
  let kernels: Record<string, { run(range: unknown, ...args: unknown[]): Promise<unknown> }>;
  beforeAll(async () => {
    cl = await open({ device: 'software' });
    ({ kernels } = await cl.build(SOURCE, '-cl-std=CL3.0'));
  });
  afterAll(() => cl.close());

  const samplings = [false, true].flatMap((repeat) =>
    [false, true].flatMap((linear) => [false, true].map((mipLinear) => ({ repeat, linear, mipLinear }))),
  );
  const samplerOf = ({ repeat, linear, mipLinear }: Sampling, more: object = {}) =>
    cl.sampler({
      normalized: true,
      addressing: repeat ? 'repeat' : 'clamp-to-edge',
      filter: linear ? 'linear' : 'nearest',
      mipFilter: mipLinear ? 'linear' : 'nearest',
      ...more,
    });

  test.each(samplings)('level of detail, %o', async (sampling) => {
    const { image, levels } = await filled(cl, shape, 'rgba32f', 7);
    const at = points(shape, 3);
    const lods = Float32Array.from({ length: COUNT }, (_, i) => ((i * 11) % 48) / 8 - 1 + 1 / 64);
    const out = cl.buffer(Float32Array, COUNT * 4);
    const run = kernels[`lod_${name}`]!;
    await run.run({ global: COUNT }, image, samplerOf(sampling), cl.buffer(at), cl.buffer(lods), out);
    const result: Float32Array = await out.read();
    for (let i = 0; i < COUNT; i++) {
      const wanted = expected(shape, levels, point(at, i), lods[i]!, sampling);
      expectNear(result.subarray(i * 4, i * 4 + 4), wanted, `point ${i}, level ${lods[i]}`);
    }
  });

  test('the limits of a sampler', async () => {
    const { image, levels } = await filled(cl, shape, 'rgba32f', 8);
    const at = points(shape, 4);
    const lods = Float32Array.from({ length: COUNT }, (_, i) => ((i * 7) % 40) / 8 - 1);
    const sampling = { repeat: false, linear: false, mipLinear: true };
    const sampler = samplerOf(sampling, { lodMin: 0.5, lodMax: 1.25 });
    expect(sampler.info('LOD_MIN')).toBe(0.5);
    expect(sampler.info('LOD_MAX')).toBe(1.25);
    const out = cl.buffer(Float32Array, COUNT * 4);
    await kernels[`lod_${name}`]!.run({ global: COUNT }, image, sampler, cl.buffer(at), cl.buffer(lods), out);
    const result: Float32Array = await out.read();
    for (let i = 0; i < COUNT; i++) {
      const lod = Math.max(0.5, Math.min(1.25, lods[i]!));
      const wanted = expected(shape, levels, point(at, i), lod, sampling);
      expectNear(result.subarray(i * 4, i * 4 + 4), wanted, `point ${i}, level ${lod}`);
    }
    // Without a level it is the first one, whatever the sampler allows.
    await kernels[`first_${name}`]!.run({ global: COUNT }, image, sampler, cl.buffer(at), out);
    const first: Float32Array = await out.read();
    for (let i = 0; i < COUNT; i++) {
      const wanted = expected(shape, levels, point(at, i), 0, sampling);
      expectNear(first.subarray(i * 4, i * 4 + 4), wanted, `point ${i}, first level`);
    }
  });

  test('gradients', async () => {
    const { image, levels } = await filled(cl, shape, 'rgba32f', 9);
    const at = points(shape, 5);
    const next = random(77);
    const gradients = () =>
      Float32Array.from({ length: COUNT * 4 }, () => (next() - 0.5) * 2 ** (-4 * next()));
    const [dx, dy] = [gradients(), gradients()];
    const sampling = { repeat: true, linear: true, mipLinear: true };
    const out = cl.buffer(Float32Array, COUNT * 4);
    const buffers = [cl.buffer(at), cl.buffer(dx), cl.buffer(dy), out];
    await kernels[`gradient_${name}`]!.run({ global: COUNT }, image, samplerOf(sampling), ...buffers);
    const result: Float32Array = await out.read();
    for (let i = 0; i < COUNT; i++) {
      const length = (d: Float32Array) =>
        Math.hypot(...shape.axes.map((size, axis) => d[i * 4 + axis]! * size));
      const lod = Math.log2(Math.max(length(dx), length(dy)));
      const wanted = expected(shape, levels, point(at, i), lod, sampling);
      expectNear(result.subarray(i * 4, i * 4 + 4), wanted, `point ${i}, level ${lod}`);
    }
  });

  test('integers', async () => {
    const { image, levels } = await filled(cl, shape, 'rgba32ui', 10);
    const at = points(shape, 6);
    const lods = Float32Array.from({ length: COUNT }, (_, i) => ((i * 11) % 48) / 8 - 1 + 1 / 64);
    const sampling = { repeat: false, linear: false, mipLinear: false };
    const out = cl.buffer(Uint32Array, COUNT * 4);
    const buffers = [cl.buffer(at), cl.buffer(lods), out];
    await kernels[`integers_${name}`]!.run({ global: COUNT }, image, samplerOf(sampling), ...buffers);
    const result: Uint32Array = await out.read();
    const wanted = Array.from({ length: COUNT }, (_, i) =>
      expected(shape, levels, point(at, i), lods[i]!, sampling),
    ).flat();
    expect([...result]).toEqual(wanted);
  });

  test('kernels write each level, and no other', async () => {
    const { image, levels } = await filled(cl, shape, 'rgba32ui', 11);
    for (let level = 0; level < shape.levels; level++) {
      const [w, h, d] = levelExtent(shape, level);
      // One more than the image has: writes outside are dropped.
      await kernels[`write_${name}`]!.run({ global: [w + 1, h + 1, d + 1] }, image, level, [w, h, d, 0]);
      for (let other = 0; other < shape.levels; other++) {
        const [w2, h2, d2] = levelExtent(shape, other);
        const wanted =
          other > level
            ? [...levels[other]!]
            : Array.from({ length: w2 * h2 * d2 }, (_, i) => [
                (i % w2) + 1,
                (Math.floor(i / w2) % h2) + 1,
                Math.floor(i / (w2 * h2)) + 1,
                other + 1,
              ]).flat();
        const actual: Uint32Array = await image.read({ origin: origin(shape, other) });
        // A kernel of fewer dimensions writes a pixel several times: only the coordinates that it has count.
        const has = shape.axes.length + (shape.layers > 0 ? 1 : 0);
        const compared = (pixels: ArrayLike<number>) =>
          Array.from(pixels, (value, i) => (other <= level && i % 4 < 3 && i % 4 >= has ? 0 : value));
        expect(compared(actual)).toEqual(compared(wanted));
      }
    }
  });

  test('queries', async () => {
    const { image } = await filled(cl, shape, 'rgba32f', 12);
    expect(image.info('NUM_MIP_LEVELS')).toBe(shape.levels);
    const out = cl.buffer(Int32Array, 2);
    await kernels[`levels_${name}`]!.run({ global: 1 }, image, out);
    expect([...(await out.read())]).toEqual([shape.levels, shape.axes[0]]);
  });

  test('commands work on one level', async () => {
    const { image, levels } = await filled(cl, shape, 'rgba32f', 13);
    const { image: other, levels: before } = await filled(cl, shape, 'rgba32f', 14);
    const level = shape.levels - 2;
    const extent = levelExtent(shape, level);
    const at = origin(shape, level);
    const pixels = extent[0] * extent[1] * extent[2];
    const read = async (from: Mipmap, l: number) => [...(await from.read({ origin: origin(shape, l) }))];

    await image.copyTo(other, { origin: at, targetOrigin: at, region: [...extent] });
    for (let l = 0; l < shape.levels; l++) {
      expect(await read(other, l)).toEqual([...(l === level ? levels : before)[l]!]);
    }
    const buffer = cl.buffer(Float32Array, pixels * 4);
    await image.copyToBuffer(buffer, { origin: at });
    expect([...(await buffer.read())]).toEqual([...levels[level]!]);
    const doubled = levels[level]!.map((v: number) => v * 2);
    await buffer.write(doubled);
    await image.copyFromBuffer(buffer, { origin: at });
    expect(await read(image, level)).toEqual([...doubled]);
    await image.fill([1, 2, 3, 4], { origin: at });
    expect(await read(image, level)).toEqual(Array.from({ length: pixels }, () => [1, 2, 3, 4]).flat());
    const mapping = await image.map('read-write', { origin: at });
    expect([...mapping.data]).toEqual(Array.from({ length: pixels }, () => [1, 2, 3, 4]).flat());
    mapping.data[0] = 99;
    await mapping.unmap();
    expect((await read(image, level))[0]).toBe(99);
    for (const l of [level - 1, level + 1]) {
      expect(await read(image, l)).toEqual([...levels[l]!]);
    }
  });

  test('levels that do not exist', async () => {
    const { image } = await filled(cl, shape, 'rgba32f', 15);
    expect(() => image.read({ origin: origin(shape, shape.levels) })).toThrow(
      expect.objectContaining({ codeName: 'CL_INVALID_MIP_LEVEL' }),
    );
    const [w] = levelExtent(shape, 1);
    const region = [w + 1, 1, 1];
    expect(() => image.read({ origin: origin(shape, 1), region })).toThrow(/level 1/);
  });
});

describe('images that cannot have levels', () => {
  let cl: Session;
  beforeAll(async () => {
    cl = await open({ device: 'software' });
  });
  afterAll(() => cl.close());

  test('too many levels; those after the smallest one have a texel', async () => {
    const shape = { type: '2d', format: 'rgba8', width: 4, height: 2 };
    const image = cl.image({ ...shape, mipLevels: 16 });
    await image.write(Uint8Array.of(1, 2, 3, 4), { origin: [0, 0, 15] });
    expect([...(await image.read({ origin: [0, 0, 15] }))]).toEqual([1, 2, 3, 4]);
    expect(() => cl.image({ ...shape, mipLevels: 17 })).toThrow(/16 mip levels at most/);
  });

  test('with data, or over a buffer', () => {
    const shape = { type: '2d', format: 'rgba8', width: 16, height: 4, mipLevels: 2 };
    expect(() => cl.image(shape, new Uint8Array(2048))).toThrow(/without data/);
    expect(() => cl.image({ ...shape, buffer: cl.buffer(4096) })).toThrow(/no mip levels/);
  });

  test('an origin with a level, of an image without levels', () => {
    const image = cl.image({ type: '2d', format: 'rgba8', width: 4, height: 4 });
    expect(() => image.read({ origin: [0, 0, 1] })).toThrow(/no mip levels/);
  });
});
