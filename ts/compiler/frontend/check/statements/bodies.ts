// SPDX-License-Identifier: MIT
//
// Bodies of functions and blocks, with the rules that need a whole body.
import { Deferral } from '../../../diagnostics/deferral';
import type { CompoundStmt, Stmt } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import type { Checker } from '../checker';
import type { OpenFunction } from '../open-function';
import { endOf, missingReturn, reachedStatements } from '../warnings/reachability';
import { checkCompoundInside } from './compound';

/** Checks the body of `open`, whose parameters are in scope already. */
export function checkBody(c: Checker, statement: Syntax.CompoundStmt, open: OpenFunction): CompoundStmt {
  const { reporter } = c;
  const { function: outer, syntaxErrors } = c;
  const { deferral: outerDeferral } = reporter;
  const deferral = new Deferral();
  c.function = open;
  reporter.deferral = deferral;
  const body = checkCompoundInside(c, statement);
  reporter.deferral = outerDeferral;
  const wasParsed = c.syntaxErrors === syntaxErrors;
  // A label may be in a part that could not be parsed.
  if (wasParsed) checkGotos(c, open);
  const isRight = wasParsed && reporter.errors === 0;
  if (deferral.count > 0) {
    // Reachability is not known for a body with an error.
    const reached = isRight ? reachedStatements(body, c.facts) : undefined;
    deferral.release((each) => reached === undefined || reached.has(each as Stmt));
  }
  if (isRight) checkEnd(c, open, body, statement);
  c.function = outer;
  return body;
}

function checkGotos(c: Checker, { gotos, labels }: OpenFunction): void {
  for (const { target, targetLocation } of gotos)
    if (!labels.has(target)) c.reporter.report('undeclared-label', targetLocation, { name: target });
}

/** Whether control may reach the end of a body that must not let it. */
function checkEnd(c: Checker, open: OpenFunction, body: CompoundStmt, { end }: Syntax.CompoundStmt): void {
  if (open.entity?.attributes.noReturn && !open.isBlock) {
    const at = endOf(body, c.facts);
    if (at !== undefined) c.reporter.report('noreturn-returns', at === 'end' ? end : at);
    return;
  }
  if (open.result === undefined || open.result.kind === 'void') return;
  const missing = missingReturn(body, c.facts);
  if (missing === undefined) return;
  const isNever = missing === 'never';
  if (open.isBlock) {
    const where = isNever ? '' : ' in all control paths';
    c.reporter.report('block-without-value', end, { where });
  } else c.reporter.report(isNever ? 'missing-return-never' : 'missing-return', end);
}
