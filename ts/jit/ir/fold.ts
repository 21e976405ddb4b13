// SPDX-License-Identifier: MIT
//
// The value of an operation on constants, exactly as the emitted code computes it. undefined: not folded.
import { halfBits, halfValue } from '../../base/half';
import { onesInAny } from '../../base/integer-arithmetic';
import { singleOf } from '../../base/single';
import { Op, Type } from './ir';
import { bitsOf, canonical } from './types';

type Bits = number | bigint;

export function fold(op: Op, type: Type, operands: readonly Bits[], operandType: Type): Bits | undefined {
  if (op >= Op.Add && op <= Op.Rotl) return foldInteger(op, type, operands);
  if (op >= Op.FAdd && op <= Op.MulAdd) return foldFloat(op, type, operands as readonly number[]);
  if (op >= Op.Eq && op <= Op.UGe) return foldCompare(op, operandType, operands);
  if (op >= Op.FEq && op <= Op.FUnordered) return foldFloatCompare(op, operands as readonly number[]);
  if (op === Op.Select) return operands[0] ? operands[1] : operands[2];
  return foldConversion(op, type, operands[0]!, operandType);
}

function integerToFloat(type: Type, value: bigint): number {
  if (type === Type.F32) return singleOf(value);
  // A double represents every half exactly.
  return type === Type.F16 ? halfValue(halfBits(Number(value))) : Number(value);
}

const unsigned = (value: Bits, bits: number): bigint => BigInt.asUintN(bits, BigInt(value));

function foldInteger(op: Op, type: Type, operands: readonly Bits[]): Bits | undefined {
  if (type === Type.I1) {
    const [a, b] = operands as number[];
    if (op === Op.And) return a! & b!;
    if (op === Op.Or) return a! | b!;
    if (op === Op.Xor) return a! ^ b!;
    if (op === Op.Not) return a! ^ 1;
    return undefined;
  }
  if (type === Type.I32) {
    const fast = foldI32(op, operands as readonly number[]);
    if (fast !== undefined) return fast;
  }
  const bits = bitsOf(type);
  const result = exactInteger(op, BigInt(operands[0]!), BigInt(operands[1] ?? 0), bits);
  return result === undefined
    ? undefined
    : canonical(type, type === Type.I64 ? result : Number(BigInt.asIntN(bits, result)));
}

/** The frequent operations, without bigint. */
function foldI32(op: Op, [a, b]: readonly number[]): number | undefined {
  switch (op) {
    case Op.Add:
      return (a! + b!) | 0;
    case Op.Sub:
      return (a! - b!) | 0;
    case Op.Mul:
      return Math.imul(a!, b!);
    case Op.And:
      return a! & b!;
    case Op.Or:
      return a! | b!;
    case Op.Xor:
      return a! ^ b!;
    case Op.Shl:
      return a! << b!;
    case Op.LShr:
      return (a! >>> b!) | 0;
    case Op.AShr:
      return a! >> b!;
    default:
      return undefined;
  }
}

/** The operands of an operation on integers: signed, unsigned, and as the amount of a shift. */
interface Operands {
  readonly a: bigint;
  readonly b: bigint;
  readonly ua: bigint;
  readonly ub: bigint;
  readonly amount: bigint;
  readonly width: bigint;
}

const greatest = (width: bigint): bigint => (1n << (width - 1n)) - 1n;
const least = (width: bigint): bigint => -(1n << (width - 1n));
const greatestUnsigned = (width: bigint): bigint => (1n << width) - 1n;
const clamp = (value: bigint, low: bigint, high: bigint): bigint =>
  value < low ? low : value > high ? high : value;
const saturate = (value: bigint, width: bigint): bigint => clamp(value, least(width), greatest(width));
const saturateUnsigned = (value: bigint, width: bigint): bigint => clamp(value, 0n, greatestUnsigned(width));
const significantBits = (value: bigint): bigint => (value === 0n ? 0n : BigInt(value.toString(2).length));

