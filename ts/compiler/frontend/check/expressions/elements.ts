// SPDX-License-Identifier: MIT
//
// Subscripts: of pointers, arrays and vectors.
import type { Expr, LValue } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import type { VectorType } from '../../types';
import type { Checker } from '../checker';
import { evaluateInteger } from '../constants/evaluate';
import { rvalue } from '../conversions/implicit';
import { underline } from '../extents';
import { objectOf } from '../nodes';
import { isComplete } from '../types/layout';
import { isInteger } from '../types/predicates';
import { spell } from '../types/spelling';
import { warnBounds } from '../warnings/bounds';

export function checkSubscript(c: Checker, expr: Syntax.IndexExpr): Expr | undefined {
  const base = c.rules.expression(c, expr.base);
  const index = c.rules.expression(c, expr.index);
  if (base === undefined || index === undefined) return undefined;
  if (base.type.kind === 'vector') return checkVectorElement(c, base, base.type, index, expr);
  let pointer = rvalue(c, base);
  let offset = rvalue(c, index);
  if (pointer.type.kind !== 'pointer' && offset.type.kind === 'pointer')
    [pointer, offset] = [offset, pointer];
  const { type } = pointer;
  if (type.kind !== 'pointer') {
    c.reporter.report('subscript-base', expr.base.begin, {}, underline(expr.base));
    return undefined;
  }
  if (!checkIndexType(c, offset, expr.index)) return undefined;
  if (offset.kind === 'integer') {
    warnBounds(c.reporter, base, offset.value, c.facts.addressOperand === expr, expr);
  }
  if (!isComplete(type.pointee.type) && type.pointee.type.kind !== 'void') {
    c.reporter.report(
      'subscript-incomplete',
      expr.base.begin,
      { type: spell(type.pointee.type) },
      underline(expr.base),
    );
    return undefined;
  }
  const at: Expr = {
    kind: 'pointer-add',
    pointer,
    index: offset,
    subtract: false,
    type,
    location: expr.location,
  };
  return dereferenced(at, expr.location);
}

function checkIndexType(c: Checker, index: Expr, at: Syntax.Expr): boolean {
  if (isInteger(index.type)) return true;
  c.reporter.report('subscript-not-integer', at.begin, {}, underline(at));
  return false;
}

function checkVectorElement(
  c: Checker,
  base: Expr,
  vector: VectorType,
  index: Expr,
  expr: Syntax.IndexExpr,
): Expr | undefined {
  const offset = rvalue(c, index);
  if (!checkIndexType(c, offset, expr.index)) return undefined;
  const type = vector.element;
  const object = { ...objectOf(base), type };
  const { location } = expr;
  const constant = evaluateInteger(offset, { language: c.language, readVariables: false });
  if (constant !== undefined && constant >= 0n && constant < BigInt(vector.count)) {
    const indices = [Number(constant)];
    if (base.kind !== 'swizzle') return { kind: 'swizzle', base, indices, object, type, location };
    return {
      kind: 'swizzle',
      base: base.base,
      indices: [base.indices[indices[0]!]!],
      object,
      type,
      location,
    };
  }
  return { kind: 'element', base, index: offset, object, type, location };
}

export function dereferenced(pointer: Expr, location: number): LValue {
  const { type } = pointer;
  if (type.kind !== 'pointer') throw new TypeError('deref of no pointer');
  return { kind: 'deref', pointer, object: type.pointee, type: type.pointee.type, location };
}
