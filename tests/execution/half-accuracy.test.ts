// SPDX-License-Identifier: MIT
//
// The functions of one half on all 65,536 of them: correctly rounded but for what the float below has lost. The references are the
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
/** A float in whose last place the function errs by one is an error of 2^-13 of a half's, and of 2^-12 beside a power of two. */
const LIMIT = 0.5 + 2 ** -12;

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

test.each(NAMES)('%s', async (name) => {
  const r = session.buffer(Float32Array, COUNT);
  const exact = session.buffer(Float64Array, COUNT);
  await kernels[`t_${name}`]!.run({ global: COUNT }, r, exact);
  const [results, references] = [await r.read(), await exact.read()];
  const limit = EXACT.includes(name) ? 0 : LIMIT;
  const wrong: string[] = [];
  for (const [i, value] of results.entries())
    if (error(value, references[i]!) > limit)
      wrong.push(`0x${i.toString(16)}: ${value}, not ${references[i]}: ${error(value, references[i]!)} ULP`);
  expect(wrong.slice(0, 5)).toEqual([]);
});
