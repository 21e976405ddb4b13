// SPDX-License-Identifier: MIT
//
// Blocks, branches, phis (2.4, 2.16.1, 3.42.17).
import { AFTER_MERGE, targetsOf, terminatorOf } from '../branches';
import { Op } from '../grammar.gen';
import type { Block, FunctionDefinition, Id, Instruction } from '../module';
import type { Context } from './context';
import { FlowGraph, selectorWordsOf } from './flow-graph';

export function checkControlFlow(c: Context): void {
  for (const f of c.module.functions) if (f.blocks.length > 0) checkFunction(c, f);
}

function checkFunction(c: Context, f: FunctionDefinition): void {
  const selectorWords = selectorWordsOf(c);
  const labels = new Set(f.blocks.map((b) => b.label));
  const first = f.blocks[0]!;
  const merges = new Set<number>();
  for (const b of f.blocks) {
    const end: Instruction | undefined = terminatorOf(b);
    if (!end) c.fail(undefined, `block %${b.label} has no terminator`);
    for (const to of targetsOf(end, selectorWords)) {
      if (!labels.has(to)) c.fail(end, `%${to} is not a block of this function`);
      if (to === first.label) c.fail(end, `the first block, %${to}, cannot be the target of a branch`);
    }
    if (end.op === Op.BranchConditional) {
      const type = c.typeOf(end.operands[0]!);
      if (!c.isBool(type) || !c.isScalar(type)) c.fail(end, 'the condition is a boolean scalar');
      if (end.operands.length !== 3 && end.operands.length !== 5)
        c.fail(end, 'there are two branch weights or none');
    }
    if (end.op === Op.Switch) {
      const type = c.typeOf(end.operands[0]!);
      if (!c.isInt(type) || !c.isScalar(type)) c.fail(end, 'the selector is an integer scalar');
    }
    checkOrder(c, b, b === first);
    checkMerges(c, b, end, merges);
  }
  const graph = new FlowGraph(f, selectorWords);
  checkAppearance(c, f, graph);
  for (const b of f.blocks) checkPhis(c, b, graph);
}

/** Phis come first, variables at the start of the first block. */
function checkOrder(c: Context, b: Block, first: boolean): void {
  let phis = true;
  let variables = true;
  for (const i of b.instructions) {
    if (i.op === Op.Phi) {
      if (first) c.fail(i, 'the first block has no predecessors and no OpPhi');
      if (!phis) c.fail(i, 'OpPhi stands before all other instructions of its block');
    } else phis = false;
    if (i.op === Op.Variable) {
      if (!first) c.fail(i, 'the variables of a function stand in its first block');
      if (!variables) c.fail(i, 'the variables of a function stand before all its other instructions');
    } else if (i.op !== Op.ExtInst && i.op !== Op.Undef) variables = false;
  }
}

/** A merge instruction stands right before the block's branch. `merges` are the merge blocks of the function so far. */
function checkMerges(c: Context, b: Block, end: Instruction, merges: Set<number>): void {
  b.instructions.forEach((i, at) => {
    const after = AFTER_MERGE.get(i.op);
    if (!after) return;
    const merge = i.operands[0]!;
    if (merges.has(merge)) c.fail(i, `%${merge} is the merge block of another header already`);
    merges.add(merge);
    if (at !== b.instructions.length - 2 || !after.includes(end.op))
      c.fail(i, `it stands right before the Op${after.map((op) => Op[op]).join(' or Op')} of its block`);
  });
}

/** A block comes after its immediate dominator. */
function checkAppearance(c: Context, f: FunctionDefinition, graph: FlowGraph): void {
  const seen = new Set<Id>();
  for (const b of f.blocks) {
    seen.add(b.label);
    if (!graph.isReachable(b.label)) continue;
    const parent = graph.immediateDominator(b.label);
    if (parent !== undefined && !seen.has(parent))
      c.fail(undefined, `block %${b.label} stands before its dominator %${parent}`);
  }
}

function checkPhis(c: Context, b: Block, graph: FlowGraph): void {
  const preds = graph.predecessors.get(b.label)!;
  for (const i of b.instructions) {
    if (i.op !== Op.Phi) continue;
    if (i.operands.length % 2 !== 0) c.fail(i, 'values and predecessors come in pairs');
    const named = new Set<Id>();
    for (let at = 0; at < i.operands.length; at += 2) {
      const parent = i.operands[at + 1]! as Id;
      if (!preds.has(parent)) c.fail(i, `%${parent} is not a predecessor of %${b.label}`);
      if (named.has(parent)) c.fail(i, `the predecessor %${parent} is named twice`);
      named.add(parent);
      if (c.typeOf(i.operands[at]!) !== i.type)
        c.fail(i, `%${i.operands[at]} has another type than the result`);
    }
    if (named.size !== preds.size)
      c.fail(i, `it names ${named.size} of ${preds.size} predecessors of %${b.label}`);
  }
}
