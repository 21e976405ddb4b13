// SPDX-License-Identifier: MIT
//
// 2 * x as x + x: the same bits, and no register for the constant. The last pass, because earlier ones may still fuse the product
// to a MulAdd.
import { constantOf } from '../ir/build';
import { type Func, Op, Type } from '../ir/ir';

export function doubleByAdding(func: Func): boolean {
  let changed = false;
  for (const block of func.blocks)
    for (const inst of block.insts) {
      if (inst.op !== Op.FMul || (inst.type !== Type.F32 && inst.type !== Type.F64)) continue;
      const at = inst.operands.findIndex((o) => constantOf(o) === 2);
      if (at < 0) continue;
      const other = inst.operands[1 - at]!;
      inst.op = Op.FAdd;
      inst.operands = [other, other];
      changed = true;
    }
  return changed;
}
