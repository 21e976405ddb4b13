// SPDX-License-Identifier: MIT
import { Draft } from '../../../tests/helpers/ir-draft';
import { Op, Type, type Value } from '../ir/ir';
import { Ranges } from './ranges';

test('a chain of operations that is longer than the stack', () => {
  const d = new Draft();
  const length = 50_000;
  let sum: Value = d.emit(Op.And, Type.I32, d.x, d.i(15));
  for (let i = 0; i < length; i++) sum = d.emit(Op.Add, Type.I32, sum, d.i(1));
  expect(new Ranges(d.func).of(sum)).toEqual({ low: length, high: length + 15 });
});
