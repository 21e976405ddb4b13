// SPDX-License-Identifier: MIT

import { checkTiles, foreign, ints, noise } from '../../../../../tests/helpers/every-tile';
import { preparedKernel } from '../../../../../tests/helpers/optimized-kernel';
import { Divergence } from '../../../analyses/divergence';
import { type Block, Op } from '../../../ir/ir';
import { verify } from '../../../ir/verify';
import { splitAtQuotients } from './split-at-quotients';

/** The copies of a kernel: how many divisions of ids, and accesses of each kind, they have. Undefined if there is one. */
function copies(body: string, rows = 1): { shared: string; own: string } | undefined {
  const text = `kernel void k(global const int *restrict in, global int *restrict out, int w, uint u, int c) {
    int x = get_global_id(0), y = get_global_id(1); ${body} }`;
  const func = preparedKernel(text);
  if (!splitAtQuotients(func, new Divergence(func), { lanes: 8, rows })) return undefined;
  verify(func, 'splitAtQuotients');
  const divergence = new Divergence(func);
  const branching = func.blocks.find(({ terminator }) => terminator.facts.splitsTiles)!;
  const [shared, own] = branching.targets.map(({ block }) => accessesBelow(block, divergence)) as [
    string,
    string,
  ];
  return { shared, own };
}

/** What the loads below a block read: uniform, affine or scattered addresses. */
function accessesBelow(block: Block, divergence: Divergence): string {
  const own = block.insts
    .filter(({ op }) => op === Op.Load)
    .map(({ operands: [address] }) => divergence.stride[address!.id]!)
    .map((stride) => (Number.isNaN(stride) ? 'scattered' : stride === 0 ? 'uniform' : `${stride / 4}`));
  return [...own, ...divergence.flow.dominators.childrenOf(block).map((b) => accessesBelow(b, divergence))]
    .filter(Boolean)
    .join(' ');
}

test('quotients become uniform, remainders affine', () => {
  expect(copies('out[x] = in[x / w];')).toEqual({ shared: 'uniform', own: 'scattered' });
  expect(copies('out[x] = in[x % w * 3];')).toEqual({ shared: '3', own: 'scattered' });
  expect(copies('out[x] = in[x % w * 3] + in[2 * x / w];')).toEqual({
    shared: '3 uniform',
    own: 'scattered scattered',
  });
  expect(copies('out[x] = in[(uint)x / u] * in[(uint)(x + 5) % u];')).toEqual({
    shared: 'uniform 1',
    own: 'scattered scattered',
  });
});

test('so do quotients of quotients, and those of several divisors', () => {
  expect(copies('out[x] = in[x / w % c];')).toEqual({ shared: 'uniform', own: 'scattered' });
  expect(copies('out[x] = in[x / (w * c)] + in[x % w];')).toEqual({
    shared: 'uniform 1',
    own: 'scattered scattered',
  });
  expect(copies('if (x < c) out[x] = in[x / w];')).toEqual({ shared: 'uniform', own: 'scattered' });
  expect(copies('if (x / w < c) out[x] = in[x % w];')).toEqual({ shared: '1', own: 'scattered' });
});

test('quotients by constants, in all forms', () => {
  for (const type of ['int', 'uint'])
    for (const divisor of [16, 19, 28, 60, 64, 77, 100, 641, 784, 1000]) {
      const both = { shared: 'uniform', own: 'scattered' };
      expect([type, divisor, copies(`${type} i = x; out[x] = in[i / ${divisor}];`)]).toEqual([
        type,
        divisor,
        both,
      ]);
      const rest = { shared: '2', own: 'scattered' };
      expect([type, divisor, copies(`${type} i = x; out[x] = in[i % ${divisor} * 2];`)]).toEqual([
        type,
        divisor,
        rest,
      ]);
    }
  expect(copies('out[x] = in[x >> 8] + in[x & 255];')).toEqual({
    shared: 'uniform 1',
    own: 'scattered scattered',
  });
});

