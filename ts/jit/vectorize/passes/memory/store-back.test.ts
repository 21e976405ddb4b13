// SPDX-License-Identifier: MIT
import { Divergence } from '../../../analyses/divergence';
import { addBlock, Builder } from '../../../ir/build';
import { Func, Op, Type, type Value } from '../../../ir/ir';
import { verify } from '../../../ir/verify';
import { ownElementStores } from '../../own-elements';
import { storeBack } from './store-back';

const global = { space: 'global', align: 4 } as const;

/** `if (x < d[x]) store`: the operations of the block before it after the pass. */
function made(store: (b: Builder, own: Value, x: Value, now: Value) => void, op = Op.SLt): Op[] {
  const func = new Func('k');
  const b = new Builder(func);
  const d = b.leaves.leaf(Op.Argument, Type.I32, { index: 0 });
  const x = b.leaves.leaf(Op.GlobalId, Type.I32, { dimension: 0 });
  const [front, then, end] = [addBlock(func), addBlock(func), addBlock(func)];
  b.jump(front);
  b.block = front;
  const own = b.emit(Op.Add, Type.I32, [d, b.emit(Op.Shl, Type.I32, [x, b.i32(2)])]);
  const now = b.emit(Op.Load, Type.I32, [own], global);
  b.branch(b.emit(op, Type.I1, [x, now]), then, end);
  b.block = then;
  store(b, own, x, now);
  b.jump(end);
  b.block = end;
  b.return();
  storeBack(func, ownElementStores(func, new Divergence(func)));
  verify(func, 'store-back');
  return front.insts.map((i) => i.op);
}

test('an update under a condition on what was read is a minimum', () => {
  const ops = made((b, own, x) => b.emit(Op.Store, Type.Void, [own, x], global));
  expect(ops).toEqual([Op.Shl, Op.Add, Op.Load, Op.SMin, Op.Store]);
});

test('or a selection, with what else the side computes', () => {
  const ops = made(
    (b, own, x) => b.emit(Op.Store, Type.Void, [own, b.emit(Op.Mul, Type.I32, [x, x])], global),
    Op.Eq,
  );
  expect(ops).toEqual([Op.Shl, Op.Add, Op.Load, Op.Eq, Op.Mul, Op.Select, Op.Store]);
});

test('a side that does more stays one', () => {
  const ops = made((b, own, x) => {
    b.emit(Op.Load, Type.I32, [b.emit(Op.Add, Type.I32, [own, x])], global);
    b.emit(Op.Store, Type.Void, [own, x], global);
  });
  expect(ops).not.toContain(Op.Store);
});
