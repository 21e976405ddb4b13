// SPDX-License-Identifier: MIT
//
// Members of structures and unions, and components of vectors by name (6.1.7).

import { closest } from '../../../../base/suggestions';
import type { Expr, MemberExpr } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import type { QualType, RecordType, VectorType } from '../../types';
import type { Checker } from '../checker';
import { rvalue } from '../conversions/implicit';
import { underline } from '../extents';
import { objectOf } from '../nodes';
import { findField } from '../types/layout';
import { spell } from '../types/spelling';
import { componentsType } from '../types/vectors';
import { dereferenced } from './elements';
import { readSwizzle } from './swizzles';

export function checkMember(c: Checker, expr: Syntax.MemberExpr): Expr | undefined {
  const raw = c.rules.expression(c, expr.base);
  if (raw === undefined) return undefined;
  let base: Expr = raw;
  if (expr.arrow) {
    const pointer = rvalue(c, raw);
    if (pointer.type.kind !== 'pointer') {
      const isRecord = pointer.type.kind === 'record';
      c.reporter.report(
        isRecord ? 'arrow-on-record' : 'member-base',
        expr.location,
        { type: spell(pointer.type) },
        underline(expr.base),
      );
      return undefined;
    }
    base = dereferenced(pointer, expr.location);
  }
  const { type } = base;
  c.observer?.member(type, expr.nameLocation);
  if (type.kind === 'record') return checkField(c, base, type, expr);
  if (type.kind === 'vector') return checkSwizzle(c, base, type, expr);
  if (type.kind === 'pointer' && type.pointee.type.kind === 'record') {
    c.reporter.report('dot-on-pointer', expr.location, { type: spell(type) }, underline(expr.base));
  } else {
    c.reporter.report('member-base', expr.location, { type: spell(type) }, underline(expr.base));
  }
  return undefined;
}

function checkField(c: Checker, base: Expr, record: RecordType, expr: Syntax.MemberExpr): Expr | undefined {
  const { name, nameLocation } = expr;
  if (record.fields === undefined) {
    c.reporter.report('incomplete-type', expr.location, { type: spell(record) }, underline(expr.base));
    return undefined;
  }
  const path = findField(record, name);
  if (path === undefined) {
    if (c.types.brokenRecords.has(record)) return undefined;
    const names = record.fields.flatMap((field) => field.name ?? []);
    const suggestion = closest(name, names);
    if (suggestion === undefined) {
      c.reporter.report('no-member', nameLocation, { name, type: spell(record) }, underline(expr.base));
    } else {
      const args = { name, type: spell(record), suggestion };
      c.reporter.report('no-member-suggest', nameLocation, args, underline(expr.base));
    }
    return undefined;
  }
  let result: Expr = base;
  for (const index of path) {
    const around = result.type as RecordType;
    const member = fieldAt(result, index, nameLocation);
    const { field } = member;
    if (field.name === name)
      c.observer?.use(
        name,
        { kind: 'field', identity: field, record: around, type: field.type },
        nameLocation,
      );
    result = member;
  }
  return result;
}

/** Member `index` of a record, in the record's address space, with the record's qualifiers besides its own. */
function fieldAt(base: Expr, index: number, location: number): MemberExpr {
  const record = base.type as RecordType;
  const field = record.fields![index]!;
  const around = objectOf(base);
  const { type } = field.type;
  const object: QualType = {
    ...field.type,
    const: field.type.const || around.const,
    volatile: field.type.volatile || around.volatile,
    space: around.space,
  };
  return { kind: 'member', base, index, field, object, type, location };
}

function checkSwizzle(c: Checker, base: Expr, vector: VectorType, expr: Syntax.MemberExpr): Expr | undefined {
  const { name, nameLocation } = expr;
  if (c.language.version < 300) {
    const character = /^(?:[xyzw]*)([rgba])/.exec(name)?.[1];
    if (character !== undefined) c.reporter.report('rgba-component', nameLocation, { character });
  }
  const swizzle = readSwizzle(name, vector.count);
  if (!swizzle.ok) {
    if (swizzle.problem === 'name') {
      c.reporter.report('swizzle-name', nameLocation, { character: swizzle.character });
    } else if (swizzle.problem === 'range') {
      c.reporter.report('swizzle-range', nameLocation, { type: spell(vector) });
    } else {
      c.reporter.report('swizzle-length', nameLocation, { length: name.length });
    }
    return undefined;
  }
  const type = componentsType(vector, swizzle.indices.length)!;
  let { indices } = swizzle;
  let whole = base;
  if (base.kind === 'swizzle' && base.type.kind === 'vector') {
    const inner = base.indices;
    indices = indices.map((index) => inner[index]!);
    whole = base.base;
  }
  return {
    kind: 'swizzle',
    base: whole,
    indices,
    object: { ...objectOf(base), type },
    type,
    location: nameLocation,
  };
}
