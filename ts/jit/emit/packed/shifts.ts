// SPDX-License-Identifier: MIT
//
// Shifts and rotations of packed numbers. WebAssembly shifts all lanes by one amount. By amounts that differ, a left shift is a product
// with a power of two, which a table in a vector gives, and a right shift is the upper bits of such a product.
import { type Expr, i8x16, i16x8, i32, i32x4, v128 } from '../../../wasm/expressions';
import { ValType } from '../../../wasm/function-builder';
import { constantOf } from '../../ir/build';
import { type Inst, Op, Type, type Value } from '../../ir/ir';
import type { PackedWidth } from '../../vectorize/plan';
import { permutation } from '../arithmetic/shuffles';
import type { Context } from '../context';
import { packedSplat } from './values';

type Vector = Expr<'v128'>;

/** Pushes each of these operands at most once. */
export interface PackedShift {
  readonly op: Op;
  readonly width: PackedWidth;
  /** Undefined for the number 1. */
  readonly number: Vector | undefined;
  readonly amounts: Vector;
  /** Whether no amount is as large as the width. */
  readonly isInRange: boolean;
}

/** For an index from 0 to 7 the byte with that bit set, counted from below or from above; 0 for any other. */
const BITS = Uint8Array.from({ length: 16 }, (_, i) => (i < 8 ? 1 << i : 0));
const BITS_FROM_ABOVE = Uint8Array.from({ length: 16 }, (_, i) => (i < 8 ? 128 >> i : 0));
/** The bit at which each byte of a 16-bit number begins. */
const FIRST_BITS = Uint8Array.from({ length: 16 }, (_, i) => (i & 1) * 8);

/** Whether an amount is visibly less than a width. */
export function isMasked(amount: Value, width: PackedWidth): boolean {
  if (amount.kind !== 'inst') return false;
  const constants = amount.operands.map(constantOf).filter((n) => n !== undefined);
  if (amount.op === Op.And) return constants.some((n) => Number(n) >= 0 && Number(n) < width);
  // Two to the fifth of the numbers of eight bits are below 8, to the twelfth of those of sixteen below 16.
  const least = width === 8 ? 5 : 12;
  return amount.op === Op.LShr && Number(constantOf(amount.operands[1]!) ?? 0) >= least;
}

/** One vector of a shift or rotation by amounts that differ. */
export function shiftedByLanes(c: Context, shift: PackedShift): Vector {
  const { op, width, number } = shift;
  const isRight = op === Op.LShr || op === Op.AShr;
  const powers = powersOfTwo(c, shift, isRight);
  if (!number) return isRight ? shiftedNumber(c, op, width, one(c, width), powers) : powers;
  return shiftedNumber(c, op, width, number, powers);
}

/** One vector of a rotation of all halves by one amount. */
export function rotatedByOne(c: Context, number: Vector, amount: Expr<'i32'>): Vector {
  // Both amounts are modulo the width.
  return c.bind(ValType.V128, number, (x) =>
    v128.or(i16x8.shl(x, amount), i16x8.shr_u(x, i32.sub(i32.const(0), amount))),
  );
}

/** One vector of `number >> amounts & 1`. */
export function bitsAt(c: Context, shift: PackedShift): Vector {
  const { width, number } = shift;
  const type = width === 8 ? i8x16 : i16x8;
  const powers = powersOfTwo(c, shift, false);
  return type.min_u(v128.and(number ?? one(c, width), powers), one(c, width));
}

const one = (c: Context, width: PackedWidth): Vector => packedSplat(c, width, 1);

