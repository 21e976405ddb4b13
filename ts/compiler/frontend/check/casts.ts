// SPDX-License-Identifier: MIT
//
// Casts and vector literals (6.2), sizeof and its kind.
import type { Expr } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import { sameType, type Type, type VectorType } from '../types';
import { ConditionalChecker } from './conditional-operator';
import { spell } from './spelling';
import {
  asScalar,
  hasBits,
  isArithmetic,
  isComplete,
  isFloatKind,
  isHandle,
  isNullableHandle,
  sizeOf,
  spaceCasts,
} from './type-rules';
import { warnSizeof } from './warnings/sizes';

export abstract class CastChecker extends ConditionalChecker {
  // ---- casts

  protected castExpression(expr: Syntax.CastExpr): Expr | undefined {
    const target = this.typeName(expr.type);
    if (target === undefined) return undefined;
    const { type } = target;
    if (type.kind === 'vector') {
      const whole = behindLiteral(expr);
      if (whole !== undefined) return this.expression(whole);
    }
    if (type.kind === 'vector' && expr.operand.kind === 'paren') {
      const parts = commaList(expr.operand.inner);
      if (parts.length > 1) return this.vectorLiteral(type, parts, expr);
    }
    const raw = this.expression(expr.operand);
    if (raw === undefined) return undefined;
    if (type.kind === 'scalar' && type.scalar === 'half' && !this.hasHalf()) {
      this.reporter.report('half-cast', expr.location, { type: spell(type) });
      return undefined;
    }
    return this.explicitCast(this.value(raw), type, expr);
  }

  private vectorLiteral(
    type: VectorType,
    parts: readonly Syntax.Expr[],
    expr: Syntax.CastExpr,
  ): Expr | undefined {
    const values: Expr[] = [];
    let count = 0;
    let broken = false;
    for (const part of parts) {
      const raw = this.expression(part);
      const value = raw && this.vectorPart(this.value(raw), type, part);
      if (value === undefined) {
        broken = true;
        continue;
      }
      count += value.type.kind === 'vector' ? value.type.count : 1;
      values.push(value);
    }
    if (broken) return undefined;
    const { location } = expr;
    if (count < type.count) {
      this.reporter.report('vector-literal-few', location, {}, this.underline(expr));
      return undefined;
    }
    if (count > type.count) {
      this.reporter.report('vector-literal-many', location, {}, this.underline(expr));
      return undefined;
    }
    return { kind: 'vector-literal', parts: values, type, location };
  }

  /** A part of a vector literal: a scalar of any type, or a vector of the element type. */
  protected vectorPart(value: Expr, type: VectorType, at: Syntax.Expr, isMember = false): Expr | undefined {
    const from = value.type;
    if (from.kind === 'vector' && from.element === type.element) return value;
    if (isArithmetic(from)) return this.convertConstant(value, type.element, at, type.element, isMember);
    this.incompatible(from, from.kind === 'vector' ? type : type.element, { what: 'initialize' }, at);
    return undefined;
  }

