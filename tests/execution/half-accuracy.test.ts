// SPDX-License-Identifier: MIT
//
// The functions of one half on all 65,536 of them, and those of two on a million pairs: correctly rounded. The references are the
// functions of doubles, on the same device; numerics.test.ts and scripts/numerics measure those.
import { join } from 'node:path';
import { root } from '../helpers/command';

interface Numbers<T> {
  read(): Promise<T>;
}
interface Session {
  build(source: string): Promise<{
    kernels: Record<string, { run(range: { global: number }, ...args: unknown[]): Promise<unknown> }>;
  }>;
  buffer<T>(type: new (length: number) => T, length: number): Numbers<T>;
  close(): void;
}

const ROUNDED = [
  ...[
    'acos',
    'acosh',
    'acospi',
    'asin',
    'asinh',
    'asinpi',
    'atan',
    'atanh',
    'atanpi',
    'cbrt',
    'cos',
    'cosh',
    'cospi',
  ],
  ...[
    'erf',
    'erfc',
    'exp',
    'exp10',
    'exp2',
    'expm1',
    'lgamma',
    'log',
    'log10',
    'log1p',
    'log2',
    'rsqrt',
    'sin',
    'sinh',
  ],
  ...['sinpi', 'sqrt', 'tan', 'tanh', 'tanpi', 'tgamma', 'degrees', 'radians'],
];
const EXACT = ['ceil', 'fabs', 'floor', 'logb', 'rint', 'round', 'sign', 'trunc'];
const NAMES = [...ROUNDED, ...EXACT];
const COUNT = 65536;
/** Correctly rounded. The references' own errors matter nowhere: no result is within 2^-30 of the middle of two halves. */
const LIMIT = 0.5;
/** What has another result through a pointer, and a sine and a cosine of the same number, which are computed together. */
const TOGETHER: readonly (readonly [label: string, source: string, reference: string])[] = [
  ['sincos: sine', 'half c; r[i] = sincos(x, &c);', 'sin'],
  ['sincos: cosine', 'half c; sincos(x, &c); r[i] = c;', 'cos'],
  ['sin with cos', 'half s = sin(x), c = cos(x); r[i] = s; other[i] = c;', 'sin'],
  ['cos with sin', 'half s = sin(x), c = cos(x); r[i] = c; other[i] = s;', 'cos'],
  ['lgamma_r', 'int sign; r[i] = lgamma_r(x, &sign);', 'lgamma'],
];
/** Of pairs: half of them of the same size, whose results are neither one of the two nor infinite. */
const PAIRS: readonly (readonly [name: string, second: 'half' | 'int'])[] = [
  ...['atan2', 'atan2pi', 'fmod', 'hypot', 'pow', 'powr', 'remainder'].map((name) => [name, 'half'] as const),
  ['pown', 'int'],
  ['rootn', 'int'],
];
const PAIR_COUNT = 1 << 20;
/** A power may be the middle of two halves, of which the reference is only an approximation. */
const PAIR_LIMIT = 0.5 + 2 ** -38;

const { open } = require(join(root, 'dist/index.cjs')) as {
  open(options: { device: string }): Promise<Session>;
};
let session: Session;
let kernels: Awaited<ReturnType<Session['build']>>['kernels'];

beforeAll(async () => {
  session = await open({ device: 'software' });
  const sources = NAMES.map(
    (name) => `kernel void t_${name}(global float *r, global double *exact) {
  size_t i = get_global_id(0);
  half x = as_half((ushort)i);
  r[i] = ${name}(x);
  exact[i] = ${name}((double)x);
}`,
  );
  for (const [at, [, source, reference]] of TOGETHER.entries())
    sources.push(`kernel void together_${at}(global float *r, global double *exact, global float *other) {
  size_t i = get_global_id(0);
  half x = as_half((ushort)i);
  ${source}
  exact[i] = ${reference}((double)x);
}`);
  for (const [name, second] of PAIRS)
    sources.push(`kernel void pair_${name}(global float *r, global double *exact) {
  size_t i = get_global_id(0);
  uint bits = hash((uint)i);
  half x = as_half((ushort)bits);
  half other = as_half((ushort)(bits >> 16));
  half y = i % 2 ? other : as_half((ushort)(((bits & 0x7fff) + (bits >> 18 & 0xfff) - 0x800) & 0x7fff));
  int n = i % 2 ? (int)(bits >> 16 & 0x7f) - 64 : (int)(bits >> 16) - 32768;
  r[i] = ${name}(x, ${second === 'int' ? 'n' : 'y'});
  exact[i] = ${name}((double)x, ${second === 'int' ? 'n' : '(double)y'});
}`);
  sources.unshift(`uint hash(uint x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}`);
  ({ kernels } = await session.build(`#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n${sources.join('\n')}`));
});
afterAll(() => session.close());

/** The error in units of a half's last place; halves from 65520 on are infinite. */
function error(result: number, exact: number): number {
  if (Object.is(result, exact)) return 0;
  const magnitude = Math.abs(exact);
  if (magnitude >= 65504) {
    const isNeighbor = Math.abs(result) === (magnitude < 65520 ? 65504 : Number.POSITIVE_INFINITY);
    return isNeighbor && Math.sign(result) === Math.sign(exact) ? 0 : Number.POSITIVE_INFINITY;
  }
  const unit = 2 ** Math.max(Math.floor(Math.log2(magnitude)) - 10, -24);
  const found = Math.abs(result - exact) / unit;
  return Number.isNaN(found) ? Number.POSITIVE_INFINITY : found;
}

/** Results of a kernel that are further from the exact ones than the limit allows. */
async function beyond(kernel: string, limit: number, count = COUNT, ...others: unknown[]): Promise<string[]> {
  const r = session.buffer(Float32Array, count);
  const exact = session.buffer(Float64Array, count);
  await kernels[kernel]!.run({ global: count }, r, exact, ...others);
  const [results, references] = [await r.read(), await exact.read()];
  const wrong: string[] = [];
  for (const [i, value] of results.entries())
    if (error(value, references[i]!) > limit)
      wrong.push(`0x${i.toString(16)}: ${value}, not ${references[i]}: ${error(value, references[i]!)} ULP`);
  return wrong.slice(0, 5);
}

test.each(NAMES)('%s', async (name) => {
  expect(await beyond(`t_${name}`, EXACT.includes(name) ? 0 : LIMIT)).toEqual([]);
});

test.each(TOGETHER.map(([label], at) => [label, at] as const))('%s', async (_label, at) => {
  expect(await beyond(`together_${at}`, LIMIT, COUNT, session.buffer(Float32Array, COUNT))).toEqual([]);
});

test.each(PAIRS)('pairs: %s', async (name) => {
  expect(await beyond(`pair_${name}`, PAIR_LIMIT, PAIR_COUNT)).toEqual([]);
});
