// SPDX-License-Identifier: MIT
//
// Whether the low 16 bits of a number of 32 bits will be packed (vectorize/packing.ts): whether all that computes them begins with
// neighbouring elements.
import type { Divergence } from '../../../analyses/divergence';
import { type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';
import { isComparison, packableWidth } from '../../packing';

/** The numbers that differ between work-items of which this holds. */
export function packedHalves(func: Func, divergence: Divergence): ReadonlySet<Value> {
  const found = new Set<Value>();
  // What all work-items share is a splat. Numbers that loops compute from themselves are not packed.
  const isPacked = (v: Value) => !Number.isNaN(divergence.stride[v.id]!) || found.has(v);
  for (const { insts } of func.blocks)
    for (const inst of insts) if (arePacked(inst, isPacked, divergence)) found.add(inst);
  return found;
}

function arePacked(v: Inst, isPacked: (v: Value) => boolean, divergence: Divergence): boolean {
  const { op, type, operands } = v;
  if (type === Type.I32) return operands.length > 0 && op !== Op.Load && operands.every(isPacked);
  const isNarrow = type === Type.I8 || type === Type.I16 || isComparison(op);
  if (!isNarrow || packableWidth(v.block, v, divergence) === undefined) return false;
  return op === Op.Load || operands.every(isPacked);
}
