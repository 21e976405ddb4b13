// SPDX-License-Identifier: MIT
//
// The operations and the identities of group reductions.
import { Op, type Reduction, Type } from './ir';

export const COMBINE: Record<Reduction, Op> = {
  add: Op.Add,
  mul: Op.Mul,
  smin: Op.SMin,
  smax: Op.SMax,
  umin: Op.UMin,
  umax: Op.UMax,
  fmin: Op.FMin,
  fmax: Op.FMax,
  fadd: Op.FAdd,
  fmul: Op.FMul,
  and: Op.And,
  or: Op.Or,
  xor: Op.Xor,
};

/** The identity of a reduction: its result without operands. */
export function identityOf(reduction: Reduction, type: Type): number | bigint {
  const bits = type === Type.I8 ? 8 : type === Type.I16 ? 16 : type === Type.I64 ? 64 : 32;
  switch (reduction) {
    case 'mul':
    case 'fmul':
      return 1;
    case 'and':
      return -1;
    case 'smin':
      return 2n ** BigInt(bits - 1) - 1n;
    case 'smax':
      return -(2n ** BigInt(bits - 1));
    case 'umin':
      return -1;
    case 'fmin':
      return Number.POSITIVE_INFINITY;
    case 'fmax':
      return Number.NEGATIVE_INFINITY;
    default:
      return 0;
  }
}
