// SPDX-License-Identifier: MIT

import { preparedKernel } from '../../../tests/helpers/optimized-kernel';
import { Op } from '../ir/ir';
import { BitMoves } from './moved-bits';

/** Where the bits of what is stored come from: hexadecimal masks by the places that they have moved, and the mixed ones. */
function movesOf(expression: string, type = 'uint'): string {
  const text = `kernel void k(global const ${type} *in, global const float *f, global ${type} *out) {
      size_t i = get_global_id(0); ${type} v = in[i]; out[i] = ${expression}; }`;
  const func = preparedKernel(text);
  const moves = new BitMoves();
  const store = func.blocks.flatMap((b) => b.insts).find((i) => i.op === Op.Store)!;
  const { source, parts, mixed } = moves.of(store.operands[1]!);
  if (source === store.operands[1]) return 'itself';
  const hex = (mask: bigint) => mask.toString(16);
  const places = [...parts].sort((a, b) => a.by - b.by).map(({ by, mask }) => `${by}:${hex(mask)}`);
  return [...places, ...(mixed ? [`mixed:${hex(mixed)}`] : [])].join(' ');
}

test('shifts, masks, rotations and ors', () => {
  expect(movesOf('(v >> 1 & 0x55) | (v & 0x55) << 1')).toBe('-1:55 1:aa');
  expect(movesOf('rotate(v, 4u) & 0xff')).toBe('-28:f 4:f0');
  expect(movesOf('(v & 0xf0) ^ (v & 0xf0) ^ (v & 0x3) << 2')).toBe('2:c');
  expect(movesOf('(v & 0x3) << 6 | v >> 6', 'uchar')).toBe('-6:3 6:c0');
  expect(movesOf('v << 33 & 0xf000000000 | v >> 60', 'ulong')).toBe('-60:f 33:f000000000');
});

test('bits in one place are mixed, with the carries of a sum', () => {
  expect(movesOf('((v & 0xf) | (v & 0x3) << 3) << 4')).toBe('4:70 7:100 mixed:80');
  expect(movesOf('((v & 0x1f) + ((v & 0x100) >> 5)) << 3')).toBe('3:38 mixed:1c0');
  expect(movesOf('((v & 0x1f) + ((v & 0x100) >> 5)) & 0x17')).toBe('0:7 mixed:10');
});

test('products with sums of powers of two', () => {
  expect(movesOf('(v & 0xff) * 0x101 & 0xf00f')).toBe('0:f 8:f000');
  expect(movesOf('(v & 0xff) * 0x11 & 0xfff')).toBe('0:f mixed:ff0');
  expect(movesOf('(v & 0xff) * 0x5f')).toBe('itself');
});

test('sources are numbers whose bits are not known, of the same number only', () => {
  expect(movesOf('v ^ v >> 3')).toBe('itself');
  expect(movesOf('(v & 0xf) | (in[i + 1] & 0xf) << 4')).toBe('itself');
  expect(movesOf('((v * v) & 0xf) << 4')).toBe('4:f0');
});

test('a float that is clamped has as many bits as its limit', () => {
  expect(movesOf('(uint)fmin(fmax(f[i], 0.0f), 1023.0f) * 0x10001')).toBe('0:3ff 16:3ff0000');
  expect(movesOf('(uint)clamp(f[i], 0.0f, 255.5f) * 0x101')).toBe('0:ff 8:ff00');
  expect(movesOf('(uint)fmax(f[i], 255.0f) * 0x10001 & 0x1ffff')).toBe('0:ffff mixed:10000');
});
