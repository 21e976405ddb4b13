// SPDX-License-Identifier: MIT
import { addBlock, addParam, Builder } from '../ir/build';
import { Dominators, isReducible, naturalLoops } from '../ir/cfg';
import { Func, Op, Type } from '../ir/ir';
import { print } from '../ir/print';
import { verify } from '../ir/verify';
import { makeReducible } from './make-reducible';

/** A loop of two blocks, entered at the first one or, if `twice`, at both; the second uses what the first computes. */
function loopOfTwo(twice: boolean): Func {
  const func = new Func('k');
  const b = new Builder(func);
  const x = b.leaves.leaf(Op.GlobalId, Type.I32, { dimension: 0 });
  const [start, first, second, end] = [addBlock(func), addBlock(func), addBlock(func), addBlock(func)];
  const n = addParam(func, first, Type.I32);
  const m = addParam(func, second, Type.I32);
  b.jump(start!);
  b.block = start!;
  const odd = b.emit(Op.Ne, Type.I1, [x, b.i32(0)]);
  if (twice) {
    b.branch(odd, first!, second!);
    start!.targets[0]!.arguments = [x];
    start!.targets[1]!.arguments = [b.i32(7)];
  } else b.jump(first!, [x]);
  b.block = first!;
  const next = b.emit(Op.Add, Type.I32, [n, b.i32(1)]);
  b.jump(second!, [next]);
  b.block = second!;
  const more = b.emit(Op.SLt, Type.I1, [m, b.i32(100)]);
  b.branch(more, first!, end!);
  second!.targets[0]!.arguments = [m];
  b.block = end!;
  b.return();
  return func;
}

test('a loop with two entries gets one header', () => {
  const func = loopOfTwo(true);
  expect(isReducible(new Dominators(func))).toBe(false);
  expect(makeReducible(func)).toBe(true);
  verify(func, 'make-reducible');
  const dominators = new Dominators(func);
  expect(isReducible(dominators)).toBe(true);
  expect(naturalLoops(dominators).map(({ header }) => header.terminator.op)).toEqual([Op.Switch]);
});

test('other loops stay as they are', () => {
  const func = loopOfTwo(false);
  const before = print(func);
  expect(makeReducible(func)).toBe(false);
  expect(print(func)).toBe(before);
});
