// SPDX-License-Identifier: MIT
//
// Integer operations on vectors that take several instructions. Operands are in locals, extended as operations.ts says.
import {
  type Expr,
  emit,
  f32x4,
  i16x8,
  i32,
  i32x4,
  i64x2,
  integerVectors,
  type Operand,
  set,
  v128,
} from '../../../wasm/expressions';
import { ValType } from '../../../wasm/function-builder';
import { constantAmount, constantOf } from '../../ir/build';
import { type Inst, Op, Type, type Value } from '../../ir/ir';
import { bitsOf } from '../../ir/types';
import { fitsWord } from '../../ir/upper-words';
import type { Context } from '../context';
import { bitsOfBytes } from './bit-counts';
import { divideByScalar, emulatedDivision } from './integer-division';
import { LOWER_THEN_UPPER_WORDS, LOWER_WORDS, UPPER_THEN_LOWER_WORDS, UPPER_WORDS } from './shuffles';
import { shiftByLanes } from './varying-shift';

type Vector = Expr<'v128'>;

/** Of a float: the lowest bit of its exponent, and the exponent of 1. */
const EXPONENT_AT = 23;
const EXPONENT_OF_ONE = 127;
const LARGEST_EXPONENT = 255;

/** An operation and the locals with its operands. */
interface Vectors {
  readonly c: Context;
  readonly inst: Inst;
  /** Bits of a lane's number. */
  readonly width: number;
  readonly a: number;
  readonly b: number;
  /** A shift's amount or a divisor that is one scalar for all lanes; then it has no local. */
  readonly uniform: Value | undefined;
  readonly row: number;
}

/** Emits an operation; false if it is done lane by lane. */
type Sequence = (vectors: Vectors) => boolean;

const SEQUENCES: Partial<Record<Op, Sequence>> = {
  [Op.Shl]: shift,
  [Op.LShr]: shift,
  [Op.AShr]: shift,
  [Op.Rotl]: rotate,
  [Op.SDiv]: divide,
  [Op.SRem]: divide,
  [Op.UDiv]: divide,
  [Op.URem]: divide,
  [Op.SAvgR]: (v) => average(v, true),
  [Op.UAvgR]: (v) => average(v, false),
  // These are one instruction on 32-bit lanes (tables.ts).
  [Op.SMin]: wideExtreme,
  [Op.SMax]: wideExtreme,
  [Op.UMin]: wideExtreme,
  [Op.UMax]: wideExtreme,
  [Op.SAddSat]: onWords((v) => saturatingSigned(v, true)),
  [Op.SSubSat]: onWords((v) => saturatingSigned(v, false)),
  [Op.UAddSat]: onWords(saturatingSum),
  [Op.USubSat]: onWords(({ a, b }) => i32x4.sub(i32x4.max_u(a, b), b)),
  [Op.SMulHi]: (v) => highProduct(v, true),
  [Op.UMulHi]: (v) => highProduct(v, false),
  [Op.PopCount]: onWords(({ c, a }) => popcount(c, a)),
  [Op.Ctz]: onWords(trailingZeros),
  [Op.Clz]: onWords(leadingZeros),
};

/** Leaves one vector of the result on the stack; false if it is to be done lane by lane. */
export function vectorInteger(
  c: Context,
  inst: Inst,
  t: readonly number[],
  uniform: Value | undefined,
  row: number,
): boolean {
  const [a, b] = t as [number, number];
  return SEQUENCES[inst.op]?.({ c, inst, width: bitsOf(inst.type), a, b, uniform, row }) ?? false;
}

/** A sequence that exists for lanes of 32 bits only. */
function onWords(sequence: (vectors: Vectors) => Vector): Sequence {
  return (vectors) => {
    if (vectors.width === 64) return false;
    emit(vectors.c.f, sequence(vectors));
    return true;
  };
}

// --- shifts ---

function shift(v: Vectors): boolean {
  const { c, inst, width, a, b, uniform, row } = v;
  if (!uniform) return shiftByLanes(c, inst, a, b, width);
  const vector = integerVectors(width === 64);
  const by = amount(c, uniform, row, width);
  if (inst.op === Op.Shl) emit(c.f, vector.shl(a, by));
  else emit(c.f, inst.op === Op.LShr ? vector.shr_u(a, by) : vector.shr_s(a, by));
  return true;
}

/** An amount of a shift, modulo the width; WebAssembly takes amounts for vectors modulo the width of the lanes. */
function amount(c: Context, uniform: Value, row: number, width: number): Expr<'i32'> {
  const scalar = () => c.scalar(uniform, row);
  if (width === 64) return i32.wrap_i64(scalar);
  return width < 32 ? i32.and(scalar, i32.const(width - 1)) : scalar;
}