  protected explicitCast(value: Expr, type: Type, expr: Syntax.CastExpr): Expr | undefined {
    const from = value.type;
    const { location } = expr;
    const at = (made: Expr): Expr => ({ ...made, location });
    const args = { from: spell(from), to: spell(type) };
    if (type.kind === 'void') return this.cast('to-void', value, type, false);
    if (from === type && type.kind !== 'image') return at(value);
    if (isHandle(from) && (asScalar(type) !== undefined || type.kind === 'pointer')) {
      this.reporter.report('handle-cast', location, args, this.underline(expr.operand));
      return undefined;
    }
    switch (type.kind) {
      case 'scalar':
      case 'enum': {
        if (isArithmetic(from)) return at(this.castScalar(value, type, false));
        const scalar = asScalar(type)!;
        if (from.kind === 'pointer' || from.kind === 'block') {
          if (scalar.scalar === 'bool') return this.cast('to-bool', value, type, false);
          if (isFloatKind(scalar.scalar)) break;
          if (sizeOf(type, this.language) < this.language.addressBits / 8 && !this.isNull(value)) {
            this.reporter.report('pointer-to-small-integer', location, args, this.underline(expr.operand));
          }
          return this.cast('pointer-to-integer', value, type, false);
        }
        if (from.kind === 'vector') {
          this.reporter.report('cast-vector-scalar', location, args, this.underline(expr.operand));
          return undefined;
        }
        break;
      }
      case 'vector':
        if (isArithmetic(from)) return this.castToVector(value, type);
        if (from.kind === 'vector') {
          this.reporter.report('cast-vectors', location, args, this.underline(expr.operand));
          return undefined;
        }
        break;
      case 'pointer':
        if (this.isNull(value)) return this.cast('null-pointer', value, type, false);
        if (from.kind === 'pointer') {
          if (!spaceCasts(from.space, type.space)) {
            this.reporter.report('cast-address-space', location, args, this.underline(expr.operand));
            return undefined;
          }
          return at(this.convertPointer(value, type, false));
        }
        if (isArithmetic(from) && !isFloatKind(asScalar(from)!.scalar)) {
          if (value.kind !== 'integer' && sizeOf(from, this.language) < this.language.addressBits / 8) {
            this.reporter.report('small-integer-to-pointer', location, args, this.underline(expr.operand));
          }
          return this.cast('integer-to-pointer', value, type, false);
        }
        break;
      case 'image':
        this.reporter.report('opaque-cast', location, args, this.underline(expr.operand));
        return undefined;
      case 'opaque':
        if (type.name !== 'event_t') {
          this.reporter.report('opaque-cast', location, args, this.underline(expr.operand));
          return undefined;
        }
        return this.castToEvent(value, type, expr);
      case 'block':
      case 'atomic':
        return this.assignable(value, type, { what: 'initialize' }, expr.operand);
      case 'record':
        break;
      default:
        if (sameType(from, type)) return value;
    }
    this.reporter.report('cast-invalid', location, args, this.underline(expr.operand));
    return undefined;
  }

  /** The integer constant 0 is the null event; no other value becomes one. */
  private castToEvent(value: Expr, type: Type, expr: Syntax.CastExpr): Expr | undefined {
    if (this.isNull(value)) return this.cast('opaque', value, type, false);
    const to = spell(type);
    const line = this.underline(expr.operand);
    if (value.kind === 'integer')
      this.reporter.report('event-cast', expr.location, { to, value: value.value }, line);
    else this.reporter.report('opaque-cast', expr.location, { to }, line);
    return undefined;
  }

  /** A bool becomes all bits of each component (6.2.2). */
  private castToVector(value: Expr, type: VectorType): Expr {
    const isBool = value.type.kind === 'scalar' && value.type.scalar === 'bool';
    if (!isBool || isFloatKind(type.element.scalar)) return this.splat(value, type, false);
    const element = this.castScalar(value, type.element);
    return this.cast('splat', this.negate(element, value.location), type, false);
  }

  // ---- sizeof and the like

  protected typeQuery(expr: Syntax.TypeQueryExpr): Expr | undefined {
    const { query, location } = expr;
    const operand = expr.operand.kind === 'paren' ? expr.operand.inner : expr.operand;
    const isEffect =
      operand.kind === 'assign' ||
      operand.kind === 'postfix' ||
      (operand.kind === 'unary' && (operand.op === '++' || operand.op === '--'));
    if (isEffect) this.reporter.report('unevaluated-effect', operand.begin, {}, this.underline(operand));
    const checked = operand.kind === 'type-name' ? undefined : this.unlessNever(true, operand);
    const object = operand.kind === 'type-name' ? this.typeName(operand) : checked && this.objectOf(checked);
    if (object === undefined) return undefined;
    const { type } = object;
    if (query === 'sizeof') {
      this.sizedOperands.set(expr, type);
      if (checked !== undefined) warnSizeof(this.reporter, expr, checked, this.arrayParameters);
    } else if (expr.isStandardAlignof && operand.kind !== 'type-name') {
      this.reporter.report('alignof-expression', location);
    }
    const noVector =
      query === 'vec_step' && type.kind !== 'vector' && type.kind !== 'scalar' && type.kind !== 'void';
    if (noVector || (!isComplete(type) && query !== 'vec_step')) {
      this.reporter.report('sizeof-operand', location, { query, type: spell(type) }, this.underline(operand));
      return undefined;
    }
    let value: number;
    if (query === 'vec_step') value = type.kind !== 'vector' ? 1 : type.count === 3 ? 4 : type.count;
    else if (query === 'alignof') value = this.alignOfType(type);
    else value = sizeOf(type, this.language);
    return this.integer(BigInt(value), this.sizeType, location);
  }

