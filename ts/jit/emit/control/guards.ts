// SPDX-License-Identifier: MIT
//
// Tests of guards such as `if (x < width)`: a tile's first and last work-item show whether all of its work-items agree
// (vectorize/region-plan.ts finds the guards).
import { Wasm } from '../../../wasm/opcodes';
import { type Block, type Inst, Op, Type, type Value } from '../../ir/ir';
import { junctionOf, pushShared } from '../arithmetic/operations';
import { Extend, scalarInstruction } from '../arithmetic/tables';
import type { Context } from '../context';

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
    else pushAllDiffer(c, a, b, row);
  } else ordered(c, inst, want, row);
}

/** Whether a differs from b in all lanes: no lane of the tile reaches their distance. */
function pushAllDiffer(c: Context, a: Value, b: Value, row: number): void {
  const { f } = c;
  const grows = c.divergence.stride[a.id]! - c.divergence.stride[b.id]!;
  for (const v of grows > 0 ? [b, a] : [a, b]) c.scalar(v, row);
  f.op(Wasm.i32_sub);
  f.i32(Math.abs(grows) * (c.lanes - 1));
  f.op(Wasm.i32_gt_u);
}

/** The comparison holds at both ends, and nothing wraps between them. */
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

/** Calls are rare paths. With a branch hint V8 spills nothing for them on the usual path. */
export function isRare(block: Block): boolean {
  return block.insts.some((inst) => inst.op === Op.Call);
}
