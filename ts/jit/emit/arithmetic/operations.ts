// SPDX-License-Identifier: MIT
//
// Arithmetic: each operation as scalar code for a row or as vector code for a part of a row. Operations that are neither one
// instruction nor a sequence of integers, floats or conversions (scalar-integer.ts and its siblings) are done lane by lane with scalar code.

import { invariant } from '../../../base/invariant';
import { ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import { constantOf } from '../../ir/build';
import { type Inst, Op, Type, type Value } from '../../ir/ir';
import { componentOf } from '../../ir/memory-order';
import { isInteger } from '../../ir/types';
import { isShift } from '../../vectorize/plan';
import type { Context } from '../context';
import { maskFor, selectLanes } from '../control/masks';
import { vectorInMemoryOrder, vectorOfComponents } from '../memory/memory-order';
import { extractOf, isWide, replaceOf, valTypeOf } from '../value-types';
import { scalarLookUp, scalarPermutation, vectorLookUp, vectorPermutation } from './byte-order';
import { scalarBytes, vectorBytes } from './bytes';
import { cheaperOpposite, type Opposite, sameComparison } from './comparisons';
import { scalarFloat, vectorFloat } from './float';
import { partsOf, pushInterleaved } from './interleave';
import { rangeTest } from './range-tests';
import { scalarConversion } from './scalar-conversions';
import { scalarInteger } from './scalar-integer';
import { LOWER_WORDS } from './shuffles';
import { Extend, type Simple, scalarInstruction, vectorInstruction } from './tables';
import { vectorConversion } from './vector-conversions';
import { vectorInteger } from './vector-integer';

/** The instructions for the low and the high half of the operands' vectors. */
const WIDE_PRODUCTS = {
  [Op.SMulWide]: [Wasm.i64x2_extmul_low_i32x4_s, Wasm.i64x2_extmul_high_i32x4_s],
  [Op.UMulWide]: [Wasm.i64x2_extmul_low_i32x4_u, Wasm.i64x2_extmul_high_i32x4_u],
} as const;

/** Leaves the operands of a scalar operation on the stack: from values, or from temporaries. */
export type PushScalar = (index: number, extend: Extend) => void;

/** The scalar result of a pure operation for one row. */
export function emitScalar(c: Context, inst: Inst, row: number): void {
  if (inst.facts.isIndex) {
    extendIndex(c, inst, row);
    return;
  }
  if (inst.op === Op.TileFirst || inst.op === Op.TileLast) {
    endOfTile(c, inst, row);
    return;
  }
  scalarOperation(c, inst, (i, extend) => c.scalarExtended(inst.operands[i]!, row, extend));
}

/**
 * An index extended to 64 bits (passes/mark-indexes.ts). Where numbers wrap between the lanes, the scalar is lane 0's distance from the
 * lane at the end where elements can be: as unsigned numbers at 0, as signed ones below 2^31.
 */
function extendIndex(c: Context, inst: Inst, row: number): void {
  const { f } = c;
  const stride = c.divergence.stride[inst.id]!;
  const isSigned = inst.op === Op.SExt;
  const toOther = isSigned === stride < 0 ? (c.lanes - 1) * stride : 0;
  c.scalar(inst.operands[0]!, row);
  if (toOther) {
    f.i32(toOther);
    f.op(Wasm.i32_add);
  }
  f.op(isSigned ? Wasm.i64_extend_i32_s : Wasm.i64_extend_i32_u);
  if (toOther) {
    f.i64(BigInt(-toOther));
    f.op(Wasm.i64_add);
  }
}

/** An affine value's scalar is that of the first lane. */
function endOfTile(c: Context, { op, operands: [value] }: Inst, row: number): void {
  c.scalar(value!, row);
  const distance = op === Op.TileLast ? c.divergence.stride[value!.id]! * (c.lanes - 1) : 0;
  if (distance === 0) return;
  c.f.i32(distance);
  c.f.op(Wasm.i32_add);
}

/** A scalar operation whose operands `push` leaves on the stack, each once. */
export function scalarOperation(c: Context, inst: Inst, push: PushScalar): void {
  const { f } = c;
  const simple = scalarInstruction(inst.op, inst.operands[0]!.type);
  if (simple) {
    for (let i = 0; i < inst.operands.length; i++) push(i, simple.extend);
    f.op(simple.code);
    return;
  }
  if (inst.op === Op.Select) {
    push(1, Extend.None);
    push(2, Extend.None);
    push(0, Extend.None);
    f.op(Wasm.select);
    return;
  }
  if (inst.op === Op.SMulWide || inst.op === Op.UMulWide) {
    for (const i of [0, 1]) {
      push(i, Extend.None);
      f.op(inst.op === Op.SMulWide ? Wasm.i64_extend_i32_s : Wasm.i64_extend_i32_u);
    }
    f.op(Wasm.i64_mul);
    return;
  }
  if (inst.op === Op.Bytes) {
    scalarBytes(c, inst, (i) => push(i, Extend.None));
    return;
  }
  if (inst.op === Op.LookUpBytes) {
    scalarLookUp(c, inst, () => push(0, Extend.None));
    return;
  }
  if (inst.op === Op.PermuteBytes) {
    scalarPermutation(c, inst, () => push(0, Extend.None));
    return;
  }
  if (inst.op === Op.InMemoryOrder || inst.op === Op.PermuteComponents) {
    push(inst.operands.indexOf(componentOf(inst)!), Extend.None);
    return;
  }
  // The sequences use operands more than once.
  const temps = inst.operands.map((o) => c.allocate(valTypeOf(o.type)));
  const extend = operandExtension(inst);
  inst.operands.forEach((_, i) => {
    push(i, extend);
    f.set(temps[i]!);
  });
  const done =
    scalarInteger(c, inst, temps) || scalarFloat(c, inst, temps) || scalarConversion(c, inst, temps);
  if (!done) throw new Error(`no code for ${Op[inst.op]} on ${Type[inst.operands[0]!.type]}`);
  for (const t of temps) c.release(t);
}

/** The required extension of narrow operands. */
function operandExtension(inst: Inst): Extend {
  switch (inst.op) {
    case Op.UDiv:
    case Op.URem:
    case Op.LShr:
    case Op.UAddSat:
    case Op.USubSat:
    case Op.UMulHi:
    case Op.UAvgR:
    case Op.UMin:
    case Op.UMax:
    case Op.Clz:
    case Op.PopCount:
    case Op.Rotl:
    case Op.ZExt:
    case Op.UToF:
    case Op.Bitcast:
      return Extend.Zero;
    case Op.Trunc:
    case Op.Ctz:
    case Op.Shl:
    case Op.Neg:
    case Op.Not:
      return Extend.None;
    default:
      return Extend.Sign;
  }
}

/**
 * A product of 16-bit numbers, as a dot product of pairs in which one factor's upper half is zero. Then the other factor's upper half has
 * no effect, so it can be widened in the cheaper way.
 */
function shortProduct(
  c: Context,
  inst: Inst,
  nonNegative: 0 | 1 | undefined,
  row: number,
  part: number,
): void {
  const { f } = c;
  const [a, b] = inst.operands as [Value, Value];
  const word = (v: Value) =>
    v.kind === 'inst' && v.op === Op.SExt && v.operands[0]!.type === Type.I16 && c.isInline(v);
  const widened = word(a) ? a : word(b) ? b : undefined;
  const cut = widened ?? (nonNegative !== undefined ? undefined : c.isVectorHere(a) ? b : a);
  for (const v of [a, b]) {
    if (v !== cut) c.vector(v, row, part);
    else if (v === widened) c.vectorExtended((v as Inst).operands[0]!, row, part, Extend.Zero);
    else if (c.isVectorHere(v) || c.plan.isBroadcast(v) || c.divergence.stride[v.id] !== 0) {
      c.vector(v, row, part);
      c.constants.splat(Type.I32, 0xffff);
      f.op(Wasm.v128_and);
    } else {
      c.scalar(v, row);
      f.i32(0xffff);
      f.op(Wasm.i32_and);
      f.op(Wasm.i32x4_splat);
    }
  }
  f.op(Wasm.i32x4_dot_i16x8_s);
}

/** Emits one vector of the result of a pure operation. */
export function emitVector(c: Context, inst: Inst, row: number, part: number): void {
  if (inst.facts.factorsFitI16 && c.engine.isX64) {
    shortProduct(c, inst, inst.facts.factorsFitI16.nonNegative, row, part);
    return;
  }
  const word = inst.op === Op.Or ? partsOf(c, inst) : undefined;
  if (word) {
    pushInterleaved(c, word, part, (v, _, group) => c.packedVector(v, row, group));
    return;
  }
  const instruction = vectorInstruction(inst.op, inst.operands[0]!.type);
  const emit = VECTOR_FORMS[inst.op];
  if (instruction) emitInstruction(c, inst, row, part, instruction);
  else if (emit) emit(c, inst, row, part);
  else if (!vectorConversion(c, inst, row, part) && !emitSequence(c, inst, row, part))
    laneByLane(c, inst, row, part);
}

type VectorForm = (c: Context, inst: Inst, row: number, part: number) => void;

/** Operations whose vector form is neither one instruction nor a sequence of integers, floats or conversions. */
const VECTOR_FORMS: { readonly [O in Op]?: VectorForm } = {
  [Op.SMulWide]: vectorWideProduct,
  [Op.UMulWide]: vectorWideProduct,
  [Op.Bytes]: vectorBytes,
  [Op.PermuteBytes]: vectorPermutation,
  [Op.LookUpBytes]: vectorLookUp,
  [Op.InMemoryOrder]: vectorInMemoryOrder,
  [Op.PermuteComponents]: vectorOfComponents,
  [Op.Select]: vectorSelect,
  [Op.MulAdd]: vectorMultiplyAdd,
};

/** An operation that is one instruction of WebAssembly, and the conditions of wide comparisons. */
function emitInstruction(
  c: Context,
  inst: Inst,
  row: number,
  part: number,
  { code, extend }: NonNullable<ReturnType<typeof vectorInstruction>>,
): void {
  const { f } = c;
  const { operands } = inst;
  const isCondition = inst.type === Type.I1;
  if (isCondition && isJunction(inst.op)) {
    if (!pushRangeTest(c, inst, row, part)) emitJunction(c, inst, row, part, code);
    return;
  }
  if (isCondition && isWide(operands[0]!.type)) {
    for (const half of [0, 1]) {
      for (const o of operands) c.vectorExtended(o, row, part * 2 + half, extend);
      f.op(code);
    }
    narrowMasks(c);
    return;
  }
  const { op, constant } = isCondition ? sameComparison(inst, 32) : { op: inst.op, constant: undefined };
  if (constant === undefined) {
    for (const o of operands) c.vectorExtended(o, row, part, extend);
    f.op(code);
    return;
  }
  c.vectorExtended(operands[0]!, row, part, extend);
  c.constants.splat(Type.I32, constant | 0);
  f.op(vectorInstruction(op, operands[0]!.type)!.code);
}

/** Whether numbers of 32 bits are within a range, or outside of it. Returns whether the instruction is such a test. */
function pushRangeTest(c: Context, inst: Inst, row: number, part: number): boolean {
  const test = rangeTest(c, inst);
  if (test?.number.type !== Type.I32 || !c.isVectorHere(test.number)) return false;
  c.vector(test.number, row, part);
  c.constants.splat(Type.I32, test.added | 0);
  c.f.op(Wasm.i32x4_add);
  c.constants.splat(Type.I32, test.limit | 0);
  c.f.op(vectorInstruction(test.op, Type.I32)!.code);
  return true;
}

function vectorWideProduct(c: Context, inst: Inst, row: number, part: number): void {
  for (const o of inst.operands) c.vector(o, row, part >> 1);
  c.f.op(WIDE_PRODUCTS[inst.op as keyof typeof WIDE_PRODUCTS][part & 1]!);
}

function vectorSelect(c: Context, inst: Inst, row: number, part: number): void {
  const [condition, yes, no] = inst.operands;
  const opposite = isWide(inst.type) ? undefined : oppositeInstruction(c, condition!);
  const pushCondition = () => {
    if (!opposite) {
      maskFor(c, condition!, row, part, inst.type);
      return;
    }
    for (const o of opposite.operands) c.vectorExtended(o, row, part, opposite.extend);
    c.f.op(opposite.code);
  };
  const zero = [yes!, no!].findIndex(isZero);
  if (zero >= 0 && c.isVectorHere(condition!)) {
    const other = zero === 0 ? no! : yes!;
    // The mask itself.
    if (zero === 1 && !opposite && Number(constantOf(other) ?? 0) === -1 && isInteger(inst.type)) {
      pushCondition();
      return;
    }
    c.vector(other, row, part);
    pushCondition();
    c.f.op((zero === 0) === (opposite === undefined) ? Wasm.v128_andnot : Wasm.v128_and);
    return;
  }
  c.vector(opposite ? no! : yes!, row, part);
  c.vector(opposite ? yes! : no!, row, part);
  if (c.isVectorHere(condition!)) {
    pushCondition();
    selectLanes(c, inst.type);
  } else {
    c.scalar(condition!, row);
    c.f.op(Wasm.select);
  }
}

/** Whether all bits of a constant are zeros. */
function isZero(v: Value): boolean {
  const bits = constantOf(v);
  return bits !== undefined && (Object.is(bits, 0) || bits === 0n);
}

/** The instruction for the opposite of a condition, if that takes fewer instructions. */
function oppositeInstruction(c: Context, condition: Value): (Simple & Opposite) | undefined {
  const opposite = c.isVectorHere(condition) ? cheaperOpposite(c, condition) : undefined;
  if (!opposite || isWide(opposite.operands[0]!.type)) return undefined;
  const instruction = vectorInstruction(opposite.op, opposite.operands[0]!.type);
  return instruction && { ...instruction, ...opposite };
}

/** a * b + c, rounded once where the engine has relaxed SIMD. */
function vectorMultiplyAdd(c: Context, inst: Inst, row: number, part: number): void {
  const { f } = c;
  const isDouble = inst.type === Type.F64;
  const [factor, other, addend] = inst.operands as readonly [Value, Value, Value];
  // c - a * b has the form c + -a * b here.
  const negated = c.relaxedSimd && factor.kind === 'inst' && factor.op === Op.FNeg && c.isInline(factor);
  c.vector(negated ? factor.operands[0]! : factor, row, part);
  c.vector(other, row, part);
  if (c.relaxedSimd) {
    c.vector(addend, row, part);
    if (negated) f.op(isDouble ? Wasm.f64x2_relaxed_nmadd : Wasm.f32x4_relaxed_nmadd);
    else f.op(isDouble ? Wasm.f64x2_relaxed_madd : Wasm.f32x4_relaxed_madd);
    return;
  }
  f.op(isDouble ? Wasm.f64x2_mul : Wasm.f32x4_mul);
  c.vector(addend, row, part);
  f.op(isDouble ? Wasm.f64x2_add : Wasm.f32x4_add);
}

/** A sequence of integer or float instructions over operands in temporaries. Returns whether there is one. */
function emitSequence(c: Context, inst: Inst, row: number, part: number): boolean {
  const { operands } = inst;
  const operandType = operands[0]!.type;
  const hasLanesOfOperands = inst.type === Type.I1 ? !isWide(operandType) : inst.type === operandType;
  if (!hasLanesOfOperands) return false;
  const temps = operands.map(() => c.allocate(ValType.V128));
  const isUniformAmount =
    (isShift(inst.op) || isDivision(inst.op)) &&
    !c.isVectorHere(operands[1]!) &&
    c.divergence.stride[operands[1]!.id] === 0;
  const extend = operandExtension(inst);
  operands.forEach((o, i) => {
    if (i === 1 && isUniformAmount) return;
    c.vectorExtended(o, row, part, extend);
    c.f.set(temps[i]!);
  });
  const amount = isUniformAmount ? operands[1] : undefined;
  const isDone = vectorInteger(c, inst, temps, amount, row) || vectorFloat(c, inst, temps);
  for (const t of temps) c.release(t);
  return isDone;
}

function isDivision(op: Op): boolean {
  return op === Op.SDiv || op === Op.UDiv || op === Op.SRem || op === Op.URem;
}

function isJunction(op: Op): boolean {
  return op === Op.And || op === Op.Or;
}

/** The truth values that a chain of And or Or combines: uniform ones, and others. */
export function junctionOf(c: Context, inst: Inst): { shared: Value[]; own: Value[] } {
  const shared: Value[] = [];
  const own: Value[] = [];
  const collect = (v: Value) => {
    if (v.kind === 'inst' && v.op === inst.op && (v === inst || (c.isInline(v) && c.isVector(v))))
      v.operands.forEach(collect);
    else (c.isVectorHere(v) ? own : shared).push(v);
  };
  collect(inst);
  return { shared, own };
}

/** Leaves the combination of a chain's uniform values. */
export function pushShared(c: Context, inst: Inst, shared: readonly Value[], row: number): void {
  shared.forEach((v, i) => {
    c.scalar(v, row);
    if (i > 0) c.f.op(inst.op === Op.And ? Wasm.i32_and : Wasm.i32_or);
  });
}

function emitJunction(c: Context, inst: Inst, row: number, part: number, code: Wasm): void {
  const { f } = c;
  const { shared, own } = junctionOf(c, inst);
  own.forEach((v, i) => {
    c.vector(v, row, part);
    if (i > 0) f.op(code);
  });
  if (shared.length === 0) return;
  f.i32(0);
  pushShared(c, inst, shared, row);
  f.op(Wasm.i32_sub);
  f.op(Wasm.i32x4_splat);
  if (own.length > 0) f.op(code);
}

/** Two vectors of 64-bit masks on the stack to one of 32-bit masks. */
function narrowMasks(c: Context): void {
  c.f.shuffle(LOWER_WORDS);
}

function laneByLane(c: Context, inst: Inst, row: number, part: number): void {
  const { f } = c;
  const lanes = isWide(inst.type) ? 2 : 4;
  // The code of an inline operand would be emitted for each lane, and that of a chain of them as often as the lanes' powers.
  const repeated = inst.operands.find((o) => o.kind === 'inst' && c.isVectorHere(o) && c.isInline(o));
  invariant(!repeated, `${Op[inst.op]} on lanes one by one has an inline operand`);
  c.withLocal(ValType.V128, (result) => {
    c.constants.splat(Type.I32, 0);
    f.set(result);
    for (let lane = 0; lane < lanes; lane++) {
      f.get(result);
      scalarOperation(c, inst, (i, extend) =>
        pushLane(c, inst.operands[i]!, row, part * lanes + lane, extend),
      );
      if (inst.type === Type.I1) negate(c);
      f.lane(replaceOf(inst.type), lane);
      f.set(result);
    }
    f.get(result);
  });
}

function negate(c: Context): void {
  c.withTop(ValType.I32, (bit) => {
    c.f.i32(0);
    c.f.get(bit);
    c.f.op(Wasm.i32_sub);
  });
}

/** The scalar of one lane of a row. */
export function pushLane(c: Context, v: Value, row: number, lane: number, extend: Extend): void {
  const { f } = c;
  if (!c.isVectorHere(v)) {
    const stride = c.divergence.stride[v.id]!;
    if (stride === 0) {
      c.scalarExtended(v, row, extend);
      return;
    }
    c.scalar(v, row);
    if (lane > 0) {
      c.constant(v.type, v.type === Type.I64 ? BigInt(stride * lane) : stride * lane);
      f.op(v.type === Type.I64 ? Wasm.i64_add : Wasm.i32_add);
    }
    return;
  }
  const per = c.perVector(v.type);
  c.vectorExtended(v, row, Math.floor(lane / per), extend);
  f.lane(extractOf(v.type), lane % per);
  if (v.type === Type.I1) {
    f.i32(1);
    f.op(Wasm.i32_and);
  }
}

/** Makes the value of a local the result of one work-item. */
export function keepResult(
  c: Context,
  inst: Inst,
  registers: readonly number[],
  row: number,
  lane: number,
  value: number,
): void {
  const { f } = c;
  if (!c.isVector(inst)) {
    f.get(value);
    f.set(registers[c.rowsOf(inst) > 1 ? row : 0]!);
    return;
  }
  const per = c.perVector(inst.type);
  const local = registers[row * c.perRow(inst.type) + Math.floor(lane / per)]!;
  f.get(local);
  f.get(value);
  f.lane(replaceOf(inst.type), lane % per);
  f.set(local);
}
