// SPDX-License-Identifier: MIT

import { checkTiles, foreign, ints, noise } from '../../../../../tests/helpers/every-tile';
import { preparedKernel } from '../../../../../tests/helpers/optimized-kernel';
import { Divergence } from '../../../analyses/divergence';
import { Op } from '../../../ir/ir';
import { verify } from '../../../ir/verify';
import { widenMultiplications } from './widening-multiplication';

/** The products of 64 bits that remain after the pass. */
function products(expression: string): string[] {
  const text = `kernel void k(global const uint *in, global const int *s, global const ulong *w, global ulong *out) {
      size_t i = get_global_id(0); out[i] = ${expression}; }`;
  const func = preparedKernel(text);
  widenMultiplications(func, new Divergence(func));
  verify(func, 'widenMultiplications');
  const ops = func.blocks.flatMap((b) => b.insts.map((i) => i.op));
  return ops.filter((op) => op === Op.Mul || op === Op.SMulWide || op === Op.UMulWide).map((op) => Op[op]!);
}

test('products of what was extended, cut off or shifted down', () => {
  expect(products('(ulong)in[i] * in[i + 1]')).toEqual(['UMulWide']);
  expect(products('(long)s[i] * s[i + 1] >> 16')).toEqual(['SMulWide']);
  expect(products('(w[i] & 0xffffffff) * (w[i + 1] >> 32)')).toEqual(['UMulWide']);
  expect(products('((long)w[i] >> 40) * s[i]')).toEqual(['SMulWide']);
  expect(products('in[i] * 0xfffffffful')).toEqual(['UMulWide']);
  expect(products('s[i] * -5l')).toEqual(['SMulWide']);
  expect(products('(long)s[i] * ((global const uchar *)w)[i]')).toEqual(['SMulWide']);
});

test('not of 33 bits, of both kinds, or of what is linear in the ids', () => {
  expect(products('w[i] * in[i]')).toEqual(['Mul']);
  expect(products('in[i] * 0x100000000ul')).toEqual([]);
  expect(products('in[i] * 0x123456789ul')).toEqual(['Mul']);
  expect(products('(w[i] >> 31) * in[i]')).toEqual(['Mul']);
  expect(products('(w[i] & 0x1ffffffff) * in[i]')).toEqual(['Mul']);
  expect(products('(long)s[i] * (long)(ulong)in[i]')).toEqual(['Mul']);
  expect(products('w[(ulong)get_global_id(0) * (ulong)in[0]]')).toEqual(['Mul']);
});

foreign('products of 64 bits at every tile', () => {
  test.each([
    ['(ulong)a[i] * b[i]'],
    ['(long)(int)a[i] * (int)b[i]'],
    ['(((ulong)a[i] << 32 | b[i]) >> 32) * (((ulong)b[i] << 32 | a[i]) & 0xffffffff)'],
    ['((long)((ulong)a[i] << 32 | b[i]) >> 37) * (short)b[i]'],
    ['(ulong)a[i] * 0xfffffffbul'],
    ['(long)(int)a[i] * -7l + (long)(char)b[i] * (uchar)a[i]'],
    ['(ulong)a[i] * a[0]'],
  ])('%s', (expression) => {
    const source = `__kernel void k(__global const uint *a, __global const uint *b, __global ulong *out) {
        uint i = get_global_id(0); out[i] = ${expression}; if (b[i] & 1) out[i] -= (ulong)a[i] * (b[i] >> 1); }`;
    const bits = (seed: number) => ints(19, (i) => Math.floor(noise(i + seed) * 2 ** 32) - 2 ** 31);
    checkTiles(source, 'k', {
      global: [19],
      local: [19],
      args: [{ buffer: bits(1) }, { buffer: bits(50) }, { buffer: ints(38, () => 0) }],
    });
  });
});
