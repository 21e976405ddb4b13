// SPDX-License-Identifier: MIT
import { halfBits, halfValue } from './half';

test('each half survives the way there and back', () => {
  for (let i = 0; i < 0x10000; i++) {
    const value = halfValue(i);
    if (!Number.isNaN(value)) expect(halfBits(value)).toBe(i);
  }
});

test('rounds to nearest, ties to even', () => {
  expect(halfBits(1 + 2 ** -11)).toBe(0x3c00);
  expect(halfBits(1 + 3 * 2 ** -11)).toBe(0x3c02);
  expect(halfBits(2047.5)).toBe(halfBits(2048));
  expect(halfBits(65519.99)).toBe(0x7bff);
  expect(halfBits(65520)).toBe(0x7c00);
  expect(halfBits(2 ** -25)).toBe(0);
  expect(halfBits(2 ** -25 * 1.01)).toBe(1);
  expect(halfBits(Number.NaN)).toBe(0x7e00);
  expect(halfBits(-0)).toBe(0x8000);
});
