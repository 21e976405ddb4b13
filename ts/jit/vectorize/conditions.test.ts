// SPDX-License-Identifier: MIT
//
// Ranges of numbers where conditions hold.

import { checkTiles, foreign, ints } from '../../../tests/helpers/every-tile';
import { Op, Type, type Value } from '../ir/ir';
import { parse } from '../ir/parse';
import { boundedBy, heldIf } from './conditions';
import { Ranges } from './ranges';

/** The range of the number that the last instruction of the last block stores. */
function rangeOfStored(body: string): readonly [number, number] | undefined {
  const func = parse(`func k {\n${body}\n}\n`).at(-1)!;
  const store = func.blocks.flatMap(({ insts }) => insts).find(({ op }) => op === Op.Store)!;
  const range = new Ranges(func).of(store.operands[1]!);
  return range && [range.low, range.high];
}

/** A number of eight bits, a branch, and what is stored on one side of it. */
const inBranch = (conditions: string, side: 'b1' | 'b2', stored: string) =>
  rangeOfStored(`b0:
  %0: I32 = Argument [index 0, space global]
  %1: I8 = Load %0 [align 1, space global]
  ${conditions}
  Branch %9 ${side === 'b1' ? 'b1, b2' : 'b2, b1'}
b1:
  ${stored}
  Store %0, %20 [align 4, space global]
  Return
b2:
  Return`);

const LETTERS = `%2: I1 = UGe %1, 97:I8
  %3: I1 = ULe %1, 122:I8
  %9: I1 = And %2, %3`;

test('both ends of a range, on the side where the condition holds', () => {
  expect(inBranch(LETTERS, 'b1', `%10: I32 = ZExt %1\n %20: I32 = Add %10, -97`)).toEqual([0, 25]);
  expect(inBranch(LETTERS, 'b2', `%10: I32 = ZExt %1\n %20: I32 = Add %10, -97`)).toEqual([-97, 158]);
});

test('the opposite of a disjunction', () => {
  const outside = `%2: I1 = ULt %1, 48:I8
  %3: I1 = UGt %1, 57:I8
  %9: I1 = Or %2, %3`;
  expect(inBranch(outside, 'b2', `%10: I32 = ZExt %1\n %20: I32 = Sub %10, 48`)).toEqual([0, 9]);
});

test('a moved number, of which only a part of the circle is left', () => {
  const moved = `%2: I8 = Add %1, -97:I8
  %9: I1 = ULt %2, 26:I8`;
  expect(inBranch(moved, 'b1', `%10: I32 = ZExt %1\n %20: I32 = Shl %10, 1`)).toEqual([194, 244]);
  // From 250 on to 5: of numbers without a sign, the ends are apart.
  const around = `%2: I8 = Add %1, 6:I8
  %9: I1 = ULt %2, 12:I8`;
  expect(inBranch(around, 'b1', `%10: I32 = ZExt %1\n %20: I32 = Shl %10, 1`)).toEqual([0, 510]);
  expect(inBranch(around, 'b1', `%10: I32 = SExt %1\n %20: I32 = Shl %10, 1`)).toEqual([-12, 10]);
});

test('comparisons of signed numbers say something of unsigned ones where signs are known', () => {
  const natural = '%9: I1 = SGe %1, 0:I8';
  expect(inBranch(natural, 'b1', `%10: I32 = ZExt %1\n %20: I32 = Add %10, 1`)).toEqual([1, 128]);
  expect(inBranch(natural, 'b2', `%10: I32 = ZExt %1\n %20: I32 = Add %10, 1`)).toEqual([129, 256]);
  expect(inBranch('%9: I1 = SLt %1, 5:I8', 'b1', `%10: I32 = ZExt %1\n %20: I32 = Add %10, 1`)).toEqual([
    1, 256,
  ]);
});

test('the sides of a select', () => {
  const chosen = rangeOfStored(`b0:
  %0: I32 = Argument [index 0, space global]
  %1: I8 = Load %0 [align 1, space global]
  %2: I1 = UGe %1, 48:I8
  %3: I1 = ULe %1, 57:I8
  %4: I1 = And %2, %3
  %5: I32 = ZExt %1
  %6: I32 = Add %5, -48
  %7: I32 = Select %4, %6, 10
  Store %0, %7 [align 4, space global]
  Return`);
  expect(chosen).toEqual([0, 10]);
});

test('a block that two edges lead to knows nothing', () => {
  expect(
    rangeOfStored(`b0:
  %0: I32 = Argument [index 0, space global]
  %1: I8 = Load %0 [align 1, space global]
  %2: I1 = ULt %1, 9:I8
  Branch %2 b2, b1
b1:
  Jump b2
b2:
  %3: I32 = ZExt %1
  %4: I32 = Add %3, 1
  Store %0, %4 [align 4, space global]
  Return`),
  ).toEqual([1, 256]);
});

test('code that is never executed does not confuse', () => {
  const never = `%2: I1 = ULt %1, 9:I8
  %3: I1 = UGt %1, 20:I8
  %9: I1 = And %2, %3`;
  expect(inBranch(never, 'b1', `%10: I32 = ZExt %1\n %20: I32 = Add %10, 1`)).toBeDefined();
});