/** Each operation's exact result, which the caller reduces to the width. */
const INTEGER: Partial<Record<Op, (operands: Operands) => bigint>> = {
  [Op.Add]: ({ a, b }) => a + b,
  [Op.Sub]: ({ a, b }) => a - b,
  [Op.Mul]: ({ a, b }) => a * b,
  [Op.SDiv]: ({ a, b }) => (b === 0n ? 0n : a / b),
  [Op.UDiv]: ({ ua, ub }) => (ub === 0n ? 0n : ua / ub),
  [Op.SRem]: ({ a, b }) => (b === 0n ? 0n : a % b),
  [Op.URem]: ({ ua, ub }) => (ub === 0n ? 0n : ua % ub),
  [Op.And]: ({ a, b }) => a & b,
  [Op.Or]: ({ a, b }) => a | b,
  [Op.Xor]: ({ a, b }) => a ^ b,
  [Op.Shl]: ({ a, amount }) => a << amount,
  [Op.LShr]: ({ ua, amount }) => ua >> amount,
  [Op.AShr]: ({ a, amount }) => a >> amount,
  [Op.SMin]: ({ a, b }) => (a < b ? a : b),
  [Op.SMax]: ({ a, b }) => (a > b ? a : b),
  [Op.UMin]: ({ ua, ub }) => (ua < ub ? ua : ub),
  [Op.UMax]: ({ ua, ub }) => (ua > ub ? ua : ub),
  [Op.SAddSat]: ({ a, b, width }) => saturate(a + b, width),
  [Op.UAddSat]: ({ ua, ub, width }) => saturateUnsigned(ua + ub, width),
  [Op.SSubSat]: ({ a, b, width }) => saturate(a - b, width),
  [Op.USubSat]: ({ ua, ub, width }) => saturateUnsigned(ua - ub, width),
  [Op.SMulHi]: ({ a, b, width }) => (a * b) >> width,
  [Op.UMulHi]: ({ ua, ub, width }) => (ua * ub) >> width,
  [Op.SAvgR]: ({ a, b }) => (a + b + 1n) >> 1n,
  [Op.UAvgR]: ({ ua, ub }) => (ua + ub + 1n) >> 1n,
  [Op.Not]: ({ a }) => ~a,
  [Op.Neg]: ({ a }) => -a,
  [Op.Abs]: ({ a }) => (a < 0n ? -a : a),
  [Op.Clz]: ({ ua, width }) => width - significantBits(ua),
  // The lowest one bit alone, and the zeros below it.
  [Op.Ctz]: ({ ua, width }) => (ua === 0n ? width : significantBits(ua & -ua) - 1n),
  [Op.PopCount]: ({ ua }) => BigInt(onesInAny(ua)),
  [Op.Rotl]: ({ ua, amount, width }) => (ua << amount) | (ua >> (width - amount)),
};

function exactInteger(op: Op, a: bigint, b: bigint, bits: number): bigint | undefined {
  const width = BigInt(bits);
  const ub = BigInt.asUintN(bits, b);
  return INTEGER[op]?.({ a, b, ua: BigInt.asUintN(bits, a), ub, amount: ub % width, width });
}

function foldFloat(op: Op, type: Type, [a, b]: readonly number[]): number | undefined {
  if (type === Type.F16 && op !== Op.FNeg && op !== Op.FAbs) return undefined;
  // These keep the bits of a NaN, which do not survive as a number.
  if (Number.isNaN(a) && (op === Op.FNeg || op === Op.FAbs || op === Op.FCopySign)) return undefined;
  const value = exactFloat(op, a!, b!);
  if (value === undefined) return undefined;
  return Number.isNaN(value) ? Number.NaN : (canonical(type, value) as number);
}

/** In double; one rounding to float of a double result of +, -, *, / and sqrt on floats is correct. */
function exactFloat(op: Op, a: number, b: number): number | undefined {
  switch (op) {
    case Op.FAdd:
      return a + b;
    case Op.FSub:
      return a - b;
    case Op.FMul:
      return a * b;
    case Op.FDiv:
      return a / b;
    case Op.FRem:
      return a % b;
    case Op.FMin:
      return Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b);
    case Op.FMax:
      return Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b);
    case Op.FNeg:
      return -a;
    case Op.FAbs:
      return Math.abs(a);
    case Op.FSqrt:
      return Math.sqrt(a);
    case Op.FFloor:
      return Math.floor(a);
    case Op.FCeil:
      return Math.ceil(a);
    case Op.FTrunc:
      return Math.trunc(a);
    case Op.FRint:
      return nearestEven(a);
    case Op.FRoundHalf:
      return halfValue(halfBits(a));
    case Op.FCopySign: {
      const negative = b < 0 || Object.is(b, -0);
      return Number.isNaN(b) ? undefined : negative ? -Math.abs(a) : Math.abs(a);
    }
    default:
      return undefined;
  }
}

