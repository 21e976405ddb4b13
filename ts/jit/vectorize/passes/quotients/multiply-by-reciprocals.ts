// SPDX-License-Identifier: MIT
//
// Divisions of floats by constants as products, where that gives the same floats: of numbers that are computed from integers, as pixels are that
// are scaled to 0 to 1 and centred. Processors start a vector of divisions in some four cycles, and two of products in one.
import type { Divergence } from '../../../analyses/divergence';
import { constantOf, Leaves, makeInst } from '../../../ir/build';
import { type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';
import { exactReciprocal, type Reciprocal } from '../../exact-reciprocals';
import { Magnitudes } from '../../float-magnitudes';

/** Returns whether it changed the function. For engines that fuse a product and a sum. */
export function multiplyByReciprocals(func: Func, divergence: Divergence): boolean {
  const magnitudes = new Magnitudes();
  const reciprocalOf = eachOnce(exactReciprocal);
  let leaves: Leaves | undefined;
  for (const block of func.blocks) {
    const isQuotient = ({ op, type, id }: Inst) =>
      op === Op.FDiv && type === Type.F32 && Number.isNaN(divergence.stride[id]!);
    if (!block.insts.some(isQuotient)) continue;
    const insts: Inst[] = [];
    for (const inst of block.insts) {
      const reciprocal = isQuotient(inst) ? reciprocalFor(inst, magnitudes, reciprocalOf) : undefined;
      if (!reciprocal) {
        insts.push(inst);
        continue;
      }
      leaves ??= new Leaves(func);
      const [number] = inst.operands as [Value, Value];
      const [high, low] = [reciprocal.high, reciprocal.low].map((c) => leaves!.constant(Type.F32, c));
      // What later divisions ask about the quotient is the same of the sum.
      magnitudes.of(inst);
      const rest = makeInst(func, block, Op.FMul, Type.F32, [number, low!], {}, inst.position);
      inst.op = Op.Fma;
      inst.operands = [number, high!, rest];
      inst.facts = {};
      insts.push(rest, inst);
    }
    block.insts = insts;
  }
  return leaves !== undefined;
}

/** A function that is called once for each number: programs divide by few, often. */
function eachOnce<T>(compute: (number: number) => T): (number: number) => T {
  const known = new Map<number, T>();
  return (number) => {
    if (!known.has(number)) known.set(number, compute(number));
    return known.get(number)!;
  };
}

function reciprocalFor(
  { operands }: Inst,
  magnitudes: Magnitudes,
  reciprocalOf: (divisor: number) => Reciprocal | undefined,
): Reciprocal | undefined {
  const [number, divisor] = operands as [Value, Value];
  const constant = constantOf(divisor);
  // Not where the divisor is a number for all: what is divided is known then, too.
  if (constant === undefined || constantOf(number) !== undefined) return undefined;
  const magnitude = magnitudes.of(number);
  const reciprocal = magnitude && reciprocalOf(Number(constant));
  if (!reciprocal) return undefined;
  // -0 plus the product of 0 and a positive number is -0 only if that product is -0, too.
  return magnitude.mayBeNegativeZero && reciprocal.low < 0 ? undefined : reciprocal;
}
