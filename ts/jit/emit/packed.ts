// SPDX-License-Identifier: MIT
//
// Code for packed values (vectorize/packing.ts): sixteen bytes or eight halves to a vector. The vectors of a row are
// counted as groups of so many lanes.
import { type Expr, emit } from '../../wasm/expressions';
import { ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import { constantAmount, constantOf, isUndefined } from '../ir/build';
import { type Inst, Op, Type, type Value } from '../ir/ir';
import type { PackedWidth } from '../vectorize/plan';
import { permuteLanes } from './byte-order';
import type { Context } from './context';
import { partsOf, pushInterleaved } from './interleave';
import { isOfArguments, pushHoistedSplat } from './launch-values';
import { bitsAt, bitTaken, isMasked, type PackedShift, rotatedByOne, shiftedByLanes } from './packed-shifts';
import { byteOfWord, pickBytes, wordsOf } from './packed-words';
import { leadingZerosOfPacked } from './packed-zeros';
import { Extend } from './tables';

type Codes = readonly [bytes: Wasm, halves: Wasm];

const INSTRUCTIONS: Partial<Record<Op, Codes>> = {
  [Op.Add]: [Wasm.i8x16_add, Wasm.i16x8_add],
  [Op.Sub]: [Wasm.i8x16_sub, Wasm.i16x8_sub],
  [Op.And]: [Wasm.v128_and, Wasm.v128_and],
  [Op.Or]: [Wasm.v128_or, Wasm.v128_or],
  [Op.Xor]: [Wasm.v128_xor, Wasm.v128_xor],
  [Op.Not]: [Wasm.v128_not, Wasm.v128_not],
  [Op.Neg]: [Wasm.i8x16_neg, Wasm.i16x8_neg],
  [Op.Abs]: [Wasm.i8x16_abs, Wasm.i16x8_abs],
  [Op.SMin]: [Wasm.i8x16_min_s, Wasm.i16x8_min_s],
  [Op.SMax]: [Wasm.i8x16_max_s, Wasm.i16x8_max_s],
  [Op.UMin]: [Wasm.i8x16_min_u, Wasm.i16x8_min_u],
  [Op.UMax]: [Wasm.i8x16_max_u, Wasm.i16x8_max_u],
  [Op.SAddSat]: [Wasm.i8x16_add_sat_s, Wasm.i16x8_add_sat_s],
  [Op.UAddSat]: [Wasm.i8x16_add_sat_u, Wasm.i16x8_add_sat_u],
  [Op.SSubSat]: [Wasm.i8x16_sub_sat_s, Wasm.i16x8_sub_sat_s],
  [Op.USubSat]: [Wasm.i8x16_sub_sat_u, Wasm.i16x8_sub_sat_u],
  [Op.UAvgR]: [Wasm.i8x16_avgr_u, Wasm.i16x8_avgr_u],
  [Op.Eq]: [Wasm.i8x16_eq, Wasm.i16x8_eq],
  [Op.Ne]: [Wasm.i8x16_ne, Wasm.i16x8_ne],
  [Op.SLt]: [Wasm.i8x16_lt_s, Wasm.i16x8_lt_s],
  [Op.SLe]: [Wasm.i8x16_le_s, Wasm.i16x8_le_s],
  [Op.SGt]: [Wasm.i8x16_gt_s, Wasm.i16x8_gt_s],
  [Op.SGe]: [Wasm.i8x16_ge_s, Wasm.i16x8_ge_s],
  [Op.ULt]: [Wasm.i8x16_lt_u, Wasm.i16x8_lt_u],
  [Op.ULe]: [Wasm.i8x16_le_u, Wasm.i16x8_le_u],
  [Op.UGt]: [Wasm.i8x16_gt_u, Wasm.i16x8_gt_u],
  [Op.UGe]: [Wasm.i8x16_ge_u, Wasm.i16x8_ge_u],
  [Op.Shl]: [Wasm.i8x16_shl, Wasm.i16x8_shl],
  [Op.LShr]: [Wasm.i8x16_shr_u, Wasm.i16x8_shr_u],
  [Op.AShr]: [Wasm.i8x16_shr_s, Wasm.i16x8_shr_s],
};

/** The one instruction for an operation on packed values. */
export function packedInstruction(op: Op, width: PackedWidth): Wasm | undefined {
  return INSTRUCTIONS[op]?.[width === 8 ? 0 : 1];
}

/** One vector of a packed value, or of a uniform value in packed form. */
export function pushPacked(c: Context, v: Value, width: PackedWidth, row: number, group: number): void {
  const { f } = c;
  const bits = constantOf(v);
  if (bits !== undefined || isUndefined(v)) {
    packedConstant(c, width, Number(bits ?? 0));
    return;
  }
  if (!c.isVector(v)) {
    const splat = () => f.op(width === 8 ? Wasm.i8x16_splat : Wasm.i16x8_splat);
    if (isOfArguments(v)) pushHoistedSplat(c, v, `packed ${width}`, ValType.V128, splat);
    else {
      c.scalar(v, row);
      splat();
    }
    return;
  }
  if (c.isInline(v)) emitPacked(c, v as Inst, width, c.rowsOf(v) > 1 ? row : 0, group);
  else c.packedVector(v, row, group);
}

function packedConstant(c: Context, width: PackedWidth, bits: number): void {
  c.constants.splat(Type.I32, Math.imul(bits & (2 ** width - 1), width === 8 ? 0x1010101 : 0x10001));
}

/** Which vector of a packed operation's result is emitted. */
interface PackedVector {
  readonly inst: Inst;
  readonly width: PackedWidth;
  readonly row: number;
  readonly group: number;
  /** Pushes the same vector of an operand. */
  readonly push: (operand: number) => void;
}

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
  [Op.Trunc]: narrow,
  [Op.FToS]: narrow,
  [Op.FToU]: narrow,
  [Op.ZExt]: extend,
  [Op.SExt]: extend,
  [Op.Shl]: shift,
  [Op.LShr]: shift,
  [Op.AShr]: shift,
  [Op.Rotl]: shift,
  [Op.And]: and,
  [Op.Or]: or,
  [Op.Select]: select,
  [Op.SAvgR]: averageSigned,
  [Op.Mul]: multiply,
  [Op.PermuteBytes](c, { inst, width, push }) {
    push(0);
    permuteLanes(c, inst, width / 8);
  },
  [Op.Clz](c, { width, push }) {
    emit(
      c.f,
      leadingZerosOfPacked(c, width, () => push(0)),
    );
  },
  [Op.PopCount]({ f }, { width, push }) {
    push(0);
    f.op(Wasm.i8x16_popcnt);
    if (width === 16) f.op(Wasm.i16x8_extadd_pairwise_i8x16_u);
  },
};

