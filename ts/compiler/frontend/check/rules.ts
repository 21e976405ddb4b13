// SPDX-License-Identifier: MIT
import type { Expr, Stmt } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import type { Declared, TypeUse } from './types/type-use';

/**
 * The mutually recursive rules: C's expressions contain types, types contain expressions (array sizes), and both contain
 * statements. With this table the files for kinds of expressions, types and statements need not import each other;
 * check-unit.ts fills it. Each rule returns undefined after it has reported an error.
 */
export interface Rules<Checker> {
  /** An expression, without the conversion of an lvalue to its value; `rvalue` does that. */
  expression(c: Checker, expr: Syntax.Expr): Expr | undefined;
  /** Undefined also if the checked AST has no such statement. `unroll`: the count of a hint before a loop. */
  statement(c: Checker, statement: Syntax.Stmt, unroll?: number): Stmt | undefined;
  /** The type that declaration specifiers name. */
  specifiers(c: Checker, specifiers: Syntax.Specifiers): TypeUse | undefined;
  /** The type that a declarator derives from `base`. */
  declarator(
    c: Checker,
    base: TypeUse,
    declarator: Syntax.Declarator,
    isParameter?: boolean,
  ): Declared | undefined;
}
