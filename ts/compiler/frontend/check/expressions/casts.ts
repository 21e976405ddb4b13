// SPDX-License-Identifier: MIT
//
// Casts (6.2).
import type { Expr } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import { isFloatKind } from '../../scalars';
import { sameType, type Type, type VectorType } from '../../types';
import type { Checker } from '../checker';
import { convertAsIfAssigned } from '../conversions/assignment';
import { rvalue, splat } from '../conversions/implicit';
import { convertPointer, isNullPointerConstant } from '../conversions/pointers';
import { underline } from '../extents';
import { convertScalar, makeCast } from '../nodes';
import { sizeOf } from '../types/layout';
import { spaceCasts } from '../types/pointers';
import { asScalar, hasBits, isArithmetic, isHandle, isNullableHandle } from '../types/predicates';
import { spell } from '../types/spelling';
import { checkTypeName } from '../types/type-names';
import { negated } from './unary';
import { checkVectorLiteral, commaOperands, postfixOfLiteral } from './vector-literals';

export function checkCast(c: Checker, expr: Syntax.CastExpr): Expr | undefined {
  const target = checkTypeName(c, expr.type);
  if (target === undefined) return undefined;
  const { type } = target;
  if (type.kind === 'vector') {
    const whole = postfixOfLiteral(expr);
    if (whole !== undefined) return c.rules.expression(c, whole);
  }
  if (type.kind === 'vector' && expr.operand.kind === 'paren') {
    const parts = commaOperands(expr.operand.inner);
    if (parts.length > 1) return checkVectorLiteral(c, type, parts, expr);
  }
  const raw = c.rules.expression(c, expr.operand);
  if (raw === undefined) return undefined;
  if (type.kind === 'scalar' && type.scalar === 'half' && !c.hasHalf) {
    c.reporter.report('half-cast', expr.location, { type: spell(type) });
    return undefined;
  }
  return convertExplicitly(c, rvalue(c, raw), type, expr);
}

function convertExplicitly(c: Checker, value: Expr, type: Type, expr: Syntax.CastExpr): Expr | undefined {
  const from = value.type;
  const { location } = expr;
  const at = (made: Expr): Expr => ({ ...made, location });
  const args = { from: spell(from), to: spell(type) };
  if (type.kind === 'void') return makeCast('to-void', value, type, false);
  if (from === type && type.kind !== 'image') return at(value);
  if (isHandle(from) && (asScalar(type) !== undefined || type.kind === 'pointer')) {
    c.reporter.report('handle-cast', location, args, underline(expr.operand));
    return undefined;
  }
  switch (type.kind) {
    case 'scalar':
    case 'enum': {
      if (isArithmetic(from)) return at(convertScalar(value, type, false));
      const scalar = asScalar(type)!;
      if (from.kind === 'pointer' || from.kind === 'block') {
        if (scalar.scalar === 'bool') return makeCast('to-bool', value, type, false);
        if (isFloatKind(scalar.scalar)) break;
        if (sizeOf(type, c.language) < c.language.addressBits / 8 && !isNullPointerConstant(c, value)) {
          c.reporter.report('pointer-to-small-integer', location, args, underline(expr.operand));
        }
        return makeCast('pointer-to-integer', value, type, false);
      }
      if (from.kind === 'vector') {
        c.reporter.report('cast-vector-scalar', location, args, underline(expr.operand));
        return undefined;
      }
      break;
    }
    case 'vector':
      if (isArithmetic(from)) return castToVector(value, type);
      if (from.kind === 'vector') {
        c.reporter.report('cast-vectors', location, args, underline(expr.operand));
        return undefined;
      }
      break;
    case 'pointer':
      if (isNullPointerConstant(c, value)) return makeCast('null-pointer', value, type, false);
      if (from.kind === 'pointer') {
        if (!spaceCasts(from.space, type.space)) {
          c.reporter.report('cast-address-space', location, args, underline(expr.operand));
          return undefined;
        }
        return at(convertPointer(value, type, false));
      }
      if (isArithmetic(from) && !isFloatKind(asScalar(from)!.scalar)) {
        if (value.kind !== 'integer' && sizeOf(from, c.language) < c.language.addressBits / 8) {
          c.reporter.report('small-integer-to-pointer', location, args, underline(expr.operand));
        }
        return makeCast('integer-to-pointer', value, type, false);
      }
      break;
    case 'image':
      c.reporter.report('opaque-cast', location, args, underline(expr.operand));
      return undefined;
    case 'opaque':
      if (type.name !== 'event_t') {
        c.reporter.report('opaque-cast', location, args, underline(expr.operand));
        return undefined;
      }
      return castToEvent(c, value, type, expr);
    case 'block':
    case 'atomic':
      return convertAsIfAssigned(c, value, type, { what: 'initialize' }, expr.operand);
    case 'record':
      break;
    default:
      if (sameType(from, type)) return value;
  }
  c.reporter.report('cast-invalid', location, args, underline(expr.operand));
  return undefined;
}

/** The integer constant 0 is the null event; no other value becomes one. */
function castToEvent(c: Checker, value: Expr, type: Type, expr: Syntax.CastExpr): Expr | undefined {
  if (isNullPointerConstant(c, value)) return makeCast('opaque', value, type, false);
  const to = spell(type);
  const line = underline(expr.operand);
  if (value.kind === 'integer')
    c.reporter.report('event-cast', expr.location, { to, value: value.value }, line);
  else c.reporter.report('opaque-cast', expr.location, { to }, line);
  return undefined;
}

/** A bool becomes all bits of each component (6.2.2). */
function castToVector(value: Expr, type: VectorType): Expr {
  const isBool = value.type.kind === 'scalar' && value.type.scalar === 'bool';
  if (!isBool || isFloatKind(type.element.scalar)) return splat(value, type, false);
  const element = convertScalar(value, type.element);
  return makeCast('splat', negated(element, value.location), type, false);
}

export function checkAsType(c: Checker, expr: Syntax.AsTypeExpr): Expr | undefined {
  const raw = c.rules.expression(c, expr.operand);
  const target = checkTypeName(c, expr.type);
  if (raw === undefined || target === undefined) return undefined;
  const value = rvalue(c, raw);
  const isSame = sameType(value.type, target.type);
  // CLK_NULL_EVENT and CLK_NULL_RESERVE_ID are spelled this way, as in clang's header.
  if (isNullableHandle(target.type) && value.type.kind === 'pointer' && isNullPointerConstant(c, value))
    return { ...makeCast('opaque', value, target.type, false), location: expr.location };
  const opaque = [value.type, target.type].findIndex((type) => !isSame && !hasBits(type));
  if (opaque >= 0) {
    const type = spell(opaque === 0 ? value.type : target.type);
    const line = underline(expr.operand);
    if (expr.form === 'astype') c.reporter.report('astype-type', expr.location, { type }, line);
    else if (opaque === 0) c.reporter.report('bit-cast-source', expr.location, {}, line);
    else c.reporter.report('bit-cast-destination', expr.location, {}, line);
    return undefined;
  }
  if (sizeOf(value.type, c.language) !== sizeOf(target.type, c.language)) {
    const args = { from: spell(value.type), to: spell(target.type) };
    c.reporter.report('astype-size', expr.location, args, underline(expr.operand));
    return undefined;
  }
  return { ...makeCast('bits', value, target.type, false), location: expr.location };
}
