// SPDX-License-Identifier: MIT
//
// What arrays do, with kernels by hand (bench/kernels/primitives.cl) over the same memory.
import { readFileSync } from 'node:fs';

const SOURCES = ['primitives', 'triad'].map((name) =>
  readFileSync(new URL(`../kernels/${name}.cl`, import.meta.url), 'utf8'),
);
/** Turns integers with a sign into words of the same order. */
const FLIP = 0x80000000;

/** A function for each workload, which returns the buffer of its result, and its length if it is less. `x` and `y` are floats, `i`
 * integers, all of `n` elements; `a` and `b` matrices of `size` rows. */
export async function byHand(cl, { n, x, y, i, a, b, size }) {
  const kernels = (await cl.build(SOURCES.join('\n'))).kernels;
  const groups = Number(cl.device.info('MAX_COMPUTE_UNITS')) * 8;
  const run = Math.ceil(n / groups / 16) * 16;
  const each = { global: groups, local: 1 };
  const one = { global: 1, local: 1 };
  const floats = cl.buffer(Float32Array, n);
  const words = [cl.buffer(Int32Array, n), cl.buffer(Int32Array, n)];
  const items = [cl.buffer(Uint32Array, n), cl.buffer(Uint32Array, n)];
  /** The bits of `x`: items of any type are words. */
  const values = cl.buffer(Uint32Array, n);
  x.copyTo(values);
  const sums = cl.buffer(Float32Array, groups);
  const totals = cl.buffer(Int32Array, groups + 1);
  const counts = cl.buffer(Int32Array, 256 * groups);
  const product = cl.buffer(Float32Array, size * size);

  function sort(payload) {
    let [from, moved] = [i, payload];
    for (let digit = 0; digit < 4; digit++) {
      const [out, to] = [words[digit % 2], items[digit % 2]];
      kernels.digit_counts.run(each, from, counts, n, run, 8 * digit, FLIP);
      kernels.scan_few.run(one, counts, 256 * groups);
      if (payload === undefined) kernels.move_keys.run(each, from, out, counts, n, run, 8 * digit, FLIP);
      else
        kernels.move_pairs.run(
          each,
          from,
          moved,
          out,
          to,
          counts,
          n,
          run,
          8 * digit,
          FLIP,
          moved === from ? 1 : 0,
        );
      [from, moved] = [out, to];
    }
    return { keys: from, items: moved };
  }

  /** Scans the counts of the runs, and returns their sum. */
  async function starts() {
    kernels.scan_few.run(one, totals, groups + 1);
    return (await totals.read({ offset: groups, length: 1 }))[0];
  }

  return {
    axpy: () => {
      kernels.triad.run({ global: n }, floats, x, y, 2);
      return { buffer: floats };
    },
    math: () => {
      kernels.math.run({ global: n }, floats, x);
      return { buffer: floats };
    },
    sum: () => {
      kernels.sum_runs.run(each, x, sums, n, run);
      kernels.sum_few.run(one, sums, groups);
      return { buffer: sums, length: 1 };
    },
    dot: () => {
      kernels.dot_runs.run(each, x, y, sums, n, run);
      kernels.sum_few.run(one, sums, groups);
      return { buffer: sums, length: 1 };
    },
    cumsum: () => {
      kernels.scan_totals.run(each, i, totals, n, run);
      kernels.scan_few.run(one, totals, groups);
      kernels.scan_runs.run(each, i, words[0], totals, n, run);
      return { buffer: words[0] };
    },
    sort: () => ({ buffer: sort().keys }),
    // The keys in the place of items stand for their places.
    argsort: () => ({ buffer: sort(i).items }),
    sortBy: () => ({ buffer: sort(values).items, type: Float32Array }),
    compact: async () => {
      kernels.count_above.run(each, x, totals, n, run, 0.5);
      const length = await starts();
      kernels.copy_above.run(each, x, floats, totals, n, run, 0.5, length);
      return { buffer: floats, length };
    },
    unique: async () => {
      const { keys } = sort();
      kernels.count_first.run(each, keys, totals, n, run);
      const length = await starts();
      kernels.copy_first.run(each, keys, words[0], totals, n, run, length);
      return { buffer: words[0], length };
    },
    histogram: () => {
      words[0].fill(0, { length: 256 });
      kernels.count_bytes.run(each, i, words[0], n, run);
      return { buffer: words[0], length: 256 };
    },
    matmul: () => {
      kernels.product_rows.run({ global: [size / 4, size / 8], local: [4, 1] }, a, b, product, size);
      return { buffer: product };
    },
  };
}
