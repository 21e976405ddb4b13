// SPDX-License-Identifier: MIT

import { checkTiles, foreign, ints } from '../../../../../tests/helpers/every-tile';
import { preparedKernel } from '../../../../../tests/helpers/optimized-kernel';
import { Op } from '../../../ir/ir';

/** The upper halves that remain in the code of an expression of bytes p, q and r, and of an int n. */
function highProducts(expression: string): number {
  const func = preparedKernel(`kernel void k(global const uchar *in, global int *out) {
      size_t i = get_global_id(0); uchar p = in[i], q = in[i + 1], r = in[i + 2]; int n = out[i]; out[i] = ${expression}; }`);
  return func.blocks.flatMap((b) => b.insts).filter(({ op }) => op === Op.UMulHi || op === Op.SMulHi).length;
}

test('quotients of what is computed from bytes are short', () => {
  expect(highProducts('(p + q + r) / 3')).toBe(0);
  expect(highProducts('(uint)(p + q * 2 + r) / 5')).toBe(0);
  expect(highProducts('(p * q + 127) / 255')).toBe(0);
  expect(highProducts('(p * q + r * (255 - q) + 127) / 255')).toBe(0);
  expect(highProducts('(n & 0xfff) % 10')).toBe(0);
});

test('not unsigned ones by divisors whose multipliers have 33 bits', () => {
  expect(highProducts('(uint)(p + q * 2 + r) / 7')).toBe(1);
});

test('so are those of numbers that may be negative, and of those whose quotients are bytes', () => {
  expect(highProducts('(p - q) / 3')).toBe(0);
  expect(highProducts('(p * q - r * r) % 26')).toBe(0);
  expect(highProducts('(uchar)((p * q + r * (255 - q)) / 255)')).toBe(0);
});

test('not of numbers that are too large for it', () => {
  expect(highProducts('(n | 1) / 3')).toBe(1);
  expect(highProducts('n / 3')).toBe(1);
  expect(highProducts('(uint)n / 7')).toBe(1);
  expect(highProducts('(n & 0x7fffffff) / 255')).toBe(1);
});

foreign('each number up to a limit at every tile', () => {
  test.each([
    [255, 3],
    [510, 7],
    [4095, 10],
    [4095, 641],
    [65535, 255],
    [65535, 9],
    [65535, 65521],
    [65535, 1000],
  ])('up to %i, by %i', (most, divisor) => {
    const step = Math.ceil(most / 512);
    const source = `__kernel void k(__global const int *in, __global int *out) {
        int i = get_global_id(0);
        int x = min(max(in[i], 0), ${most});
        int y = min(max(in[i] + ${divisor} - 1 - in[i] % ${divisor}, 0), ${most});
        out[i] = x / ${divisor} ^ (y / ${divisor}) << 8 ^ (uint)y % ${divisor}u; }`;
    checkTiles(source, 'k', {
      global: [513],
      local: [513],
      args: [{ buffer: ints(513, (i) => Math.min(i * step, most)) }, { buffer: ints(513, () => 0) }],
    });
  });
});
