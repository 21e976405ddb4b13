// SPDX-License-Identifier: MIT

import { compiledModule } from '../../../../../tests/helpers/compiled-module';
import { checkTiles, foreign, ints } from '../../../../../tests/helpers/every-tile';
import { Divergence } from '../../../analyses/divergence';
import { Program } from '../../../frontend/program';
import { Op } from '../../../ir/ir';
import { verify } from '../../../ir/verify';
import { optimize } from '../../../pipeline';
import { lookUpConstants, type TableElements } from './look-up-constants';

const TABLES = `constant uchar digits[16] = {48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 97, 98, 99, 100, 101, 102};
  constant uint bits[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 255};
  constant short steps[8] = {-1, 0, 1, -128, 127, 3, -3, 9};
  constant int large[8] = {1, 2, 3, 4, 5, 6, 7, 256};
  constant char letters[64] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+";
  constant char forty[40] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklm";
  constant float floats[4] = {1, 2, 3, 4};
  constant float eight[8] = {1, -2, 3.5, 1e-40f, 5e30, -0.0, 7, 8};
  constant float nine[9] = {1};`;

/** The number of look-ups, and of loads that remain. */
function counts(value: string, of: TableElements = 'bytes'): [lookUps: number, loads: number] {
  const text = `${TABLES} kernel void k(global const uint *restrict a, global uint *out, uint u) { int i = get_global_id(0); uint x = a[i]; out[i] = ${value}; }`;
  const program = new Program(compiledModule({ name: 'k.cl', text, options: '', target: 'spir' }), {
    moduleOf: () => undefined,
  });
  const { func, signature } = program.translate('k');
  optimize(func, { signature, constants: program.image, fuse: false });
  const changed = lookUpConstants(func, new Divergence(func), program.image, of);
  verify(func, 'lookUpConstants');
  const count = (op: Op) =>
    func.blocks.reduce((sum, { insts }) => sum + insts.filter((i) => i.op === op).length, 0);
  expect(changed).toBe(count(Op.LookUpBytes) > 0);
  return [count(Op.LookUpBytes), count(Op.Load) - 1];
}

test('tables of bytes and of small numbers, by bits that each work-item has', () => {
  expect(counts('digits[x & 15]')).toEqual([1, 0]);
  expect(counts('digits[x >> 28] + digits[(x >> 8) & 7]')).toEqual([2, 0]);
  expect(counts('bits[((uchar)x) >> 4]')).toEqual([1, 0]);
  expect(counts('steps[min(x, 7u)]')).toEqual([1, 0]);
  expect(counts('letters[x & 63]')).toEqual([4, 0]);
  expect(counts('forty[x & 31]')).toEqual([2, 0]);
});

test('up to eight words of any value', () => {
  expect(counts('as_uint(floats[x & 3])', 'words')).toEqual([1, 0]);
  expect(counts('(uint)(eight[x >> 29] * eight[(x >> 3) & 7])', 'words')).toEqual([4, 0]);
  expect(counts('large[x & 7]', 'words')).toEqual([2, 0]);
  expect(counts('(uint)eight[min(x, 5u)]', 'words')).toEqual([2, 0]);
  expect(counts('(uint)eight[x & 15]', 'words')).toEqual([0, 1]);
  expect(counts('(uint)eight[x]', 'words')).toEqual([0, 1]);
  expect(counts('(uint)nine[x % 9]', 'words')).toEqual([0, 1]);
  expect(counts('(uint)eight[u & 7] + x', 'words')).toEqual([0, 1]);
  expect(counts('digits[x & 7]', 'words')).toEqual([0, 1]);
});

test('not others', () => {
  expect(counts('digits[x]')).toEqual([0, 1]);
  expect(counts('digits[x & 31]')).toEqual([0, 1]);
  expect(counts('digits[u & 15] + x')).toEqual([0, 1]);
  expect(counts('large[x & 7]')).toEqual([0, 1]);
  expect(counts('(uint)floats[x & 3]')).toEqual([0, 1]);
});

foreign('tables', () => {
  test.each([
    'digits[x & 15] | digits[x >> 28] << 8',
    'bits[x & 15] + bits[(x >> 4) & 15] * 3',
    '(uint)(steps[x & 7] * 5 + steps[(x >> 9) & 3])',
    'letters[x & 63] | letters[(x >> 6) & 63] << 8 | letters[x >> 26] << 16',
    'as_uint(floats[x & 3]) ^ x',
    'as_uint(eight[x & 7])',
    'as_uint(eight[x >> 29]) + as_uint(eight[1 + ((x >> 3) & 3)]) * large[(x >> 9) & 7]',
    'as_uint(x & 1 ? eight[(x >> 5) & 7] : floats[min(x, 2u)])',
    'forty[x & 31] + (x > 1000 ? digits[(x >> 3) & 15] : 7)',
  ])('%s', (value) => {
    checkTiles(
      `${TABLES} __kernel void k(__global const uint *restrict a, __global uint *out, __global uchar *bytes) {
         int i = get_global_id(0); uint x = a[i]; out[i] = ${value}; x = bytes[i]; bytes[i] = ${value}; }`,
      'k',
      {
        global: [67],
        local: [67],
        args: [
          { buffer: ints(67, (i) => Math.imul(i + 1, 0x9e3779b9)) },
          { buffer: ints(67, () => 0) },
          { buffer: Uint8Array.from({ length: 67 }, (_, i) => i * 37) },
        ],
      },
    );
  });
});