/** Two to the power of the amounts, or of the width minus one minus the amounts. */
function powersOfTwo(c: Context, shift: PackedShift, fromAbove: boolean): Vector {
  const { width, amounts, isInRange } = shift;
  if (width === 8) {
    const masked = isInRange ? amounts : v128.and(amounts, c.constants.splatExpr(Type.I32, 0x7070707));
    return permutation(c, fromAbove ? BITS_FROM_ABOVE : BITS, masked);
  }
  const fifteen = c.constants.splatExpr(Type.I32, 0xf000f);
  const exponents = fromAbove
    ? v128.andnot(fifteen, amounts)
    : isInRange
      ? amounts
      : v128.and(amounts, fifteen);
  const twice = i16x8.mul(exponents, packedSplat(c, 8, 1));
  return permutation(
    c,
    BITS,
    i8x16.sub(twice, () => c.constants.bytes(FIRST_BITS)),
  );
}

function shiftedNumber(c: Context, op: Op, width: PackedWidth, number: Vector, powers: Vector): Vector {
  if (op === Op.AShr) return shiftedSigned(c, width, number, powers);
  return width === 8 ? shiftedBytes(c, op, number, powers) : shiftedHalves(c, op, number, powers);
}

/** For a negative number its complement is shifted. */
function shiftedSigned(c: Context, width: PackedWidth, number: Vector, powers: Vector): Vector {
  const type = width === 8 ? i8x16 : i16x8;
  return c.bind(ValType.V128, number, (x) =>
    c.bind(ValType.V128, type.shr_s(x, i32.const(width - 1)), (sign) =>
      v128.xor(shiftedNumber(c, Op.LShr, width, v128.xor(x, sign), powers), sign),
    ),
  );
}

/** Of the products of 16 bits, the low bytes, the upper nine bits or both halves together. */
function shiftedBytes(c: Context, op: Op, number: Vector, powers: Vector): Vector {
  const lowest = c.constants.splatExpr(Type.I32, 0xff00ff);
  const use = (product: Vector): Vector => {
    switch (op) {
      case Op.LShr:
        return i16x8.shr_u(product, i32.const(7));
      case Op.Rotl:
        return c.bind(ValType.V128, product, (p) =>
          v128.and(v128.or(p, i16x8.shr_u(p, i32.const(8))), lowest),
        );
      default:
        return v128.and(product, lowest);
    }
  };
  return c.bind(ValType.V128, number, (x) =>
    c.bind(ValType.V128, powers, (factor) =>
      i8x16.narrow_i16x8_u(
        use(i16x8.extmul_low_i8x16_u(x, factor)),
        c.lanes > 8 ? use(i16x8.extmul_high_i8x16_u(x, factor)) : c.constants.splatExpr(Type.I32, 0),
      ),
    ),
  );
}

function shiftedHalves(c: Context, op: Op, number: Vector, powers: Vector): Vector {
  if (op === Op.Shl) return i16x8.mul(number, powers);
  const lowest = c.constants.splatExpr(Type.I32, 0xffff);
  const use = (product: Vector): Vector =>
    op === Op.LShr
      ? i32x4.shr_u(product, i32.const(15))
      : c.bind(ValType.V128, product, (p) => v128.and(v128.or(p, i32x4.shr_u(p, i32.const(16))), lowest));
  return c.bind(ValType.V128, number, (x) =>
    c.bind(ValType.V128, powers, (factor) =>
      i16x8.narrow_i32x4_u(
        use(i32x4.extmul_low_i16x8_u(x, factor)),
        use(i32x4.extmul_high_i16x8_u(x, factor)),
      ),
    ),
  );
}

/** The shift that `x & 1` takes a bit from, if `x` is one by amounts that differ and nothing else uses it. */
export function bitTaken(c: Context, { operands }: Inst): Inst | undefined {
  for (const [x, mask] of [operands, [...operands].reverse()] as (readonly Value[])[]) {
    if (constantOf(mask!) !== 1 || x!.kind !== 'inst' || !c.isInline(x!)) continue;
    if (x.op !== Op.LShr && x.op !== Op.AShr) continue;
    if (c.plan.packed.has(x.id) && c.isVectorHere(x.operands[1]!)) return x;
  }
  return undefined;
}
