// SPDX-License-Identifier: MIT
//
// Operations on packed values (values.ts): most are one instruction, the others have a row in a table.
import { type Expr, emit } from '../../../wasm/expressions';
import { Wasm } from '../../../wasm/opcodes';
import { constantAmount, constantOf } from '../../ir/build';
import { type Inst, Op, Type, type Value } from '../../ir/ir';
import type { PackedWidth } from '../../vectorize/plan';
import { bitsOfBytes } from '../arithmetic/bit-counts';
import { lookedUp, permuteLanes } from '../arithmetic/byte-order';
import { sameComparison } from '../arithmetic/comparisons';
import { partsOf, pushInterleaved } from '../arithmetic/interleave';
import { rangeTest } from '../arithmetic/range-tests';
import { Extend } from '../arithmetic/tables';
import type { Context } from '../context';
import { pushMaskedShift, shiftedBytes, shiftedBytesBy } from './byte-shifts';
import { packedInstruction } from './instructions';
import { narrowToPacked } from './narrowing';
import { productOfBytes } from './products';
import { packedSelect, pushShiftedTruth } from './select';
import { bitsAt, bitTaken, isMasked, type PackedShift, rotatedByOne, shiftedByLanes } from './shifts';
import { type PackedVector, packedConstant, pushMask, pushPacked } from './values';
import { leadingZerosOfPacked } from './zeros';

/** One vector of the result of a packed operation. */
export function emitPacked(c: Context, inst: Inst, width: PackedWidth, row: number, group: number): void {
  const push = (i: number) => {
    const operand = inst.operands[i]!;
    if (operand.type === Type.I1) pushMask(c, operand, width, row, group);
    else pushPacked(c, operand, width, row, group);
  };
  const emitter = EMITTERS[inst.op] ?? emitInstruction;
  emitter(c, { inst, width, row, group, push });
}

/** The operations that are not one instruction of their packed operands. */
const EMITTERS: Partial<Record<Op, (c: Context, vector: PackedVector) => void>> = {
  [Op.Trunc]: narrowToPacked,
  [Op.FToS]: narrowToPacked,
  [Op.FToU]: narrowToPacked,
  [Op.ZExt]: extend,
  [Op.SExt]: extend,
  [Op.Shl]: shift,
  [Op.LShr]: shift,
  [Op.AShr]: shift,
  [Op.Rotl]: shift,
  [Op.And]: and,
  [Op.Or]: or,
  [Op.Select]: packedSelect,
  [Op.ULt]: compare,
  [Op.UGt]: compare,
  [Op.SLe]: compare,
  [Op.SGe]: compare,
  [Op.SAvgR]: averageSigned,
  [Op.Mul]: multiply,
  [Op.PermuteBytes](c, { inst, width, push }) {
    push(0);
    permuteLanes(c, inst, width / 8);
  },
  [Op.LookUpBytes](c, { inst, push }) {
    emit(
      c.f,
      lookedUp(c, inst, () => push(0)),
    );
  },
  [Op.Clz](c, { width, push }) {
    emit(
      c.f,
      leadingZerosOfPacked(c, width, () => push(0)),
    );
  },
  [Op.PopCount](c, { width, push }) {
    const { f } = c;
    emit(
      f,
      bitsOfBytes(c, () => push(0)),
    );
    if (width === 16) f.op(Wasm.i16x8_extadd_pairwise_i8x16_u);
  },
};

function emitInstruction({ f }: Context, { inst: { op, operands }, width, push }: PackedVector): void {
  for (let i = 0; i < operands.length; i++) push(i);
  f.op(packedInstruction(op, width)!);
}

/** A comparison for which there may be a cheaper one. */
function compare(c: Context, { inst, width, push }: PackedVector): void {
  const { op, constant } = sameComparison(inst, width);
  push(0);
  if (constant === undefined) push(1);
  else packedConstant(c, width, constant);
  c.f.op(packedInstruction(op, width)!);
}

