// SPDX-License-Identifier: MIT
//
// `aligned` and `_Alignas`.
import type * as Syntax from '../../ast/syntax';
import type { Type } from '../../types';
import type { Checker } from '../checker';
import { constantIntegerOf } from '../constants/constant-expressions';
import { rvalue } from '../conversions/implicit';
import { isInteger } from '../types/predicates';
import { spell } from '../types/spelling';

/** `_Alignas` may only make the alignment stricter. */
export function checkAlignas(
  c: Checker,
  attributes: readonly Syntax.Attribute[],
  least: number,
  type: Type,
): void {
  const first = attributes.find(({ isAlignas }) => isAlignas);
  if (first === undefined) return;
  // The strictest alignment applies.
  const align = alignAttribute(c, attributes);
  if (align !== undefined && align < least)
    c.reporter.report('alignment-too-small', first.location, { least, type: spell(type) });
}

export function alignAttribute(c: Checker, attributes: readonly Syntax.Attribute[]): number | undefined {
  let align: number | undefined;
  for (const attribute of attributes) {
    if (attribute.name !== 'aligned') continue;
    const [argument, more] = attribute.arguments;
    if (more !== undefined) {
      c.reporter.report('attribute-too-many', attribute.location, { name: 'aligned', count: 1 });
      continue;
    }
    const value = argument === undefined ? 16n : alignment(c, argument, attribute);
    if (value === undefined || (attribute.isAlignas && value === 0n)) continue;
    if (value <= 0n || (value & (value - 1n)) !== 0n) {
      c.reporter.report('alignment-not-power', attribute.location);
      continue;
    }
    align = Math.max(align ?? 1, Number(value));
  }
  return align;
}

function alignment(
  c: Checker,
  argument: Syntax.Expr,
  { isAlignas, location }: Syntax.Attribute,
): bigint | undefined {
  const raw = c.rules.expression(c, argument);
  if (raw === undefined || isAlignas || isInteger(rvalue(c, raw).type))
    return raw && constantIntegerOf(c, rvalue(c, raw), argument);
  c.reporter.report('attribute-integer', location, { name: 'aligned' });
  return undefined;
}
