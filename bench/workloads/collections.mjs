// SPDX-License-Identifier: MIT
//
// Sorting, searching, counting, reducing.
import { local } from 'anycl';
import { bench, exact, example, simple, workload } from './define.mjs';
import { integers, PIXELS, randomBytes, randoms, randomWords, whole, words } from './inputs.mjs';

export const collections = {
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
  insertion: workload('insertion', (cl) => {
    const items = 1 << 15;
    const unsorted = integers(items * 16, 1e6);
    const data = cl.buffer(unsorted);
    return {
      reset: () => data.write(unsorted),
      range: { global: items },
      args: [data],
      outputs: [[data, exact]],
    };
  }),
  knn: workload('knn', (cl) => {
    const [points, queries] = [1024, 8192];
    const out = cl.buffer(Int32Array, queries * 4);
    return {
      range: { global: queries },
      args: [cl.buffer(randoms(points * 4)), cl.buffer(randoms(queries * 4, 0, 1, 5)), out, points],
      outputs: [[out, 0.01, 'fraction']],
    };
  }),
  segmented: workload('segmented', (cl) => {
    const segments = 50_000;
    const offsets = new Int32Array(segments + 1);
    integers(segments, 60, 3).forEach((length, i) => {
      offsets[i + 1] = offsets[i] + 4 + length;
    });
    const out = cl.buffer(Float32Array, segments);
    return {
      range: { global: segments },
      args: [cl.buffer(offsets), cl.buffer(randoms(offsets[segments])), out],
      outputs: [[out, 1e-4]],
    };
  }),
  binary_search: workload('binary_search', (cl) => {
    const [length, keys] = [1 << 16, 1 << 18];
    const out = cl.buffer(Int32Array, keys);
    return {
      range: { global: keys },
      args: [cl.buffer(integers(length, 1e6).sort()), cl.buffer(integers(keys, 1e6, 9)), out, length],
      outputs: [[out, exact]],
    };
  }),
  count: workload(
    'count',
    (cl) => {
      const counts = cl.buffer(Uint32Array, 256);
      return {
        reset: () => counts.write(new Uint32Array(256)),
        range: { global: 1 << 14 },
        args: [cl.buffer(words(PIXELS)), counts, PIXELS],
        outputs: [[counts, exact]],
      };
    },
    'everyday',
  ),
  radix_count: simple(
    'algorithms',
    'radix_count',
    { global: 256 * 128, local: 128 },
    () => [words(PIXELS * 2, 3)],
    [Uint32Array, 16 * 256],
    [8, (PIXELS * 2) / 256],
  ),
  partition: workload(
    'partition',
    (cl) => {
      const out = cl.buffer(Int32Array, PIXELS);
      const sizes = cl.buffer(Int32Array, PIXELS / 256);
      return {
        range: { global: PIXELS, local: 256 },
        args: [cl.buffer(integers(PIXELS, 1e6)), out, 400_000, sizes],
        outputs: [
          [out, exact],
          [sizes, exact],
        ],
      };
    },
    'algorithms',
  ),
  largest: workload(
    'largest',
    (cl) => {
      const most = cl.buffer(Int32Array, 1);
      return { range: whole, args: [cl.buffer(integers(PIXELS, 2e9)), most], outputs: [[most, exact]] };
    },
    'algorithms',
  ),
  lower_bound: simple(
    'data',
    'lower_bound',
    { global: PIXELS / 2 },
    () => [integers(PIXELS, 1e6).sort(), integers(PIXELS / 2, 1e6, 5)],
    [Int32Array, PIXELS / 2],
    [PIXELS],
  ),
};
