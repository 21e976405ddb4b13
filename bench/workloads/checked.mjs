// SPDX-License-Identifier: MIT
//
// Kernels that checked runs check access by access (docs/checks.md), for bench/checked.mjs.
import { local } from 'anycl';
import { bench, exact, workload } from './define.mjs';
import { floyd } from './floyd.mjs';
import { integers, permutation, randoms, randomWords, words } from './inputs.mjs';

const FILE = 'checked';
const ITEMS = 1 << 16;
const GROUP = 128;

/** Many short launches. */
const SHORT = { side: 128, most: 1000, launches: 128 };

export const checked = {
  'compact-turns': workload(
    'compact_turns',
    (cl) => {
      const out = cl.buffer(new Int32Array(ITEMS));
      const counts = cl.buffer(Int32Array, ITEMS / GROUP);
      return {
        range: { global: ITEMS, local: GROUP },
        args: [cl.buffer(integers(ITEMS, 1000)), out, counts, 300, local(Int32Array, 2 * GROUP)],
        outputs: [
          [out, exact],
          [counts, exact],
        ],
      };
    },
    FILE,
  ),
  floyd: floyd(SHORT),
  /** With races, which are true. */
  'floyd-races': floyd({ kernel: 'floyd_all', file: FILE, ...SHORT }),
  'atomics-local': workload(
    'atomics_local',
    (cl) => {
      const n = 1 << 20;
      const bins = 1000;
      const counts = cl.buffer(new Uint32Array(bins));
      return {
        range: { global: n, local: 256 },
        args: [cl.buffer(randomWords(n)), counts, local(Uint32Array, bins), bins],
        outputs: [[counts, exact]],
        accumulates: true,
      };
    },
    FILE,
  ),
  'bitonic-16k': {
    source: () => bench('bitonic'),
    make(cl, kernels) {
      const n = 1 << 14;
      const first = words(n);
      const data = cl.buffer(first);
      const launches = [];
      for (let block = 2; block <= n; block *= 2)
        for (let distance = block / 2; distance >= 1; distance /= 2)
          launches.push([kernels.bitonic, { global: n / 2 }, data, block, distance]);
      return { launches, reset: () => data.write(first), outputs: [[data, exact]] };
    },
  },
  scatter: workload(
    'scatter_by',
    (cl) => {
      const n = 1 << 18;
      const out = cl.buffer(Float32Array, n);
      return {
        range: { global: n },
        args: [cl.buffer(randoms(n)), cl.buffer(permutation(n)), out],
        outputs: [[out, exact]],
      };
    },
    FILE,
  ),
  'odd-even': workload(
    'odd_even',
    (cl) => {
      const first = integers(1 << 14, 1e6);
      const data = cl.buffer(first);
      return {
        reset: () => data.write(first),
        range: { global: 1 << 14, local: 64 },
        args: [data, local(Int32Array, 64)],
        outputs: [[data, exact]],
      };
    },
    FILE,
  ),
  search: workload(
    'search_level',
    (cl) => {
      const nodes = 1 << 14;
      const degree = 8;
      const levels = Int32Array.from({ length: nodes }, (_, node) => (node === 0 ? 0 : -1));
      const [reached, changed] = [cl.buffer(levels), cl.buffer(new Int32Array(1))];
      const first = cl.buffer(Int32Array.from({ length: nodes + 1 }, (_, node) => node * degree));
      return {
        reset: () => reached.write(levels),
        range: { global: nodes },
        args: [first, cl.buffer(integers(nodes * degree, nodes)), reached, changed],
        steps: Array.from({ length: 8 }, (_, level) => [level]),
        outputs: [[reached, exact]],
      };
    },
    FILE,
  ),
};
