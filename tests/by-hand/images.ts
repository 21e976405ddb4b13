// SPDX-License-Identifier: MIT
//
// Images of every shape, order of channels and addressing mode, at coordinates within and far outside, and images that a kernel reads and
// writes. Filters meet numbers that interpolate exactly.
import { type Case, mix } from './case';

const [W, H, D] = [5, 3, 4];
const clamp = (v: number, least: number, most: number) => Math.min(Math.max(v, least), most);
const INT_SAMPLERS = {
  none: 'CLK_ADDRESS_NONE', edge: 'CLK_ADDRESS_CLAMP_TO_EDGE', border: 'CLK_ADDRESS_CLAMP',
} as const; // biome-ignore format: a table
type Addressing = keyof typeof INT_SAMPLERS;

/** Shapes: what cl.image takes, the extents that are sampled, layers, and how a kernel writes coordinates and sizes. */
interface Shape {
  readonly type: '1d' | '1d-array' | '2d' | '2d-array' | '3d';
  readonly extents: readonly number[];
  readonly layers: number;
  readonly at: string;
  readonly size: string;
}
const SHAPES: readonly Shape[] = [
  { type: '1d', extents: [W], layers: 0, at: 'c.x', size: 'get_image_width(im)' },
  { type: '1d-array', extents: [W], layers: 4, at: 'c.xy', size: 'get_image_width(im) + 10 * get_image_array_size(im)' },
  { type: '2d', extents: [W, H], layers: 0, at: 'c.xy', size: 'get_image_width(im) + 10 * get_image_height(im) + get_image_dim(im).x * 1000 + get_image_dim(im).y * 10000' },
  { type: '2d-array', extents: [W, H], layers: 4, at: 'c', size: 'get_image_width(im) + 10 * get_image_height(im) + 100 * get_image_array_size(im)' },
  { type: '3d', extents: [W, H, D], layers: 0, at: 'c', size: 'get_image_width(im) + 10 * get_image_height(im) + 100 * get_image_depth(im) + get_image_dim(im).z * 100000 + get_image_dim(im).w' },
]; // biome-ignore format: a table
const SIZES = [5, 45, 35 + 5000 + 30000, 435, 435 + 400000];

const texelsOf = ({ extents, layers }: Shape) => extents.reduce((p, q) => p * q, Math.max(layers, 1));
const kernelType = (type: string) => `image${type.replace('-', '_')}_t`;
const options = ({ type, extents: [width, height, depth], layers }: Shape) => ({
  type, width: width!, ...(height && { height }), ...(depth && { depth }), ...(layers && { layers }),
}); // biome-ignore format: short

/** The index of the texel at integer coordinates, or -1 for the border. */
function texel({ extents, layers }: Shape, c: readonly number[], mode: Addressing): number {
  let [at, stride] = [0, 1];
  extents.forEach((size, axis) => {
    const v = c[axis]!;
    if (at >= 0 && mode === 'border' && (v < 0 || v >= size)) at = -1;
    if (at >= 0) at += stride * clamp(v, 0, size - 1);
    stride *= size;
  });
  if (layers && at >= 0) at += stride * clamp(c[extents.length]!, 0, layers - 1);
  return at;
}

const COORDINATES = '(int4)(in[g] % 9, in[g + 1] % 7, in[g + 2] % 8, 0) - 2';
const coordinates = (input: Uint32Array, g: number) => [
  (input[g]! % 9) - 2,
  (input[g + 1]! % 7) - 2,
  (input[g + 2]! % 8) - 2,
];
const INSIDE = '(int4)(in[g] % 5, in[g + 1] % 3, in[g + 2] % 4, 0)';
const inside = (input: Uint32Array, g: number) => [input[g]! % 5, input[g + 1]! % 3, input[g + 2]! % 4];
const COUNT = 87;

