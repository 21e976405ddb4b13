// SPDX-License-Identifier: MIT
//
// Counts of bits that are written out (simplify-counts.ts, count-bits.ts): which forms are found, which are not, and both at every tile against
// the interpreter.
import { checkTiles, foreign, ints, noise } from '../../../tests/helpers/every-tile';
import { preparedKernel } from '../../../tests/helpers/optimized-kernel';
import { Op } from '../ir/ir';

const PAIRS = 'x = x - ((x >> 1) & 0x55555555u);';
const FOURS = 'x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);';
const BYTES = 'x = (x + (x >> 4)) & 0x0f0f0f0fu;';
const MASKS = `x = (x & 0x55555555u) + ((x >> 1) & 0x55555555u); ${FOURS} x = (x & 0x0f0f0f0fu) + ((x >> 4) & 0x0f0f0f0fu);`;

/** By type of the number: statements that leave a count in `r`, of the number `x`. */
const FOUND: readonly (readonly [type: string, op: Op, body: string])[] = [
  ['uint', Op.PopCount, `${PAIRS} ${FOURS} ${BYTES} r = x * 0x01010101u >> 24;`],
  ['int', Op.PopCount, `${PAIRS} ${FOURS} ${BYTES} r = (int)(x * 0x01010101) >> 24;`],
  ['uint', Op.PopCount, `${PAIRS} ${FOURS} ${BYTES} x += x >> 8; x += x >> 16; r = x & 0x3f;`],
  ['uint', Op.PopCount, `${MASKS} x = (x & 0xff00ffu) + (x >> 8 & 0xff00ffu); r = (x & 0xffff) + (x >> 16);`],
  [
    'uint',
    Op.PopCount,
    `${PAIRS} ${FOURS} x = x + (x >> 4); x &= 0xf0f0f0f; x += x >> 8; r = (x >> 16) + x & 0xff;`,
  ],
  [
    'ulong',
    Op.PopCount,
    `x -= x >> 1 & 0x5555555555555555ul; x = (x & 0x3333333333333333ul) + (x >> 2 & 0x3333333333333333ul);
     x = x + (x >> 4) & 0x0f0f0f0f0f0f0f0ful; r = x * 0x0101010101010101ul >> 56;`,
  ],
  ['uint', Op.PopCount, 'while (x) { x &= x - 1; r++; }'],
  ['ulong', Op.PopCount, 'for (r = 0; x != 0; r += 3) x = x & (x - 1);'],
  ['uint', Op.PopCount, 'x ^= x >> 16; x ^= x >> 8; x ^= x >> 4; x ^= x >> 2; x ^= x >> 1; r = x & 1;'],
  ['int', Op.PopCount, 'x ^= x >> 1; x ^= x >> 2; x ^= x >> 4; x ^= x >> 8; x ^= x >> 16; r = (uchar)x & 1;'],
  ['uint', Op.PopCount, 'x ^= x >> 16; x ^= x >> 8; x ^= x >> 4; r = 0x6996 >> (x & 15) & 1;'],
  ['ulong', Op.PopCount, 'x ^= x >> 32; x ^= x >> 16; x ^= x >> 8; x ^= x >> 4; r = 0x6996 >> (x & 15) & 1;'],
  ['uint', Op.Ctz, 'r = popcount((x & -x) - 1);'],
  ['ulong', Op.Ctz, 'r = popcount(~x & (x - 1));'],
];

/** What looks like a count, but has another mask, shift or factor, or fields that carry. */
const OTHERS: readonly (readonly [type: string, body: string])[] = [
  ['uint', `${PAIRS} ${FOURS} ${BYTES} r = x * 0x01010101u >> 23;`],
  ['uint', `${PAIRS} ${FOURS} ${BYTES} r = x * 0x01010100u >> 24;`],
  ['uint', `${PAIRS} ${FOURS} ${BYTES} x += x >> 8; x += x >> 16; r = x & 0x1f;`],
  ['uint', `${PAIRS} ${FOURS} ${BYTES} x += x >> 8; x += x >> 16; r = x & 0x1ff;`],
  ['uint', `${PAIRS} x = x + (x >> 2) & 0x33333333u; ${BYTES} r = x * 0x01010101u >> 24;`],
  ['uint', `${PAIRS} ${FOURS} x = x + (x >> 4) & 0x03030303u; r = x * 0x01010101u >> 24;`],
  ['int', `x = x - ((x >> 1) & 0xd5555555); ${FOURS} ${BYTES} r = x * 0x01010101u >> 24;`],
  ['uint', `x = (x & 0x55555555u) + ((x >> 1) & 0x55555554u); ${FOURS} ${BYTES} r = x * 0x01010101u >> 24;`],
  ['int', `x = (x & 0xffff) + (x >> 16);`],
  ['uint', 'while (x) { x &= x - 2; x &= x - 1; r++; }'],
  ['uint', 'while (x) { x &= x - 1; r = 2 * r + 1; }'],
  ['uint', 'x ^= x >> 16; x ^= x >> 8; x ^= x >> 2; x ^= x >> 1; r = x & 1;'],
  ['uint', 'x ^= x >> 16; x ^= x >> 8; x ^= x >> 4; x ^= x >> 4; x ^= x >> 2; x ^= x >> 1; r = x & 1;'],
  ['uint', 'x ^= x >> 16; x ^= x >> 8; r = 0x6996 >> (x & 15) & 1;'],
  ['uint', 'x ^= x >> 16; x ^= x >> 8; x ^= x >> 4; r = 0x6997 >> (x & 15) & 1;'],
  ['uint', 'r = clz((x & -x) - 1) + clz(~x & (x - 2));'],
];

const kernelOf = (
  type: string,
  body: string,
) => `__kernel void k(__global const ${type} *in, __global uint *out) {
  ${type} x = in[get_global_id(0)]; uint r = 7; ${body} out[get_global_id(0)] = r + (uint)x; }`;

function countsIn(text: string): Op[] {
  const counts = new Set([Op.PopCount, Op.Ctz]);
  return preparedKernel(text).blocks.flatMap(({ insts }) =>
    insts.map(({ op }) => op).filter((op) => counts.has(op)),
  );
}

test.each(FOUND)('found: %s, %s, %s', (type, op, body) => {
  expect(countsIn(kernelOf(type, body))).toEqual([op]);
});

test.each(OTHERS)('left alone: %s, %s', (type, body) => {
  expect(countsIn(kernelOf(type, body))).toEqual([]);
});

const NUMBERS = 48;
const inputs = ints(2 * NUMBERS, (i) =>
  i % 4 === 0 ? -(i & 4) >> 2 : i % 4 === 1 ? 1 << i : noise(i) * 2 ** 32,
);

foreign('counts at every tile', () => {
  const all = [...FOUND.map(([type, , body]) => [type, body] as const), ...OTHERS];
  test.each(all)('%s, %s', (type, body) => {
    checkTiles(kernelOf(type, body), 'k', {
      global: [NUMBERS],
      local: [NUMBERS / 2],
      args: [{ buffer: inputs }, { buffer: ints(NUMBERS, () => 0) }],
    });
  });
});
