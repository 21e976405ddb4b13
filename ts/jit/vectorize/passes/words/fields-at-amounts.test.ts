// SPDX-License-Identifier: MIT
//
// Fields of words, shorts and bytes at places of their own, at every tile against the interpreter: with amounts that are known to be small, any amounts, and
// fields that reach the highest bit; leading zeros of shorts whose highest bit is known to be within eight places.
import { checkTiles, foreign, ints, noise } from '../../../../../tests/helpers/every-tile';
import { preparedKernel } from '../../../../../tests/helpers/optimized-kernel';
import { Divergence } from '../../../analyses/divergence';
import { Uses } from '../../../analyses/uses';
import { Op } from '../../../ir/ir';
import { verify } from '../../../ir/verify';
import { moveFieldsAtAmounts } from './fields-at-amounts';

/** By what is stored: whether the field moves up by a product. */
const WORDS: readonly (readonly [expression: string, moves: boolean])[] = [
  ['a >> (b & 31) & 1', true],
  ['a >> b & 1', true],
  ['(int)a >> (b & 31) & 1', true],
  ['a >> 4 * (b & 7) & 15', true],
  ['a >> 8 * (b & 3) & 255', true],
  ['(uchar)(a >> 8 * (b & 3))', true],
  ['(char)((int)a >> 3 * (b & 7))', true],
  ['a >> (b & 15) & 0x1fffe', true],
  ['(short)(a >> (b & 15))', true],
  // As many bits as a product would lose.
  ['a >> (b & 31) & 3', false],
  ['a >> 4 * (b & 7) & 31', false],
  ['(uchar)(a >> (b & 31))', false],
  ['a >> (b & 7) & 0x80000001', false],
  // One amount for all, and a shift that something else uses.
  ['a >> (n & 31) & 1', false],
  ['(a >> (b & 31) & 1) + (a >> (b & 31))', false],
];

const kernelOf = (expression: string) => `kernel void k(global const uint *in, global uint *out, uint n) {
    uint i = get_global_id(0); uint a = in[i], b = in[i + 29]; out[i] = ${expression}; }`;

test.each(WORDS)('%s', (expression, moves) => {
  const func = preparedKernel(kernelOf(expression));
  expect(moveFieldsAtAmounts(func, new Divergence(func), new Uses(func))).toBe(moves);
  verify(func, 'moveFieldsAtAmounts');
  const insts = func.blocks.flatMap((b) => b.insts);
  expect(
    insts.some(
      ({ op, operands }) => op === Op.Shl && operands[1]!.kind === 'inst' && operands[1]!.op === Op.Sub,
    ),
  ).toBe(moves);
});

const SHORTS = [
  'a >> (b & 7) & 15',
  'a >> (b & 15) & 1',
  'a >> (3 + (b & 7)) & 31',
  'a >> (b & 7) & 0x1ff',
  'a >> (b & 7) & 0x3ff',
  '(short)a >> (b & 11) & 15',
  'a >> (b & 31) & 1',
  '(uchar)(a >> (b & 7)) & 7',
  '(min(a, 32635) + 132 >> (27 - clz(min(a, 32635) + 132))) & 15',
  'clz(min(a, 32635) + 132)',
  'clz((a & 0x3ff) | 4)',
  'clz((a & 0x3ff) | 3)',
  'clz((a & 0x3ff) | 2)',
  'clz(a & 0xff) + clz(a)',
  'clz((ushort)a) + clz((uchar)a)',
  '~((short)a < 0 ? 0x80 : 0) | (24 - clz(min((int)abs((short)a), 32635) + 132)) << 4 | (min((int)abs((short)a), 32635) + 132 >> (27 - clz(min((int)abs((short)a), 32635) + 132)) & 15)',
];

foreign('at every tile', () => {
  const ITEMS = 37;
  const words = ints(70, (i) => (i % 5 === 0 ? 2 ** (i % 32) : Math.floor(noise(i + 3) * 2 ** 32)) | 0);
  test('words', () => {
    const stores = WORDS.map(([expression], i) => `out[${i * ITEMS} + i] = ${expression};`).join('\n');
    checkTiles(
      `__kernel void k(__global const uint *in, __global uint *out, uint n) { uint i = get_global_id(0); uint a = in[i], b = in[i + 29]; ${stores} }`,
      'k',
      {
        global: [ITEMS],
        local: [ITEMS],
        args: [
          { buffer: words },
          { buffer: ints(WORDS.length * ITEMS, () => 0) },
          { value: ints(1, () => 37) },
        ],
      },
    );
  });

  // Of a short that stays one the truncation loses nothing, and may be one that saturates.
  test.each(['short', 'ushort', 'char', 'uchar'])('numbers of the width of %s', (type) => {
    const shifts = ['b & 1', 'b & 7', 'b & 15', 'b == 37', 'b & 24'];
    const stores = shifts.map((amount, i) => `out[${i * ITEMS} + i] = (${type})a >> (${amount});`).join('\n');
    checkTiles(
      `__kernel void k(__global const uint *in, __global ${type} *out) { uint i = get_global_id(0); uint a = in[i], b = in[i + 29]; ${stores} }`,
      'k',
      {
        global: [ITEMS],
        local: [ITEMS],
        args: [{ buffer: words }, { buffer: ints(shifts.length * ITEMS, () => 0) }],
      },
    );
  });

  test.each(['uchar', 'ushort', 'uint'])('shorts to %s', (to) => {
    const stores = SHORTS.map((expression, i) => `out[${i * ITEMS} + i] = ${expression};`).join('\n');
    checkTiles(
      `__kernel void k(__global const ushort *in, __global ${to} *out) { int i = get_global_id(0); int a = in[i], b = in[i + 29]; ${stores} }`,
      'k',
      {
        global: [ITEMS],
        local: [ITEMS],
        args: [{ buffer: words }, { buffer: ints(SHORTS.length * ITEMS, () => 0) }],
      },
    );
  });
});