const integerReads = (shape: Shape, k: number, mode: Addressing): Case => ({
  name: `reads_${shape.type.replace('-', '_')}_${mode}`,
  before: `constant sampler_t fixed = CLK_NORMALIZED_COORDS_FALSE | ${INT_SAMPLERS[mode]} | CLK_FILTER_NEAREST;`,
  parameters: `, read_only ${kernelType(shape.type)} im, sampler_t given, read_only ${kernelType(shape.type)} numbers`,
  body: `int4 c = ${mode === 'none' ? INSIDE : COORDINATES}; uint4 v = read_imageui(im, fixed, ${shape.at}), w = read_imageui(im, given, ${shape.at}); int4 n = read_imagei(numbers, fixed, ${shape.at}); int4 d = ${INSIDE}; uint4 p = read_imageui(im, ${shape.at.replace('c', 'd')});
    uint h = v.x; h = h * 31 + v.y; h = h * 31 + v.z; h = h * 31 + v.w; h = h * 31 + w.x; h = h * 31 + w.w; h = h * 31 + n.x; h = h * 31 + n.y; h = h * 31 + n.z; h = h * 31 + n.w; h = h * 31 + p.y; o[g] = h + (uint)(${shape.size}) + get_image_channel_order(im) + get_image_channel_data_type(numbers);`,
  global: COUNT,
  words: COUNT,
  values(cl) {
    const count = texelsOf(shape);
    const addressing = { none: 'none', edge: 'clamp-to-edge', border: 'clamp' } as const;
    return [
      cl.image(
        { ...options(shape), format: 'rgba16ui' },
        Uint16Array.from({ length: 4 * count }, (_, i) => 1000 + i),
      ),
      cl.sampler({ addressing: addressing[mode], filter: 'nearest', normalized: false }),
      cl.image(
        { ...options(shape), format: 'rg8i' },
        Int8Array.from({ length: 2 * count }, (_, i) => i - 60),
      ),
    ];
  },
  reference(o, input) {
    for (let g = 0; g < COUNT; g++) {
      const at = texel(shape, mode === 'none' ? inside(input, g) : coordinates(input, g), mode);
      const v = at < 0 ? [0, 0, 0, 0] : [0, 1, 2, 3].map((c) => 1000 + 4 * at + c);
      const n = at < 0 ? [0, 0, 0, 1] : [2 * at - 60, 2 * at - 59, 0, 1];
      const p = 1001 + 4 * texel(shape, inside(input, g), 'none');
      o[g] = [...v.slice(1), v[0]!, v[3]!, ...n, p].reduce(mix, v[0]!) + SIZES[k]! + 0x10b5 + 0x10d7;
    }
  },
});

/** Linear filters over multiples of 16, at quarters of texels: exact in floats. */
const linearReads = (shape: Shape, normalized: boolean): Case => {
  // Powers of two, so that normalized coordinates are exact, too.
  const [width, height, depth] = [8, 4, 2].slice(0, shape.extents.length);
  const size = { ...shape, extents: [width!, height!, depth!].slice(0, shape.extents.length) };
  const whole = size.extents.map((_, axis) => (normalized ? [8, 4, 2][axis]! : 1));
  const layer = shape.layers ? `, (float)(int)(in[g + 3] % 13) * 0.5f - 1.0f` : '';
  const axes = size.extents.map((_, axis) => `((int)(in[g + ${axis}] % 61) - 10) * 0.25f / ${whole[axis]}`);
  const count = size.extents.length + (shape.layers ? 1 : 0);
  const vector =
    count === 1
      ? axes[0]
      : `(float${count === 3 ? 4 : count})(${axes.join(', ')}${layer}${count === 3 ? ', 0.0f' : ''})`;
  return {
    name: `linear_${shape.type.replace('-', '_')}${normalized ? '_normalized' : ''}`,
    before: `constant sampler_t border = CLK_NORMALIZED_COORDS_${normalized ? 'TRUE' : 'FALSE'} | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR; constant sampler_t edge = CLK_NORMALIZED_COORDS_${normalized ? 'TRUE' : 'FALSE'} | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;`,
    parameters: `, read_only ${kernelType(shape.type)} im`,
    body: `float4 a = read_imagef(im, border, ${vector}), b = read_imagef(im, edge, ${vector}); vstore4(as_uint4((float4)(a.xy, b.xy)), g, o); ((global float *)o)[400 + g] = a.w + b.z;`,
    global: 97,
    words: 500,
    values(cl) {
      const total = texelsOf(size);
      return [
        cl.image(
          { ...options(size), format: 'rg32f' },
          Float32Array.from({ length: 2 * total }, (_, i) => ((i * 29) % 64) * 1024),
        ),
      ];
    },
    reference(o, input) {
      const out = new Float32Array(o.buffer);
      for (let g = 0; g < 97; g++) {
        const c = size.extents.map((_, axis) => ((input[g + axis]! % 61) - 10) * 0.25 - 0.5);
        const half = (input[g + 3]! % 13) * 0.5 - 1;
        // rint: halves to even.
        const rounded = Math.abs(half % 1) === 0.5 ? 2 * Math.round(half / 2) : Math.round(half);
        (['border', 'edge'] as const).forEach((mode, m) => {
          for (let channel = 0; channel < 2; channel++) {
            let sum = 0;
            for (let corner = 0; corner < 1 << c.length; corner++) {
              const weights = c.map((v, axis) =>
                (corner >> axis) & 1 ? v - Math.floor(v) : 1 - (v - Math.floor(v)),
              );
              const at = texel(
                size,
                [...c.map((v, axis) => Math.floor(v) + ((corner >> axis) & 1)), rounded],
                mode,
              );
              if (at >= 0)
                sum += weights.reduce((p, q) => p * q, 1) * (((2 * at + channel) * 29) % 64) * 1024;
            }
            out[4 * g + 2 * m + channel] = sum;
          }
        });
        out[400 + g] = 1;
      }
    },
  };
};

