// SPDX-License-Identifier: MIT

import { checkTiles, foreign, ints, noise } from '../../../../../tests/helpers/every-tile';
import { optimizedKernel } from '../../../../../tests/helpers/optimized-kernel';
import { Divergence } from '../../../analyses/divergence';
import { Op } from '../../../ir/ir';
import { verify } from '../../../ir/verify';
import { flattenSwitches } from './flatten-switches';

/** The number of cases that a switch keeps; undefined if the pass leaves it alone. */
function casesLeft(body: string): number | undefined {
  const text = `kernel void k(global const int *in, global int *out, int n) {
    int i = get_global_id(0), v = in[i], w = in[i + 1]; ${body} out[i] = v ^ w; }`;
  const func = optimizedKernel(text);
  if (!flattenSwitches(func, new Divergence(func))) return undefined;
  verify(func, 'flattenSwitches');
  const left = func.blocks.find(({ terminator }) => terminator.op === Op.Switch);
  return left?.terminator.facts.cases?.length ?? 0;
}

const cases = (count: number) =>
  Array.from({ length: count }, (_, c) => `case ${c}: v += w * ${c + 3}; break;`);

test('cases of few operations', () => {
  expect(casesLeft(`switch (v) { ${cases(6).join('')} }`)).toBe(0);
  expect(casesLeft(`switch (v) { ${cases(6).join('')} default: w -= v; }`)).toBe(0);
});

test('all but those with effects, and those that are reached from others', () => {
  expect(casesLeft(`switch (v) { ${cases(6).join('')} case 7: out[i + n] = v; break; }`)).toBe(1);
  expect(casesLeft(`switch (v) { ${cases(6).join('')} default: out[i + n] = v; }`)).toBe(6);
  expect(
    casesLeft(
      `switch (v) { ${cases(6).join('')} case 8: v ^= 5; case 9: w += v; v = 3 }`.replace('3 }', '3; }'),
    ),
  ).toBe(2);
});

test('not where all work-items do the same, nor many operations, nor few cases', () => {
  expect(casesLeft(`switch (n) { ${cases(6).join('')} }`)).toBeUndefined();
  expect(casesLeft(`switch (v) { ${cases(60).join('')} }`)).toBeUndefined();
  expect(casesLeft('switch (v) { case 4: v = w; }')).toBeUndefined();
});

foreign('machines', () => {
  const SIDES = [
    'case 0: a += b; break;',
    'case 1: a ^= c; break;',
    'case 2: case 9: b = a * 3; break;',
    'case 3: c = b; break;',
    'case 4: { int t = a; a = c; c = t; break; }',
    'case 5: if (a > b) c = a; break;',
    'case -7: b -= 7; break;',
    'case 2000000000: a = b; break;',
  ];
  const numbers = [0, 1, 2, 3, 4, 5, 6, 9, -7, 2000000000];
  const run = (sides: readonly string[], type = 'int', start = 'int a = in[i], b = 1, c = i;') =>
    checkTiles(
      `__kernel void k(__global const int *in, __global int *out) {
         int i = get_global_id(0); ${start}
         for (int at = 0; at < 9; at++) switch ((${type})in[i + at]) { ${sides.join(' ')} }
         out[i] = a ^ b * 5 ^ c * 9;
       }`,
      'k',
      {
        global: [24],
        local: [12],
        args: [
          { buffer: ints(40, (i) => numbers[Math.floor(noise(i) * numbers.length)]!) },
          { buffer: ints(64, () => 0) },
        ],
      },
    );

  test.each(['int', 'long', 'uchar', 'short'])('%s', (type) => {
    const sides = type === 'uchar' || type === 'short' ? SIDES.slice(0, 6) : SIDES;
    run(sides, type);
    run([...sides, 'default: c = ~c;'], type);
  });

  test('cases that store, with and without others', () => {
    run([...SIDES, 'case 6: out[i + 24] += a; break;']);
    run([...SIDES, 'default: out[i + 24] += a;']);
  });

  test('cases that all end with a store to one place, or nearly so', () => {
    const stores = (last: string) => [
      'case 0: out[i + 24] = a; break;',
      'case 1: b += a; out[i + 24] = b; break;',
      'case 2: case 9: if (a > b) c = a; out[i + 24] = 7; break;',
      'case 3: b ^= out[i + 24] * 3; out[i + 24] = b; break;',
      last,
    ];
    run(stores('default: out[i + 24] = c;'));
    run(stores('default: out[i + 24] += c;'));
    run(stores('default: out[i] = c;'));
    run(stores('default: c++;'));
    run(stores('case 4: out[i + 24] = a; b++; default: out[i + 24] = c;'));
    run(stores('default: ((volatile __global int *)out)[i + 24] = c;'));
    run(stores('default: *(__global char *)&out[i + 24] = c;'));
  });

  test('cases that leave the loop, or go on with it', () => {
    run([...SIDES, 'case 6: if (a > 3) at = 9; break;', 'default: continue;']);
  });
});
