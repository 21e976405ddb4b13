// SPDX-License-Identifier: MIT
import type { Reporter } from '../../diagnostics/reporter';
import type { ExternalDeclaration } from '../ast/syntax';
import type { LanguageOptions } from '../language';
import type { Token } from '../lex/token';
import type { DoubtfulMessage } from './cursor';
import { parseDeclarator } from './declarations/declarators';
import { parseExternal } from './declarations/external';
import { parseSpecifiers } from './declarations/specifiers';
import { parseTypeName } from './declarations/type-names';
import { parseAssignment, parseConditional, parseExpression } from './expressions/expressions';
import { Parser } from './parser';
import type { Rules } from './rules';
import { parseCompound } from './statements/compound';
import { parseStatement } from './statements/statements';

const RULES: Rules<Parser> = {
  expression: parseExpression,
  assignment: parseAssignment,
  conditional: parseConditional,
  typeName: parseTypeName,
  specifiers: parseSpecifiers,
  declarator: parseDeclarator,
  statement: parseStatement,
  compound: parseCompound,
};

/** A translation unit that is parsed on demand, one external declaration after the other. */
export interface ParsedUnit {
  /** Undefined at the end of the unit. */
  next(): ExternalDeclaration | undefined;
  /** Messages of the declarations so far that are withdrawn if the checker finds an error in their range. */
  readonly doubtful: DoubtfulMessage[];
}

/**
 * Parses a translation unit. Declarations are parsed on demand, so that the checker can check each one before the next: the
 * messages of both are then in the order of the source. `tokens` must end with one of kind `end`.
 */
export function parseUnit(
  tokens: readonly Token[],
  language: LanguageOptions,
  reporter: Reporter,
): ParsedUnit {
  const parser = new Parser(tokens, language, reporter, RULES);
  return { next: () => parseExternal(parser), doubtful: parser.doubtful };
}
