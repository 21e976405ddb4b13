// SPDX-License-Identifier: MIT
//
// Lane 0 of a vector whose evaluation is deferred, as a scalar: the address of an access that a test at run time finds contiguous needs no
// other lane. V8 up to Node.js 22 moves the other lanes' addresses to the accesses that are made lane by lane; that of newer versions
// computes what is before a branch, needed or not.
import { Wasm } from '../../../wasm/opcodes';
import { type Inst, Op, Type, type Value } from '../../ir/ir';
import { pushLane, scalarOperation } from '../arithmetic/operations';
import { Extend } from '../arithmetic/tables';
import type { Context } from '../context';

/** Integer operations that cost a scalar no more than a vector. */
const SIMPLE = new Set([
  Op.Add,
  Op.Sub,
  Op.Mul,
  Op.And,
  Op.Or,
  Op.Xor,
  Op.Shl,
  Op.LShr,
  Op.AShr,
  Op.SMin,
  Op.SMax,
  Op.UMin,
  Op.UMax,
]);

/** Whether a value is evaluated where it is used and not before, in which case branches may evaluate it for themselves. */
export function isComputedInBranches(c: Context, value: Value): value is Inst {
  return !c.engine.hoists && c.isInline(value) && c.isVectorHere(value);
}

/** Leaves lane 0 of a row on the stack, of a value of 32 bits. */
export function pushFirstLane(c: Context, value: Value, row: number): void {
  if (!isSimple(c, value)) {
    pushLane(c, value, row, 0, Extend.None);
    return;
  }
  const from = c.rowsOf(value) > 1 ? row : 0;
  scalarOperation(c, value, (i) => pushFirstLane(c, value.operands[i]!, from));
}

function isSimple(c: Context, value: Value): value is Inst {
  return (
    isComputedInBranches(c, value) &&
    SIMPLE.has(value.op) &&
    value.type === Type.I32 &&
    value.operands.every((operand) => operand.type === Type.I32)
  );
}

/** Leaves lane 0 of the value on the stack: of locals if there are any, as they cost less. */
export function pushFirstAddress(c: Context, address: Value, row: number): void {
  if (isComputedInBranches(c, address)) {
    pushFirstLane(c, address, row);
    return;
  }
  c.vector(address, row, 0);
  c.f.lane(Wasm.i32x4_extract_lane, 0);
}
