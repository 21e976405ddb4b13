// SPDX-License-Identifier: MIT
//
// Where paths join, C's promotions make an int of a byte, as in `uchar c = i > 0 ? t[i - 1] : ' '`. A block's parameter of which only
// low bits are used, and which is widened from so few bits on each path, gets the narrow type.
import { addParam, constantOf, Leaves } from '../ir/build';
import { edgesWithArguments } from '../ir/cfg';
import { fold } from '../ir/fold';
import { type BlockParam, type Func, type Inst, Op, Type, type Value } from '../ir/ir';
import { Replacements } from '../ir/rewrite';
import { bitsOf } from '../ir/types';

export function narrowParams(func: Func): boolean {
  const truncations = truncatedParams(func);
  if (truncations.size === 0) return false;
  const edges = edgesWithArguments(func);
  const replaced = new Replacements(func);
  const leaves = new Leaves(func);
  let changed = false;
  for (const [param, users] of truncations) {
    const { block } = param;
    const { type } = users[0]!;
    const at = block.params.indexOf(param);
    const targets = edges.get(block) ?? [];
    const given = targets.map((target) => narrowed(target.arguments[at]!, type, leaves));
    if (!given.every((value) => value !== undefined)) continue;
    block.params = block.params.filter((p) => p !== param);
    const narrow = addParam(func, block, type);
    for (const [i, target] of targets.entries())
      target.arguments = [...target.arguments.filter((_, k) => k !== at), given[i]!];
    for (const user of users) replaced.set(user, narrow);
    changed = true;
  }
  if (changed) {
    replaced.apply(func);
    for (const block of func.blocks) block.insts = block.insts.filter((inst) => !replaced.has(inst));
  }
  return changed;
}

/** The parameters that are only truncated, all to one type, and their truncations. */
export function truncatedParams(func: Func): Map<BlockParam, Inst[]> {
  const users = new Map<BlockParam, Inst[]>();
  for (const { insts } of func.blocks)
    for (const inst of insts) {
      const operand = inst.operands[0];
      if (inst.op !== Op.Trunc || inst.type === Type.I1 || operand?.kind !== 'param') continue;
      const list = users.get(operand);
      if (list) list.push(inst);
      else users.set(operand, [inst]);
    }
  if (users.size === 0) return users;
  const use = (value: Value, user?: Inst) => {
    if (value.kind !== 'param') return;
    const first = users.get(value)?.[0];
    if (first && (user?.op !== Op.Trunc || user.type !== first.type)) users.delete(value);
  };
  for (const { insts, terminator, targets } of func.blocks) {
    for (const inst of insts) for (const operand of inst.operands) use(operand, inst);
    for (const operand of terminator.operands) use(operand);
    for (const target of targets) for (const value of target.arguments) use(value);
  }
  return users;
}

/** The low bits of a value that has no more bits than these. */
function narrowed(value: Value, type: Type, leaves: Leaves): Value | undefined {
  const constant = constantOf(value);
  if (constant !== undefined) return leaves.constant(type, fold(Op.Trunc, type, [constant], value.type)!);
  if (value.kind !== 'inst' || (value.op !== Op.ZExt && value.op !== Op.SExt)) return undefined;
  const inner = value.operands[0]!;
  return bitsOf(inner.type) === bitsOf(type) ? inner : undefined;
}