function nearestEven(a: number): number {
  if (!Number.isFinite(a) || Math.abs(a) >= 2 ** 52) return a;
  const floor = Math.floor(a);
  const rest = a - floor;
  const rounded = rest < 0.5 ? floor : rest > 0.5 ? floor + 1 : floor % 2 === 0 ? floor : floor + 1;
  return rounded === 0 && (a < 0 || Object.is(a, -0)) ? -0 : rounded;
}

function foldCompare(op: Op, type: Type, [a, b]: readonly Bits[]): number | undefined {
  const wide = type === Type.I64;
  const ua = wide ? unsigned(a!, 64) : Number(a) >>> 0;
  const ub = wide ? unsigned(b!, 64) : Number(b) >>> 0;
  switch (op) {
    case Op.Eq:
      return a === b ? 1 : 0;
    case Op.Ne:
      return a !== b ? 1 : 0;
    case Op.SLt:
      return a! < b! ? 1 : 0;
    case Op.SLe:
      return a! <= b! ? 1 : 0;
    case Op.SGt:
      return a! > b! ? 1 : 0;
    case Op.SGe:
      return a! >= b! ? 1 : 0;
    // Sign extension keeps the unsigned order of narrow numbers.
    case Op.ULt:
      return ua < ub ? 1 : 0;
    case Op.ULe:
      return ua <= ub ? 1 : 0;
    case Op.UGt:
      return ua > ub ? 1 : 0;
    case Op.UGe:
      return ua >= ub ? 1 : 0;
    default:
      return undefined;
  }
}

function foldFloatCompare(op: Op, [a, b]: readonly number[]): number | undefined {
  switch (op) {
    case Op.FEq:
      return a === b ? 1 : 0;
    case Op.FNe:
      return a !== b ? 1 : 0;
    case Op.FLt:
      return a! < b! ? 1 : 0;
    case Op.FLe:
      return a! <= b! ? 1 : 0;
    case Op.FGt:
      return a! > b! ? 1 : 0;
    case Op.FGe:
      return a! >= b! ? 1 : 0;
    case Op.FUnordered:
      return Number.isNaN(a) || Number.isNaN(b) ? 1 : 0;
    default:
      return undefined;
  }
}

const view = new DataView(new ArrayBuffer(8));

function foldConversion(op: Op, type: Type, value: Bits, from: Type): Bits | undefined {
  const bits = bitsOf(type);
  switch (op) {
    case Op.Trunc:
    case Op.SExt:
      return canonical(type, from === Type.I1 ? Number(value) & 1 : value);
    case Op.ZExt: {
      const raw = unsigned(value, bitsOf(from));
      return canonical(type, type === Type.I64 ? raw : Number(raw));
    }
    case Op.FToS:
    case Op.FToU: {
      const a = Number(value);
      if (Number.isNaN(a)) return canonical(type, type === Type.I64 ? 0n : 0);
      const width = BigInt(bits);
      const [low, high] =
        op === Op.FToS ? [-(1n << (width - 1n)), (1n << (width - 1n)) - 1n] : [0n, (1n << width) - 1n];
      const whole = a <= Number(low) ? low : a >= Number(high) ? high : BigInt(Math.trunc(a));
      return canonical(type, type === Type.I64 ? whole : Number(whole));
    }
    case Op.SToF:
      return integerToFloat(type, BigInt(value));
    case Op.UToF:
      return integerToFloat(type, unsigned(value, bitsOf(from)));
    case Op.FConvert:
      return type === Type.F16 ? undefined : canonical(type, value);
    case Op.Bitcast:
      return foldBitcast(type, value, from);
    default:
      return undefined;
  }
}

function foldBitcast(type: Type, value: Bits, from: Type): Bits | undefined {
  if (from === Type.F16 || type === Type.F16) return undefined;
  if (from === Type.F32) view.setFloat32(0, value as number, true);
  else if (from === Type.F64) view.setFloat64(0, value as number, true);
  else if (from === Type.I64) view.setBigInt64(0, value as bigint, true);
  else view.setInt32(0, value as number, true);
  // A NaN's payload does not survive as a number.
  if ((from === Type.F32 || from === Type.F64) && Number.isNaN(value)) return undefined;
  if (type === Type.F32) {
    const result = view.getFloat32(0, true);
    return Number.isNaN(result) ? undefined : result;
  }
  if (type === Type.F64) {
    const result = view.getFloat64(0, true);
    return Number.isNaN(result) ? undefined : result;
  }
  return type === Type.I64 ? view.getBigInt64(0, true) : canonical(type, view.getInt32(0, true));
}
