// SPDX-License-Identifier: MIT
//
// Rotations written as shifts, by constants and by numbers (simplify-logic.ts).
import { checkTiles, foreign, ints, noise } from '../../../tests/helpers/every-tile';
import { preparedKernel } from '../../../tests/helpers/optimized-kernel';
import { Op } from '../ir/ir';

/** Whether an expression of a word or a ulong `x` and an amount `n` is a rotation, and nothing else that shifts `x`. */
function isRotation(value: string, type = 'uint'): boolean {
  const text = `kernel void k(global const ${type} *in, global ${type} *out, uint n) {
    ${type} x = in[get_global_id(0)]; out[get_global_id(0)] = ${value}; }`;
  const insts = preparedKernel(text).blocks.flatMap((block) => block.insts);
  const loaded = insts.find(({ op }) => op === Op.Load)!;
  const users = insts.filter(({ operands }) => operands.includes(loaded));
  return users.length === 1 && users[0]!.op === Op.Rotl;
}

test('by amounts with and without masks', () => {
  expect(isRotation('x << 7 | x >> 25')).toBe(true);
  expect(isRotation('x << n | x >> (32 - n)')).toBe(true);
  expect(isRotation('x >> n | x << (32 - n)')).toBe(true);
  expect(isRotation('x >> n | x << (-n & 31)')).toBe(true);
  expect(isRotation('x << (n & 31) | x >> (-n & 31)')).toBe(true);
  expect(isRotation('x << (n & 63) | x >> (64 - n)')).toBe(true);
  expect(isRotation('x << (n & 63) | x >> (-n & 63)', 'ulong')).toBe(true);
});

test('not what loses bits, nor a sum of both where the amount may be 0', () => {
  expect(isRotation('x << (n & 15) | x >> (-n & 31)')).toBe(false);
  expect(isRotation('x << n | x >> (31 - n)')).toBe(false);
  expect(isRotation('x << n ^ x >> (32 - n)')).toBe(false);
  expect(isRotation('x << (n & 31) | x >> (-n & 31)', 'ulong')).toBe(false);
  expect(isRotation('x << n | (int)x >> (-n & 31)')).toBe(false);
});

foreign('rotations at every tile', () => {
  test('by amounts of their own, and by one', () => {
    checkTiles(
      `__kernel void k(__global const uint *in, __global uint *out, __global ulong *wide, uint n) {
         int i = get_global_id(0);
         uint x = in[i], r = in[i + 1];
         ulong z = (ulong)x << 32 | r;
         out[i] = (x >> (r & 31) | x << (-r & 31)) + 3 * (x << (r & 31) | x >> (32 - r & 31)) + 5 * (x << (n & 31) | x >> (-n & 31));
         wide[i] = (z >> (r & 63) | z << (-r & 63)) + 7 * (z << n | z >> (64 - n));
       }`,
      'k',
      {
        global: [48],
        local: [24],
        args: [
          { buffer: ints(49, (i) => (i % 5 === 0 ? (i % 2) * 32 : Math.floor(noise(i) * 2 ** 32))) },
          { buffer: ints(48, () => 0) },
          { buffer: ints(96, () => 0) },
          { value: new Uint32Array([37]) },
        ],
      },
    );
  });
});
