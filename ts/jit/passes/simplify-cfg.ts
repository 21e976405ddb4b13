// SPDX-License-Identifier: MIT
//
// Simplifies control flow: constant branches, empty blocks with a jump, chains of blocks, parameters that always have one value,
// unreachable blocks. Leaves the blocks in reverse postorder.
import { constantOf } from '../ir/build';
import { edgesWithArguments, predecessors, reversePostorder } from '../ir/cfg';
import { type Block, type BlockParam, type Func, Inst, Op, type Target, Type, type Value } from '../ir/ir';
import { Replacements } from '../ir/rewrite';

export function simplifyCfg(func: Func): boolean {
  let changed = false;
  for (let again = true; again; ) {
    again = foldBranches(func);
    func.blocks = reversePostorder(func);
    // Chains first, which leaves fewer blocks to the other steps.
    if (mergeChains(func)) again = true;
    if (removeTrivialParams(func)) again = true;
    if (skipForwarders(func)) again = true;
    changed ||= again;
  }
  return changed;
}

function jumpTo(block: Block, target: number): void {
  const end = block.terminator;
  const jump = new Inst(
    end.id,
    Op.Jump,
    Type.Void,
    [],
    end.facts.unroll === undefined ? {} : { unroll: end.facts.unroll },
  );
  jump.block = block;
  if (end.position) jump.position = end.position;
  block.terminator = jump;
  block.targets = [block.targets[target]!];
}

function foldBranches(func: Func): boolean {
  let changed = false;
  for (const block of func.blocks) {
    const { terminator, targets } = block;
    if (terminator.op === Op.Branch) {
      const condition = constantOf(terminator.operands[0]!);
      if (condition !== undefined) {
        jumpTo(block, condition ? 0 : 1);
        changed = true;
      } else if (
        targets[0]!.block === targets[1]!.block &&
        targets[0]!.arguments.every((v, i) => v === targets[1]!.arguments[i])
      ) {
        jumpTo(block, 0);
        changed = true;
      }
    } else if (terminator.op === Op.Switch) {
      const value = constantOf(terminator.operands[0]!);
      const cases = terminator.facts.cases!;
      if (value !== undefined) {
        const at = cases.indexOf(BigInt(value));
        jumpTo(block, at + 1);
        changed = true;
      } else if (cases.length === 0) {
        jumpTo(block, 0);
        changed = true;
      }
    }
  }
  return changed;
}

/** Replaces a parameter that gets the same value (or itself) from all edges. */
function removeTrivialParams(func: Func): boolean {
  const incoming = edgesWithArguments(func);
  if (incoming.size === 0) return false;
  const replaced = new Replacements(func);
  let changed = false;
  for (let again = true; again; ) {
    again = false;
    for (const block of func.blocks) {
      if (block.params.length === 0) continue;
      const edges = incoming.get(block) ?? [];
      const keep: number[] = [];
      for (let at = 0; at < block.params.length; at++) {
        const only = single(block.params[at]!, at, edges, replaced);
        if (only) replaced.set(block.params[at]!, only);
        else keep.push(at);
      }
      if (keep.length === block.params.length) continue;
      keepParams(block, edges, keep);
      changed = true;
      again = true;
    }
  }
  replaced.apply(func);
  return changed;
}

function keepParams(block: Block, edges: readonly Target[], keep: readonly number[]): void {
  block.params = keep.map((at) => block.params[at]!);
  for (const edge of edges) edge.arguments = keep.map((at) => edge.arguments[at]!);
}

/** The one value that all edges pass to a parameter. */
function single(
  param: BlockParam,
  at: number,
  edges: readonly Target[],
  replaced: Replacements,
): Value | undefined {
  let only: Value | undefined;
  let undef: Value | undefined;
  for (const edge of edges) {
    const value = replaced.get(edge.arguments[at]!);
    if (value === param) continue;
    if (value.kind === 'inst' && value.op === Op.Undef) undef = value;
    else if (only && only !== value) return undefined;
    else only = value;
  }
  // An undefined value may be replaced by any other, but that must dominate the parameter.
  if (undef && only && !(only.kind === 'inst' && constantOf(only) !== undefined)) return undefined;
  return only ?? undef;
}

/** Jumps to an empty block with a jump go to its target directly. */
function skipForwarders(func: Func): boolean {
  const isForwarder = (block: Block) =>
    block !== func.entry && block.insts.length === 0 && block.terminator.op === Op.Jump;
  const forwarders = func.blocks.filter(isForwarder);
  if (forwarders.length === 0) return false;
  let changed = false;
  const preds = predecessors(func.blocks);
  // Counted only where needed, as it visits the whole function.
  const uses = forwarders.some((block) => block.params.length > 0) ? paramUses(func) : undefined;
  const order = new Map(func.blocks.map((block, at) => [block, at]));
  for (const block of forwarders) {
    const { block: to, arguments: args } = block.targets[0]!;
    if (to === block || block.terminator.facts.unroll !== undefined) continue;
    // A loop keeps its one latch.
    if (order.get(to)! <= order.get(block)! && preds.get(block)!.length > 1) continue;
    // Parameters with uses other than the jump need their block.
    if (block.params.some((p) => uses![p.id]! > args.filter((arg) => arg === p).length)) continue;
    for (const pred of new Set(preds.get(block)!)) {
      for (const target of pred.targets) {
        if (target.block !== block) continue;
        const given = target.arguments;
        target.block = to;
        target.arguments = args.map((arg) => {
          const at = block.params.indexOf(arg as BlockParam);
          return at < 0 ? arg : given[at]!;
        });
        changed = true;
      }
    }
  }
  if (changed) func.blocks = reversePostorder(func);
  return changed;
}

/** How often each block parameter is used, by id. */
function paramUses(func: Func): Int32Array {
  const counts = new Int32Array(func.idBound);
  const use = (v: Value) => {
    if (v.kind === 'param') counts[v.id]!++;
  };
  for (const b of func.blocks) {
    for (const inst of b.insts) for (const v of inst.operands) use(v);
    for (const v of b.terminator.operands) use(v);
    for (const target of b.targets) for (const v of target.arguments) use(v);
  }
  return counts;
}

/** A block with one successor of which it is the only predecessor continues in it. */
function mergeChains(func: Func): boolean {
  const preds = predecessors(func.blocks);
  const replaced = new Replacements(func);
  const gone = new Set<Block>();
  for (const block of func.blocks) {
    if (block === func.entry || gone.has(block)) continue;
    while (block.terminator.op === Op.Jump) {
      const { block: next, arguments: args } = block.targets[0]!;
      if (next === block || preds.get(next)!.length !== 1) break;
      next.params.forEach((param, at) => {
        replaced.set(param, args[at]!);
      });
      for (const inst of next.insts) {
        inst.block = block;
        block.insts.push(inst);
      }
      const { unroll } = block.terminator.facts;
      const end = next.terminator;
      end.block = block;
      // An unroll hint stays with the loop's header.
      if (unroll !== undefined) end.facts = { unroll, ...end.facts };
      block.terminator = end;
      block.targets = next.targets;
      for (const to of block.targets) {
        const list = preds.get(to.block)!;
        for (let i = 0; i < list.length; i++) if (list[i] === next) list[i] = block;
      }
      gone.add(next);
    }
  }
  if (gone.size === 0) return false;
  func.blocks = func.blocks.filter((b) => !gone.has(b));
  replaced.apply(func);
  return true;
}
