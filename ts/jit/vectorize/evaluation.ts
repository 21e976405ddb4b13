// SPDX-License-Identifier: MIT
//
// Where each value is evaluated: separately, or inside the instruction that uses it. Pure values with a single use in their block
// need no local variable then.
import { Scratch } from '../../base/table';
import { isPrologueOp } from '../ir/build';
import { type Block, type Inst, Op, Type, type Value } from '../ir/ir';
import { isPure } from '../ir/rewrite';
import { isUpperWord } from '../ir/upper-words';
import { type LaneBase, laneBase } from './access';
import type { ValueShapes } from './shapes';

const DEEPEST_EXPRESSION = 24;
const DEPTHS = new Scratch();

export interface Evaluation {
  /** By value id: 1 if a value is evaluated inside the instruction that uses it. */
  readonly inline: Uint8Array;
  /** By value id: 1 for uniform loads that only vectors use. They are kept as splats. */
  readonly broadcast: Uint8Array;
  /** Inline addresses that are a vector from before the loop plus what all lanes share. */
  readonly laneBases: ReadonlyMap<Value, LaneBase>;
}

/** `stored`: values that memory keeps from one region to the next. */
export function planEvaluation(plan: ValueShapes, stored: ReadonlySet<Value>): Evaluation {
  const { func } = plan.kernel;
  const inline = new Uint8Array(func.idBound);
  const broadcast = new Uint8Array(func.idBound);
  const depths = DEPTHS.zeros(func.idBound);
  const laneBases = new Map<Value, LaneBase>();
  for (const block of func.blocks)
    for (const inst of block.insts) if (!isPrologueOp(inst.op)) decide(inst, block);
  return { inline, broadcast, laneBases };

  function decide(inst: Inst, block: Block): void {
    if (inst.op === Op.Load && plan.lanes > 1 && !stored.has(inst) && onlyFeedsVectors(plan, inst))
      broadcast[inst.id] = 1;
    let depth = 0;
    for (const o of inst.operands) if (inline[o.id]) depth = Math.max(depth, depths[o.id]! + 1);
    depths[inst.id] = depth;
    const base = plan.lanes > 1 ? laneBase(plan.divergence, inst, block) : undefined;
    if (base && isAddressOnly(plan, inst)) {
      inline[inst.id] = 1;
      laneBases.set(inst, base);
      return;
    }
    const user = plan.kernel.uses.onlyUser(inst);
    if (!user || !isPure(inst.op) || depth > DEEPEST_EXPRESSION || plan.isLiveOut(inst)) return;
    if (canBePartOf(plan, user, inst)) inline[inst.id] = 1;
  }
}

/** Whether a value is used only as an address of accesses in the block that computes it. */
function isAddressOnly(plan: ValueShapes, inst: Inst): boolean {
  const { uses } = plan.kernel;
  return (
    uses.isBlockLocal(inst) &&
    !plan.isLiveOut(inst) &&
    uses.usersOf(inst).every((u) => u.op === Op.Load || (u.op === Op.Store && u.operands[1] !== inst))
  );
}

/** Whether the code of `user` evaluates an operand exactly once, so that it can be inline. */
function canBePartOf(plan: ValueShapes, user: Inst, operand: Inst): boolean {
  const packed = plan.packed.get(operand.id);
  const sameRows = plan.rowsOf(user) === plan.rowsOf(operand);
  if (packed) {
    // Only if they are stored unchanged; a store may also split them.
    if (user.op === Op.Store) return plan.rowsOf(operand) === plan.rows;
    return plan.packed.get(user.id) === packed && sameRows;
  }
  switch (user.op) {
    case Op.Load:
      return true;
    case Op.Store:
      return !plan.isVector(operand) || plan.rowsOf(operand) === plan.rows || user.operands[0] !== operand;
    case Op.Branch:
      return !plan.isVector(operand) || plan.rowsOf(operand) === plan.rows;
    default:
      break;
  }
  if (!isPure(user.op) || !sameRows) return false;
  if (plan.isVector(user) !== plan.isVector(operand)) return false;
  if (!plan.isVector(user)) return true;
  if (isUpperWord(user, operand)) return true;
  if (plan.perRow(user.type) !== plan.perRow(operand.type)) return false;
  if (USE_OPERANDS_ONCE.has(user.op)) return true;
  // Narrowing clamps, or selects bytes.
  if (user.op === Op.Trunc && plan.packed.has(user.id)) return operand.type === Type.I32;
  if (isShift(user.op))
    return user.operands[0] === operand && plan.divergence.stride[user.operands[1]!.id] === 0;
  return plan.target.hasVectorInstruction(user.op, user.operands[0]!.type);
}

function onlyFeedsVectors(plan: ValueShapes, load: Inst): boolean {
  const { uses } = plan.kernel;
  if (plan.isVector(load) || plan.divergence.stride[load.id] !== 0) return false;
  if (load.type !== Type.F32 && load.type !== Type.I32 && load.type !== Type.F64 && load.type !== Type.I64)
    return false;
  const users = uses.usersOf(load);
  const params = uses.paramsGiven(load);
  return (
    users.length + params.length > 0 &&
    users.every((u) => isPure(u.op) && plan.isVector(u) && !(isShift(u.op) && u.operands[1] === load)) &&
    params.every((p) => plan.isVector(p))
  );
}

/** The operations that are several instructions, or have operands besides the values, and need each operand once. */
const USE_OPERANDS_ONCE = new Set([Op.Select, Op.MulAdd, Op.PermuteBytes, Op.LookUpBytes]);

export function isShift(op: Op): boolean {
  return op === Op.Shl || op === Op.LShr || op === Op.AShr || op === Op.Rotl;
}
