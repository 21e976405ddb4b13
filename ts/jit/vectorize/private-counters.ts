// SPDX-License-Identifier: MIT
//
// Elements of private arrays that a work-item's data choose and that loops read and write: the counters of a histogram of its own, the
// sums of groups, a stack, the registers of an interpreter. Lanes access such an array one by one.
import type { Divergence } from '../analyses/divergence';
import { type Func, type Inst, Op, type Value } from '../ir/ir';
import { followsEarlierLoad } from './pointer-chasing';

/**
 * The accesses to such elements. Not where the element depends on one that was read in an iteration before, as in RC4: then one lane waits
 * for each access, and lanes wait together.
 */
export function privateCounters(func: Func, divergence: Divergence): ReadonlySet<Inst> {
  const places = { [Op.Load]: new Set<Value>(), [Op.Store]: new Set<Value>() };
  const accesses: Inst[] = [];
  for (const block of func.blocks) {
    const loop = divergence.flow.loopOf(block);
    if (!loop) continue;
    for (const inst of block.insts) {
      const address = inst.operands[0];
      if (!address || !isPrivateAccess(inst) || !Number.isNaN(divergence.strideAt(address, block))) continue;
      if (followsEarlierLoad(address, loop, isPrivateAccess)) continue;
      accesses.push(inst);
      places[inst.op].add(address);
    }
  }
  return new Set(
    accesses.filter(
      ({ operands: [address] }) => places[Op.Load].has(address!) && places[Op.Store].has(address!),
    ),
  );
}

const isPrivateAccess = (inst: Inst): inst is Inst & { op: Op.Load | Op.Store } =>
  (inst.op === Op.Load || inst.op === Op.Store) && inst.facts.space === 'private';
