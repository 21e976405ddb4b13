// SPDX-License-Identifier: MIT
import { addBlock, addParam, Builder } from '../ir/build';
import { Func, Op, Type, type Value } from '../ir/ir';

/**
 * A function that looks an access up in the table of a launch's memory. Its parameters: the table, its number of regions, the
 * address, the bytes, and what to return if no region has them all.
 */
export function regionLookup(): Func {
  const func = new Func('given memory', new Array<Type>(5).fill(Type.I32), [Type.I32]);
  const b = new Builder(func);
  const [header, body, found, next, missing] = [0, 1, 2, 3, 4].map(() => addBlock(func));
  const [table, count, address, bytes, otherwise] = [0, 1, 2, 3, 4].map((index) =>
    b.leaves.leaf(Op.Parameter, Type.I32, { index }),
  ) as unknown as readonly [Value, Value, Value, Value, Value];
  const at = addParam(func, header!, Type.I32);
  const facts = { align: 4, space: 'constant', invariant: true } as const;

  b.jump(header!, [b.i32(0)]);
  b.block = header!;
  b.branch(b.emit(Op.ULt, Type.I1, [at, count]), body!, missing!);

  b.block = body!;
  const entry = b.emit(Op.Add, Type.I32, [table, b.emit(Op.Shl, Type.I32, [at, b.i32(3)])]);
  const base = b.emit(Op.Load, Type.I32, [entry], { ...facts, offset: 0 });
  const size = b.emit(Op.Load, Type.I32, [entry], { ...facts, offset: 4 });
  const room = b.emit(Op.Sub, Type.I32, [size, bytes]);
  const from = b.emit(Op.Sub, Type.I32, [address, base]);
  const fits = b.emit(Op.ULe, Type.I1, [bytes, size]);
  const inside = b.emit(Op.ULe, Type.I1, [from, room]);
  b.branch(b.emit(Op.And, Type.I1, [fits, inside]), found!, next!);

  b.block = next!;
  b.jump(header!, [b.emit(Op.Add, Type.I32, [at, b.i32(1)])]);
  b.block = found!;
  b.return([address]);
  b.block = missing!;
  b.return([otherwise]);
  return func;
}
