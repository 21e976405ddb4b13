// SPDX-License-Identifier: MIT
//
// Scalars that are the same for all tiles of a row of work-items, but not for all rows, such as the address of an image's row: they are
// computed once, before the loop over the row's tiles. V8 of Node.js 24 and newer moves nothing out of loops that it does not peel.
import { isPrologueOp } from '../ir/build';
import { type Inst, Op, type Value } from '../ir/ir';
import { isPure } from '../ir/rewrite';
import type { Context } from './context';
import { Since } from './invariants';
import { scalarOperation } from './operations';
import { valTypeOf } from './value-types';

/** The environment's values that are the same for a whole call. */
const OF_CALL = new Set([
  Op.Argument,
  Op.Const,
  Op.WorkDim,
  Op.GlobalSize,
  Op.GlobalOffset,
  Op.NumGroups,
  Op.EnqueuedLocalSize,
  Op.LocalSize,
  Op.GroupId,
]);

/** Whether a scalar is computed before the loop over the tiles of a row. */
export function isOfRow(c: Context, inst: Inst): boolean {
  return c.invariants.hasRow && since(c, inst) === Since.Row;
}

function since(c: Context, v: Value): Since {
  if (v.kind !== 'inst') return Since.Tile;
  if (OF_CALL.has(v.op)) return Since.Call;
  if (isIdOfRow(v)) return Since.Row;
  let known = c.since[v.id];
  if (known === undefined) {
    known = isOperation(c, v) ? Math.min(...v.operands.map((operand) => since(c, operand))) : Since.Tile;
    c.since[v.id] = known;
  }
  return known;
}

const isIdOfRow = ({ op, facts }: Inst): boolean =>
  (op === Op.GlobalId || op === Op.LocalId) && (facts.dimension ?? 0) > 0;

function isOperation(c: Context, inst: Inst): boolean {
  return (
    !isPrologueOp(inst.op) &&
    isPure(inst.op) &&
    inst.operands.length > 0 &&
    !inst.facts.isIndex &&
    !c.isVector(inst) &&
    !c.plan.isBroadcast(inst)
  );
}

/** Leaves such a value on the stack: a local that is set before the loop has it. */
export function pushOfRow(c: Context, inst: Inst, row: number): void {
  const at = c.rowsOf(inst) > 1 ? row : 0;
  c.invariants.pushOfRow(`${inst.id} ${at}`, valTypeOf(inst.type), () => compute(c, inst, row));
}

/** Uses no local that the kernel's code sets, because that code comes later. */
function compute(c: Context, inst: Inst, row: number): void {
  scalarOperation(c, inst, (i, extend) => {
    const operand = inst.operands[i] as Inst;
    if (OF_CALL.has(operand.op) || isIdOfRow(operand)) c.scalarExtended(operand, row, extend);
    else {
      pushOfRow(c, operand, row);
      c.extendScalar(operand, extend);
    }
  });
}
