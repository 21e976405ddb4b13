// SPDX-License-Identifier: MIT
//
// Accesses by an index that wraps around, `i & mask` or `i % n`: unless it does so within the row of a tile, its lanes are contiguous. One
// or two scalars tell it, without the vectors of all lanes.
import { type Expr, emit, i32, set } from '../../../wasm/expressions';
import { ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import { constantAmount, constantOf } from '../../ir/build';
import { type Inst, Op, type Value } from '../../ir/ir';
import type { RunTimeTest, WrappedIndex } from '../../vectorize/plan';
import { scalarOperation } from '../arithmetic/operations';
import type { Context } from '../context';
import { isAtHand } from './at-hand';

/** A test at run time of whether the lanes of a row access consecutive elements. */
export interface RowTest {
  /** Leaves 1 on the stack if they do. It may set the local `first`, an integer. */
  readonly test: (row: number, first: number) => void;
  /** Leaves the address of lane 0, if they do. `first` is as the test has left it. */
  readonly pushAddress: (row: number, first: number) => void;
}

/** The test of an access, if scalars suffice. It leaves lane 0 of what the address is evaluated from in the local `first`. */
export function wrappedTest(
  c: Context,
  { index, step, wrapped }: RunTimeTest,
  address: Value,
): RowTest | undefined {
  if (!wrapped) return undefined;
  const { start, scale } = startOf(c, address, index);
  const isWhole = c.isInline(start);
  if (!isWhole && !isLimitTestable(c, wrapped, address)) return undefined;
  const distance = (c.lanes - 1) * step * scale;
  return {
    test: (row, first) =>
      isWhole
        ? testLimit(c, wrapped, distance, row, first)
        : testLastLane(c, start, distance, wrapped, row, first),
    pushAddress: (row, first) => pushAddressFrom(c, address, start, row, first),
  };
}

/** What an address is evaluated from where it is used: the index, or what locals have of `scale` times the index. */
function startOf(c: Context, address: Value, index: Value): { start: Value; scale: number } {
  let start: Value | undefined;
  let scale = 1;
  for (let value = address; ; value = varyingOperand(c, value as Inst)) {
    if (value === index || !c.isInline(value)) start ??= value;
    if (value === index) return { start: start!, scale };
    const { op, operands } = value as Inst;
    if (start && op === Op.Shl) scale *= 2 ** constantAmount(operands[1]!)!;
  }
}

const isUniform = (c: Context, value: Value): boolean => c.divergence.strideAt(value, c.block) === 0;

/** On the way from an address to its index, only one operand differs between lanes. */
const varyingOperand = (c: Context, { operands }: Inst): Value =>
  operands.find((operand) => !isUniform(c, operand))!;

/** Leaves the address of lane 0, evaluated from `start`, whose lane 0 is in the local `first`. */
function pushAddressFrom(c: Context, address: Value, start: Value, row: number, first: number): void {
  if (address === start) {
    c.f.get(first);
    return;
  }
  const inst = address as Inst;
  scalarOperation(c, inst, (i) => {
    const operand = inst.operands[i]!;
    if (isUniform(c, operand)) c.scalar(operand, row);
    else pushAddressFrom(c, operand, start, row, first);
  });
}

// ---- an index that is evaluated here: of lane 0 alone

/** Whether no lane wraps: the number before it wraps grows by `distance`, and so would the index, within the limit. */
function testLimit(
  c: Context,
  { inst, inside, limit }: WrappedIndex,
  distance: number,
  row: number,
  first: number,
): void {
  c.withLocal(ValType.I32, (from) =>
    c.withLocal(ValType.I32, (to) => {
      set(c.f, from, () => c.scalar(inside, row));
      set(c.f, to, () => c.scalar(limit, row));
      scalarOperation(c, inst, (i) => c.f.get(inst.operands[i] === inside ? from : to));
      c.f.set(first);
      const after = i32.add(from, i32.const(distance));
      const last = i32.add(first, i32.const(distance));
      emit(c.f, isWithinLimit(inst.op, { from, after, to, last }));
      if (mayHaveZeros(inst.op, limit)) emitAlso(c, isAllOnes(to));
    }),
  );
}

interface Numbers {
  /** The number before it wraps, in lane 0 and in the last one. */
  readonly from: number;
  readonly after: Expr<'i32'>;
  /** The mask or the divisor. */
  readonly to: number;
  /** The index of the last lane if none wraps. */
  readonly last: Expr<'i32'>;
}

function isWithinLimit(op: Op, { from, after, to, last }: Numbers): Expr<'i32'> {
  if (op === Op.And) return i32.le_u(last, to);
  const isBelow = i32.lt_u(last, to);
  if (op === Op.URem) return i32.and(isBelow, i32.lt_u(from, after));
  // A sum that overflows is below 0. Numbers that rise from below 0 to above it have consecutive remainders, if these are within the limit.
  return i32.and(isBelow, i32.ge_s(i32.or(after, to), i32.const(0)));
}

// ---- an index that all lanes have: of lane 0 and of the last one

/** Below it, no number of lanes falls behind by 2^32 bytes. */
const LARGEST_LIMIT = 2 ** 26;

const isLimitTestable = (c: Context, { limit }: WrappedIndex, address: Value): boolean => {
  const known = constantOf(limit);
  return known === undefined
    ? isAtHand(c, limit, address)
    : Number(known) > 0 && Number(known) < LARGEST_LIMIT;
};

/**
 * Whether the last lane is as far from lane 0 as if none wraps. An index falls behind wherever it wraps, and nowhere gets ahead. So if
 * the last one has not fallen behind, none has.
 */
function testLastLane(
  c: Context,
  start: Value,
  distance: number,
  { inst, limit }: WrappedIndex,
  row: number,
  first: number,
): void {
  const { f } = c;
  c.vector(start, row, 0);
  f.lane(Wasm.i32x4_extract_lane, 0);
  f.set(first);
  c.vector(start, row, c.perRow(start.type) - 1);
  f.lane(Wasm.i32x4_extract_lane, 3);
  emit(f, i32.add(first, i32.const(distance)));
  f.op(Wasm.i32_eq);
  if (constantOf(limit) !== undefined) return;
  c.withLocal(ValType.I32, (to) => {
    set(f, to, () => c.scalar(limit, row));
    emitAlso(c, i32.lt_u(to, i32.const(LARGEST_LIMIT)));
    if (mayHaveZeros(inst.op, limit)) emitAlso(c, isAllOnes(to));
  });
}

// ---- masks

/** Whether a mask may be no 2^n - 1. Constant ones have been tested. */
const mayHaveZeros = (op: Op, limit: Value): boolean => op === Op.And && constantOf(limit) === undefined;

/** Whether a mask is 2^n - 1. */
const isAllOnes = (mask: number): Expr<'i32'> => i32.eqz(i32.and(mask, i32.add(mask, i32.const(1))));

function emitAlso(c: Context, condition: Expr<'i32'>): void {
  emit(c.f, condition);
  c.f.op(Wasm.i32_and);
}
