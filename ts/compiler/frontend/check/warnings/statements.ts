// SPDX-License-Identifier: MIT
//
// Warnings about statements whose layout is misleading.
import type { Location } from '../../../diagnostics/diagnostic';
import type { Reporter } from '../../../diagnostics/reporter';
import type * as Syntax from '../../ast/syntax';

/** `if (a);`, and `if (a) if (b) …; else …;` */
export function warnIf(reporter: Reporter, statement: Syntax.IfStmt): void {
  const { then, otherwise, condition } = statement;
  if (otherwise !== undefined) return;
  const { sources } = reporter;
  if (
    then.kind === 'empty' &&
    !sources.isMacro(then.location) &&
    sources.onOneLine(condition.end, then.location)
  ) {
    reporter.report('empty-body', then.location, { what: 'if statement' });
  }
  const dangling = trailingElse(then);
  if (dangling !== undefined) reporter.report('dangling-else', dangling);
}

function trailingElse(statement: Syntax.Stmt): Location | undefined {
  switch (statement.kind) {
    case 'if':
      return statement.elseLocation;
    case 'for':
    case 'while':
      return trailingElse(statement.body);
    default:
      return undefined;
  }
}

/** `while (a); { … }`: a body that does not belong to the loop. */
export function warnEmptyLoop(
  reporter: Reporter,
  loop: Syntax.Stmt,
  following: Syntax.Stmt | undefined,
): void {
  const { sources } = reporter;
  if (loop.kind === 'switch') {
    const { body } = loop;
    if (body.kind === 'empty' && sources.onOneLine(loop.location, body.location))
      reporter.report('empty-body', body.location, { what: 'switch statement' });
    return;
  }
  if ((loop.kind !== 'while' && loop.kind !== 'for') || loop.body.kind !== 'empty' || following === undefined)
    return;
  const at = loop.body.location;
  if (sources.isMacro(at) || sources.isMacro(loop.location) || !sources.onOneLine(loop.location, at)) return;
  if (following.kind !== 'compound') {
    const own = sources.position(loop.location);
    const next = sources.position(following.location);
    if (own === undefined || next === undefined || next.line === own.line || next.column <= own.column)
      return;
  }
  reporter.report('empty-body', at, { what: `${loop.kind} loop` });
}
