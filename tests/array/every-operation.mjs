// SPDX-License-Identifier: MIT
//
// Each operation of the array library, for scripts that look at what it leaves behind. Each takes nothing but what it is given, so that
// the memory that is in use afterwards is that of its results.

/** The arrays that operations take; `side` * `side` elements. */
export function given(nd, side) {
  const n = side * side;
  const floats = Float32Array.from({ length: n }, (_, k) => (k * 7919) % 1000);
  return {
    n,
    x: nd.array(floats),
    image: nd.array(floats, [side, side]),
    whole: nd.array(
      Int32Array.from(floats, (value) => value - 500),
      [side, side],
    ),
    places: nd.array(Int32Array.from({ length: n }, (_, k) => (k * 31) % n)),
    weights: nd.array(Float32Array.of(1, 2, 1)),
  };
}

/** Each makes an array, several by name, or a promise of one. */
export const OPERATIONS = {
  add: (_, { x }) => x.add(1),
  'a long chain': (_, { x }) => x.mul(2).add(x).sin().sub(1).as('int32'),
  where: (nd, { x }) => nd.where(x.gt(3), x, 1),
  statements: (nd, { x, n }) =>
    nd.elementwise('z = a * x[n - 1 - i]; y = x[0] + i')({ a: 2, x }, { shape: n }),
  sum: (_, { x }) => x.sum(),
  'sum of columns': (_, { image }) => image.sum({ axis: 0 }),
  'mean of integers': (_, { whole }) => whole.mean({ axis: 1 }),
  argmax: (_, { x }) => x.argmax(),
  any: (_, { image }) => image.any({ axis: 1, keepAxes: true }),
  reduce: (_, { places }) => places.reduce('a | b', { neutral: 0 }),
  cumsum: (_, { x }) => x.cumsum(),
  'cumsum of columns': (_, { image }) => image.cumsum({ axis: 0, exclusive: true }),
  scan: (_, { whole }) => whole.scan('max(a, b)', { neutral: -1000, axis: 0 }),
  sort: (_, { x }) => x.sort({ descending: true }),
  'sort of columns': (_, { image }) => image.sort({ axis: 0 }),
  argsort: (_, { image }) => image.argsort({ axis: 0 }),
  sortBy: (_, { x, places }) => x.sortBy(places),
  compact: (_, { x }) => x.compact(x.gt(500)),
  'compact of a view': (_, { image, whole }) => image.transpose().compact(whole),
  unique: (_, { x }) => x.unique(),
  'unique of an image': (_, { image }) => image.unique(),
  histogram: (_, { x }) => x.histogram({ bins: 100 }),
  'histogram of many bins': (_, { x }) => x.histogram({ bins: 5000 }),
  gather: (_, { image, places }) => image.transpose().gather(places),
  scatter: (_, { x, places }) => x.scatter(places, x),
  'scatter that adds': (_, { x, places }) => x.scatter(places, x, 'add'),
  matmul: (_, { image }) => image.transpose().matmul(image),
  'matmul of two types': (_, { image, whole }) => image.matmul(whole),
  convolve: (_, { x, weights }) => x.convolve(weights),
  'convolve of integers': (_, { whole, weights }) =>
    whole.convolve(weights, { size: 'full', edge: 'mirror' }),
  pad: (_, { image }) => image.transpose().pad([1, [0, 2]], 'wrap'),
  fft: (nd, { x }) => nd.fft(x),
  'fft along both axes': (nd, { whole }) => nd.fft(whole, { axis: [0, 1] }),
  'fft by a chirp': (nd, { x }) => nd.fft(x.slice({ to: 1009 })),
  ifft: (nd, { image }) => nd.ifft({ re: image, im: image }, { axis: 0 }),
  concatenate: (nd, { image }) => nd.concatenate([image, image.transpose()], 1),
  stack: (nd, { image }) => nd.stack([image, image.transpose()]),
  uniform: (nd, { n }) => nd.random(1).uniform(n, { from: 2, to: 3 }),
  normal: (nd, { n }) => nd.random(1).normal(n, { mean: 3 }),
  integers: (nd, { n }) => nd.random(1).integers(n, { to: 6 }),
  full: (nd, { n }) => nd.full(n, 3),
  'full of halves': (nd, { n }) => nd.full(n, 3, 'float16'),
  'lists of halves': (nd) =>
    nd.array(
      [
        [1, 2],
        [3, 4],
      ],
      'float16',
    ),
  arange: (nd, { n }) => nd.arange(n),
  linspace: (nd, { n }) => nd.linspace(0, 1, n),
  transpose: (_, { image }) => image.transpose(),
  copy: (_, { image }) => image.slice({ step: 2 }, { step: -1 }).copy(),
  reshape: (_, { image }) => image.transpose().reshape(-1),
  broadcastTo: (_, { x }) => x.slice({ to: 1 }).broadcastTo(100),
};

/** The arrays of what an operation made. */
export const arraysOf = (made) => ('read' in made ? [made] : Object.values(made));
