// SPDX-License-Identifier: MIT
import { checkTiles, foreign, ints } from '../../../../../tests/helpers/every-tile';
import { preparedKernel } from '../../../../../tests/helpers/optimized-kernel';
import { Op, Type } from '../../../ir/ir';
import { scaledQuotient } from './scaled-quotients';

test.each([
  [255, 31, 31],
  [255, 63, 63],
  [255, 15, 15],
  [31, 255, 255],
  [63, 255, 255],
  [9, 5, 60],
  [1, 641, 1023],
])('x * %i / %i for all x up to %i', (factor, divisor, most) => {
  const { multiplier, correction, shift } = scaledQuotient(factor, divisor, most)!;
  expect(most * multiplier + correction).toBeLessThan(2 ** 16);
  for (let x = 0; x <= most; x++)
    expect((x * multiplier + correction) >> shift).toBe(Math.floor((x * factor) / divisor));
});

test('nothing where results need more than 16 bits, or numbers are too many to try', () => {
  expect(scaledQuotient(70_000, 3, 31)).toBeUndefined();
  expect(scaledQuotient(255, 1023, 1023)).toBeUndefined();
  expect(scaledQuotient(3, 7, 1024)).toBeUndefined();
});

/** The products of 32 bits in the code of an expression of a ushort p. */
function wideProducts(expression: string): number {
  const func = preparedKernel(`kernel void k(global const ushort *in, global uchar *out) {
      size_t i = get_global_id(0); ushort p = in[i]; out[i] = ${expression}; }`);
  return func.blocks.flatMap((b) => b.insts).filter(({ op, type }) => op === Op.Mul && type === Type.I32)
    .length;
}

test('channels of five and six bits are scaled in 16 bits', () => {
  expect(wideProducts('(p >> 11) * 255 / 31')).toBe(0);
  expect(wideProducts('((p >> 5) & 63) * 255 / 63')).toBe(0);
  expect(wideProducts('(77 * ((p >> 11) * 255 / 31) + 179 * ((p & 31) * 255 / 31)) >> 8')).toBe(0);
  expect(wideProducts('p * 255 / 31')).toBeGreaterThan(0);
});

foreign('every number at every tile', () => {
  test.each([
    [31, 255, 31],
    [63, 255, 63],
    [255, 63, 255],
    [255, 100, 255],
    [1023, 255, 1023],
    [1000, 7, 3],
  ])('up to %i, times %i, divided by %i', (most, factor, divisor) => {
    const source = `__kernel void k(__global const int *in, __global int *out) {
        int i = get_global_id(0);
        int x = min(max(in[i], 0), ${most}), y = min(in[i], ${most});
        uint z = min((uint)in[i], ${most}u);
        out[i] = x * ${factor} / ${divisor} ^ (uchar)(z * ${factor} / ${divisor}) << 16 ^ (y * ${factor} / ${divisor}) * 5; }`;
    checkTiles(source, 'k', {
      global: [1040],
      local: [1040],
      args: [{ buffer: ints(1040, (i) => i - 12) }, { buffer: ints(1040, () => 0) }],
    });
  });
});
