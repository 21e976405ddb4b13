// SPDX-License-Identifier: MIT
//
// Shifts of packed bytes by one amount for all lanes. No processor shifts bytes: V8 shifts halves and makes a mask of the bits that stay, anew for each
// shift. Here the mask is a constant, which is computed once, and there is none where the bits that cross are zeros or masked anyway.
import { type Expr, i8x16, i16x8, i32, v128 } from '../../../wasm/expressions';
import { ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import { constantAmount, constantOf } from '../../ir/build';
import { type Inst, Op, type Value } from '../../ir/ir';
import type { Context } from '../context';
import { type PackedVector, packedConstant, packedSplat, pushPacked } from './values';

type Vector = Expr<'v128'>;

const ALL = 0xff;

/** One vector of a byte shift by less than 8 bits. */
export function shiftedBytes(c: Context, { inst, push }: PackedVector): Vector {
  const by = constantAmount(inst.operands[1]!)!;
  const number: Vector = () => push(0);
  if (by === 0) return number;
  switch (inst.op) {
    case Op.Shl:
      return by === 1
        ? c.bind(ValType.V128, number, (x) => i8x16.add(x, x))
        : masked(c, i16x8.shl(number, i32.const(by)), crossing(inst, by), (ALL << by) & ALL);
    case Op.LShr:
      return masked(c, i16x8.shr_u(number, i32.const(by)), crossing(inst, by), ALL >> by);
    case Op.Rotl:
      return c.bind(ValType.V128, number, (x) =>
        v128.or(
          masked(c, i16x8.shl(x, i32.const(by)), ALL, (ALL << by) & ALL),
          masked(c, i16x8.shr_u(x, i32.const(8 - by)), ALL, ALL >> (8 - by)),
        ),
      );
    default:
      return shiftedSigned(c, number, by);
  }
}

/** The same by an amount that is not a constant, modulo 8. */
export function shiftedBytesBy(c: Context, op: Op, number: Vector, amount: Expr<'i32'>): Vector {
  return c.bind(ValType.I32, i32.and(amount, i32.const(7)), (by) => {
    const above = splat(i32.shl(i32.const(ALL), by));
    const right = v128.and(i16x8.shr_u(number, by), splat(i32.shr_u(i32.const(ALL), by)));
    switch (op) {
      case Op.Shl:
        return v128.and(i16x8.shl(number, by), above);
      case Op.LShr:
        return right;
      case Op.Rotl:
        // Where the amount is 0, the other one is 8, and the mask takes none of what it leaves.
        return c.bind(ValType.V128, number, (x) =>
          v128.or(
            v128.and(i16x8.shl(x, by), above),
            v128.andnot(i16x8.shr_u(x, i32.sub(i32.const(8), by)), above),
          ),
        );
      default:
        return c.bind(ValType.V128, splat(i32.shr_u(i32.const(0x80), by)), (sign) =>
          i8x16.sub(v128.xor(right, sign), sign),
        );
    }
  });
}

const splat =
  (byte: Expr<'i32'>): Vector =>
  (f) => {
    byte(f);
    f.op(Wasm.i8x16_splat);
  };

/** `(x >> n) & mask` or `(x << n) & mask`, if the mask clears what crosses from one byte to the next. Returns whether it is one. */
export function pushMaskedShift(c: Context, { inst, row, group }: PackedVector): boolean {
  for (const [shift, mask] of [inst.operands, [...inst.operands].reverse()] as [Value, Value][]) {
    const bits = constantOf(mask);
    if (bits === undefined || shift.kind !== 'inst' || !c.isInline(shift)) continue;
    const code = shift.op === Op.Shl ? Wasm.i16x8_shl : shift.op === Op.LShr ? Wasm.i16x8_shr_u : undefined;
    const by = code === undefined ? undefined : constantAmount(shift.operands[1]!);
    if (by === undefined || c.plan.packed.get(shift.id) !== 8) continue;
    const crossed = shift.op === Op.Shl ? ALL >> (8 - by) : (ALL << (8 - by)) & ALL;
    if ((Number(bits) & crossed) !== 0) continue;
    pushPacked(c, shift.operands[0]!, 8, row, group);
    c.f.i32(by);
    c.f.op(code!);
    packedConstant(c, 8, Number(bits));
    c.f.op(Wasm.v128_and);
    return true;
  }
  return false;
}

/** Bits of the shifted number that may cross into the next byte. */
function crossing({ op, operands }: Inst, by: number): number {
  return mayBeSet(operands[0]!) & (op === Op.Shl ? (ALL << (8 - by)) & ALL : ALL >> (8 - by));
}

function mayBeSet(v: Value): number {
  if (v.kind !== 'inst') return ALL;
  const [a, b] = v.operands as [Value, Value];
  if (v.op === Op.And) {
    const bits = constantOf(a) ?? constantOf(b);
    return bits === undefined ? ALL : Number(bits) & ALL;
  }
  const by = v.op === Op.LShr ? constantAmount(b) : undefined;
  return by === undefined ? ALL : ALL >> by;
}

function masked(c: Context, shifted: Vector, crossed: number, mask: number): Vector {
  return crossed === 0 ? shifted : v128.and(shifted, packedSplat(c, 8, mask));
}

/** The sign bit of the unsigned result is inverted, and subtracted as often as it weighs. */
function shiftedSigned(c: Context, number: Vector, by: number): Vector {
  if (by === 7) return i8x16.gt_s(packedSplat(c, 8, 0), number);
  const sign = packedSplat(c, 8, 0x80 >> by);
  const shifted = masked(c, i16x8.shr_u(number, i32.const(by)), ALL, ALL >> by);
  return i8x16.sub(v128.xor(shifted, sign), sign);
}
