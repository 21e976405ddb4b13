// SPDX-License-Identifier: MIT
//
// Pixels: filters, conversions, rendering.
import { bench, exact, example, imageFilter, simple, workload } from './define.mjs';
import { bytes, PIXELS, pixels, randoms, SIDE, square, whole } from './inputs.mjs';

export const images = {
  mandelbrot: {
    source: () => example('mandelbrot'),
    make(cl, kernels) {
      const image = cl.buffer(Uint8Array, 1024 * 768 * 4);
      return {
        launches: [[kernels.mandelbrot, { global: [1024, 768] }, image, -2.2, -1.2, 3.2 / 1024, 200]],
        outputs: [[image, exact]],
      };
    },
  },
  convolution: {
    source: () => bench('convolution'),
    make(cl, kernels) {
      const [w, h] = [1024, 1024];
      const out = cl.buffer(Float32Array, w * h);
      return {
        launches: [
          [
            kernels.convolution,
            { global: [w, h] },
            cl.buffer(randoms(w * h)),
            out,
            cl.buffer(randoms(25)),
            w,
            h,
          ],
        ],
        outputs: [[out, 1e-5]],
      };
    },
  },
  raytracer: {
    source: () => bench('raytracer'),
    make(cl, kernels) {
      const count = 24;
      const spheres = new Float32Array(count * 8);
      const r = randoms(count * 8, 0, 1, 11);
      for (let i = 0; i < count; i++) {
        const [x, y, z, size] = r.subarray(i * 8, i * 8 + 4);
        spheres.set([x * 6 - 3, y * 2 - 0.7, z * 4, 0.15 + size * 0.35], i * 8);
        spheres.set([r[i * 8 + 4], r[i * 8 + 5], r[i * 8 + 6], r[i * 8 + 7] * 0.7], i * 8 + 4);
      }
      const image = cl.buffer(Uint8Array, 640 * 480 * 4);
      return {
        launches: [[kernels.raytrace, { global: [640, 480] }, cl.buffer(spheres), count, image, 640, 480]],
        outputs: [[image, 0.02, 'fraction']],
      };
    },
  },
  mandelbrot_double: simple('data', 'mandelbrot_double', { global: [512, 512] }, () => [], [
    Uint32Array,
    512 * 512,
  ]),
  sobel4: workload('sobel4', (cl) => {
    const [w, h] = [1024, 1024];
    const out = cl.buffer(Uint8Array, w * h * 4);
    return {
      range: { global: [w, h] },
      args: [cl.buffer(bytes(w * h * 4, 256)), out, w, h],
      outputs: [[out, 1, 'absolute']],
    };
  }),
  blend: simple(
    'bytes',
    'blend',
    whole,
    () => [pixels(1), pixels(2)],
    [Uint8Array, PIXELS * 4],
    [],
    1,
    'absolute',
  ),
  blend_int: simple('bytes', 'blend_int', whole, () => [pixels(1), pixels(2)], [Uint8Array, PIXELS * 4]),
  gray: simple('bytes', 'gray', whole, () => [pixels(1)], [Uint8Array, PIXELS]),
  threshold: simple('bytes', 'threshold', whole, () => [bytes(PIXELS, 256)], [Uint8Array, PIXELS], [100]),
  compensate: simple('bytes', 'compensate', whole, () => [bytes(PIXELS, 256), bytes(PIXELS, 256, 2)], [
    Uint8Array,
    PIXELS,
  ]),
  box: simple(
    'bytes',
    'box',
    { ...square, local: [16, 16] },
    () => [bytes(PIXELS, 256)],
    [Uint8Array, PIXELS],
    [SIDE, SIDE],
  ),
  resize: simple(
    'bytes',
    'resize',
    square,
    () => [bytes(PIXELS, 256)],
    [Uint8Array, PIXELS * 4],
    [SIDE / 2, SIDE / 2, 0.5],
    1,
    'absolute',
  ),
  yuv: simple(
    'bytes',
    'yuv',
    square,
    () => [bytes(PIXELS, 256), bytes(PIXELS / 2, 256, 2)],
    [Uint8Array, PIXELS * 4],
    [SIDE],
  ),
  motion: simple(
    'bytes',
    'motion',
    { global: [64, 64] },
    () => [bytes(520 * 520, 256), bytes(520 * 520, 256, 2)],
    [Int32Array, 64 * 64],
    [520],
  ),
  image_gauss: imageFilter('image_gauss', 'rgba8'),
  image_rotate: imageFilter('image_rotate', 'rgba8', [0.6, 0.8]),
  image_invert: imageFilter('image_invert', 'rgba8ui'),
  bilateral: simple(
    'algorithms',
    'bilateral',
    { global: [512, 512] },
    () => [randoms(512 * 512)],
    [Float32Array, 512 * 512],
    [512, 512, 20],
    1e-4,
  ),
  running_box: simple(
    'algorithms',
    'running_box',
    { global: SIDE },
    () => [randoms(PIXELS)],
    [Float32Array, PIXELS],
    [SIDE, SIDE, 5],
    1e-3,
  ),
  hsv: simple(
    'algorithms',
    'hsv',
    whole,
    () => [bytes(PIXELS * 4, 256)],
    [Float32Array, PIXELS * 4],
    [],
    1e-4,
  ),
  perlin: simple(
    'algorithms',
    'perlin',
    square,
    () => [],
    [Float32Array, PIXELS],
    [SIDE, 0.013],
    1e-5,
    'absolute',
  ),
  image_resize: workload(
    'image_resize',
    (cl) => {
      const out = cl.image({ width: SIDE, height: SIDE, format: 'rgba8' });
      const data = bytes(PIXELS, 256);
      return {
        range: square,
        args: [cl.image({ width: SIDE / 2, height: SIDE / 2, format: 'rgba8' }, data), out, 0.5],
        outputs: [[out, 1, 'absolute']],
      };
    },
    'algorithms',
  ),
  median9: simple(
    'algorithms',
    'median9',
    square,
    () => [bytes(PIXELS, 256)],
    [Uint8Array, PIXELS],
    [SIDE, SIDE],
  ),
  dither: simple(
    'algorithms',
    'dither',
    { global: SIDE },
    () => [bytes(PIXELS, 256)],
    [Uint8Array, PIXELS],
    [SIDE],
  ),
  swap_rgb: simple('algorithms', 'swap_rgb', whole, () => [bytes(PIXELS * 3, 256)], [Uint8Array, PIXELS * 3]),
  grade: simple(
    'algorithms',
    'grade',
    { global: PIXELS / 4 },
    () => [randoms(PIXELS), randoms(4096 * 4, 0, 1, 5)],
    [Float32Array, PIXELS],
    [],
    1e-4,
  ),
  count_rgb: workload(
    'count_rgb',
    (cl) => {
      const counts = [0, 1, 2].map(() => cl.buffer(Int32Array, 256));
      return {
        reset: () => Promise.all(counts.map((c) => c.write(new Int32Array(256)))),
        range: whole,
        args: [cl.buffer(bytes(PIXELS * 4, 256)), ...counts],
        outputs: counts.map((c) => [c, exact]),
      };
    },
    'algorithms',
  ),
  rgb_gray: simple('data', 'rgb_gray', { global: 4 * PIXELS }, () => [bytes(12 * PIXELS, 256)], [
    Uint8Array,
    4 * PIXELS,
  ]),
  rgb_planes: simple(
    'data',
    'rgb_planes',
    { global: PIXELS },
    () => [bytes(3 * PIXELS, 256)],
    [Float32Array, 3 * PIXELS],
    [PIXELS],
    1e-5,
  ),
};
