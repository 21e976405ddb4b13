// SPDX-License-Identifier: MIT
//
// The math functions as the software device runs them: floats against JavaScript's double precision, within the bounds that
// kernels/lib states, or the specification's ("Relative Error as ULPs"). scripts/numerics measures the library itself, doubles included,
// against MPFR.
import { join } from 'node:path';
import { root } from '../helpers/command';

type Anycl = typeof import('../../ts/index');
type Session = Awaited<ReturnType<Anycl['open']>>;

/** sin(pi x), reduced before it is multiplied. */
const sinpi = (x: number) => {
  const r = x - 2 * Math.round(x / 2);
  return Math.sin(Math.PI * (r > 0.5 ? 1 - r : r < -0.5 ? -1 - r : r));
};

const UNARY: Readonly<Record<string, readonly [reference: (x: number) => number, limit: number]>> = {
  acos: [Math.acos, 1],
  acosh: [Math.acosh, 1],
  acospi: [(x) => Math.acos(x) / Math.PI, 1],
  asin: [Math.asin, 1],
  asinh: [Math.asinh, 1],
  asinpi: [(x) => Math.asin(x) / Math.PI, 1],
  atan: [Math.atan, 1],
  atanh: [Math.atanh, 1],
  atanpi: [(x) => Math.atan(x) / Math.PI, 1],
  cbrt: [Math.cbrt, 1],
  ceil: [Math.ceil, 0],
  cos: [Math.cos, 1],
  cosh: [Math.cosh, 1],
  exp: [Math.exp, 1],
  exp10: [(x) => 10 ** x, 1],
  exp2: [(x) => 2 ** x, 1],
  expm1: [Math.expm1, 1],
  fabs: [Math.abs, 0],
  floor: [Math.floor, 0],
  log: [Math.log, 1],
  log10: [Math.log10, 1],
  log1p: [Math.log1p, 1],
  log2: [Math.log2, 1],
  rsqrt: [(x) => 1 / Math.sqrt(x), 2],
  sin: [Math.sin, 1],
  sinh: [Math.sinh, 1],
  sinpi: [sinpi, 1],
  sqrt: [Math.sqrt, 3],
  tan: [Math.tan, 1],
  tanh: [Math.tanh, 1],
  trunc: [Math.trunc, 0],
  half_exp2: [(x) => 2 ** x, 8192],
  half_log: [Math.log, 8192],
};

const BINARY: Readonly<Record<string, readonly [(x: number, y: number) => number, number]>> = {
  atan2: [Math.atan2, 1],
  atan2pi: [(y, x) => Math.atan2(y, x) / Math.PI, 1],
  fmod: [(x, y) => x % y, 0],
  hypot: [Math.hypot, 1],
  pow: [(x, y) => (x === 1 || (x === -1 && Math.abs(y) === Number.POSITIVE_INFINITY) ? 1 : x ** y), 1],
  fdim: [(x, y) => (Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : x > y ? x - y : 0), 0.5],
};

const EDGES = [
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  1.5,
  2,
  3,
  -3,
  10,
  88.5,
  -100,
  1e-45,
  1e-38,
  1e10,
  -1e22,
  3.4e38,
  Math.PI,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  Number.NaN,
].map(Math.fround);

/** All kinds of floats: any bits, and numbers of usual size. */
function samples(count: number, seed: number): Float32Array {
  const result = new Float32Array(count);
  const bits = new Uint32Array(result.buffer);
  let state = seed;
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const unit = state / 2 ** 31 - 1;
    if (i % 4 === 0) bits[i] = state ^ (state >>> 13);
    else result[i] = i % 4 === 1 ? unit : i % 4 === 2 ? unit * 20 : unit * 2000;
  }
  return result;
}

function error(result: number, exact: number): number {
  if (Number.isNaN(exact)) return Number.isNaN(result) ? 0 : Number.POSITIVE_INFINITY;
  const rounded = Math.fround(exact);
  if (Object.is(result, rounded) || (result === 0 && rounded === 0)) return 0;
  if (!Number.isFinite(rounded) && Number.isFinite(exact) && Math.abs(result) > 3.402e38) return 0;
  const unit = 2 ** Math.max(Math.floor(Math.log2(Math.abs(exact))) - 23, -149);
  return Math.abs(result - exact) / unit;
}

