// SPDX-License-Identifier: MIT
//
// Several iterations of a counted loop's body, one after the other in one block.
import { type Block, type Func, Inst, Op, type Value } from '../../../ir/ir';
import { type CountedLoop, constantStep } from './constant-steps';

/**
 * Appends `count` copies of a loop's instructions to a block. `values` are those of the header's parameters in the first copy; returns
 * those after the last one. Accesses whose addresses advance have the first copy's address and a constant offset from it.
 */
export function appendCopies(
  func: Func,
  into: Block,
  count: number,
  insts: readonly Inst[],
  loop: CountedLoop,
  values: readonly Value[],
): readonly Value[] {
  const first = new Map<Value, Value>();
  let next = values;
  for (let copy = 0; copy < count; copy++) {
    const mapped = new Map<Value, Value>(loop.header.params.map((p, i) => [p, next[i]!]));
    const map = (v: Value) => mapped.get(v) ?? v;
    for (const inst of insts) {
      const { facts } = inst;
      const made = new Inst(func.freshId(), inst.op, inst.type, inst.operands.map(map), facts);
      made.block = into;
      if (inst.position) made.position = inst.position;
      if (inst.op === Op.Load || inst.op === Op.Store) {
        const [address] = inst.operands as [Value];
        const by = constantStep(address, loop);
        if (copy === 0) first.set(address, made.operands[0]!);
        else if (by > 0 || by < 0) {
          made.operands = made.operands.with(0, first.get(address)!);
          made.facts = { ...facts, offset: (facts.offset ?? 0) + copy * by };
        }
      }
      into.insts.push(made);
      mapped.set(inst, made);
    }
    next = loop.again.map(map);
  }
  return next;
}
