// SPDX-License-Identifier: MIT
//
// Guards such as `if (x < width)`: comparisons of what grows evenly along x. Nearly all tiles lie on one side of them, and
// whether a tile does is seen from its first and last work-item, in scalar code and without a mask.
import { Wasm } from '../../wasm/opcodes';
import { isPrologueOp } from '../ir/build';
import type { Loop } from '../ir/cfg';
import { type Block, type Inst, Op, Type, type Value } from '../ir/ir';
import { isPure } from '../ir/rewrite';
import type { ControlPlan } from '../vectorize/control';
import type { Context } from './context';
import { junctionOf, pushShared } from './operations';
import { Extend, scalarInstruction } from './tables';

const DEEPEST = 12;
/** Sizes in instructions of what is worth a copy without masks. */
export const LEAST_GUARDED = 3;
export const MOST_GUARDED = 120;

/** Instructions of a block and of what it dominates. */
export function sizeBelow(plan: ControlPlan, block: Block): number {
  let size = block.insts.length;
  for (const child of plan.dominators.childrenOf(block))
    size += size > MOST_GUARDED ? 0 : sizeBelow(plan, child);
  return size;
}

/** Whether a loop is an innermost one of moderate size that nothing but its test leaves, and that ends as a whole. */
export function isLeftByTestOnly(plan: ControlPlan, { header, latches, blocks }: Loop): boolean {
  if (latches.length !== 1 || latches[0] === header || header.terminator.op !== Op.Branch) return false;
  if (!header.insts.every((i) => isPure(i.op) || isPrologueOp(i.op))) return false;
  const stays = header.targets.filter((t) => blocks.has(t.block));
  if (stays.length !== 1 || plan.maskOwner(latches[0]!) !== plan.maskOwner(stays[0]!.block)) return false;
  let size = 0;
  for (const block of blocks) {
    size += block.insts.length;
    if (block === header) continue;
    if (plan.loopHeadedBy(block) || block.targets.length === 0) return false;
    if (block.targets.some((t) => !blocks.has(t.block))) return false;
  }
  return size <= MOST_GUARDED;
}

/** Whether `pushCertainty` has a test for a condition. */
export function isGuard(c: Context, condition: Value): boolean {
  return isTestable(c, condition, DEEPEST);
}

function isTestable(c: Context, v: Value, depth: number): boolean {
  if (!c.isVectorHere(v)) return c.divergence.stride[v.id] === 0;
  // What is not evaluated here, at its only use, may have operands that are gone.
  if (v.kind !== 'inst' || depth === 0 || !c.deferred.has(v.id)) return false;
  switch (v.op) {
    case Op.Not:
    case Op.And:
    case Op.Or:
      return v.type === Type.I1 && v.operands.every((o) => isTestable(c, o, depth - 1));
    case Op.Eq:
    case Op.Ne:
    case Op.SLt:
    case Op.SLe:
    case Op.SGt:
    case Op.SGe:
    case Op.ULt:
    case Op.ULe:
    case Op.UGt:
    case Op.UGe:
      return v.operands.every((o) => o.type === Type.I32 && !c.isVectorHere(o));
    default:
      return false;
  }
}

/** Leaves a number other than 0 on the stack only if all lanes of all rows have `want` as the condition's value. */
export function pushCertainty(c: Context, condition: Value, want: boolean): void {
  for (let row = 0; row < c.rows; row++) {
    certainty(c, condition, want, row);
    if (row > 0) c.f.op(Wasm.i32_and);
  }
}

function certainty(c: Context, v: Value, want: boolean, row: number): void {
  const { f } = c;
  if (!c.isVectorHere(v)) {
    c.scalar(v, row);
    if (!want) f.op(Wasm.i32_eqz);
    return;
  }
  const inst = v as Inst;
  const [a, b] = inst.operands as [Value, Value];
  if (inst.op === Op.Not) certainty(c, a, !want, row);
  else if (inst.op === Op.And || inst.op === Op.Or) {
    const { shared, own } = junctionOf(c, inst);
    own.forEach((o, i) => {
      certainty(c, o, want, row);
      if (i > 0) f.op((inst.op === Op.And) === want ? Wasm.i32_and : Wasm.i32_or);
    });
    if (shared.length === 0) return;
    pushShared(c, inst, shared, row);
    if (!want) f.op(Wasm.i32_eqz);
    if (own.length > 0) f.op((inst.op === Op.And) === want ? Wasm.i32_and : Wasm.i32_or);
  } else if (inst.op === Op.Eq || inst.op === Op.Ne) {
    if ((inst.op === Op.Eq) === want) f.i32(0);
    else apart(c, a, b, row);
  } else ordered(c, inst, want, row);
}

/** Whether no lane has a equal to b: their distance is not one that is reached within the tile. */
function apart(c: Context, a: Value, b: Value, row: number): void {
  const { f } = c;
  const grows = c.divergence.stride[a.id]! - c.divergence.stride[b.id]!;
  for (const v of grows > 0 ? [b, a] : [a, b]) c.scalar(v, row);
  f.op(Wasm.i32_sub);
  f.i32(Math.abs(grows) * (c.lanes - 1));
  f.op(Wasm.i32_gt_u);
}

/** Both ends compare as wanted, and nothing wraps between them. */
function ordered(c: Context, inst: Inst, want: boolean, row: number): void {
  const { f } = c;
  const { code } = scalarInstruction(inst.op, Type.I32)!;
  const unsigned = inst.op >= Op.ULt && inst.op <= Op.UGe;
  const last = (v: Value) => {
    c.scalar(v, row);
    const distance = c.divergence.stride[v.id]! * (c.lanes - 1);
    if (distance === 0) return;
    f.i32(distance);
    f.op(Wasm.i32_add);
  };
  for (const end of [0, 1]) {
    for (const v of inst.operands)
      if (end === 0) c.scalarExtended(v, row, Extend.None);
      else last(v);
    f.op(code);
    if (!want) f.op(Wasm.i32_eqz);
    if (end > 0) f.op(Wasm.i32_and);
  }
  for (const v of inst.operands) {
    const stride = c.divergence.stride[v.id]!;
    if (stride === 0) continue;
    c.scalar(v, row);
    last(v);
    if (stride > 0) f.op(unsigned ? Wasm.i32_le_u : Wasm.i32_le_s);
    else f.op(unsigned ? Wasm.i32_ge_u : Wasm.i32_ge_s);
    f.op(Wasm.i32_and);
  }
}