const { open } = require(join(root, 'dist/index.cjs')) as Anycl;
let session: Session;
let kernels: Awaited<ReturnType<Session['build']>>['kernels'];
const COUNT = 8192;

beforeAll(async () => {
  session = await open({ device: 'software' });
  const unary = Object.keys(UNARY).map(
    (name) => `kernel void t_${name}(global const float *x, global float *r) {
  size_t i = get_global_id(0); r[i] = ${name}(x[i]); }`,
  );
  const binary = Object.keys(BINARY).map(
    (name) => `kernel void t_${name}(global const float *x, global const float *y, global float *r) {
  size_t i = get_global_id(0); r[i] = ${name}(x[i], y[i]); }`,
  );
  ({ kernels } = await session.build([...unary, ...binary].join('\n')));
});
afterAll(() => session.close());

function worst(
  x: Float32Array,
  y: Float32Array,
  result: Float32Array,
  exact: (x: number, y: number) => number,
) {
  let largest = 0;
  let at = '';
  result.forEach((value, i) => {
    const e = error(value, exact(x[i]!, y[i]!));
    if (e > largest) {
      largest = e;
      at = `(${x[i]}, ${y[i]}) = ${value}, not ${exact(x[i]!, y[i]!)}`;
    }
  });
  return { error: largest, at };
}

test.each(Object.entries(UNARY))('%s', async (name, [reference, limit]) => {
  const x = samples(COUNT, 1);
  x.set(EDGES);
  const result = session.buffer(Float32Array, COUNT);
  await kernels[`t_${name}`]!.run({ global: COUNT }, session.buffer(x), result);
  const { error, at } = worst(x, x, await result.read(), reference);
  expect(error > limit ? at : 'within the limit').toBe('within the limit');
});

test.each(Object.entries(BINARY))('%s', async (name, [reference, limit]) => {
  const x = samples(COUNT, 1);
  const y = samples(COUNT, 7);
  EDGES.forEach((a, i) => {
    EDGES.forEach((b, j) => {
      x[i * EDGES.length + j] = a;
      y[i * EDGES.length + j] = b;
    });
  });
  const result = session.buffer(Float32Array, COUNT);
  await kernels[`t_${name}`]!.run({ global: COUNT }, session.buffer(x), session.buffer(y), result);
  const { error, at } = worst(x, y, await result.read(), reference);
  expect(error > limit ? at : 'within the limit').toBe('within the limit');
});

/** Numbers, their lgamma correctly rounded (mpmath, 60 digits), and the sign of the gamma function. */
const LGAMMA: readonly (readonly [x: number, lgamma: number, sign: number])[] = [
  [-2.4570247382208006, 5.619192358950097e-17, -1],
  [-2.457024738220801, -6.168712140884665e-16, -1],
  [-2.478798795178003, -0.030710093890587018, -1],
  [-2.7476826467274127, 1.733509244024501e-16, -1],
  [-2.7326612401485875, -0.026660726392582875, -1],
  [-3.14358088834998, 1.6978655906121085e-15, 1],
  [-3.9567079295646543, 0.02981169245250502, 1],
  [-7.000198333407325, -1.263203743493977e-12, 1],
  [-9.99999972442663, 1.7719543958825935e-9, 1],
  [-17.000000000000004, -0.2340087832595242, 1],
  [-16.999999999999996, -0.23400878325950386, -1],
  [-1e-200, 460.51701859880916, -1],
  [-0.4, 1.31452458994339, -1],
  [-1.25, 1.3664317612369763, 1],
  [-1234.5678, -7556.984392654236, -1],
  [0.3708343727922775, 0.8746174023128813, 1],
  [1e-310, 713.8013788281542, 1],
  [2.5, 0.2846828704729192, 1],
  [3.49, 1.1899585718917864, 1],
  [3.5, 1.2009736023470743, 1],
  [171.25, 707.8579296227101, 1],
  [1e17, 3.8143946580898775e18, 1],
  [2.55e305, 1.7906725941420033e308, 1],
  [-4, Infinity, 0],
  [0, Infinity, 0],
  [2.56e305, Infinity, 1],
  [-2.56e305, Infinity, 0],
];

