// SPDX-License-Identifier: MIT
import { Divergence } from '../analyses/divergence';
import { addBlock, Builder } from '../ir/build';
import { Func, Op, Type, type Value } from '../ir/ir';
import { ownElementStores } from './own-elements';

/** `if (d[x] < x) store(d, address of d[x], x)`, with `before` at the start. */
function found(
  store: (b: Builder, d: Value, own: Value, x: Value) => unknown,
  before?: (b: Builder) => void,
  reading = {},
): number {
  const func = new Func('k');
  const b = new Builder(func);
  const d = b.leaves.leaf(Op.Argument, Type.I32, { index: 0 });
  const x = b.leaves.leaf(Op.GlobalId, Type.I32, { dimension: 0 });
  const [front, then, end] = [addBlock(func), addBlock(func), addBlock(func)];
  b.jump(front);
  b.block = front;
  before?.(b);
  const own = b.emit(Op.Add, Type.I32, [d, b.emit(Op.Shl, Type.I32, [x, b.i32(2)])]);
  const now = b.emit(Op.Load, Type.I32, [own], { space: 'global', align: 4, ...reading });
  b.branch(b.emit(Op.SLt, Type.I1, [now, x]), then, end);
  b.block = then;
  store(b, d, own, x);
  b.jump(end);
  b.block = end;
  b.return();
  return ownElementStores(func, new Divergence(func)).size;
}

const global = { space: 'global', align: 4 } as const;
const put = (b: Builder, address: Value, value: Value, facts = {}) =>
  b.emit(Op.Store, Type.Void, [address, value], { ...global, ...facts });

test('what a work-item has read, it may write back', () => {
  expect(found((b, _, own, x) => put(b, own, x))).toBe(1);
});

test('what it has written, too', () => {
  const twice = (b: Builder, own: Value, x: Value) => [put(b, own, x), put(b, own, x)];
  expect(found((b, _, own, x) => twice(b, own, x), undefined, { offset: 8 })).toBe(1);
});

test('not where a pass has moved the load out of its condition', () => {
  expect(found((b, _, own, x) => put(b, own, x), undefined, { speculative: true })).toBe(0);
});

test('not what it has not read, nor where it may be told to wait, nor where others are written', () => {
  expect(found((b, _, own, x) => put(b, own, x, { offset: 4 }))).toBe(0);
  expect(found((b, _, own, x) => put(b, own, x, { volatile: true }))).toBe(0);
  expect(
    found((b, d, own, x) => {
      put(b, own, x);
      put(b, d, x);
    }),
  ).toBe(0);
  expect(
    found(
      (b, _, own, x) => put(b, own, x),
      (b) => b.emit(Op.Barrier, Type.Void, [], { scope: 'work-group' }),
    ),
  ).toBe(0);
});
