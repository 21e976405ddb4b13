// SPDX-License-Identifier: MIT
import type { CompoundStmt, Declarator, Expr, Specifiers, Stmt, TypeName } from '../ast/syntax';

/** Whether a declarator has a name; for a `member` it is optional. */
export type Named = 'always' | 'never' | 'either' | 'member';

/**
 * The mutually recursive productions of the grammar: expressions contain type names, types contain expressions, and blocks
 * contain statements. With this table their files need not import each other; parse-unit.ts fills it.
 */
export interface Rules<Parser> {
  expression(p: Parser): Expr;
  /** An assignment-expression: an expression without commas. */
  assignment(p: Parser): Expr;
  /** A conditional-expression, which is also the grammar of constant expressions. */
  conditional(p: Parser): Expr;
  typeName(p: Parser): TypeName;
  /** `of a type`: in a type name or before members, where only types and qualifiers are allowed. */
  specifiers(p: Parser, which?: 'of a declaration' | 'of a type'): Specifiers;
  declarator(p: Parser, named: Named): Declarator;
  statement(p: Parser): Stmt;
  compound(p: Parser): CompoundStmt;
}
