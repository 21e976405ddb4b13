// SPDX-License-Identifier: MIT
//
// Removes what no effect depends on: instructions, block parameters, stores to private memory that nobody reads.
import { type Block, type BlockParam, type Func, type Inst, Op, type Value } from '../ir/ir';
import { isRemovable } from '../ir/rewrite';

export function removeDeadCode(func: Func): boolean {
  const live = new Uint8Array(func.idBound);
  const work: Value[] = [];
  const mark = (value: Value) => {
    if (live[value.id]) return;
    live[value.id] = 1;
    work.push(value);
  };
  const incoming = new Map<Block, { from: Block; target: number }[]>();
  const unread = unreadAllocations(func);
  for (const block of func.blocks) {
    for (const inst of block.insts) if (!isRemovable(inst) && !isDeadStore(inst, unread)) mark(inst);
    for (const operand of block.terminator.operands) mark(operand);
    block.targets.forEach((to, target) => {
      const list = incoming.get(to.block);
      if (list) list.push({ from: block, target });
      else incoming.set(to.block, [{ from: block, target }]);
    });
  }
  for (let value = work.pop(); value; value = work.pop()) {
    if (value.kind === 'inst') for (const operand of value.operands) mark(operand);
    else {
      const at = value.block.params.indexOf(value);
      for (const { from, target } of incoming.get(value.block) ?? [])
        mark(from.targets[target]!.arguments[at]!);
    }
  }
  let changed = false;
  for (const block of func.blocks) {
    const insts = block.insts.filter((inst) => live[inst.id]);
    if (insts.length < block.insts.length) {
      block.insts = insts;
      changed = true;
    }
    const isLive = (param: BlockParam) => live[param.id] === 1;
    if (block.params.every(isLive)) continue;
    for (const { from, target } of incoming.get(block) ?? []) {
      const to = from.targets[target]!;
      to.arguments = to.arguments.filter((_, at) => isLive(block.params[at]!));
    }
    block.params = block.params.filter(isLive);
    changed = true;
  }
  return changed;
}

/** Allocations whose address only goes, perhaps moved by constants or indices, into stores' addresses. */
function unreadAllocations(func: Func): Map<Value, Inst> {
  const root = new Map<Value, Inst>();
  const read = new Set<Inst>();
  for (const inst of func.entry.insts) if (inst.op === Op.PrivateAlloca) root.set(inst, inst);
  if (root.size === 0) return root;
  const leak = (value: Value) => {
    const from = root.get(value);
    if (from) read.add(from);
  };
  for (const block of func.blocks) {
    for (const inst of block.insts) {
      if (inst.op === Op.Add) {
        const from = inst.operands.map((v) => root.get(v)).filter((r) => r !== undefined);
        if (from.length === 1) {
          root.set(inst, from[0]!);
          continue;
        }
      }
      inst.operands.forEach((operand, at) => {
        if (!((inst.op === Op.Store || inst.op === Op.Copy) && at === 0)) leak(operand);
      });
    }
    for (const operand of block.terminator.operands) leak(operand);
    for (const target of block.targets) for (const arg of target.arguments) leak(arg);
  }
  for (const [value, from] of root) if (read.has(from)) root.delete(value);
  return root;
}

function isDeadStore(inst: Inst, unread: ReadonlyMap<Value, Inst>): boolean {
  return (inst.op === Op.Store || inst.op === Op.Copy) && unread.has(inst.operands[0]!);
}
