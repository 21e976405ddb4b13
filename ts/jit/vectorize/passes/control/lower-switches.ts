// SPDX-License-Identifier: MIT
//
// Switches become binary searches of two-way branches, the only ones that later stages know.
import { addBlock, Leaves, makeInst } from '../../../ir/build';
import { type Block, type Func, Op, Target, Type, type Value } from '../../../ir/ir';

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