  protected abstract alignOfType(type: Type): number;

  protected offsetof(expr: Syntax.OffsetofExpr): Expr | undefined {
    const object = this.typeName(expr.type);
    if (object === undefined) return undefined;
    let { type } = object;
    let offset = 0n;
    for (const step of expr.path) {
      if (step.kind === 'field') {
        if (type.kind !== 'record') {
          this.reporter.report('offsetof-type', step.location, { type: spell(type) });
          return undefined;
        }
        const field = (type.fields ?? []).find((each) => each.name === step.name);
        if (field === undefined) {
          if (this.brokenRecords.has(type)) return undefined;
          this.reporter.report('no-member', step.location, { name: step.name, type: spell(type) });
          return undefined;
        }
        offset += BigInt(field.offset);
        type = field.type.type;
      } else {
        const index = this.constantInteger(step.index);
        if (index === undefined || type.kind !== 'array') return undefined;
        type = type.element.type;
        offset += index * BigInt(sizeOf(type, this.language));
      }
    }
    return this.integer(offset, this.sizeType, expr.location);
  }

  protected asType(expr: Syntax.AsTypeExpr): Expr | undefined {
    const raw = this.expression(expr.operand);
    const target = this.typeName(expr.type);
    if (raw === undefined || target === undefined) return undefined;
    const value = this.value(raw);
    const isSame = sameType(value.type, target.type);
    // CLK_NULL_EVENT and CLK_NULL_RESERVE_ID are spelled this way, as in clang's header.
    if (isNullableHandle(target.type) && value.type.kind === 'pointer' && this.isNull(value))
      return { ...this.cast('opaque', value, target.type, false), location: expr.location };
    const opaque = [value.type, target.type].findIndex((type) => !isSame && !hasBits(type));
    if (opaque >= 0) {
      const type = spell(opaque === 0 ? value.type : target.type);
      const line = this.underline(expr.operand);
      if (expr.form === 'astype') this.reporter.report('astype-type', expr.location, { type }, line);
      else if (opaque === 0) this.reporter.report('bit-cast-source', expr.location, {}, line);
      else this.reporter.report('bit-cast-destination', expr.location, {}, line);
      return undefined;
    }
    if (sizeOf(value.type, this.language) !== sizeOf(target.type, this.language)) {
      const args = { from: spell(value.type), to: spell(target.type) };
      this.reporter.report('astype-size', expr.location, args, this.underline(expr.operand));
      return undefined;
    }
    return { ...this.cast('bits', value, target.type, false), location: expr.location };
  }
}

/** `a, b, c` as a list. */
export /**
 * `(float4)(a, b, c, d).xy`: what stands behind the parentheses belongs to the whole vector literal, which the grammar
 * of casts does not say. Undefined where nothing stands there.
 */
function behindLiteral(cast: Syntax.CastExpr): Syntax.Expr | undefined {
  const links: (Syntax.MemberExpr | Syntax.IndexExpr | Syntax.PostfixExpr | Syntax.CallExpr)[] = [];
  let at: Syntax.Expr = cast.operand;
  while (at.kind === 'member' || at.kind === 'index' || at.kind === 'postfix' || at.kind === 'call') {
    links.push(at);
    at = at.kind === 'postfix' ? at.operand : at.kind === 'call' ? at.callee : at.base;
  }
  if (at.kind !== 'paren' || links.length === 0) return undefined;
  let whole: Syntax.Expr = { ...cast, operand: at, end: at.end };
  for (const link of links.reverse()) {
    const { begin } = cast;
    if (link.kind === 'postfix') whole = { ...link, operand: whole, begin };
    else if (link.kind === 'call') whole = { ...link, callee: whole, begin };
    else whole = { ...link, base: whole, begin };
  }
  return whole;
}

function commaList(expr: Syntax.Expr): readonly Syntax.Expr[] {
  const list: Syntax.Expr[] = [];
  let at = expr;
  while (at.kind === 'binary' && at.op === ',') {
    list.push(at.right);
    at = at.left;
  }
  list.push(at);
  return list.reverse();
}
