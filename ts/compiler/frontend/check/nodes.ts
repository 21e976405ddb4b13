// SPDX-License-Identifier: MIT
//
// Construction of nodes of the checked AST, and predicates on them.
import type { Location } from '../../diagnostics/diagnostic';
import type { CastKind, Expr, IntegerConstant } from '../ast/checked';
import { hasObject } from '../ast/lvalues';
import { unqualified } from '../predefined-types';
import { isFloatKind } from '../scalars';
import type { QualType, Type } from '../types';
import { floatToInteger, integerToFloat, roundFloat, wrapInteger } from './constants/values';
import { asScalar } from './types/predicates';
import { INT } from './types/scalars';

/** The object type of an expression that denotes one. */
export function objectOf(expr: Expr): QualType {
  return hasObject(expr) ? expr.object : unqualified(expr.type);
}

export function integerConstant(value: bigint, type: Type, location: Location): IntegerConstant {
  return { kind: 'integer', value, type, location };
}

export function zeroConstant(location: Location): IntegerConstant {
  return integerConstant(0n, INT, location);
}

export function makeCast(cast: CastKind, operand: Expr, type: Type, implicit = true): Expr {
  return { kind: 'cast', cast, operand, type, implicit, location: operand.location };
}

/** Between arithmetic types; constants are converted at once. */
export function convertScalar(operand: Expr, type: Type, implicit = true): Expr {
  const from = asScalar(operand.type);
  const to = asScalar(type);
  if (from === undefined || to === undefined || operand.type === type) return operand;
  const { location } = operand;
  const kind = to.scalar;
  const toFloat = isFloatKind(kind);
  if (operand.kind === 'integer') {
    return toFloat
      ? { kind: 'float', value: integerToFloat(operand.value, kind), type, location }
      : integerConstant(wrapInteger(operand.value, kind), type, location);
  }
  if (operand.kind === 'float') {
    return toFloat
      ? { kind: 'float', value: roundFloat(operand.value, kind), type, location }
      : integerConstant(floatToInteger(operand.value, kind), type, location);
  }
  if (kind === 'bool') return makeCast('to-bool', operand, type, implicit);
  if (isFloatKind(from.scalar)) {
    return makeCast(toFloat ? 'float' : 'float-to-integer', operand, type, implicit);
  }
  return makeCast(toFloat ? 'integer-to-float' : 'integer', operand, type, implicit);
}
