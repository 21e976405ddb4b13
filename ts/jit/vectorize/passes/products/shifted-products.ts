// SPDX-License-Identifier: MIT
//
// A 64-bit product with a number that is a sum or a difference of two powers of two (5, 9, 31, 2^32 - 1) as shifts and an addition: a
// vector of such products is ten instructions, and two or three so.
import type { Divergence } from '../../../analyses/divergence';
import { constantOf, Leaves, makeInst } from '../../../ir/build';
import { type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';

/** The operation on the factor that is shifted left by one amount and by the other. */
interface Terms {
  readonly op: Op.Add | Op.Sub;
  readonly by: readonly [number, number];
}

/**
 * Returns whether it changed the function. Products that are affine in the work-items' ids are not changed, because addresses
 * use them.
 */
export function shiftProducts(func: Func, divergence: Divergence): boolean {
  let leaves: Leaves | undefined;
  for (const block of func.blocks) {
    for (let i = 0; i < block.insts.length; i++) {
      const inst = block.insts[i]!;
      if (inst.op !== Op.Mul || inst.type !== Type.I64) continue;
      if (!Number.isNaN(divergence.stride[inst.id]!)) continue;
      const at = inst.operands.findIndex((o) => constantOf(o) !== undefined);
      const terms = at >= 0 ? termsOf(BigInt(constantOf(inst.operands[at]!)!)) : undefined;
      if (!terms) continue;
      leaves ??= new Leaves(func);
      const number = inst.operands[1 - at]!;
      const made: Inst[] = [];
      const shifted = (by: number): Value => {
        if (by === 0) return number;
        const amount = leaves!.constant(Type.I64, BigInt(by));
        made.push(makeInst(func, block, Op.Shl, Type.I64, [number, amount], {}, inst.position));
        return made.at(-1)!;
      };
      inst.op = terms.op;
      inst.operands = terms.by.map(shifted);
      block.insts.splice(i, 0, ...made);
      i += made.length;
    }
  }
  return leaves !== undefined;
}

function termsOf(factor: bigint): Terms | undefined {
  if (factor === 0n) return undefined;
  let low = 0;
  let odd = BigInt.asIntN(64, factor);
  for (; (odd & 1n) === 0n; odd >>= 1n) low++;
  const high = (power: bigint) => exponentOf(power, 64 - low);
  const above = high(odd - 1n);
  if (above !== undefined) return { op: Op.Add, by: [low + above, low] };
  const less = high(odd + 1n);
  if (less !== undefined) return { op: Op.Sub, by: [low + less, low] };
  const more = high(1n - odd);
  return more === undefined ? undefined : { op: Op.Sub, by: [low, low + more] };
}

/** Undefined for what is not a power of two, or has no bit below `limit`. */
function exponentOf(power: bigint, limit: number): number | undefined {
  if (power <= 0n || (power & (power - 1n)) !== 0n) return undefined;
  const exponent = power.toString(2).length - 1;
  return exponent > 0 && exponent < limit ? exponent : undefined;
}
