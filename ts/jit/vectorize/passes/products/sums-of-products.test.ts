// SPDX-License-Identifier: MIT
import { Draft } from '../../../../../tests/helpers/ir-draft';
import { type Inst, Op, Type, type Value } from '../../../ir/ir';
import { sumOf } from './sums-of-products';

const inputs = { rangeOf: () => undefined, isVector: () => true, isInner: () => true };

test('a chain of sums that is longer than the stack', () => {
  const d = new Draft();
  const chainOf = (value: Value): Inst => {
    let sum: Value = d.x;
    for (let i = 0; i < 50_000; i++) sum = d.emit(Op.Add, Type.I32, sum, value);
    return sum as Inst;
  };
  expect(sumOf(chainOf(d.i(2)), inputs)).toEqual({
    terms: [{ value: d.x, isNegative: false }],
    constant: 100_000,
  });
  // More terms than are taken.
  expect(sumOf(chainOf(d.n), inputs)).toBeUndefined();
});

test('terms are in order, with their signs', () => {
  const d = new Draft();
  const [x, n] = [d.x, d.n];
  const inner = d.emit(Op.Sub, Type.I32, n, d.emit(Op.Sub, Type.I32, x, d.i(7)));
  const root = d.emit(Op.Sub, Type.I32, d.emit(Op.Add, Type.I32, x, d.i(1)), inner) as Inst;
  expect(sumOf(root, inputs)).toEqual({
    terms: [
      { value: x, isNegative: false },
      { value: n, isNegative: true },
      { value: x, isNegative: false },
    ],
    constant: 1 - 7,
  });
});