test('lgamma of doubles is within an ulp beside all of its zeros', async () => {
  const { kernels } =
    await session.build(`kernel void logs(global const double *x, global double *r, global int *sign) {
  size_t i = get_global_id(0);
  r[i] = lgamma(x[i]);
  int s;
  r[i + get_global_size(0)] = lgamma_r(x[i], &s);
  sign[i] = s;
}`);
  const x = session.buffer(Float64Array.from(LGAMMA, ([number]) => number));
  const r = session.buffer(Float64Array, 2 * LGAMMA.length);
  const sign = session.buffer(Int32Array, LGAMMA.length);
  await kernels.logs!.run({ global: LGAMMA.length }, x, r, sign);
  const results = await r.read();
  const bits = (value: number) => new BigInt64Array(Float64Array.of(value).buffer)[0]!;
  const isNear = (value: number, exact: number) => {
    const distance = bits(value) - bits(exact);
    return distance >= -1n && distance <= 1n;
  };
  const wrong = LGAMMA.map(([number, exact], i) => {
    const both = [results[i]!, results[i + LGAMMA.length]!];
    return { number, exact, both };
  }).filter(({ exact, both }) => both.some((value) => !isNear(value, exact)));
  expect(wrong).toEqual([]);
  expect([...(await sign.read())]).toEqual(LGAMMA.map(([, , s]) => s));
});

test('lgamma is exact beside its zeros at 1 and 2', async () => {
  const { kernels } = await session.build(`#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void logs(global const float *x, global float *r) {
  size_t i = get_global_id(0);
  r[i] = (float)(lgamma(1.0 + x[i]) / x[i]);
  r[i + get_global_size(0)] = (float)(lgamma(2.0 + x[i]) / x[i]);
}`);
  // Next to a zero, its slope times the distance: -0.5772... and 0.4227...
  const x = Float32Array.of(2 ** -50, -(2 ** -50), 2 ** -40, -(2 ** -40));
  const r = session.buffer(Float32Array, 2 * x.length);
  await kernels.logs!.run({ global: x.length }, session.buffer(x), r);
  const euler = 0.5772156649015329;
  expect([...(await r.read())]).toEqual([
    ...Array(4).fill(Math.fround(-euler)),
    ...Array(4).fill(Math.fround(1 - euler)),
  ]);
});

test('nextafter of halves steps by halves', async () => {
  const { kernels } = await session.build(`#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void step(global const float *x, global float *up, global float *down) {
  size_t i = get_global_id(0);
  up[i] = nextafter((half)x[i], (half)INFINITY);
  down[i] = nextafter((half)x[i], (half)-INFINITY);
}`);
  const x = Float32Array.of(1, -1, 0, 2048, 65504, -65504, 2 ** -14, 2 ** -24);
  const up = session.buffer(Float32Array, x.length);
  const down = session.buffer(Float32Array, x.length);
  await kernels.step!.run({ global: x.length }, session.buffer(x), up, down);
  const { POSITIVE_INFINITY, NEGATIVE_INFINITY } = Number;
  const tiny = 2 ** -24;
  expect([...(await up.read())]).toEqual([
    1 + 2 ** -10,
    -1 + 2 ** -11,
    tiny,
    2050,
    POSITIVE_INFINITY,
    -65472,
    2 ** -14 + tiny,
    2 * tiny,
  ]);
  expect([...(await down.read())]).toEqual([
    1 - 2 ** -11,
    -1 - 2 ** -10,
    -tiny,
    2047,
    65472,
    NEGATIVE_INFINITY,
    2 ** -14 - tiny,
    0,
  ]);
});
