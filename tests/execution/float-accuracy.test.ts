// SPDX-License-Identifier: MIT
//
// The functions of one float on a million of them, from all exponents, and densely where an error was once above 1 ULP. The references
// are the functions of doubles, on the same device; scripts/numerics/exhaustive.mjs takes all floats, against others.
import { join } from 'node:path';
import { root } from '../helpers/command';

type Session = Awaited<ReturnType<typeof import('../../ts/index').open>>;

const NAMES = [
  ...['acos', 'acosh', 'acospi', 'asin', 'asinh', 'asinpi', 'atan', 'atanh', 'atanpi', 'cbrt', 'cos', 'cosh'],
  ...['cospi', 'erf', 'erfc', 'exp', 'exp10', 'exp2', 'expm1', 'lgamma', 'log', 'log10', 'log1p', 'log2'],
  ...['rsqrt', 'sin', 'sinh', 'sinpi', 'sqrt', 'tan', 'tanh', 'tanpi', 'tgamma'],
];
/** In ULP; of the others 1. */
const LIMITS: Readonly<Record<string, number>> = { rsqrt: 1.5 };
const ITEMS = 4096;
const EACH = 256;
const COUNT = ITEMS * EACH;

const SOURCE = `
/** |result - near| in ULP of a float; infinite for another NaN, infinity or sign of zero. */
double error(float result, double near) {
  if (isnan(near) || isnan(result)) return isnan(near) && isnan(result) ? 0 : INFINITY;
  if (near == 0) return result == 0 && signbit(result) == signbit(near) ? 0 : INFINITY;
  if (isinf(result)) return fabs(near) >= 0x1.ffffffp127 && (result > 0) == (near > 0) ? 0 : INFINITY;
  return ldexp(fabs(result - near), -(max(ilogb(near), -126) - 23));
}
${NAMES.map(
  (name) => `kernel void t_${name}(uint first, uint stride, global double *worst, global uint *at) {
  size_t item = get_global_id(0);
  worst[item] = 0;
  for (uint k = 0; k < ${EACH}; k++) {
    uint bits = first + ((uint)item * ${EACH} + k) * stride;
    float x = as_float(bits);
    double found = error(${name}(x), ${name}((double)x));
    if (found > worst[item]) { worst[item] = found; at[item] = bits; }
  }
}`,
).join('\n')}`;

const { open } = require(join(root, 'dist/index.cjs')) as typeof import('../../ts/index');
let session: Session;
let kernels: Awaited<ReturnType<Session['build']>>['kernels'];

beforeAll(async () => {
  session = await open({ device: 'software' });
  ({ kernels } = await session.build(SOURCE));
});
afterAll(() => session.close());

/** What is beyond the limit among a million floats from one on. */
async function beyond(name: string, first: number, stride: number): Promise<string[]> {
  const worst = session.buffer(Float64Array, ITEMS);
  const at = session.buffer(Uint32Array, ITEMS);
  await kernels[`t_${name}`]!.run({ global: ITEMS }, first, stride, worst, at);
  const [errors, places] = [await worst.read(), await at.read()];
  const limit = LIMITS[name] ?? 1;
  return [...errors].flatMap((error, i) =>
    error <= limit ? [] : [`0x${places[i]!.toString(16)}: ${error} ULP`],
  );
}

test.each(NAMES)('%s of floats from all exponents', async (name) => {
  expect((await beyond(name, 0, 2 ** 32 / COUNT - 1)).slice(0, 5)).toEqual([]);
});

test.each([
  ['expm1', 0.357],
  ['asinh', 1.12],
  ['asinh', 1.15],
  ['sinh', 0.65],
  ['sinh', 0.74],
])('%s near %d', async (name, x) => {
  const bits = new Uint32Array(new Float32Array([x]).buffer)[0]!;
  expect((await beyond(name, bits - COUNT / 2, 1)).slice(0, 5)).toEqual([]);
});

test.each([
  ['float', (values: number[]) => Float32Array.from(values)],
  ['double', (values: number[]) => Float64Array.from(values)],
] as const)('rsqrt of the ends of the range: %s', async (type, numbers) => {
  const values = [0, -0, 1 / 0, -1 / 0, Number.NaN, -1, -(2 ** -149), 2 ** -149, 2 ** -128, 2 ** 127];
  // Where the reciprocal is no longer infinite.
  values.push(
    ...(type === 'float' ? [2 ** -124, 2 ** -123] : [2 ** -1074, 2 ** -1020, 2 ** -1019, 2 ** 1023]),
  );
  const { kernels } = await session.build(
    `kernel void k(global const ${type} *x, global ${type} *r) { size_t i = get_global_id(0); r[i] = rsqrt(x[i]); }`,
  );
  const r = session.buffer(numbers([...values]));
  await kernels.k!.run({ global: values.length }, session.buffer(numbers(values)), r);
  const limit = type === 'float' ? 2 ** -23 : 2 ** -51;
  for (const [i, result] of [...(await r.read())].entries()) {
    // `Math.sqrt(-0)` is -0 as well.
    const exact = 1 / Math.sqrt(values[i]!);
    if (Number.isFinite(exact) && exact !== 0) expect(Math.abs(result / exact - 1)).toBeLessThan(limit);
    else expect(result).toBe(exact);
  }
});
