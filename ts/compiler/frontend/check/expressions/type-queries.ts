// SPDX-License-Identifier: MIT
//
// sizeof, alignof, vec_step and offsetof: properties of types.
import type { Expr } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import { sameType } from '../../types';
import type { Checker } from '../checker';
import { checkConstantInteger } from '../constants/constant-expressions';
import { underline } from '../extents';
import { integerConstant, objectOf } from '../nodes';
import { alignOfObject, isComplete, sizeOf } from '../types/layout';
import { INT } from '../types/scalars';
import { spell } from '../types/spelling';
import { checkTypeName } from '../types/type-names';
import { warnSizeof } from '../warnings/sizes';
import { checkOperand } from './unevaluated';

export function checkTypeQuery(c: Checker, expr: Syntax.TypeQueryExpr): Expr | undefined {
  const { query, location } = expr;
  const operand = expr.operand.kind === 'paren' ? expr.operand.inner : expr.operand;
  const isEffect =
    operand.kind === 'assign' ||
    operand.kind === 'postfix' ||
    (operand.kind === 'unary' && (operand.op === '++' || operand.op === '--'));
  if (isEffect) c.reporter.report('unevaluated-effect', operand.begin, {}, underline(operand));
  const checked = operand.kind === 'type-name' ? undefined : checkOperand(c, true, operand);
  const object = operand.kind === 'type-name' ? checkTypeName(c, operand) : checked && objectOf(checked);
  if (object === undefined) return undefined;
  const { type } = object;
  if (query === 'sizeof') {
    c.facts.sizedOperands.set(expr, type);
    if (checked !== undefined) warnSizeof(c.reporter, expr, checked, c.facts.arrayParameters);
  } else if (expr.isStandardAlignof && operand.kind !== 'type-name') {
    c.reporter.report('alignof-expression', location);
  }
  const noVector =
    query === 'vec_step' && type.kind !== 'vector' && type.kind !== 'scalar' && type.kind !== 'void';
  if (noVector || (!isComplete(type) && query !== 'vec_step')) {
    c.reporter.report('sizeof-operand', location, { query, type: spell(type) }, underline(operand));
    return undefined;
  }
  let value: number;
  if (query === 'vec_step') value = type.kind !== 'vector' ? 1 : type.count === 3 ? 4 : type.count;
  else if (query === 'alignof') value = declaredAlign(checked) ?? alignOfObject(object, c.language);
  else value = sizeOf(type, c.language);
  return integerConstant(BigInt(value), c.sizeType, location);
}

/** The alignment of a variable or a member, which its attributes may have changed. */
function declaredAlign(expr: Expr | undefined): number | undefined {
  if (expr?.kind === 'variable-ref') return expr.variable.attributes.align;
  return expr?.kind === 'member' ? expr.field.align : undefined;
}

export function checkOffsetof(c: Checker, expr: Syntax.OffsetofExpr): Expr | undefined {
  const object = checkTypeName(c, expr.type);
  if (object === undefined) return undefined;
  let { type } = object;
  let offset = 0n;
  for (const step of expr.path) {
    if (step.kind === 'field') {
      if (type.kind !== 'record') {
        c.reporter.report('offsetof-type', step.location, { type: spell(type) });
        return undefined;
      }
      const field = (type.fields ?? []).find((each) => each.name === step.name);
      if (field === undefined) {
        if (c.types.brokenRecords.has(type)) return undefined;
        c.reporter.report('no-member', step.location, { name: step.name, type: spell(type) });
        return undefined;
      }
      offset += BigInt(field.offset);
      type = field.type.type;
    } else {
      const index = checkConstantInteger(c, step.index);
      if (index === undefined || type.kind !== 'array') return undefined;
      type = type.element.type;
      offset += index * BigInt(sizeOf(type, c.language));
    }
  }
  return integerConstant(offset, c.sizeType, expr.location);
}

export function checkTypesCompatible(c: Checker, expr: Syntax.TypesCompatibleExpr): Expr | undefined {
  const left = checkTypeName(c, expr.left)?.type;
  const right = checkTypeName(c, expr.right)?.type;
  if (left === undefined || right === undefined) return undefined;
  return integerConstant(sameType(left, right) ? 1n : 0n, INT, expr.location);
}
