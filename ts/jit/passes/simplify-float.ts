// SPDX-License-Identifier: MIT
//
// Rules for float arithmetic. Without `fast` facts they keep every bit, signed zeros and NaNs included.
import { constantOf } from '../ir/build';
import { clampOf, floatRange } from '../ir/float-ranges';
import { type Inst, Op, Type, type Value } from '../ir/ir';
import { bitsOf } from '../ir/types';
import type { Simplifier } from './simplifier';

export function simplifyFloat(
  s: Simplifier,
  inst: Inst,
  constants: readonly (number | bigint | undefined)[],
): Value | undefined {
  const { op, type } = inst;
  const [a, b] = inst.operands as [Value, Value];
  const c = constants[1] as number | undefined;
  const fast = inst.facts.fast;
  switch (op) {
    case Op.FAdd:
      if (Object.is(c, -0) || (c === 0 && fast?.noSignedZero)) return a;
      return undefined;
    case Op.FSub:
      if (Object.is(c, 0) || (c === 0 && fast?.noSignedZero)) return a;
      // -0 - x is -x; 0 - x is only if the sign of zeros does not matter.
      if (Object.is(constants[0], -0) || (constants[0] === 0 && fast?.noSignedZero))
        return s.emit(Op.FNeg, type, [b]);
      return undefined;
    case Op.FMul:
      if (c === 1) return a;
      if (c === -1) return s.emit(Op.FNeg, type, [a]);
      if (c === 0 && fast?.noNaN && fast.noSignedZero) return s.leaves.constant(type, 0);
      return undefined;
    case Op.FDiv:
      if (c === 1) return a;
      if (
        c !== undefined &&
        (isReciprocalExact(c, type) || (fast?.reciprocal && c !== 0 && Number.isFinite(1 / c)))
      )
        return s.emit(Op.FMul, type, [a, s.leaves.constant(type, 1 / c)], { ...inst.facts });
      return undefined;
    case Op.FNeg:
      return a.kind === 'inst' && a.op === Op.FNeg ? a.operands[0] : undefined;
    case Op.FAbs:
      if (a.kind === 'inst' && (a.op === Op.FNeg || a.op === Op.FAbs))
        return s.emit(Op.FAbs, type, [a.operands[0]!]);
      return undefined;
    case Op.FMin:
    case Op.FMax:
      return a === b ? a : undefined;
    case Op.Fma:
    case Op.MulAdd:
      if (constants[1] === 1) return s.emit(Op.FAdd, type, [a, inst.operands[2]!]);
      if (constants[0] === 1) return s.emit(Op.FAdd, type, [b, inst.operands[2]!]);
      if (Object.is(constantOf(inst.operands[2]!), -0)) return s.emit(Op.FMul, type, [a, b]);
      return undefined;
    default:
      return undefined;
  }
}

/**
 * What a conversion to an unsigned byte or short converts, without limits outside of which its result does not change: it saturates, and
 * makes zeros of NaNs.
 */
export function unlimitedNumber(v: Inst, to: Type): Value {
  if (bitsOf(to) > 16 || (v.op !== Op.FMin && v.op !== Op.FMax)) return v;
  const clamp = clampOf(v);
  if (!clamp) return v;
  const { number, limit, replacesNaN } = clamp;
  const changesNothing =
    v.op === Op.FMax
      ? limit <= 0
      : limit >= 2 ** bitsOf(to) - 1 && !(replacesNaN && floatRange(number).mayBeNaN);
  if (!changesNothing) return v;
  return number.kind === 'inst' ? unlimitedNumber(number, to) : number;
}

/** Whether a constant is a power of two with a normal reciprocal, so that a division by it is a multiplication. */
function isReciprocalExact(c: number, type: Type): boolean {
  const magnitude = Math.abs(c);
  const most = type === Type.F64 ? 2 ** 1000 : 2 ** 120;
  if (!(magnitude <= most && magnitude >= 1 / most)) return false;
  return Number.isInteger(Math.log2(magnitude)) && 2 ** Math.log2(magnitude) === magnitude;
}