function rotate(v: Vectors): boolean {
  const { c, inst, width, a, b, uniform, row } = v;
  if (!uniform) return shiftByLanes(c, inst, a, b, width);
  const constant = constantAmount(uniform);
  if (width >= 32 && constant !== undefined && constant % 8 === 0) {
    emit(c.f, v128.shuffle(a, a, rotatedBytes(width / 8, constant / 8)));
    return true;
  }
  const vector = integerVectors(width === 64);
  const left = amount(c, uniform, row, width);
  // Shifts are modulo the lane's bits. The bits above a narrow number do not count.
  const right =
    constant === undefined ? i32.sub(i32.const(width < 32 ? width : 0), left) : i32.const(width - constant);
  emit(c.f, v128.or(vector.shl(a, left), vector.shr_u(a, right)));
  return true;
}

/** The bytes of lanes of `size` bytes, each rotated left by `by` bytes. */
function rotatedBytes(size: number, by: number): number[] {
  return Array.from({ length: 16 }, (_, i) => i - (i % size) + (((i % size) - by + size) % size));
}

// --- division, averages, extremes ---

function divide({ c, inst, width, a, b, uniform, row }: Vectors): boolean {
  if (width === 64) return false;
  if (uniform) return divideByScalar(c, inst, a, uniform, row);
  return emulatedDivision(c, inst, a, b);
}

function average({ c, width, a, b }: Vectors, signed: boolean): boolean {
  const vector = integerVectors(width === 64);
  const half = (signed ? vector.shr_s : vector.shr_u)(v128.xor(a, b), i32.const(1));
  emit(c.f, vector.sub(v128.or(a, b), half));
  return true;
}

function wideExtreme({ c, inst, width, a, b }: Vectors): boolean {
  if (width < 64) return false;
  const { op } = inst;
  // Unsigned numbers compare as signed ones do when their highest bits are inverted.
  const isUnsigned = op === Op.UMin || op === Op.UMax;
  const comparable = (x: number): Operand<'v128'> =>
    isUnsigned ? v128.xor(x, () => c.constants.splat(Type.I64, -(2n ** 63n))) : x;
  const compare = op === Op.SMin || op === Op.UMin ? i64x2.lt_s : i64x2.gt_s;
  emit(c.f, v128.bitselect(a, b, compare(comparable(a), comparable(b))));
  return true;
}

// --- upper halves of products ---

function highProduct(v: Vectors, signed: boolean): boolean {
  emit(v.c.f, (v.width === 64 ? highProductOfLongs : highProductOfWords)(v, signed));
  return true;
}

function highProductOfWords({ width, a, b }: Vectors, signed: boolean): Vector {
  if (width < 32) {
    const product = i32x4.mul(a, b);
    return (signed ? i32x4.shr_s : i32x4.shr_u)(product, i32.const(width));
  }
  const low = signed ? i64x2.extmul_low_i32x4_s(a, b) : i64x2.extmul_low_i32x4_u(a, b);
  const high = signed ? i64x2.extmul_high_i32x4_s(a, b) : i64x2.extmul_high_i32x4_u(a, b);
  return v128.shuffle(low, high, UPPER_WORDS);
}

/**
 * The sum of products of words, as for scalars (scalar-integer.ts): four of them, or two by a number of one word. A number below 0 is 2^64
 * more without its sign, so the unsigned product's upper half is more by the other factor.
 */
function highProductOfLongs({ c, inst, a, b }: Vectors, signed: boolean): Vector {
  const [first, second] = inst.operands as [Value, Value];
  const isWord = (v: Value) => fitsWord(v, 'unsigned');
  const product = isWord(second)
    ? highProductByWord(c, a, b)
    : isWord(first)
      ? highProductByWord(c, b, a)
      : highProductByLong(c, a, b);
  const isNegative = (x: number) => i64x2.lt_s(x, c.constants.splatExpr(Type.I64, 0n));
  const less = (from: Vector, v: Value, x: number, by: number) =>
    signed && mayBeNegative(v) ? i64x2.sub(from, v128.and(by, isNegative(x))) : from;
  return less(less(product, first, a, b), second, b, a);
}

function mayBeNegative(v: Value): boolean {
  const constant = constantOf(v);
  return constant === undefined ? !fitsWord(v, 'unsigned') : BigInt.asIntN(64, BigInt(constant)) < 0n;
}

function upperWords(x: Operand<'v128'>): Vector {
  return i64x2.shr_u(x, i32.const(32));
}

