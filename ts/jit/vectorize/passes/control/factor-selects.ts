// SPDX-License-Identifier: MIT
//
// A select between two results of one operation on a common operand is that operation on a select: `c ? x + a : x + b` is
// `x + (c ? a : b)`, which has an operation less. `c ? x + a : x` is `x + (c ? a : 0)`, whose select is a mask. Words in loops are left: there
// results wait for each other as a rule, and the operation waits for the condition then.
import type { Divergence } from '../../../analyses/divergence';
import type { Uses } from '../../../analyses/uses';
import { Leaves, makeInst } from '../../../ir/build';
import { type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';
import { isCommutative } from '../../../ir/rewrite';
import { removeDeadCode } from '../../../passes/dead-code';

/** Whether zero as the second operand changes nothing. */
const HAS_ZERO: Partial<Record<Op, boolean>> = {
  [Op.Add]: true,
  [Op.Sub]: true,
  [Op.Or]: true,
  [Op.Xor]: true,
  [Op.And]: false,
};

/** `common op other`, or `other op common`. */
interface Arm {
  readonly common: Value;
  readonly other: Value | undefined;
  readonly isCommonFirst: boolean;
}

/** Returns whether it changed the function. */
export function factorSelects(func: Func, divergence: Divergence, uses: Uses): boolean {
  let leaves: Leaves | undefined;
  for (const block of func.blocks)
    for (let i = 0; i < block.insts.length; i++) {
      const inst = block.insts[i]!;
      if (inst.op !== Op.Select || !Number.isNaN(divergence.stride[inst.id]!)) continue;
      if (inst.type === Type.I32 && divergence.flow.loopOf(block)) continue;
      const factored = factor(inst, uses);
      if (!factored) continue;
      leaves ??= new Leaves(func);
      const { op, yes, no, type } = factored;
      const zero = leaves.constant(type, 0);
      const others = [inst.operands[0]!, yes.other ?? zero, no.other ?? zero];
      const select = makeInst(func, block, Op.Select, type, others, {}, inst.position);
      block.insts.splice(i++, 0, select);
      inst.op = op;
      inst.operands = yes.isCommonFirst ? [yes.common, select] : [select, yes.common];
    }
  if (leaves) removeDeadCode(func);
  return leaves !== undefined;
}

interface Factored {
  readonly op: Op;
  readonly type: Type;
  readonly yes: Arm;
  readonly no: Arm;
}

function factor(select: Inst, uses: Uses): Factored | undefined {
  const { type } = select;
  const [condition, yes, no] = select.operands as [Value, Value, Value];
  if (type !== Type.I8 && type !== Type.I16 && type !== Type.I32) return undefined;
  if (type !== Type.I32 && !isOfNarrow(condition, 0)) return undefined;
  // A value that something else uses is computed anyway, and one of another block may be of an iteration.
  const isOwn = (v: Value): v is Inst =>
    v.kind === 'inst' && HAS_ZERO[v.op] !== undefined && uses.onlyUser(v) === select;
  for (const [one, other] of [
    [yes, no],
    [no, yes],
  ] as const) {
    if (!isOwn(one)) continue;
    for (const arm of armsOf(one)) {
      const matching = isOwn(other)
        ? other.op === one.op && armsOf(other).find((a) => isAlike(a, arm))
        : HAS_ZERO[one.op] && arm.isCommonFirst && arm.common === other
          ? { ...arm, other: undefined }
          : undefined;
      if (!matching) continue;
      const [first, second] = one === yes ? [arm, matching] : [matching, arm];
      return { op: one.op, type, yes: first, no: second };
    }
  }
  return undefined;
}

function armsOf({ op, operands }: Inst): Arm[] {
  const [a, b] = operands as [Value, Value];
  const asGiven = { common: a, other: b, isCommonFirst: true };
  return [asGiven, { common: b, other: a, isCommonFirst: isCommutative(op) }];
}

const isAlike = (a: Arm, b: Arm): boolean => a.common === b.common && a.isCommonFirst === b.isCommonFirst;

const DEEPEST = 8;

/** Whether a truth value is of comparisons of narrow numbers, whose mask is as narrow as the select. */
function isOfNarrow(truth: Value, depth: number): boolean {
  if (truth.kind !== 'inst' || depth > DEEPEST) return false;
  const { op, operands } = truth;
  if (op >= Op.Eq && op <= Op.UGe) return operands[0]!.type === Type.I8 || operands[0]!.type === Type.I16;
  return (op === Op.And || op === Op.Or || op === Op.Not) && operands.every((o) => isOfNarrow(o, depth + 1));
}
