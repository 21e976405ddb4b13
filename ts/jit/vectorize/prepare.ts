// SPDX-License-Identifier: MIT
//
// Brings a kernel's control flow into the form that vectorization wants: two-way branches only, one latch per loop that
// belongs to no inner loop, no unreachable blocks.
import { invariant } from '../../base/invariant';
import { addBlock, addParam, Leaves, makeInst } from '../ir/build';
import { dominatorsOf, isReducible, reversePostorder } from '../ir/cfg';
import { type Block, type Func, Op, Target, Type, type Value } from '../ir/ir';

/** Drops unreachable blocks, and puts the others into an order in which every block comes after its dominators. */
export function orderBlocks(func: Func): boolean {
  const before = func.blocks;
  func.blocks = reversePostorder(func);
  return func.blocks.length !== before.length || func.blocks.some((block, i) => block !== before[i]);
}

/** A switch becomes a binary search. */
export function lowerSwitches(func: Func): boolean {
  let changed = false;
  const leaves = new Leaves(func);
  for (const block of [...func.blocks]) {
    const { terminator } = block;
    if (terminator.op !== Op.Switch) continue;
    const value = terminator.operands[0]!;
    const otherwise = block.targets[0]!;
    const cases = terminator.facts.cases!.map((bits, i) => ({ bits, target: block.targets[i + 1]! }));
    cases.sort((a, b) => (a.bits < b.bits ? -1 : a.bits > b.bits ? 1 : 0));
    search(func, leaves, block, value, cases, otherwise);
    changed = true;
  }
  return changed;
}

interface Case {
  readonly bits: bigint;
  readonly target: Target;
}

function search(
  func: Func,
  leaves: Leaves,
  block: Block,
  value: Value,
  cases: readonly Case[],
  otherwise: Target,
): void {
  const { position } = block.terminator ?? {};
  const branch = (op: Op, bits: bigint, then: Target, other: Target) => {
    const constant = leaves.constant(value.type, value.type === Type.I64 ? bits : Number(bits));
    const condition = makeInst(func, block, op, Type.I1, [value, constant], {}, position);
    block.insts.push(condition);
    block.terminator = makeInst(func, block, Op.Branch, Type.Void, [condition], {}, position);
    block.targets = [then, other];
  };
  const copy = (t: Target): Target => new Target(t.block, t.arguments);
  if (cases.length === 0) {
    block.terminator = makeInst(func, block, Op.Jump, Type.Void, [], {}, position);
    block.targets = [copy(otherwise)];
    return;
  }
  if (cases.length === 1) {
    branch(Op.Eq, cases[0]!.bits, copy(cases[0]!.target), copy(otherwise));
    return;
  }
  const middle = cases.length >> 1;
  const low = addBlock(func);
  const high = addBlock(func);
  // The cases are sorted as signed numbers of the value's type.
  const bits = BigInt.asIntN(64, cases[middle]!.bits);
  branch(Op.SLt, bits, new Target(low), new Target(high));
  search(func, leaves, low, value, cases.slice(0, middle), otherwise);
  search(func, leaves, high, value, cases.slice(middle), otherwise);
}

/** Every loop gets one latch of its own. */
export function singleLatches(func: Func): boolean {
  let changed = false;
  const dominators = dominatorsOf(func);
  invariant(isReducible(dominators), `a loop of '${func.name}' has several entries`);
  const { loops } = dominators;
  for (const loop of loops) {
    const inner = loops.some((l) => l !== loop && l.blocks.has(loop.latches[0]!) && l.depth > loop.depth);
    const edges = loop.latches.reduce(
      (n, b) => n + b.targets.filter((t) => t.block === loop.header).length,
      0,
    );
    if (edges === 1 && !inner) continue;
    changed = true;
    const latch = addBlock(func);
    const params = loop.header.params.map((p) => addParam(func, latch, p.type));
    for (const source of loop.latches)
      for (const target of source.targets) if (target.block === loop.header) target.block = latch;
    latch.terminator = makeInst(func, latch, Op.Jump, Type.Void, []);
    latch.targets = [new Target(loop.header, params)];
  }
  return changed;
}
