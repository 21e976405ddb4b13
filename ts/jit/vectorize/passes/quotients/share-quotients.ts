// SPDX-License-Identifier: MIT
//
// A remainder whose quotient is already computed becomes a product and a difference instead of a division.
import { constantOf, Leaves, makeInst } from '../../../ir/build';
import { type Func, type Inst, Op, Type } from '../../../ir/ir';

export function shareQuotients(func: Func): boolean {
  let leaves: Leaves | undefined;
  for (const block of func.blocks) {
    const known = new Map<string, Inst>();
    for (let i = 0; i < block.insts.length; i++) {
      const inst = block.insts[i]!;
      const { op, type } = inst;
      if (op < Op.SDiv || op > Op.URem) continue;
      const [a, b] = inst.operands as [Inst, Inst];
      const signed = op === Op.SDiv || op === Op.SRem;
      const key = `${signed} ${a.id} ${b.id}`;
      if (op === Op.SDiv || op === Op.UDiv) {
        known.set(key, inst);
        continue;
      }
      const quotient = known.get(key);
      if (!quotient || constantOf(b) !== undefined) continue;
      leaves ??= new Leaves(func);
      const make = (op: Op, to: Type, ...operands: Inst[]) => makeInst(func, block, op, to, operands);
      const product = make(Op.Mul, type, quotient, b);
      const rest = make(Op.Sub, type, a, product);
      // The remainder of a division by 0 is 0.
      const zero = leaves.constant(type, type === Type.I64 ? 0n : 0);
      const isZero = make(Op.Eq, Type.I1, b, zero);
      block.insts.splice(i, 0, product, rest, isZero);
      i += 3;
      inst.op = Op.Select;
      inst.operands = [isZero, zero, rest];
    }
  }
  return leaves !== undefined;
}