test('not those of loaded numbers, by numbers of work-items, or by small constants', () => {
  expect(copies('out[x] = in[in[x] / w];')).toBeUndefined();
  expect(copies('out[x] = in[c / (x + 1)];')).toBeUndefined();
  expect(copies('out[x] = in[w] / c;')).toBeUndefined();
  expect(copies('out[x] = in[x / 7];')).toBeUndefined();
  expect(copies('out[x] = in[x >> 3] + in[x & 7] + in[(uint)x / 7];')).toBeUndefined();
  // The sign is a quotient by 2^31.
  expect(copies('out[x] = in[x / 2];')).toBeUndefined();
});

test('not where remainders are only indices, whose accesses test by themselves', () => {
  expect(copies('out[x] = in[x % w] + in[x % c + 1];')).toBeUndefined();
  expect(copies('out[x % w] = in[x];')).toBeUndefined();
  expect(copies('out[x] = in[x % w * 2];')).toBeDefined();
  expect(copies('out[x] = in[x % w] + x % w;')).toBeDefined();
  expect(copies('out[x] = in[x % w] + in[x / w];')).toBeDefined();
});

test('not in loops, not much code, and not what rows of a tile do differently', () => {
  expect(copies('for (int i = 0; i < c; i++) out[x] += in[(x + i) / w];')).toBeUndefined();
  expect(
    copies(`int r = x / w; ${'r = in[r & 1023] * 3 + (r >> 2);'.repeat(30)} out[x] = r;`),
  ).toBeUndefined();
  expect(copies('out[x] = in[(x + y * w) / c];', 2)).toBeUndefined();
  expect(copies('out[x] = in[(x + y * w) / c];', 1)).toBeDefined();
});

foreign('of tiles within a row and across its end', () => {
  const WIDTH = 150;
  const check = (body: string, w: number, offset = 0) =>
    checkTiles(
      `__kernel void k(__global const int *restrict in, __global int *restrict out, int w, int offset) {
         int x = get_global_id(0), r = 0;
         ${body}
         out[x] = r;
       }`,
      'k',
      {
        global: [WIDTH],
        local: [50],
        args: [
          { buffer: ints(512, (i) => Math.floor(noise(i) * 1000)) },
          { buffer: ints(WIDTH, () => 0) },
          { value: new Int32Array([w]) },
          { value: new Int32Array([offset]) },
        ],
      },
      undefined,
      // The other compiler makes instructions of its own from a quotient and its remainder, which the translator refuses.
      [0],
    );

  test.each([0, 16, 64, -16])('divisor %i', (w) => {
    check('r = in[x / w & 511] * 1000 + x % w;', w);
    check('r = in[(x - 40) / w & 511] * 1000 + (x - 40) % w;', w);
    check('r = in[(90 - x) / w & 511] * 1000 + (90 - 2 * x) % w;', w);
    check('r = in[(uint)x / (uint)w & 511] * 1000 + (uint)x % (uint)w;', w);
    check('if (x % w > 3) r = in[x / w & 511]; else if (x / w == 1) return;', w);
    check('int q = x / w; for (int j = 0; j < (q & 7); j++) r = r * 3 + in[(q + j) & 511]; r += x % w;', w);
  });

  test('constants', () => {
    for (const by of ['64', '77', '28u', '75u', '641u'])
      for (const id of ['(x - 40)', '(120 - 2 * x)', '(x + 0x7fffffe0u)', '(x + 0xffffffe0u)']) {
        const number = by.endsWith('u') ? `(uint)${id}` : `(int)${id}`;
        check(`r = in[${number} / ${by} & 511] * 1000 + ${number} % ${by};`, 1);
      }
    check('r = in[(x - 40) >> 6 & 511] * 1000 + ((x - 40) & 63);', 1);
  });

  test.each([64, -64])('numbers that wrap within a tile, by %i', (w) => {
    for (const offset of [-20, 0x7fffffff - 20, -0x7fffffff - 1 - 20]) {
      check('uint i = x + offset; r = in[i / (uint)w & 511] * 1000 + i % (uint)w;', w, offset);
      check('int i = (uint)x + (uint)offset; r = in[i / w & 511] * 1000 + i % w;', w, offset);
      check('uint i = 2 * x + offset; r = in[i / (uint)w & 511] * 1000 + i % (uint)w;', w, offset);
      check('uint i = offset - 3 * x; r = in[i / (uint)w & 511] * 1000 + i % (uint)w;', w, offset);
    }
  });
});
