// SPDX-License-Identifier: MIT
//
// Conversions between pointers, and null pointer constants.
import type { Expr } from '../../ast/checked';
import { type PointerType, sameType } from '../../types';
import type { Checker } from '../checker';
import { makeCast } from '../nodes';
import { spaceConverts } from '../types/pointers';

export function isNullPointerConstant(c: Checker, expr: Expr): boolean {
  if (expr.kind === 'integer') return expr.value === 0n && expr.type.kind !== 'pointer';
  if (expr.kind !== 'cast' || expr.type.kind !== 'pointer') return false;
  const { pointee } = expr.type;
  return (
    pointee.space === c.defaultPointee &&
    expr.cast === 'null-pointer' &&
    pointee.type.kind === 'void' &&
    !pointee.const &&
    !pointee.volatile
  );
}

/** Pointer to pointer, whatever they point to: `pointer` for another pointee, `address-space` for another space. */
export function convertPointer(value: Expr, to: PointerType, implicit = true): Expr {
  const from = value.type;
  if (from.kind !== 'pointer' || sameType(from, to)) return value;
  if (from.space === to.space) return makeCast('pointer', value, to, implicit);
  const there: PointerType = {
    kind: 'pointer',
    pointee: { ...from.pointee, space: to.space },
    space: to.space,
  };
  if (sameType(from.pointee.type, to.pointee.type)) return makeCast('address-space', value, to, implicit);
  return makeCast('pointer', makeCast('address-space', value, there, implicit), to, implicit);
}

/** The common type of two pointers that are compared, subtracted or selected by `?:`; undefined if there is none. */
export function compositePointer(a: PointerType, b: PointerType): PointerType | undefined {
  const space = spaceConverts(a.space, b.space)
    ? b.space
    : spaceConverts(b.space, a.space)
      ? a.space
      : undefined;
  if (space === undefined) return undefined;
  const pointee = b.pointee.type.kind === 'void' && a.pointee.type.kind !== 'void' ? b.pointee : a.pointee;
  return {
    kind: 'pointer',
    pointee: {
      ...pointee,
      const: a.pointee.const || b.pointee.const,
      volatile: a.pointee.volatile || b.pointee.volatile,
      space,
    },
    space,
  };
}
