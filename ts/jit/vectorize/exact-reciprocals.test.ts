// SPDX-License-Identifier: MIT
import { exactReciprocal } from './exact-reciprocals';

/** fma(a, b, c), rounded once: the sum's error decides where the double is in the middle of two floats. */
function fma(a: number, b: number, c: number): number {
  const product = a * b;
  const sum = product + c;
  const part = sum - product;
  const error = product - (sum - part) + (c - part);
  const rounded = Math.fround(sum);
  if (error === 0 || rounded === sum) return rounded;
  const other = Math.fround(sum + (sum - rounded) * 1.5);
  if ((rounded + other) / 2 !== sum) return rounded;
  return error > 0 ? Math.max(rounded, other) : Math.min(rounded, other);
}

const DIVISORS = [
  255,
  127.5,
  3,
  7,
  9,
  10,
  1000,
  0.1,
  0.229,
  0.224,
  0.225,
  58.395,
  57.12,
  57.375,
  1.1,
  32767,
  65535,
  1 / 3,
  16777215,
  8388609,
];

test.each(DIVISORS)('quotients by %s are those of a division', (number) => {
  const divisor = Math.fround(number);
  const reciprocal = exactReciprocal(divisor);
  if (!reciprocal) return;
  const { high, low } = reciprocal;
  const quotient = (x: number) => fma(x, high, Math.fround(x * low));
  const wrong: number[] = [];
  const check = (x: number) => {
    if (quotient(x) !== Math.fround(x / divisor)) wrong.push(x);
  };
  // Every 61st significand, and all of the integers below 2^16.
  for (let x = 2 ** 23 + (number & 31); x < 2 ** 24; x += 61) check(x);
  for (let x = 1; x < 65536; x++) check(x);
  expect(wrong).toEqual([]);
});

test('for nearly all divisors', () => {
  const usual = DIVISORS.filter((number) => exactReciprocal(Math.fround(number)) !== undefined);
  expect(usual.length).toBeGreaterThan(DIVISORS.length - 3);
  const random = Array.from({ length: 2000 }, (_, i) => Math.fround(1 + ((i * 0.6180339887) % 1)));
  expect(random.filter((divisor) => exactReciprocal(divisor)).length).toBeGreaterThan(1900);
});

test('not for others', () => {
  for (const divisor of [0, -0, -3, Number.NaN, Number.POSITIVE_INFINITY, 1e30, 1e-30, 0.1 /* no float */])
    expect(exactReciprocal(divisor)).toBeUndefined();
});
