// SPDX-License-Identifier: MIT
//
// What bench/run.mjs measures. Each workload prepares its buffers on a session and tells the launches of one repetition
// and the buffers to compare between devices. Sizes are for a CPU of two cores: 1 to 100 ms a repetition.
import { readFileSync } from 'node:fs';
import { local } from 'anycl';

export const source = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const bench = (name) => source(`bench/kernels/${name}.cl`);
const example = (name) => source(`kernels/examples/${name}.cl`);

/** The same numbers in every process: xorshift32, scaled to [low, high). */
export function randoms(length, low = 0, high = 1, seed = 1) {
  const out = new Float32Array(length);
  let s = seed;
  for (let i = 0; i < length; i++) {
    s ^= s << 13;
    s ^= s >>> 17;
    s ^= s << 5;
    out[i] = low + ((s >>> 0) / 2 ** 32) * (high - low);
  }
  return out;
}
const randomBytes = (length, limit = 256) => Uint8Array.from(randoms(length, 0, limit));
const randomWords = (length) => Uint32Array.from(randoms(length, 0, 2 ** 32));

/** How outputs are compared: `exact`, or the largest relative error that the kernel's accuracy allows. */
const exact = 0;

export const workloads = {
  triad: {
    source: () => bench('triad'),
    bytes: 3 * 4 * 8e6,
    make(cl, kernels, scale = 1) {
      const n = 8e6 * scale;
      const a = cl.buffer(Float32Array, n);
      const b = cl.buffer(randoms(n));
      const c = cl.buffer(randoms(n, 0, 1, 2));
      return { launches: [[kernels.triad, { global: n }, a, b, c, 3]], outputs: [[a, 1e-6]] };
    },
  },
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
  nbody: {
    source: () => example('nbody'),
    make(cl, kernels) {
      const n = 4096;
      const position = cl.buffer(randoms(n * 4));
      const velocity = cl.buffer(new Float32Array(n * 4));
      const next = cl.buffer(Float32Array, n * 4);
      return {
        launches: [[kernels.nbody, { global: n }, position, velocity, next, n, 0, 1e-3]],
        outputs: [[next, 1e-4]],
      };
    },
  },
  matmul: matmul('matmul', undefined),
  'matmul-tiled': matmul('matmul_tiled', [16, 16]),
  reduction: {
    source: () => example('reduction'),
    make(cl, kernels) {
      const n = 4e6;
      const data = cl.buffer(randoms(n));
      const sums = cl.buffer(Float32Array, 256);
      return {
        launches: [
          [kernels.reduction, { global: 256 * 256, local: 256 }, data, sums, local(Float32Array, 256), n],
        ],
        outputs: [[sums, 1e-4]],
      };
    },
  },
  'black-scholes': {
    source: () => bench('black-scholes'),
    make(cl, kernels) {
      const n = 1e6;
      const [call, put] = [cl.buffer(Float32Array, n), cl.buffer(Float32Array, n)];
      const inputs = [randoms(n, 5, 30), randoms(n, 1, 100, 2), randoms(n, 0.25, 10, 3)].map((x) =>
        cl.buffer(x),
      );
      return {
        launches: [[kernels.black_scholes, { global: n }, ...inputs, call, put, 0.02, 0.3]],
        outputs: [
          [call, 1e-4, 'absolute'],
          [put, 1e-4, 'absolute'],
        ],
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
  histogram: {
    source: () => example('histogram'),
    make(cl, kernels) {
      const n = 8e6;
      const counts = cl.buffer(new Uint32Array(256));
      return {
        launches: [
          [kernels.histogram, { global: 64 * 256, local: 256 }, cl.buffer(randomBytes(n)), counts, n],
        ],
        outputs: [[counts, exact]],
        accumulates: true,
      };
    },
  },
  sha256: {
    source: () => example('sha256'),
    make(cl, kernels) {
      const n = 100_000;
      const digests = cl.buffer(Uint32Array, n * 8);
      return {
        launches: [[kernels.sha256, { global: n }, cl.buffer(randomWords(n * 16)), digests]],
        outputs: [[digests, exact]],
      };
    },
  },
  bitonic: {
    source: () => bench('bitonic'),
    make(cl, kernels) {
      const n = 1 << 18;
      const data = cl.buffer(randomWords(n));
      const launches = [];
      for (let block = 2; block <= n; block *= 2) {
        for (let distance = block / 2; distance >= 1; distance /= 2) {
          launches.push([kernels.bitonic, { global: n / 2 }, data, block, distance]);
        }
      }
      return { launches, outputs: [[data, exact]] };
    },
  },
  matvec: {
    source: () => bench('matvec'),
    make(cl, kernels) {
      const [rows, columns] = [4096, 256];
      const y = cl.buffer(Float32Array, rows);
      return {
        launches: [
          [
            kernels.matvec,
            { global: rows },
            cl.buffer(randoms(rows * columns * 4)),
            cl.buffer(randoms(columns * 4)),
            y,
            columns,
          ],
        ],
        outputs: [[y, 1e-4]],
      };
    },
  },
  scan: {
    source: () => bench('scan'),
    make(cl, kernels) {
      const n = 1 << 20;
      const [out, totals] = [cl.buffer(Int32Array, n), cl.buffer(Int32Array, n / 256)];
      const data = cl.buffer(Int32Array.from(randoms(n, 0, 100)));
      return {
        launches: [[kernels.scan, { global: n, local: 256 }, data, out, totals, local(Int32Array, 512)]],
        outputs: [
          [out, exact],
          [totals, exact],
        ],
      };
    },
  },
  spmv: {
    source: () => bench('spmv'),
    make(cl, kernels) {
      const rows = 100_000;
      const lengths = Int32Array.from(randoms(rows, 4, 28, 5));
      const starts = new Int32Array(rows + 1);
      for (let i = 0; i < rows; i++) starts[i + 1] = starts[i] + lengths[i];
      const count = starts[rows];
      const columns = Int32Array.from(randoms(count, 0, rows, 7));
      const y = cl.buffer(Float32Array, rows);
      const args = [starts, columns, randoms(count, 0, 1, 9), randoms(rows)].map((x) => cl.buffer(x));
      return { launches: [[kernels.spmv, { global: rows }, ...args, y]], outputs: [[y, 1e-4]] };
    },
  },
  fft2: fft('fft2', 128),
  fft4: fft('fft4', 64),
  jacobi: {
    source: () => bench('jacobi'),
    make(cl, kernels) {
      const n = 160;
      const a = cl.buffer(randoms(n ** 3));
      const b = cl.buffer(randoms(n ** 3));
      return { launches: [[kernels.jacobi, { global: [n, n, n] }, a, b, n, n, n]], outputs: [[b, 1e-5]] };
    },
  },
  kmeans: {
    source: () => bench('kmeans'),
    make(cl, kernels) {
      const [points, clusters, dimensions] = [200_000, 16, 8];
      const nearest = cl.buffer(Int32Array, points);
      return {
        launches: [
          [
            kernels.kmeans,
            { global: points },
            cl.buffer(randoms(points * dimensions)),
            cl.buffer(randoms(clusters * dimensions, 0, 1, 3)),
            nearest,
            points,
            clusters,
            dimensions,
          ],
        ],
        outputs: [[nearest, 0.001, 'fraction']],
      };
    },
  },
  aes: {
    source: () => bench('aes'),
    make(cl, kernels) {
      const n = 200_000;
      const out = cl.buffer(Uint32Array, n * 4);
      const { tables, sbox } = aesTables();
      const args = [randomWords(n * 4), out, tables, sbox, randomWords(44)];
      return {
        launches: [
          [kernels.aes, { global: n }, ...args.map((x) => (ArrayBuffer.isView(x) ? cl.buffer(x) : x))],
        ],
        outputs: [[out, exact]],
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
  'string-search': {
    source: () => bench('string-search'),
    make(cl, kernels) {
      const [length, stretch] = [4e6, 64];
      const pattern = Uint8Array.from([1, 2, 1, 3]);
      const counts = cl.buffer(Int32Array, length / stretch);
      const args = [
        cl.buffer(randomBytes(length, 4)),
        cl.buffer(pattern),
        length,
        pattern.length,
        stretch,
        counts,
      ];
      return {
        launches: [[kernels.string_search, { global: length / stretch }, ...args]],
        outputs: [[counts, exact]],
      };
    },
  },
  'half-saxpy': {
    source: () => bench('half-saxpy'),
    make(cl, kernels) {
      const n = 4e6;
      // 0.5 to 1 in half precision, whatever the seed.
      const halves = (seed) => Uint16Array.from(randoms(n, 0x3800, 0x3c00, seed));
      const y = cl.buffer(halves(2));
      return {
        launches: [[kernels.half_saxpy, { global: n }, 0.001, cl.buffer(halves(1)), y]],
        outputs: [[y, 1, 'absolute']],
      };
    },
  },
  'nbody-double': {
    source: () => bench('nbody-double'),
    make(cl, kernels) {
      const n = 2048;
      const position = cl.buffer(Float64Array.from(randoms(n * 4)));
      const acceleration = cl.buffer(Float64Array, n * 4);
      return {
        launches: [[kernels.nbody_double, { global: n }, position, acceleration, n]],
        outputs: [[acceleration, 1e-9]],
      };
    },
  },
};

function matmul(kernel, localSize) {
  return {
    source: () => example('matmul'),
    make(cl, kernels) {
      const n = 512;
      const c = cl.buffer(Float32Array, n * n);
      const range = { global: [n, n], ...(localSize ? { local: localSize } : {}) };
      const inputs = [cl.buffer(randoms(n * n)), cl.buffer(randoms(n * n, 0, 1, 2))];
      return { launches: [[kernels[kernel], range, ...inputs, c, n]], outputs: [[c, 1e-4]] };
    },
  };
}

function fft(kernel, groupSize) {
  return {
    source: () => bench('fft'),
    make(cl, kernels) {
      const transforms = 2048;
      // Transforming zeros, infinities or numbers that grow with every repetition would measure something else:
      // the data is written anew before each one.
      const input = randoms(transforms * 512, -1, 1);
      const data = cl.buffer(input);
      return {
        reset: () => data.write(input),
        launches: [[kernels[kernel], { global: transforms * groupSize, local: groupSize }, data]],
        outputs: [[data, 1e-3, 'absolute']],
      };
    },
  };
}

/** The four tables of AES, made from the field's arithmetic. */
function aesTables() {
  const sbox = new Uint8Array(256);
  for (let p = 1, q = 1, first = true; first || p !== 1; first = false) {
    p = (p ^ (p << 1) ^ (p & 0x80 ? 0x11b : 0)) & 255;
    q ^= q << 1;
    q ^= q << 2;
    q ^= q << 4;
    q &= 255;
    if (q & 0x80) q ^= 0x09;
    const rotated = (n) => ((q << n) | (q >> (8 - n))) & 255;
    sbox[p] = q ^ rotated(1) ^ rotated(2) ^ rotated(3) ^ rotated(4) ^ 0x63;
  }
  sbox[0] = 0x63;
  const tables = new Uint32Array(1024);
  for (let i = 0; i < 256; i++) {
    const s = sbox[i];
    const twice = ((s << 1) ^ (s & 0x80 ? 0x11b : 0)) & 255;
    const word = (twice | (s << 8) | (s << 16) | ((twice ^ s) << 24)) >>> 0;
    for (let t = 0; t < 4; t++)
      tables[t * 256 + i] = t === 0 ? word : ((word << (8 * t)) | (word >>> (32 - 8 * t))) >>> 0;
  }
  return { tables, sbox };
}
