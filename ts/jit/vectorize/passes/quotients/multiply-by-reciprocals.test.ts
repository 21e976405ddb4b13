// SPDX-License-Identifier: MIT

import { preparedKernel } from '../../../../../tests/helpers/optimized-kernel';
import { openSync, type Session } from '../../../..';
import { Divergence } from '../../../analyses/divergence';
import { Op } from '../../../ir/ir';
import { verify } from '../../../ir/verify';
import { multiplyByReciprocals } from './multiply-by-reciprocals';

function divisions(expression: string): number {
  const func =
    preparedKernel(`kernel void k(global const uchar *in, global const float *f, global float *out, float u) {
      int i = get_global_id(0); float x = in[i], y = f[i], s = ((global const char *)in)[i]; out[i] = ${expression}; }`);
  multiplyByReciprocals(func, new Divergence(func));
  verify(func, 'multiplyByReciprocals');
  return func.blocks.flatMap((b) => b.insts).filter((i) => i.op === Op.FDiv).length;
}

test.each([
  'x / 255.0f',
  '(x / 255.0f - 0.485f) / 0.229f',
  'fmax(x - 16.0f, 0.0f) / 219.0f',
  's / 127.5f',
  '(x * x + s) / 3.0f',
  '(i & 1 ? x : s) / 7.0f',
  '(float)(i * i) / 9.0f',
  // The lower part of the reciprocal is positive, so that zeros keep their signs.
  '-x / 0.224f',
])('%s is a product', (expression) => {
  expect(divisions(expression)).toBe(0);
});

test.each([
  ['y / 255.0f', 'infinities and numbers that are almost zero'],
  ['y * x / 255.0f', 'the same'],
  ['x / u', 'no constant'],
  ['x * u / 255.0f', 'an argument may be any number'],
  ['(x - u) / 255.0f', 'the same'],
  ['x / -255.0f', 'a negative divisor'],
  ['x * 1e-30f / 3.0f', 'numbers that are too small'],
  ['x * 1e30f / 3.0f', 'numbers that are too large'],
  ['-x / 255.0f', 'a zero would lose its sign'],
  ['s * 0.0f / 255.0f', 'the same'],
])('%s stays a division: %s', (expression) => {
  expect(divisions(expression)).toBe(1);
});

test('a chain of any length is not a fault', () => {
  const sum = Array.from({ length: 10_000 }, (_, i) => `x = x * 0.5f + ${i}.0f;`).join(' ');
  const func = preparedKernel(`kernel void k(global const uchar *in, global float *out) {
      int i = get_global_id(0); float x = in[i]; ${sum} out[i] = x / 255.0f; }`);
  expect(multiplyByReciprocals(func, new Divergence(func))).toBe(false);
});

describe('on the software device', () => {
  let cl: Session;
  beforeAll(() => {
    cl = openSync({ device: 'software' });
  });
  afterAll(() => cl.close());
  const f = Math.fround;

  test.each<[string, (x: number) => number]>([
    ['x / 255.0f', (x) => f(x / 255)],
    ['(x / 255.0f - 0.485f) / 0.229f', (x) => f(f(f(x / 255) - f(0.485)) / f(0.229))],
    ['(x / 255.0f - 0.406f) / 0.225f', (x) => f(f(f(x / 255) - f(0.406)) / f(0.225))],
    ['(x - 127.5f) / 127.5f', (x) => f(f(x - 127.5) / 127.5)],
    ['x / 3.0f / 7.0f / 9.0f', (x) => f(f(f(x / 3) / 7) / 9)],
    ['-x / 0.224f', (x) => f(-x / f(0.224))],
    ['-x / 255.0f', (x) => f(-x / 255)],
  ])('%s has every bit of the quotient', async (expression, expected) => {
    const numbers = Int32Array.from({ length: 4099 }, (_, i) =>
      i < 600 ? i - 300 : Math.imul(i, 0x9e3779b1) >> (i & 15),
    );
    const { kernels } = await cl.build(`kernel void k(global const int *in, global float *out) {
        int i = get_global_id(0); float x = in[i]; out[i] = ${expression}; }`);
    const out = cl.buffer(Float32Array, numbers.length);
    await kernels.k!.run({ global: numbers.length }, cl.buffer(numbers), out);
    expect(new Uint32Array((await out.read()).buffer)).toEqual(
      new Uint32Array(Float32Array.from(numbers, (x) => expected(f(x))).buffer),
    );
  });
});