/** Orders of channels: which of r, g, b, a a texel's bytes become; numbers are constants. */
const ORDERS: Readonly<Record<string, readonly (number | 'zero' | 'one')[]>> = {
  r8: [0, 'zero', 'zero', 'one'], a8: ['zero', 'zero', 'zero', 0], rg8: [0, 1, 'zero', 'one'], rgba8: [0, 1, 2, 3], bgra8: [2, 1, 0, 3], argb8: [1, 2, 3, 0], intensity8: [0, 0, 0, 0], luminance8: [0, 0, 0, 'one'],
}; // biome-ignore format: a table

const channelsOf = (name: string) => (/^(rgba|bgra|argb)/.test(name) ? 4 : name === 'rg8' ? 2 : 1);

const orders: Case = {
  name: 'orders_of_channels',
  parameters: Object.keys(ORDERS)
    .map((name) => `, read_only image2d_t ${name}, write_only image2d_t to_${name}`)
    .join(''),
  body: `int2 at = (int2)(g % 5, g / 5); float4 v; uint4 n; ${Object.keys(ORDERS)
    .map(
      (name, k) =>
        `v = read_imagef(${name}, at); n = convert_uint4_rte(v * 255); o[${k * 15} + g] = n.x | n.y << 8 | n.z << 16 | n.w << 24; write_imagef(to_${name}, at, v);`,
    )
    .join(' ')}`,
  global: 15,
  words: 120,
  values: (cl) =>
    Object.keys(ORDERS).flatMap((name) => {
      const channels = channelsOf(name);
      const data = Uint8Array.from({ length: 15 * channels }, (_, i) => (i * 37) & 255);
      return [
        cl.image({ format: name as 'rgba8', width: 5, height: 3 }, data),
        cl.image({ format: name as 'rgba8', width: 5, height: 3 }),
      ];
    }),
  reference(o) {
    Object.entries(ORDERS).forEach(([name, order], k) => {
      const channels = channelsOf(name);
      for (let i = 0; i < 15; i++)
        o[15 * k + i] = order.reduce<number>(
          (word, c, channel) =>
            word |
            ((c === 'zero' ? 0 : c === 'one' ? 255 : ((i * channels + c) * 37) & 255) << (8 * channel)),
          0,
        );
    });
  },
};