function emitInstruction({ f }: Context, { inst: { op, operands }, width, push }: PackedVector): void {
  for (let i = 0; i < operands.length; i++) push(i);
  f.op(packedInstruction(op, width)!);
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
  // OpenCL and WebAssembly both take the amount modulo the width.
  const amount: Expr<'i32'> = () => c.scalar(inst.operands[1]!, row);
  if (inst.op === Op.Rotl) {
    emit(
      c.f,
      rotatedByOne(c, width, () => push(0), amount),
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
  const taken = bitTaken(c, vector.inst);
  if (taken) emit(c.f, bitsAt(c, shiftOf(c, taken, vector)));
  else emitInstruction(c, vector);
}

function or(c: Context, vector: PackedVector): void {
  const { inst, width, row, group } = vector;
  const word = width === 16 ? partsOf(c, inst) : undefined;
  if (word) pushInterleaved(c, word, group, (v, w, g) => pushPacked(c, v, w, row, g));
  else emitInstruction(c, vector);
}

function select(c: Context, vector: PackedVector): void {
  if (pushMasked(c, vector)) return;
  const { inst, width, row, group, push } = vector;
  push(1);
  push(2);
  pushChoice(c, inst.operands[0]!, width, row, group);
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

function multiply(c: Context, { width, push }: PackedVector): void {
  if (width === 8) {
    multiplyBytes(c, push);
    return;
  }
  push(0);
  push(1);
  c.f.op(Wasm.i16x8_mul);
}

/** A truth value that is shifted to a bit: this bit of its mask. Returns whether it is one. */
function pushShiftedTruth(c: Context, { inst: { op, operands }, width, row, group }: PackedVector): boolean {
  const [bit, amount] = operands as [Value, Value];
  const by = constantAmount(amount);
  if (op !== Op.Shl || by === undefined || bit.kind !== 'inst' || bit.op !== Op.ZExt || !c.isInline(bit))
    return false;
  const [truth] = bit.operands as [Value];
  if (truth.type !== Type.I1) return false;
  pushMask(c, truth, width, row, group);
  packedConstant(c, width, 1 << by);
  c.f.op(Wasm.v128_and);
  return true;
}

/** A select between a constant and zero: the mask, or some of its bits. Returns whether it is one. */
function pushMasked(c: Context, { inst: { operands }, width, row, group }: PackedVector): boolean {
  const { f } = c;
  const [condition, yes, no] = operands as [Value, Value, Value];
  const numbers = [constantOf(yes), constantOf(no)].map((n) => (n === undefined ? n : Number(n)));
  const at = numbers.indexOf(0);
  const other = numbers[1 - at];
  if (at < 0 || other === undefined || !c.isVectorHere(condition)) return false;
  const inverted = at === 0;
  if (inverted) packedConstant(c, width, other);
  pushMask(c, condition, width, row, group);
  if (inverted) f.op(Wasm.v128_andnot);
  else if (other !== -1) {
    packedConstant(c, width, other);
    f.op(Wasm.v128_and);
  }
  return true;
}

/** Chooses between the two vectors on the stack. */
function pushChoice(c: Context, condition: Value, width: PackedWidth, row: number, group: number): void {
  const { f } = c;
  if (!c.isVectorHere(condition)) {
    c.scalar(condition, row);
    f.op(Wasm.select);
    return;
  }
  pushMask(c, condition, width, row, group);
  if (!c.relaxedSimd) f.op(Wasm.v128_bitselect);
  else f.op(width === 8 ? Wasm.i8x16_relaxed_laneselect : Wasm.i16x8_relaxed_laneselect);
}

/** Truth values of any width as a mask of this width. */
function pushMask(c: Context, v: Value, width: PackedWidth, row: number, group: number): void {
  const { f } = c;
  if (!c.isVectorHere(v)) {
    if (isOfArguments(v))
      pushHoistedSplat(c, v, 'mask', ValType.V128, () => {
        c.constant(Type.I32, -1);
        f.op(Wasm.i32_mul);
        f.op(Wasm.i32x4_splat);
      });
    else {
      f.i32(0);
      c.scalar(v, row);
      f.op(Wasm.i32_sub);
      f.op(Wasm.i32x4_splat);
    }
    return;
  }
  const own = c.plan.packed.get(v.id);
  if (own === width) pushPacked(c, v, width, row, group);
  else if (own === 8) {
    pushPacked(c, v, 8, row, group >> 1);
    f.op(group & 1 ? Wasm.i16x8_extend_high_i8x16_s : Wasm.i16x8_extend_low_i8x16_s);
  } else if (own === 16) {
    pushPacked(c, v, 16, row, group * 2);
    pushUpper(c, () => pushPacked(c, v, 16, row, group * 2 + 1));
    f.op(Wasm.i8x16_narrow_i16x8_s);
  } else {
    narrowMasks(c, (part) => c.vector(v, row, part), width, group);
  }
}

/** Masks of 32 bits for the lanes of one row as a mask of this width. */
export function pushPackedMask(c: Context, mask: readonly number[], width: PackedWidth, group: number): void {
  narrowMasks(c, (part) => c.f.get(mask[part]!), width, group);
}

function narrowMasks(c: Context, push: (part: number) => void, width: PackedWidth, group: number): void {
  const { f } = c;
  const halves = (first: number) => {
    push(first);
    push(first + 1);
    f.op(Wasm.i16x8_narrow_i32x4_s);
  };
  if (width === 16) {
    halves(group * 2);
    return;
  }
  halves(group * 4);
  pushUpper(c, () => halves(group * 4 + 2));
  f.op(Wasm.i8x16_narrow_i16x8_s);
}

/** The eight lanes that are the upper half of a vector of bytes: anything where a row has only the lower ones. */
function pushUpper(c: Context, push: () => void): void {
  if (c.lanes > 8) push();
  else c.constants.splat(Type.I32, 0);
}

function multiplyBytes(c: Context, push: (i: number) => void): void {
  const { f } = c;
  c.withLocal(ValType.V128, (a) =>
    c.withLocal(ValType.V128, (b) => {
      push(0);
      f.set(a);
      push(1);
      f.set(b);
      for (const code of [Wasm.i16x8_extmul_low_i8x16_u, Wasm.i16x8_extmul_high_i8x16_u]) {
        f.get(a);
        f.get(b);
        f.op(code);
        packedConstant(c, 16, 0xff);
        f.op(Wasm.v128_and);
      }
      f.op(Wasm.i8x16_narrow_i16x8_u);
    }),
  );
}

/** Eight packed halves whose low bytes a truncation keeps, with zero upper bytes. */
function pushLowBytes(c: Context, { facts }: Inst, halves: Value, row: number, group: number): void {
  pushPacked(c, halves, 16, row, group);
  if (facts.noUnsignedWrap) return;
  packedConstant(c, 16, 0xff);
  c.f.op(Wasm.v128_and);
}

/** Whether the stored bytes, fewer than a vector has, are a truncation of packed halves without other users. */
export function isLowBytes(c: Context, value: Value): value is Inst {
  return (
    value.kind === 'inst' &&
    value.op === Op.Trunc &&
    value.type === Type.I8 &&
    c.isInline(value) &&
    !c.plan.packed.has(value.id) &&
    c.plan.packed.get(value.operands[0]!.id) === 16 &&
    c.rowsOf(value.operands[0]!) === c.rowsOf(value)
  );
}

/** The bytes of eight lanes, in the low half of a vector. */
export function pushEightBytes(c: Context, bytes: Inst, row: number, group: number): void {
  const { f } = c;
  pushLowBytes(c, bytes, bytes.operands[0]!, c.rowsOf(bytes) > 1 ? row : 0, group);
  c.constants.splat(Type.I32, 0);
  f.op(Wasm.i8x16_narrow_i16x8_u);
}

/** Truncations and conversions to packed values, from packed halves or from vectors of 32 bits. */
function narrow(c: Context, { inst, width, row, group }: PackedVector): void {
  const { f } = c;
  const [source] = inst.operands as [Value];
  if (c.plan.packed.has(source.id)) {
    pushLowBytes(c, inst, source, row, group * 2);
    pushUpper(c, () => pushLowBytes(c, inst, source, row, group * 2 + 1));
    f.op(Wasm.i8x16_narrow_i16x8_u);
    return;
  }
  const picked = width === 8 ? byteOfWord(c, inst) : undefined;
  if (picked) {
    pickBytes(c, picked, row, group);
    return;
  }
  const { push, codes } = wordsOf(c, inst, width, row);
  const halves = (first: number) => {
    for (const part of [first, first + 1]) push(part);
    f.op(codes[0]);
  };
  if (width === 16) {
    halves(group * 2);
    return;
  }
  halves(group * 4);
  pushUpper(c, () => halves(group * 4 + 2));
  f.op(codes[1]);
}
