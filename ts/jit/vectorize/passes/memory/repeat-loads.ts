// SPDX-License-Identifier: MIT
//
// Gives loads of which several neighbours read one element (vectorize/repeated.ts) the address of what all lanes share and the number
// that differs, so that neither needs a vector.
import type { Divergence } from '../../../analyses/divergence';
import { Leaves, makeInst } from '../../../ir/build';
import { type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';
import { removeDeadCode } from '../../../passes/dead-code';
import { type Addend, repeatedAddress } from '../../repeated';

/** Returns whether it changed the function. */
export function repeatLoads(func: Func, divergence: Divergence): boolean {
  const leaves = new Leaves(func);
  let changed = false;
  for (const block of func.blocks) {
    const insts: Inst[] = [];
    const emit = (at: Inst, op: Op, operands: Value[]): Value => {
      const inst = makeInst(func, block, op, Type.I32, operands, {}, at.position);
      insts.push(inst);
      return inst;
    };
    for (const inst of block.insts) {
      const repeated = repeatedAddress(divergence, inst, block);
      if (repeated) {
        const { number, shift, mask, scale, addends } = repeated;
        inst.operands = [sumOf(addends, leaves, (op, operands) => emit(inst, op, operands)), number];
        inst.facts = { ...inst.facts, repeated: { shift, ...(mask !== undefined && { mask }), scale } };
        changed = true;
      }
      insts.push(inst);
    }
    block.insts = insts;
  }
  if (changed) removeDeadCode(func);
  return changed;
}

/** The sum of what an address has for all lanes. */
export function sumOf(
  addends: readonly Addend[],
  leaves: Leaves,
  emit: (op: Op, operands: Value[]) => Value,
): Value {
  const parts = addends.map(({ value, by }) => (by === 0 ? value : emit(Op.Shl, [value, leaves.i32(by)])));
  return parts.length === 0 ? leaves.i32(0) : parts.reduce((a, b) => emit(Op.Add, [a, b]));
}
