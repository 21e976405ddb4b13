// SPDX-License-Identifier: MIT

import { checkTiles, foreign, ints, noise } from '../../../../../tests/helpers/every-tile';
import { preparedKernel } from '../../../../../tests/helpers/optimized-kernel';
import { Divergence } from '../../../analyses/divergence';
import { Op, Type } from '../../../ir/ir';
import { verify } from '../../../ir/verify';
import { shiftProducts } from './shifted-products';

const SHIFTED = [
  ...['5ul', '9ul', '31ul', '-3l', '-28l', '0x1fffffffeul', '0x8000000000000001ul', '0x7fffffffffffffffl'],
  ...['0xc000000000000000ul', '0xfffffffffffffffcul + 3', '0x100000001ul'],
];
const PRODUCTS = ['11ul', '0x100000001b3ul', '0x9e3779b97f4a7c15ul', '-11l', '0x5555555555555555ul'];

function products(factor: string): number {
  const text = `kernel void k(global const ulong *in, global ulong *out) {
      size_t i = get_global_id(0); out[i] = in[i] * (${factor}); }`;
  const func = preparedKernel(text);
  shiftProducts(func, new Divergence(func));
  verify(func, 'shiftProducts');
  return func.blocks.flatMap((b) => b.insts).filter((i) => i.op === Op.Mul && i.type === Type.I64).length;
}

test.each(SHIFTED)('x * %s is shifts and a sum or a difference', (factor) => {
  expect(products(factor)).toBe(0);
});

test.each(PRODUCTS)('x * %s stays a product', (factor) => {
  expect(products(factor)).toBe(1);
});

foreign('at every tile', () => {
  test.each([...SHIFTED, ...PRODUCTS])('x * %s', (factor) => {
    const source = `__kernel void k(__global const ulong *in, __global ulong *out) {
        uint i = get_global_id(0); out[i] = in[i] * (ulong)(${factor}); }`;
    const bits = ints(38, (i) => Math.floor(noise(i + 7) * 2 ** 32) - 2 ** 31);
    checkTiles(source, 'k', {
      global: [19],
      local: [19],
      args: [{ buffer: bits }, { buffer: ints(38, () => 0) }],
    });
  });
});
