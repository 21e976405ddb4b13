// SPDX-License-Identifier: MIT
import {
  holds,
  type IntegerOperator,
  integerArithmetic,
  onesIn,
  onesInAny,
  wrapBits,
} from './integer-arithmetic';

const OPERATORS: readonly IntegerOperator[] = ['+', '-', '*', '/', '%', '&', '|', '^', '<<', '>>'];
const VALUES = [0, 1, -1, 2, 7, -7, 31, 32, 33, 0x7fffffff, -0x80000000, 0x12345678];

/** The results of JavaScript's operators on 32 bits. */
function expected(op: IntegerOperator, a: number, b: number): number | undefined {
  switch (op) {
    case '+':
      return (a + b) | 0;
    case '-':
      return (a - b) | 0;
    case '*':
      return Math.imul(a, b);
    case '/':
      return b === 0 ? undefined : (a / b) | 0;
    case '%':
      return b === 0 ? undefined : (a % b) | 0;
    case '&':
      return a & b;
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case '<<':
      return a << b;
    case '>>':
      return a >> b;
  }
}

test.each(OPERATORS)('%s is that of 32 bits', (op) => {
  for (const a of VALUES) {
    for (const b of VALUES) {
      const exact = integerArithmetic(op, BigInt(a), BigInt(b), 32);
      const value = exact === undefined ? undefined : Number(wrapBits(exact, 32, false));
      expect({ a, b, value }).toEqual({ a, b, value: expected(op, a, b) });
    }
  }
});

test('unsigned values wrap to their width', () => {
  expect(wrapBits(-1n, 8, true)).toBe(255n);
  expect(wrapBits(-1n, 64, true)).toBe(0xffffffffffffffffn);
  expect(wrapBits(0x80n, 8, false)).toBe(-128n);
});

test('a right shift of an unsigned value brings in zeros', () => {
  expect(integerArithmetic('>>', 0x80000000n, 31n, 32)).toBe(1n);
  expect(integerArithmetic('>>', 0x80000000n, 32n, 32)).toBe(0x80000000n);
});

test('comparisons are those of the values', () => {
  expect([
    holds('<', -1n, 0n),
    holds('>=', 2, 2),
    holds('!=', 1n, 1n),
    holds('==', Number.NaN, Number.NaN),
  ]).toEqual([true, true, false, false]);
});

test('the ones of a number are counted, whether it is signed or not', () => {
  for (const value of [...VALUES, 0xffffffff, 0xaaaaaaaa])
    expect(onesIn(value)).toBe([...(value >>> 0).toString(2)].filter((bit) => bit === '1').length);
});

test('the ones of a number of any width are counted', () => {
  expect([0n, 1n, 0xffff_ffffn, 1n << 32n, (1n << 64n) - 1n, (1n << 100n) | 5n].map(onesInAny)).toEqual([
    0, 1, 32, 1, 64, 3,
  ]);
});
