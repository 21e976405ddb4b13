// SPDX-License-Identifier: MIT
import type { Reporter } from '../../../diagnostics/reporter';
import type { Expr } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';

/** A constant index into an array of known size. The address of one past the last may be taken. */
export function warnBounds(
  reporter: Reporter,
  base: Expr,
  index: bigint,
  addressOnly: boolean,
  expr: Syntax.IndexExpr,
): void {
  const { type } = base;
  if (type.kind !== 'array' || type.count === undefined || endsRecord(base)) return;
  const count = BigInt(type.count);
  const ranges = { ranges: [{ begin: expr.index.begin, end: expr.index.end }] };
  if (index < 0n) reporter.report('index-before', expr.base.begin, { index }, ranges);
  else if (index > count || (index === count && !addressOnly))
    reporter.report('index-past', expr.base.begin, { index, count }, ranges);
}

/** An array of at most one element at the end of a record may be a flexible array. */
function endsRecord(base: Expr): boolean {
  if (base.kind !== 'member' || base.type.kind !== 'array' || base.base.type.kind !== 'record') return false;
  const { fields } = base.base.type;
  return (base.type.count ?? 0) <= 1 && base.index === (fields?.length ?? 0) - 1;
}
