// SPDX-License-Identifier: MIT

import { simplify } from '../passes/simplify';
import { addBlock, Builder } from './build';
import { fold } from './fold';
import { interpret } from './interpret';
import { Func, Op, Type } from './ir';

test.each<[string, Op, Type, (number | bigint)[], Type, number | bigint]>([
  ['wraps', Op.Add, Type.I8, [127, 1], Type.I8, -128],
  ['divides by zero', Op.SDiv, Type.I32, [5, 0], Type.I32, 0],
  ['divides the least by -1', Op.SDiv, Type.I32, [-2147483648, -1], Type.I32, -2147483648],
  ['shifts modulo the width', Op.Shl, Type.I16, [1, 17], Type.I16, 2],
  ['shifts unsigned', Op.LShr, Type.I8, [-1, 4], Type.I8, 15],
  ['saturates', Op.UAddSat, Type.I8, [-1, 1], Type.I8, -1],
  ['multiplies high', Op.UMulHi, Type.I64, [-1n, -1n], Type.I64, -2n],
  ['counts zeros', Op.Clz, Type.I16, [1], Type.I16, 15],
  ['rotates', Op.Rotl, Type.I32, [-2147483647, 1], Type.I32, 3],
  ['rounds to float', Op.FAdd, Type.F32, [16777216, 1], Type.F32, 16777216],
  ['a NaN loses', Op.FMin, Type.F32, [Number.NaN, 2], Type.F32, 2],
  ['rounds to even', Op.FRint, Type.F32, [2.5], Type.F32, 2],
  ['keeps the zero negative', Op.FRint, Type.F64, [-0.25], Type.F64, -0],
  ['saturates a conversion', Op.FToS, Type.I32, [1e10], Type.F32, 2147483647],
  ['NaN converts to 0', Op.FToU, Type.I64, [Number.NaN], Type.F64, 0n],
  ['compares unsigned', Op.ULt, Type.I1, [-1, 1], Type.I8, 0],
  ['extends', Op.ZExt, Type.I64, [-1], Type.I8, 255n],
])('%s', (_, op, type, operands, from, expected) => {
  expect(Object.is(fold(op, type, operands, from), expected)).toBe(true);
});

const INTERESTING = [
  0, 1, 2, 3, 7, 9, 10, 100, 255, 641, 1000003, 2147483647, -1, -2, -3, -7, -10, -2147483648, -2147483647,
];

test('division by constants is division', () => {
  const signature = {
    name: 'k',
    arguments: [],
    dispatchBytes: 0,
    attributes: [],
    staticLocalBytes: 0,
    privateBytes: 0,
  };
  for (const op of [Op.SDiv, Op.UDiv, Op.SRem, Op.URem])
    for (const divisor of INTERESTING) {
      const func = new Func('k');
      const b = new Builder(func);
      b.block = addBlock(func);
      const entry = b.block;
      const x = b.emit(Op.Load, Type.I32, [b.i32(0)], {});
      b.emit(Op.Store, Type.Void, [b.i32(4), b.emit(op, Type.I32, [x, b.i32(divisor)])], {});
      b.return();
      new Builder(func, func.entry, b.leaves).jump(entry);
      simplify(func);
      for (const value of [...INTERESTING, 12345, -98765, 2147483646]) {
        const memory = new DataView(new ArrayBuffer(8));
        memory.setInt32(0, value, true);
        interpret(func, {
          memory,
          dispatch: memory,
          signature,
          globalSize: [1, 1, 1],
          localSize: [1, 1, 1],
          programBase: 0,
          localBase: 0,
          privateBase: 0,
        });
        expect([Op[op], value, divisor, memory.getInt32(4, true)]).toEqual([
          Op[op],
          value,
          divisor,
          fold(op, Type.I32, [value, divisor], Type.I32),
        ]);
      }
    }
});
