// SPDX-License-Identifier: MIT
import { addBlock, addParam, Builder } from '../../../ir/build';
import { Func, Op, Type, type Value } from '../../../ir/ir';
import { print } from '../../../ir/print';
import { verify } from '../../../ir/verify';
import { removeDeadCode } from '../../../passes/dead-code';
import { reduceStrength } from './strength-reduction';

/** do { out[address(i)] = i; } while (++i < n), with i from x. */
function loop(address: (b: Builder, i: Value, n: Value) => Value): string {
  const func = new Func('k');
  const b = new Builder(func);
  const out = b.leaves.leaf(Op.Argument, Type.I32, { index: 0 });
  const n = b.leaves.leaf(Op.Argument, Type.I32, { index: 1 });
  const x = b.leaves.leaf(Op.GlobalId, Type.I32, { dimension: 0 });
  const [front, body, end] = [addBlock(func), addBlock(func), addBlock(func)];
  b.jump(front);
  b.block = front;
  b.jump(body, [x]);
  const i = addParam(func, body, Type.I32);
  b.block = body;
  const to = b.emit(Op.Add, Type.I32, [out, address(b, i, n)]);
  b.emit(Op.Store, Type.Void, [to, i], { space: 'global', align: 4 });
  const next = b.emit(Op.Add, Type.I32, [i, b.i32(2)]);
  b.branch(b.emit(Op.SLt, Type.I1, [next, n]), body, end);
  body.targets[0]!.arguments = [next];
  b.block = end;
  b.return();
  verify(func, 'its making');
  reduceStrength(func);
  removeDeadCode(func);
  verify(func, 'reduceStrength');
  return print(func).replace(/^[\s\S]*?Jump b1.*\n/, '');
}

test('a product with the counter becomes a value that grows', () => {
  const text = loop((b, i, n) =>
    b.emit(Op.Shl, Type.I32, [
      b.emit(Op.Sub, Type.I32, [b.emit(Op.Mul, Type.I32, [i, n]), b.i32(3)]),
      b.i32(2),
    ]),
  );
  expect(text).toMatchInlineSnapshot(`
"b1:
  %3: I32 = Mul 2, %1
  %4: I32 = Shl %3, 2
  %5: I32 = Mul %2, %1
  %6: I32 = Sub %5, 3
  %7: I32 = Shl %6, 2
  Jump b2(%2, %7)
b2(%8: I32, %9: I32):
  %10: I32 = Add %0, %9
  Store %10, %8 [space global, align 4]
  %11: I32 = Add %8, 2
  %12: I1 = SLt %11, %1
  %13: I32 = Add %9, %4
  Branch %12 b2(%11, %13), b3
b3:
  Return
}
"
`);
});

test('what one addressing mode does, and what does not grow evenly, stays', () => {
  expect(loop((b, i) => b.emit(Op.Shl, Type.I32, [i, b.i32(2)]))).toContain('Shl');
  expect(loop((b, i) => b.emit(Op.Mul, Type.I32, [i, i]))).toContain('Mul');
  expect(loop((b, i, n) => b.emit(Op.Shl, Type.I32, [b.emit(Op.And, Type.I32, [i, n]), b.i32(4)]))).toContain(
    'And',
  );
});
