// SPDX-License-Identifier: MIT
//
// Checks a translation unit: each external declaration right after it is parsed, so that messages of both come in the
// order of the source; then what only the whole unit tells.
import type { Reporter } from '../../diagnostics/reporter';
import type { Unit } from '../ast/checked';
import type { ResolveBuiltin } from '../builtins/builtin';
import type { LanguageOptions } from '../language';
import type { Token } from '../lex/token';
import { Parser } from '../parse/parser';
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

/**
 * Parses and checks a translation unit. Undefined if there was an error; the reporter has it then.
 * `tokens` must end with one of kind `end`.
 */
export function checkUnit(
  tokens: readonly Token[],
  language: LanguageOptions,
  reporter: Reporter,
  resolve: ResolveBuiltin,
): Unit | undefined {
  const parser = new Parser(tokens, language, reporter);
  const c = new Checker(language, reporter, resolve, RULES);
  const { diagnostics } = reporter;
  for (;;) {
    const before = diagnostics.length;
    const declaration = parser.external();
    if (declaration !== undefined) checkExternal(c, declaration);
    if (parser.doubtful.length > 0) withdrawExplained(reporter, parser.doubtful);
    if (diagnostics.length > before + 1) sortMessages(diagnostics, before);
    if (declaration === undefined) break;
  }
  completeTentative(c);
  checkRecursion(c);
  if (reporter.errors > 0 || reporter.stopped) return undefined;
  const { functions, variables, usesGenericSpace } = c;
  return { functions, variables, usesGenericSpace };
}
