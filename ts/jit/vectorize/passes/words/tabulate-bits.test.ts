// SPDX-License-Identifier: MIT

import { checkTiles, foreign, ints, noise } from '../../../../../tests/helpers/every-tile';
import { preparedKernel } from '../../../../../tests/helpers/optimized-kernel';
import { Divergence } from '../../../analyses/divergence';
import { Uses } from '../../../analyses/uses';
import { Op } from '../../../ir/ir';
import { verify } from '../../../ir/verify';
import { tabulateBits } from './tabulate-bits';

const swap = (bits: string, by: number) => `v = (v >> ${by} & ${bits}) | (v & ${bits}) << ${by};`;
const REVERSE_BYTE = `${swap('0x55', 1)} ${swap('0x33', 2)} ${swap('0x0f', 4)}`;
const REVERSE = `${swap('0x55555555', 1)} ${swap('0x33333333', 2)} ${swap('0x0f0f0f0f', 4)} ${swap('0xff00ff', 8)} v = v >> 16 | v << 16;`;
const SPREAD_2 =
  'v &= 0xffff; v = (v | v << 8) & 0xff00ff; v = (v | v << 4) & 0xf0f0f0f; v = (v | v << 2) & 0x33333333; v = (v | v << 1) & 0x55555555;';
const SPREAD_3 =
  'v &= 0x3ff; v = (v | v << 16) & 0x30000ff; v = (v | v << 8) & 0x300f00f; v = (v | v << 4) & 0x30c30c3; v = (v | v << 2) & 0x9249249;';
const PRODUCTS =
  'v &= 0x3ff; v = v * 0x10001 & 0xff0000ff; v = v * 0x101 & 0xf00f00f; v = v * 0x11 & 0xc30c30c3; v = v * 5 & 0x49249249;';
const ONE_BY_ONE = 'uint r = 0; for (int j = 0; j < 10; j++) { r = r << 1 | v & 1; v >>= 1; } v = r;';
const [PAIRS, FOURS, BYTES] = [
  '0x5555555555555555ul',
  '0x3333333333333333ul',
  '0x0f0f0f0f0f0f0f0ful',
] as const;
const MIRROR = `${swap(PAIRS, 1)} ${swap(FOURS, 2)} ${swap(BYTES, 4)}`;
const REVERSE_LONG = `${MIRROR} ${swap('0xff00ff00ff00fful', 8)} ${swap('0xffff0000fffful', 16)} v = v >> 32 | v << 32;`;
const SPREAD_LONG = `v &= 0xffffffff; v = (v | v << 16) & 0xffff0000fffful; v = (v | v << 8) & 0xff00ff00ff00fful; v = (v | v << 4) & ${BYTES}; v = (v | v << 2) & ${FOURS}; v = (v | v << 1) & ${PAIRS};`;

/** By type and statements: how many look-ups replace them. */
const CASES: readonly (readonly [type: string, statements: string, lookUps: number])[] = [
  ['uint', REVERSE, 2],
  ['uchar', REVERSE_BYTE, 2],
  ['ushort', `${swap('0x5555', 1)} ${swap('0x3333', 2)} ${swap('0x0f0f', 4)} v = v >> 8 | v << 8;`, 2],
  ['uint', SPREAD_2, 1],
  ['uint', `${SPREAD_2} v = v << 1 | 1;`, 1],
  ['uint', SPREAD_3, 2],
  ['uint', PRODUCTS, 2],
  ['uint', ONE_BY_ONE, 2],
  ['ulong', REVERSE_LONG, 2],
  ['ulong', SPREAD_LONG, 1],
  ['ulong', MIRROR, 2],
  // As many instructions as tables would take; bits that meet; whole bytes, which are permuted.
  ['uint', 'v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;', 0],
  ['uint', 'v = (v ^ v << 3) & 0x0f0f0f0f; v = (v ^ v << 5) & 0x33333333; v = (v ^ v << 7) & 0x55555555;', 0],
  ['uint', 'v = v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24;', 0],
];

const kernelOf = (
  type: string,
  statements: string,
) => `kernel void k(global const ${type} *in, global ${type} *out) {
    uint i = get_global_id(0); ${type} v = in[i]; ${statements} out[i] = v; }`;

test.each(CASES)('%s: %s', (type, statements, lookUps) => {
  const func = preparedKernel(kernelOf(type, statements));
  tabulateBits(func, new Divergence(func), new Uses(func));
  verify(func, 'tabulateBits');
  expect(func.blocks.flatMap((b) => b.insts).filter(({ op }) => op === Op.LookUpBytes)).toHaveLength(lookUps);
});

test('what is also used otherwise does not count as replaced', () => {
  const text = kernelOf(
    'uint',
    SPREAD_2.replaceAll(';', '; out[i + ++n] = v;').replace('v', 'uint n = 0; v'),
  );
  const func = preparedKernel(text);
  expect(tabulateBits(func, new Divergence(func), new Uses(func))).toBe(false);
});

foreign('at every tile', () => {
  test.each(CASES)('%s: %s', (type, statements) => {
    const source = kernelOf(type, statements).replaceAll(/\b(kernel|global)\b/g, '__$1');
    const bits = ints(38, (i) => Math.floor(noise(i + 3) * 2 ** 32) - 2 ** 31);
    const args = [{ buffer: bits }, { buffer: ints(38, () => 0) }];
    // Without clang's optimization, which makes integers of 10 bits that the translator refuses.
    checkTiles(source, 'k', { global: [19], local: [19], args }, undefined, [0]);
  });
});
