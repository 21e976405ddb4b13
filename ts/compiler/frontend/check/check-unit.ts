// SPDX-License-Identifier: MIT
//
// Checks a translation unit: each external declaration right after it is parsed, so that messages of both come in the order of
// the source; then the rules about the whole unit.
import { finish, type Steps } from '../../../base/steps';
import type { Reporter } from '../../diagnostics/reporter';
import type { Unit } from '../ast/checked';
import type { ResolveBuiltin } from '../builtins/builtin';
import type { LanguageOptions } from '../language';
import type { NameObserver } from '../name-observer';
import type { ParsedUnit } from '../parse/parse-unit';
import { Checker } from './checker';
import { checkExternal } from './declarations/external';
import { checkRecursion } from './declarations/recursion';
import { completeTentative } from './declarations/variables';
import { checkExpression } from './expressions/expression';
import { sortMessages, withdrawExplained } from './message-order';
import type { Rules } from './rules';
import { checkStatement } from './statements/statements';
import { checkDeclarator } from './types/declarators';
import { checkSpecifiers } from './types/specifiers';

const RULES: Rules<Checker> = {
  expression: checkExpression,
  statement: checkStatement,
  specifiers: checkSpecifiers,
  declarator: checkDeclarator,
};

/** `checkSteps` in one step. */
export const checkUnit = (...input: Parameters<typeof checkSteps>): Unit | undefined =>
  finish(checkSteps(...input));

/**
 * Checks a translation unit while it is parsed. Undefined if there was an error; the reporter then has it. Each external declaration
 * is a step.
 */
export function* checkSteps(
  parsed: ParsedUnit,
  language: LanguageOptions,
  reporter: Reporter,
  resolve: ResolveBuiltin,
  observer?: NameObserver,
): Steps<Unit | undefined> {
  const c = new Checker(language, reporter, resolve, RULES, observer);
  const { diagnostics } = reporter;
  for (;;) {
    const before = diagnostics.length;
    const declaration = parsed.next();
    if (declaration !== undefined) checkExternal(c, declaration);
    if (parsed.doubtful.length > 0) withdrawExplained(reporter, parsed.doubtful);
    if (diagnostics.length > before + 1) sortMessages(diagnostics, before);
    if (declaration === undefined) break;
    yield;
  }
  completeTentative(c);
  checkRecursion(c);
  if (reporter.errors > 0 || reporter.stopped) return undefined;
  const { functions, variables, usesGenericSpace } = c;
  return { functions, variables, usesGenericSpace };
}
