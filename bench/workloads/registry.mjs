// SPDX-License-Identifier: MIT
//
// The registry of workloads: every one by name, and the sets that `bench/run.mjs --set` knows. Sizes are for a processor of two
// cores: 1 to 100 ms a repetition.

import { bits } from './bits.mjs';
import { checked } from './checked.mjs';
import { collections } from './collections.mjs';
import { groups } from './groups.mjs';
import { images } from './images.mjs';
import { laggards } from './laggards.mjs';
import { linearAlgebra } from './linear-algebra.mjs';
import { memory } from './memory.mjs';
import { signals } from './signals.mjs';
import { simulation } from './simulation.mjs';
import { text } from './text.mjs';

const all = {
  ...memory,
  ...images,
  ...linearAlgebra,
  ...signals,
  ...simulation,
  ...text,
  ...bits,
  ...collections,
};

/** The workloads that the goals in docs/performance name, in the order of the tables. */
const NAMED = [
  'triad',
  'mandelbrot',
  'nbody',
  'matmul',
  'matmul-tiled',
  'reduction',
  'black-scholes',
  'convolution',
  'histogram',
  'sha256',
  'bitonic',
  'matvec',
  'scan',
  'spmv',
  'fft2',
  'fft4',
  'jacobi',
  'kmeans',
  'aes',
  'raytracer',
  'string-search',
  'half-saxpy',
  'nbody-double',
];

export const workloads = Object.fromEntries(NAMED.map((name) => [name, all[name]]));

export const sets = {
  named: workloads,
  /** Kernels of common kinds that no goal names. None should be slower than with PoCL. */
  more: Object.fromEntries(Object.entries(all).filter(([name]) => !NAMED.includes(name))),
  groups,
  /** Kernels on which PoCL was or is ahead. */
  laggards,
  /** Kernels whose launches checked runs cannot prove. */
  checked,
};