/** `b` has one word. */
function highProductByWord(c: Context, a: number, b: number): Vector {
  return c.bind(ValType.V128, v128.shuffle(a, a, LOWER_THEN_UPPER_WORDS), (words) =>
    c.bind(ValType.V128, v128.shuffle(b, b, LOWER_WORDS), (factor) => {
      const carry = upperWords(i64x2.extmul_low_i32x4_u(words, factor));
      return upperWords(i64x2.add(i64x2.extmul_high_i32x4_u(words, factor), carry));
    }),
  );
}

function highProductByLong(c: Context, a: number, b: number): Vector {
  const lower = (x: Operand<'v128'>) => v128.and(x, c.constants.splatExpr(Type.I64, 0xffffffffn));
  return c.bind(ValType.V128, v128.shuffle(a, a, LOWER_THEN_UPPER_WORDS), (words) =>
    c.bind(ValType.V128, v128.shuffle(b, b, LOWER_THEN_UPPER_WORDS), (straight) =>
      c.bind(ValType.V128, v128.shuffle(b, b, UPPER_THEN_LOWER_WORDS), (crossed) => {
        const carry = upperWords(i64x2.extmul_low_i32x4_u(words, straight));
        return c.bind(ValType.V128, i64x2.add(i64x2.extmul_high_i32x4_u(words, crossed), carry), (middle) => {
          const other = i64x2.add(i64x2.extmul_low_i32x4_u(words, crossed), lower(middle));
          const high = i64x2.add(i64x2.extmul_high_i32x4_u(words, straight), upperWords(middle));
          return i64x2.add(high, upperWords(other));
        });
      }),
    ),
  );
}

// --- sequences on lanes of 32 bits ---

/** Four times a number. */
function splat(c: Context, value: number): Vector {
  return () => c.constants.splat(Type.I32, value);
}

function saturatingSigned({ c, width, a, b }: Vectors, add: boolean): Vector {
  const sum = add ? i32x4.add(a, b) : i32x4.sub(a, b);
  if (width < 32) {
    const low = splat(c, -(2 ** (width - 1)));
    const high = splat(c, 2 ** (width - 1) - 1);
    return i32x4.min_s(i32x4.max_s(sum, low), high);
  }
  // As for scalars (scalar-integer.ts).
  return (f) =>
    c.withLocal(ValType.V128, (result) => {
      set(f, result, sum);
      const bound = v128.xor(i32x4.shr_s(a, i32.const(31)), splat(c, 0x7fffffff));
      const signs = v128.and(v128.xor(a, result), v128.xor(b, add ? result : a));
      emit(f, v128.bitselect(bound, result, i32x4.shr_s(signs, i32.const(31))));
    });
}

function saturatingSum({ c, width, a, b }: Vectors): Vector {
  if (width < 32) return i32x4.min_u(i32x4.add(a, b), splat(c, 2 ** width - 1));
  return i32x4.add(a, i32x4.min_u(b, v128.not(a)));
}

function popcount(c: Context, a: Operand<'v128'>): Vector {
  return i32x4.extadd_pairwise_i16x8_s(i16x8.extadd_pairwise_i8x16_u(bitsOfBytes(c, a)));
}

/**
 * The exponent of the lowest bit as a float, which is negative if it is bit 31. A bit above the type's bounds the count. Without any bit the
 * exponent is 0, and the difference more than any count.
 */
function trailingZeros({ c, width, a }: Vectors): Vector {
  return (f) => {
    if (width < 32) set(f, a, v128.or(a, splat(c, 1 << width)));
    const lowest = v128.and(a, i32x4.sub(splat(c, 0), a));
    const exponent = i32x4.shr_u(f32x4.convert_i32x4_s(lowest), i32.const(EXPONENT_AT));
    const count = i32x4.sub(v128.and(exponent, splat(c, LARGEST_EXPONENT)), splat(c, EXPONENT_OF_ONE));
    emit(f, i32x4.min_u(count, splat(c, width)));
  };
}

/**
 * The exponent of the number as a float says where its highest bit is. Without each bit below a bit that is set, it is not rounded up to
 * the next power of two. Numbers with bit 31 become negative floats, whose sign and exponent together exceed what they are subtracted from.
 */
function leadingZeros({ c, width, a }: Vectors): Vector {
  const float = f32x4.convert_i32x4_s(v128.andnot(a, i32x4.shr_u(a, i32.const(1))));
  const exponent = i32x4.shr_u(float, i32.const(EXPONENT_AT));
  // The upper halves of the lanes are zeros, so saturating 16-bit operations do for all 32 bits. A zero has the exponent 0.
  const zeros = i16x8.sub_sat_u(splat(c, EXPONENT_OF_ONE + width - 1), exponent);
  return i16x8.min_u(zeros, splat(c, width));
}