function extend(c: Context, { inst: { op, operands }, width, row, group, push }: PackedVector): void {
  const { f } = c;
  const [source] = operands as [Value];
  if (source.type === Type.I1) {
    push(0);
    packedConstant(c, width, 1);
    f.op(Wasm.v128_and);
    return;
  }
  if (!c.plan.packed.has(source.id)) {
    for (const part of [group * 2, group * 2 + 1])
      c.vectorExtended(source, row, part, op === Op.ZExt ? Extend.Zero : Extend.Sign);
    f.op(op === Op.ZExt ? Wasm.i16x8_narrow_i32x4_u : Wasm.i16x8_narrow_i32x4_s);
    return;
  }
  pushPacked(c, source, 8, row, group >> 1);
  const high = (group & 1) === 1;
  if (op === Op.ZExt) f.op(high ? Wasm.i16x8_extend_high_i8x16_u : Wasm.i16x8_extend_low_i8x16_u);
  else f.op(high ? Wasm.i16x8_extend_high_i8x16_s : Wasm.i16x8_extend_low_i8x16_s);
}

function shift(c: Context, vector: PackedVector): void {
  if (pushShiftedTruth(c, vector)) return;
  const { inst, width, row, push } = vector;
  if (c.isVectorHere(inst.operands[1]!)) {
    emit(c.f, shiftedByLanes(c, shiftOf(c, inst, vector)));
    return;
  }
  if (width === 8 && constantAmount(inst.operands[1]!) !== undefined) {
    emit(c.f, shiftedBytes(c, vector));
    return;
  }
  // OpenCL and WebAssembly both take the amount modulo the width.
  const amount: Expr<'i32'> = () => c.scalar(inst.operands[1]!, row);
  if (width === 8) {
    emit(
      c.f,
      shiftedBytesBy(c, inst.op, () => push(0), amount),
    );
    return;
  }
  if (inst.op === Op.Rotl) {
    emit(
      c.f,
      rotatedByOne(c, () => push(0), amount),
    );
    return;
  }
  push(0);
  emit(c.f, amount);
  c.f.op(packedInstruction(inst.op, width)!);
}

/** A shift by amounts that differ: that of the vector's instruction, or one that it uses. */
function shiftOf(c: Context, inst: Inst, { width, row, group }: PackedVector): PackedShift {
  const [number, amounts] = inst.operands as [Value, Value];
  const operand =
    (v: Value): Expr<'v128'> =>
    () =>
      pushPacked(c, v, width, row, group);
  return {
    op: inst.op,
    width,
    number: constantOf(number) === 1 ? undefined : operand(number),
    amounts: operand(amounts),
    isInRange: isMasked(amounts, width),
  };
}

function and(c: Context, vector: PackedVector): void {
  if (pushRangeTest(c, vector)) return;
  const taken = bitTaken(c, vector.inst);
  if (taken) emit(c.f, bitsAt(c, shiftOf(c, taken, vector)));
  else if (vector.width === 8 && pushMaskedShift(c, vector)) return;
  else emitInstruction(c, vector);
}

function or(c: Context, vector: PackedVector): void {
  if (pushRangeTest(c, vector)) return;
  const { inst, width, row, group } = vector;
  const word = width === 16 ? partsOf(c, inst) : undefined;
  if (word) pushInterleaved(c, word, group, (v, w, g) => pushPacked(c, v, w, row, g));
  else emitInstruction(c, vector);
}

/** Whether packed numbers are within a range, or outside of it. Returns whether the instruction is such a test. */
function pushRangeTest(c: Context, { inst, width, row, group }: PackedVector): boolean {
  const test = inst.type === Type.I1 ? rangeTest(c, inst) : undefined;
  if (!test || c.plan.packed.get(test.number.id) !== width) return false;
  pushPacked(c, test.number, width, row, group);
  packedConstant(c, width, test.added);
  c.f.op(packedInstruction(Op.Add, width)!);
  packedConstant(c, width, test.limit);
  c.f.op(packedInstruction(test.op, width)!);
  return true;
}

/** The unsigned mean of the numbers plus half the range. */
function averageSigned(c: Context, { width, push }: PackedVector): void {
  const flipSign = () => {
    packedConstant(c, width, 1 << (width - 1));
    c.f.op(Wasm.v128_xor);
  };
  for (const i of [0, 1]) {
    push(i);
    flipSign();
  }
  c.f.op(packedInstruction(Op.UAvgR, width)!);
  flipSign();
}

function multiply(c: Context, vector: PackedVector): void {
  const { width, push } = vector;
  if (width === 8) {
    emit(c.f, productOfBytes(c, vector));
    return;
  }
  push(0);
  push(1);
  c.f.op(Wasm.i16x8_mul);
}
