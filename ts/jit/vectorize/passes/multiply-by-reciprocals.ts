// SPDX-License-Identifier: MIT
//
// Divisions of floats by constants as products, where that gives the same floats: of numbers that are computed from integers, as pixels are that
// are scaled to 0 to 1 and centred. Processors start a vector of divisions in some four cycles, and two of products in one.
import type { Divergence } from '../../analyses/divergence';
import { constantOf, Leaves, makeInst } from '../../ir/build';
import { type Func, type Inst, Op, Type, type Value } from '../../ir/ir';
import { exactReciprocal, type Reciprocal } from '../exact-reciprocals';
import { Magnitudes } from '../float-magnitudes';

/** Returns whether it changed the function. For engines that fuse a product and a sum. */
export function multiplyByReciprocals(func: Func, divergence: Divergence): boolean {
  const magnitudes = new Magnitudes();
  let leaves: Leaves | undefined;
  for (const block of func.blocks) {
    for (let i = 0; i < block.insts.length; i++) {
      const inst = block.insts[i]!;
      if (inst.op !== Op.FDiv || inst.type !== Type.F32) continue;
      if (!Number.isNaN(divergence.stride[inst.id]!)) continue;
      const reciprocal = reciprocalFor(inst, magnitudes);
      if (!reciprocal) continue;
      leaves ??= new Leaves(func);
      const [number] = inst.operands as [Value, Value];
      const [high, low] = [reciprocal.high, reciprocal.low].map((c) => leaves!.constant(Type.F32, c));
      // What later divisions ask about the quotient is the same of the sum.
      magnitudes.of(inst);
      const rest = makeInst(func, block, Op.FMul, Type.F32, [number, low!], {}, inst.position);
      inst.op = Op.Fma;
      inst.operands = [number, high!, rest];
      inst.facts = {};
      block.insts.splice(i++, 0, rest);
    }
  }
  return leaves !== undefined;
}

function reciprocalFor({ operands }: Inst, magnitudes: Magnitudes): Reciprocal | undefined {
  const [number, divisor] = operands as [Value, Value];
  const constant = constantOf(divisor);
  // Not where the divisor is a number for all: what is divided is known then, too.
  if (constant === undefined || constantOf(number) !== undefined) return undefined;
  const magnitude = magnitudes.of(number);
  const reciprocal = magnitude && exactReciprocal(Number(constant));
  if (!reciprocal) return undefined;
  // -0 plus the product of 0 and a positive number is -0 only if that product is -0, too.
  return magnitude.mayBeNegativeZero && reciprocal.low < 0 ? undefined : reciprocal;
}