/** All numbers of eight bits for which a comparison, given by its value, is true or false. */
test.each([Op.Eq, Op.Ne, Op.SLt, Op.SLe, Op.SGt, Op.SGe, Op.ULt, Op.ULe, Op.UGt, Op.UGe])(
  'comparison %i of all bytes with all constants, moved and not',
  (op) => {
    const signed = (n: number) => ((n & 0xff) ^ 0x80) - 0x80;
    const isTrue = (n: number, c: number) => {
      const [a, b] =
        op === Op.Eq || op === Op.Ne || op >= Op.ULt ? [n & 0xff, c & 0xff] : [signed(n), signed(c)];
      if (op === Op.Eq || op === Op.Ne) return (a === b) === (op === Op.Eq);
      if (op === Op.SLt || op === Op.ULt) return a < b;
      if (op === Op.SLe || op === Op.ULe) return a <= b;
      return op === Op.SGt || op === Op.UGt ? a > b : a >= b;
    };
    let outside = 0;
    for (let constant = -128; constant < 128; constant += 5)
      for (const by of [0, 7, -100])
        for (const holds of [true, false]) {
          const { byte, comparison } = byteComparison(op, constant, by);
          for (const extension of [Op.ZExt, Op.SExt]) {
            const wide = {
              kind: 'inst',
              op: extension,
              type: Type.I32,
              operands: [byte],
            } as unknown as Value;
            const range = boundedBy(heldIf(comparison, holds), wide, undefined);
            for (let n = 0; n < 256; n++) {
              if (isTrue(n + by, constant) !== holds || !range) continue;
              const number = extension === Op.ZExt ? n : signed(n);
              if (number < range.low || number > range.high) outside++;
            }
          }
        }
    expect(outside).toBe(0);
  },
);

/** A comparison of a byte, or of one plus a number, with a constant. */
function byteComparison(op: Op, constant: number, by: number): { byte: Value; comparison: Value } {
  const func = parse(`func k {
b0:
  %0: I32 = Argument [index 0, space global]
  %1: I8 = Load %0 [align 1, space global]
  %2: I8 = Add %1, ${by}:I8
  %3: I1 = ${Op[op]} ${by === 0 ? '%1' : '%2'}, ${constant}:I8
  Store %0, %3 [align 4, space global]
  Return
}
`).at(-1)!;
  const insts = func.blocks.flatMap((block) => block.insts);
  return {
    byte: insts.find(({ op: each }) => each === Op.Load)!,
    comparison: insts.find(({ op: each }) => each === op)!,
  };
}

foreign('bytes and shorts within limits at every tile', () => {
  const COUNT = 256;
  test.each([
    [
      `uchar c = in[x]; if (c >= 'a' && c <= 'z') c = (c - 'a' + 3) % 26 + 'a'; else if (c >= 'A' && c <= 'Z') c = (c - 'A' + 3) % 26 + 'A'; out[x] = c;`,
    ],
    [
      `uchar c = in[x], k = in[x + 1]; if (c > 64 && c < 91 && k > 64 && k < 91) c = (c - 65 + k - 65) % 26 + 65; out[x] = c;`,
    ],
    [`uchar c = in[x]; out[x] = (uchar)(c - 48) < 10 ? (c - 48 + 7) % 10 + 48 : c;`],
    [
      `int v = in[x], r; if (v < 64) r = v * 2; else if (v < 192) r = 128 + (v - 64) * 3 / 4; else r = 224 + (v - 192) / 3; out[x] = r;`,
    ],
    [`char c = in[x]; int r = c; if (c > -20 && c <= 90) r = (c + 20) / 7 * 3; out[x] = r;`],
    [
      `int c = in[x], v; if (c >= 48 && c <= 57) v = c - 48; else if (c >= 97 && c <= 102) v = (c - 87) * 3 / 2; else v = 99; out[x] = v;`,
    ],
    [
      `short v = in[x] * 250 - 31000; int r = v > 1000 ? 1000 + (v - 1000) / 4 : v < -1000 ? -1000 + (v + 1000) / 4 : v; out[x] = r >> 7;`,
    ],
    [`int d = in[x] - in[x + 1]; out[x] = d / 2 + d / 16 - d % 8;`],
    [
      `uchar a = in[x]; int r = 7; if (a != 200) { if (!(a < 10 || a > 19)) r = (a - 10) * 25 / 3; else r = a / 3; } out[x] = r;`,
    ],
    [
      `int s = 0; for (int i = 0; i < (in[x] & 7); i++) { uchar c = in[x + i]; if (c >= 33 && c < 127) s += (c - 33) % 47; } out[x] = s;`,
    ],
    [`uchar c = in[x]; uint r = (uint)(c - 100) / 3u; if (c >= 100) r = (uint)(c - 100) / 5u; out[x] = r;`],
  ])('%s', (body) => {
    const source = `__kernel void k(__global const uchar *in, __global uchar *out) { int x = get_global_id(0); ${body} }`;
    checkTiles(source, 'k', {
      global: [COUNT],
      local: [COUNT],
      args: [
        { buffer: Uint8Array.from({ length: COUNT + 16 }, (_, i) => i * 91 + (i >> 6)) },
        { buffer: ints(COUNT / 4, () => 0) },
      ],
    });
  });
});
