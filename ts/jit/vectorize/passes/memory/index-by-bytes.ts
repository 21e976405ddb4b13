// SPDX-License-Identifier: MIT
//
// Gives loads from a table whose index is a byte in memory (vectorize/byte-indexes.ts) the address of that byte. Each lane's byte is loaded
// as a scalar then. In a vector it would be widened, added to the table's address and taken out again.
import { READABLE_BEYOND } from '../../../../base/kernel-abi';
import type { Divergence } from '../../../analyses/divergence';
import type { Uses } from '../../../analyses/uses';
import { Leaves, makeInst } from '../../../ir/build';
import { type Func, type Inst, Op, Type } from '../../../ir/ir';
import { isPure } from '../../../ir/rewrite';
import { removeDeadCode } from '../../../passes/dead-code';
import { ByteIndexes } from '../../byte-indexes';
import { sumOf } from './repeat-loads';

/** Returns whether it changed the function. */
export function indexByBytes(func: Func, divergence: Divergence, uses: Uses, lanes: number): boolean {
  const leaves = new Leaves(func);
  const indexes = new ByteIndexes(divergence);
  let changed = false;
  for (const block of func.blocks) {
    if (!block.insts.some((inst) => indexes.isCandidate(inst))) continue;
    const insts: Inst[] = [];
    // Loads of memory that nothing has written since, so that the byte is still the same.
    const loads = new Set<Inst>();
    for (const inst of block.insts) {
      // Members of one structure are loaded together.
      const isAlone = inst.op === Op.Load && uses.onlyUser(inst.operands[0]!) !== undefined;
      const index = isAlone ? indexes.of(inst) : undefined;
      if (index && loads.has(index.load) && index.stride * lanes <= READABLE_BEYOND) {
        const { load, at, scale, addends } = index;
        const base = sumOf(addends, leaves, (op, operands) => {
          const part = makeInst(func, block, op, Type.I32, operands, {}, inst.position);
          insts.push(part);
          return part;
        });
        inst.operands = [base, load.operands[0]!];
        inst.facts = { ...inst.facts, byteIndex: { at: (load.facts.offset ?? 0) + at, scale } };
        changed = true;
      }
      insts.push(inst);
      if (inst.op === Op.Load) loads.add(inst);
      else if (!isPure(inst.op)) loads.clear();
    }
    block.insts = insts;
  }
  if (changed) removeDeadCode(func);
  return changed;
}
