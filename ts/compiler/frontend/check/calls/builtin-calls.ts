// SPDX-License-Identifier: MIT
//
// Calls of built-in functions.

import { closest } from '../../../../base/suggestions';
import { note } from '../../../diagnostics/reporter';
import type { Expr } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import type { Resolution } from '../../builtins/builtin';
import { allBuiltinNames } from '../../builtins/index';
import { foreignWordNote } from '../../foreign-words';
import type { Checker } from '../checker';
import { convertAsIfAssigned } from '../conversions/assignment';
import { underline } from '../extents';
import { type Argument, argumentType, PASS, promoteVariadic } from './arguments';
import { checkPrintf } from './printf';
import { CANDIDATE_LIMIT } from './user-calls';

function resolveBuiltin(c: Checker, name: string, args: readonly Argument[]): Resolution {
  return c.resolve(
    name,
    args.map((each) => argumentType(c, each.value)),
    c.language,
  );
}

export function checkBuiltin(
  c: Checker,
  callee: Syntax.NameExpr,
  args: readonly Argument[],
  expr: Syntax.CallExpr,
): Expr | undefined {
  const resolution = resolveBuiltin(c, callee.name, args);
  if (resolution.ok) return makeBuiltinCall(c, resolution, args, callee, expr);
  const { name, location } = callee;
  if (resolution.problem === 'unknown') {
    reportUnknownFunction(c, callee, resolution.needs);
    return undefined;
  }
  const { candidates } = resolution;
  const notes = candidates
    .slice(0, CANDIDATE_LIMIT)
    .map(({ prototype, reason }) =>
      reason === ''
        ? note('candidate-viable', 0, { prototype })
        : note('candidate-builtin', 0, { prototype, reason }),
    );
  if (candidates.length > CANDIDATE_LIMIT) {
    notes.push(note('candidates-omitted', 0, { count: candidates.length - CANDIDATE_LIMIT }));
  }
  const code = resolution.problem === 'ambiguous' ? 'ambiguous-call' : 'no-matching-function';
  const { argument } = resolution;
  const wrong = argument === undefined ? undefined : args[argument]?.syntax;
  c.reporter.report(code, wrong?.begin ?? location, { name }, { ...underline(wrong ?? callee), notes });
  return undefined;
}

function reportUnknownFunction(c: Checker, callee: Syntax.NameExpr, needs: string | undefined): void {
  const { name, location } = callee;
  if (needs !== undefined) {
    const notes = [note('function-needs', 0, { name, needs })];
    c.reporter.report('implicit-function', location, { name }, { notes });
    return;
  }
  const foreign = foreignWordNote(name, location);
  if (foreign) {
    c.reporter.report('implicit-function', location, { name }, { notes: [foreign] });
    return;
  }
  const suggestion = closest(name, c.symbols.values.names()) ?? closest(name, allBuiltinNames());
  if (suggestion === undefined) c.reporter.report('implicit-function', location, { name });
  else {
    const notes = [note('did-you-mean', location, { suggestion })];
    c.reporter.report('implicit-function', location, { name }, { notes });
  }
}

function makeBuiltinCall(
  c: Checker,
  resolution: Resolution & { ok: true },
  args: readonly Argument[],
  callee: Syntax.NameExpr,
  expr: Syntax.CallExpr,
): Expr | undefined {
  const { builtin } = resolution;
  const converted: Expr[] = [];
  for (let i = 0; i < args.length; i++) {
    const { value, syntax } = args[i]!;
    const parameter = builtin.parameters[i];
    const passed =
      parameter === undefined
        ? promoteVariadic(c, value)
        : convertAsIfAssigned(c, value, parameter, PASS, syntax);
    if (passed === undefined) return undefined;
    converted.push(passed);
  }
  if (builtin.name === 'printf')
    checkPrintf(
      c,
      args.map((each) => each.value),
      expr,
    );
  return {
    kind: 'builtin-call',
    builtin,
    arguments: converted,
    contract: c.contract,
    type: builtin.result,
    location: callee.location,
  };
}
