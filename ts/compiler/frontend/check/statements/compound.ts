// SPDX-License-Identifier: MIT
//
// Statements in scopes: blocks, and the parts of other statements.
import type { CompoundStmt, Stmt } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import type { Checker } from '../checker';
import { checkPragma } from '../declarations/pragmas';
import { warnEmptyLoop } from '../warnings/statements';

export function checkCompound(c: Checker, statement: Syntax.CompoundStmt): CompoundStmt {
  c.observer?.scope(statement.location, statement.end);
  c.symbols.push();
  const result = checkCompoundInside(c, statement);
  c.symbols.pop();
  return result;
}

export function checkCompoundInside(c: Checker, statement: Syntax.CompoundStmt): CompoundStmt {
  const { contract } = c;
  const statements: Stmt[] = [];
  const list = statement.statements;
  let isAtStart = true;
  for (let i = 0; i < list.length; i++) {
    const each = list[i]!;
    if (each.kind === 'pragma') {
      checkPragma(c, each, isAtStart);
      continue;
    }
    // Pragmas that the parser applies are empty statements.
    if (each.kind !== 'empty') isAtStart = false;
    warnEmptyLoop(c.reporter, each, list[i + 1]);
    const checked = c.rules.statement(c, each);
    if (checked !== undefined) statements.push(checked);
  }
  c.contract = contract;
  return { kind: 'compound', statements, location: statement.location, end: statement.end };
}

/** A statement that another one requires. */
export function requiredStatement(c: Checker, statement: Syntax.Stmt): Stmt {
  return c.rules.statement(c, statement) ?? { kind: 'empty', location: statement.location };
}

export function scopedStatement(c: Checker, statement: Syntax.Stmt): Stmt {
  if (statement.kind === 'compound') return checkCompound(c, statement);
  c.symbols.push();
  const checked = requiredStatement(c, statement);
  c.symbols.pop();
  return checked;
}
