// SPDX-License-Identifier: MIT
//
// Dead-code elimination before the checks: the program's accesses stay, whether their value is used or not.
import type { KernelSignature } from '../../base/kernel-abi';
import { type Func, type Inst, Op } from '../ir/ir';
import { removeDeadBut } from '../passes/dead-code';
import { Provenance } from './provenance';

/** Removes what no effect and no access of the program depends on. */
export function removeDeadButAccesses(func: Func, signature: KernelSignature): boolean {
  const provenance = new Provenance(func, signature);
  return removeDeadBut(func, (inst) => {
    if (inst.op !== Op.Load) return false;
    const address = inst.operands[0]!;
    // The library's tables are there as well.
    return provenance.rootOf(address)?.op !== Op.ProgramBase && !provenance.isOfLibrary(inst, address);
  });
}

/** The loads whose value nothing uses. */
export function unusedLoads(func: Func): ReadonlySet<Inst> {
  const unused = new Set<Inst>();
  const { blocks } = func;
  for (const { insts } of blocks) for (const inst of insts) if (inst.op === Op.Load) unused.add(inst);
  const use = (value: unknown) => unused.delete(value as Inst);
  for (const { insts, terminator, targets } of blocks) {
    for (const { operands } of insts) operands.forEach(use);
    terminator.operands.forEach(use);
    for (const target of targets) target.arguments.forEach(use);
  }
  return unused;
}
