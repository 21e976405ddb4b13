// SPDX-License-Identifier: MIT
//
// Widening multiplication. A 64-bit product of 32-bit factors (`(ulong)a * b`, the halves of longer numbers) is one vector
// instruction; any other 64-bit product is ten.
import type { Divergence } from '../../../analyses/divergence';
import { constantOf, Leaves, makeInst } from '../../../ir/build';
import { type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';
import { fitsWord } from '../../../ir/upper-words';
import { removeDeadCode } from '../../../passes/dead-code';

/**
 * Returns whether it changed the function. Products that are affine in the work-items' ids are not changed, because addresses
 * use them.
 */
export function widenMultiplications(func: Func, divergence: Divergence): boolean {
  let leaves: Leaves | undefined;
  for (const block of func.blocks) {
    for (let i = 0; i < block.insts.length; i++) {
      const inst = block.insts[i]!;
      if (inst.op !== Op.Mul || inst.type !== Type.I64) continue;
      if (!Number.isNaN(divergence.stride[inst.id]!)) continue;
      const sign = (['unsigned', 'signed'] as const).find((s) => inst.operands.every((o) => fitsWord(o, s)));
      if (!sign) continue;
      leaves ??= new Leaves(func);
      const made: Inst[] = [];
      const [a, b] = inst.operands.map((o) => wordOf(func, inst, o, leaves!, made));
      inst.op = sign === 'signed' ? Op.SMulWide : Op.UMulWide;
      inst.operands = [a!, b!];
      block.insts.splice(i, 0, ...made);
      i += made.length;
    }
  }
  if (leaves) removeDeadCode(func);
  return leaves !== undefined;
}

/** The lower half of a number that fits 32 bits. */
export function wordOf(func: Func, user: Inst, value: Value, leaves: Leaves, made: Inst[]): Value {
  const known = constantOf(value);
  if (known !== undefined) return leaves.i32(Number(BigInt.asIntN(32, BigInt(known))));
  const make = (op: Op, from: Value): Inst => {
    const inst = makeInst(func, user.block, op, Type.I32, [from], {}, user.position);
    made.push(inst);
    return inst;
  };
  const { op, operands } = value as Inst;
  const [from, mask] = operands as [Value, Value];
  if (op === Op.ZExt || op === Op.SExt) return from.type === Type.I32 ? from : make(op, from);
  return make(Op.Trunc, op === Op.And && constantOf(mask) === 0xffffffffn ? from : value);
}
