// SPDX-License-Identifier: MIT
import { singleOf } from './single';

test.each([
  [0n, 0],
  [-16777217n, -16777216],
  [(1n << 53n) + 1n, 2 ** 53],
  // Just above halfway between two floats: a double would round to halfway, and the float then to even.
  [0x8000008000000001n, 0x80000100 * 2 ** 32],
  [-0x4000004000000001n, -0x40000080 * 2 ** 32],
  [0x8000008000000000n, 2 ** 63],
  [0xffffffffffffffffn, 2 ** 64],
])('%i', (value, expected) => {
  expect(singleOf(value)).toBe(expected);
});