const READ_WRITE: readonly Case[] = [
  {
    name: 'reads_what_it_wrote',
    parameters:
      ', read_write image2d_t a, read_write image1d_t b, read_write image3d_t c, read_write image2d_array_t d',
    body: `int x = g % 6, y = g / 6; uint h = 0; for (int k = 0; k < 4; k++) { uint4 v = read_imageui(a, (int2)(x, y)); write_imageui(a, (int2)(x, y), v.yzwx + (uint4)(k, in[g] & 15, 2, 3)); atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
        int4 n = read_imagei(b, (int)g); write_imagei(b, (int)g, n - (int4)(k * 5, 1, 2, 3)); float4 f = read_imagef(c, (int4)(x, y & 1, y >> 1, 0)); write_imagef(c, (int4)(x, y & 1, y >> 1, 0), f * 2 + 1); uint4 w = read_imageui(d, (int4)(x, y & 1, y >> 1, 0)); write_imageui(d, (int4)(x, y & 1, y >> 1, 0), w + v);
        atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item); h = h * 31 + v.x + v.w * 3; h = h * 31 + n.x + n.y; h = h * 31 + (uint)f.x; h = h * 31 + w.x; } o[g] = h;`,
    global: 24,
    words: 24,
    values: (cl) => [
      cl.image(
        { format: 'rgba16ui', width: 6, height: 4 },
        Uint16Array.from({ length: 96 }, (_, i) => i),
      ),
      cl.image(
        { format: 'rg16i', width: 24 },
        Int16Array.from({ length: 48 }, (_, i) => 5 - i),
      ),
      cl.image(
        { format: 'r32f', width: 6, height: 2, depth: 2 },
        Float32Array.from({ length: 24 }, (_, i) => i),
      ),
      cl.image(
        { format: 'r32ui', type: '2d-array', width: 6, height: 2, layers: 2 },
        Uint32Array.from({ length: 24 }, (_, i) => i * 7),
      ),
    ],
    reference(o, input) {
      for (let g = 0; g < 24; g++) {
        let v = [0, 1, 2, 3].map((k) => 4 * g + k);
        let [n, m, f, w, h] = [5 - 2 * g, 4 - 2 * g, g, 7 * g, 0];
        for (let k = 0; k < 4; k++) {
          h = [n + m, f, w].reduce(mix, mix(h, v[0]! + v[3]! * 3));
          w += v[0]!;
          v = [v[1]! + k, v[2]! + (input[g]! & 15), v[3]! + 2, v[0]! + 3];
          [n, m, f] = [n - k * 5, m - 1, 2 * f + 1];
        }
        o[g] = h;
      }
    },
  },
  {
    name: 'images_over_buffers_and_arrays_of_lines',
    parameters:
      ', read_only image1d_buffer_t a, write_only image1d_buffer_t b, read_only image1d_array_t c, write_only image1d_array_t d, global uint *words',
    body: `uint4 v = read_imageui(a, (int)(in[g] % 40)); write_imageui(b, (int)g, v + g); float4 f = read_imagef(c, (int2)(g % 8, g / 8)); write_imagef(d, (int2)(7 - g % 8, 4 - g / 8), f); o[g] = v.x * 31 + v.y + (uint)(f.x * 64) + get_image_width(a) * 1000 + words[5];`,
    global: 40,
    words: 40,
    values(cl) {
      const from = cl.buffer(Uint32Array.from({ length: 40 }, (_, i) => i * i));
      return [
        cl.image({ type: '1d-buffer', format: 'r32ui', width: 40, buffer: from }),
        cl.image({ type: '1d-buffer', format: 'rgba8ui', width: 40, buffer: cl.buffer(Uint32Array, 40) }),
        cl.image(
          { type: '1d-array', format: 'r32f', width: 8, layers: 5 },
          Float32Array.from({ length: 40 }, (_, i) => i / 4),
        ),
        cl.image({ type: '1d-array', format: 'r16f', width: 8, layers: 5 }),
        from,
      ];
    },
    reference(o, input) {
      for (let g = 0; g < 40; g++) o[g] = mix((input[g]! % 40) ** 2, 0) + g * 16 + 40000 + 25;
    },
  },
];

export const IMAGES: readonly Case[] = [
  ...SHAPES.flatMap((shape, k) =>
    (Object.keys(INT_SAMPLERS) as Addressing[]).map((mode) => integerReads(shape, k, mode)),
  ),
  ...SHAPES.flatMap((shape) => [false, true].map((normalized) => linearReads(shape, normalized))),
  orders,
  ...READ_WRITE,
];
