// SPDX-License-Identifier: MIT
//
// Values that are computed from a launch's arguments alone, such as an amount clamped to a byte: they are computed once before the loops
// over work-items. Some versions of V8 hoist cheap ones by themselves, but no conversions and divisions, and nothing that depends on them.
import type { ValType } from '../../wasm/function-builder';
import { isPrologueOp } from '../ir/build';
import { type Inst, Op, type Value } from '../ir/ir';
import { isPure } from '../ir/rewrite';
import type { Context } from './context';
import { scalarOperation } from './operations';
import { valTypeOf } from './value-types';

/** What V8 does not hoist. */
const EXPENSIVE = new Set([Op.FToS, Op.FToU, Op.SDiv, Op.UDiv, Op.SRem, Op.URem, Op.FDiv, Op.FRem, Op.FSqrt]);
/** The longest chain of operations that is computed again before the loops. */
const DEEPEST = 8;

/** Whether a value is computed from arguments and constants alone. */
export function isOfArguments(v: Value, depth = 0): v is Inst {
  return (
    v.kind === 'inst' &&
    depth < DEEPEST &&
    !isPrologueOp(v.op) &&
    isPure(v.op) &&
    v.operands.every((o) => isGiven(o) || isOfArguments(o, depth + 1))
  );
}

function isGiven(v: Value): boolean {
  return v.kind === 'inst' && (v.op === Op.Argument || v.op === Op.Const);
}

/** Whether a scalar is worth a local of its own before the loops. */
export function isWorthHoisting(inst: Inst): boolean {
  return EXPENSIVE.has(inst.op) && isOfArguments(inst);
}

/** Leaves a value that is computed from arguments on the stack. */
export function pushHoisted(c: Context, inst: Inst): void {
  c.invariants.push(`scalar ${inst.id}`, valTypeOf(inst.type), undefined, () => compute(c, inst));
}

/** Leaves the vector on the stack that `splat` makes from such a value. */
export function pushHoistedSplat(
  c: Context,
  inst: Inst,
  key: string,
  type: ValType,
  splat: () => void,
): void {
  c.invariants.push(`${key} ${inst.id}`, type, undefined, () => {
    compute(c, inst);
    splat();
  });
}

/** The computation from arguments on, because no other code has been executed there. */
function compute(c: Context, inst: Inst): void {
  scalarOperation(c, inst, (i, extend) => {
    const operand = inst.operands[i]!;
    if (!isOfArguments(operand)) c.scalarExtended(operand, 0, extend);
    else {
      compute(c, operand);
      c.extendScalar(operand, extend);
    }
  });
}
