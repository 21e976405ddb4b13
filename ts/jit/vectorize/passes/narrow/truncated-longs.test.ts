// SPDX-License-Identifier: MIT

import { checkTiles, foreign, ints, noise } from '../../../../../tests/helpers/every-tile';
import { preparedKernel } from '../../../../../tests/helpers/optimized-kernel';
import { Divergence } from '../../../analyses/divergence';
import { Uses } from '../../../analyses/uses';
import { Op, Type } from '../../../ir/ir';
import { verify } from '../../../ir/verify';
import { widenMultiplications } from '../products/widening-multiplication';
import { truncateLongs } from './truncated-longs';

/** The operations on 64 bits that are left of an expression. */
function operationsOn64(expression: string): string {
  const func =
    preparedKernel(`kernel void k(global const int *a, global const int *b, global int *out, int n) {
    int i = get_global_id(0); out[i] = ${expression}; }`);
  widenMultiplications(func, new Divergence(func));
  truncateLongs(func, new Divergence(func), new Uses(func));
  verify(func, 'truncateLongs');
  return func.blocks
    .flatMap(({ insts }) => insts)
    .filter(({ type, op }) => type === Type.I64 && op !== Op.Const)
    .map(({ op }) => Op[op])
    .join(' ');
}

test('clamps of 64 bits', () => {
  expect(operationsOn64('convert_int_sat((long)a[i] * b[i] >> 31)')).toBe('SMulWide LShr LShr');
  expect(operationsOn64('convert_int_sat((long)a[i] * b[i] >> 40)')).toBe('SMulWide LShr');
  expect(operationsOn64('convert_int_sat((long)a[i] + b[i])')).toBe('');
  expect(operationsOn64('convert_short_sat((long)a[i] - b[i])')).toBe('');
  expect(operationsOn64('clamp((long)a[i] * b[i], -5L, 1000L)')).toBe('SMulWide LShr');
});

test('shifts with a sign that is cut off', () => {
  expect(operationsOn64('(int)((long)a[i] * b[i] >> 16)')).toBe('SMulWide LShr');
  expect(operationsOn64('(short)((long)a[i] * b[i] >> 40)')).toBe('SMulWide LShr');
  // Of these bits some are copies of the sign.
  expect(operationsOn64('(int)((long)a[i] * b[i] >> 40)')).toBe('SMulWide AShr');
});

test('not what does not fit 32 bits, and nothing that work-items share', () => {
  expect(operationsOn64('clamp((long)a[i] * b[i], -5L, 0x80000000L)')).toMatch(/SMin/);
  expect(operationsOn64('convert_int_sat((long)n * 77777 >> 3)')).toMatch(/SMin/);
});

foreign('numbers of 64 bits of which 32 remain', () => {
  const ENDS = [-(2 ** 31), 2 ** 31 - 1, -1, 0, 1, 2 ** 30, -(2 ** 30), 65536, -65536, 46341];
  const value = (i: number) =>
    noise(i) < 0.6
      ? ENDS[Math.floor(noise(i + 0.5) * ENDS.length)]!
      : Math.floor((noise(i + 7) - 0.5) * 2 ** 32);
  test.each([
    'convert_int_sat((long)A * B >> 31)',
    'convert_int_sat((long)A * B >> 1)',
    'convert_int_sat((long)A * B >> 32)',
    'convert_int_sat((long)A * B >> 45)',
    'convert_int_sat((long)A * B >> 63)',
    'convert_int_sat(((long)A * B + (1 << 30)) >> 31)',
    'convert_int_sat((long)A * B)',
    'convert_int_sat((long)A + B)',
    'convert_int_sat((long)A - B)',
    'convert_int_sat((long)A * 3 - B)',
    'convert_short_sat((long)A * B >> 20)',
    'convert_uchar_sat((long)A * B >> 33)',
    '(int)clamp((long)A * B, -100000L, 7L)',
    '(int)max(min((long)A * B, 100000L), -7L)',
    '(int)min(max((long)A * B, 9000000000L), 5L)',
    '(int)((long)A * B >> 16)',
    '(short)((long)A * B >> 47)',
    '(int)((long)A * B >> 33)',
    '(int)((ulong)(uint)A * (uint)B >> 32)',
  ])('%s', (expression) => {
    const source = `__kernel void k(__global const int *a, __global const int *b, __global int *out) {
      int i = get_global_id(0), A = a[i], B = b[i]; out[i] = ${expression}; }`;
    const args = [
      { buffer: ints(203, value) },
      { buffer: ints(203, (i) => value(i + 999)) },
      { buffer: ints(203, () => 0) },
    ];
    checkTiles(source, 'k', { global: [203], local: [29], args });
  });
});
