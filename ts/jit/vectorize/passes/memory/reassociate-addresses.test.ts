// SPDX-License-Identifier: MIT
import { preparedKernel } from '../../../../../tests/helpers/optimized-kernel';
import { addBlock, Builder, isPrologueOp } from '../../../ir/build';
import { Func, Op, Type, type Value } from '../../../ir/ir';
import { print } from '../../../ir/print';
import { verify } from '../../../ir/verify';
import { removeDeadCode } from '../../../passes/dead-code';
import { reassociateAddresses } from './reassociate-addresses';

/** A kernel (out, w), and the ids x and y. */
function start() {
  const func = new Func('k');
  const b = new Builder(func);
  const out = b.leaves.leaf(Op.Argument, Type.I32, { index: 0 });
  const w = b.leaves.leaf(Op.Argument, Type.I32, { index: 1 });
  const x = b.leaves.leaf(Op.GlobalId, Type.I32, { dimension: 0 });
  const y = b.leaves.leaf(Op.GlobalId, Type.I32, { dimension: 1 });
  return { func, b, out, w, x, y };
}

/** out[address(x, y, w)] = 1. */
function store(address: (b: Builder, x: Value, y: Value, w: Value) => Value): string {
  const { func, b, out, w, x, y } = start();
  const body = addBlock(func);
  b.jump(body);
  b.block = body;
  const index = b.emit(Op.Shl, Type.I32, [address(b, x, y, w), b.i32(2)]);
  const to = b.emit(Op.Add, Type.I32, [out, index]);
  b.emit(Op.Store, Type.Void, [to, b.i32(1)], { space: 'global', align: 4 });
  b.return();
  verify(func, 'its making');
  reassociateAddresses(func);
  removeDeadCode(func);
  verify(func, 'reassociateAddresses');
  return print(func).replace(/^[\s\S]*?Jump b1.*\n/, '');
}

test('what a row of work-items shares is added up apart from what each has', () => {
  expect(
    store((b, x, y, w) => {
      const row = b.emit(Op.Mul, Type.I32, [y, w]);
      return b.emit(Op.Sub, Type.I32, [b.emit(Op.Add, Type.I32, [row, x]), w]);
    }),
  ).toMatchInlineSnapshot(`
"b1:
  %4: I32 = Mul %3, %1
  %5: I32 = Shl %4, 2
  %6: I32 = Add %0, %5
  %7: I32 = Shl %1, 2
  %8: I32 = Sub %6, %7
  %9: I32 = Shl %2, 2
  %10: I32 = Add %8, %9
  Store %10, 1 [space global, align 4]
  Return
}
"
`);
});

test('a sum that has one part of either kind stays', () => {
  expect(store((_b, x) => x)).toMatchInlineSnapshot(`
"b1:
  %2: I32 = Shl %1, 2
  %3: I32 = Add %0, %2
  Store %3, 1 [space global, align 4]
  Return
}
"
`);
});

test('one address stays one in later blocks', () => {
  const { func, b, out, w, x, y } = start();
  const [body, then, end] = [addBlock(func), addBlock(func), addBlock(func)];
  b.jump(body);
  b.block = body;
  const element = b.emit(Op.Add, Type.I32, [b.emit(Op.Mul, Type.I32, [y, w]), x]);
  const to = b.emit(Op.Add, Type.I32, [out, b.emit(Op.Shl, Type.I32, [element, b.i32(2)])]);
  const load = b.emit(Op.Load, Type.I32, [to], { space: 'global', align: 4 });
  b.branch(b.emit(Op.SLt, Type.I1, [load, x]), then, end);
  b.block = then;
  const store = b.emit(Op.Store, Type.Void, [to, x], { space: 'global', align: 4 });
  b.jump(end);
  b.block = end;
  b.return();
  reassociateAddresses(func);
  verify(func, 'reassociateAddresses');
  expect(load.operands[0]).not.toBe(to);
  expect(store.operands[0]).toBe(load.operands[0]);
});

test('before a loop that begins the kernel, not in the prologue', () => {
  const func = preparedKernel(`kernel void k(global uint *o, global const uint *in) {
    int g = get_global_id(0); uint a[40];
    for (int i = 0; i < 40; i++) a[i] = in[g + i];
    o[g] = a[o[g] % 40]; }`);
  expect(func.entry.insts.every(({ op }) => isPrologueOp(op))).toBe(true);
  expect(func.entry.targets[0]!.block.insts.map(({ op }) => Op[op])).toEqual(['Shl', 'Add']);
});
