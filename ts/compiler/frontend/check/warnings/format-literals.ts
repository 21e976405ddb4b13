// SPDX-License-Identifier: MIT
//
// Which string literals a call of printf may have as its format.
import type { Expr, VariableDecl } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import type { LanguageOptions } from '../../language';
import { evaluateInteger } from '../constants/evaluate';
import type { KnownFormat } from './formats';

/** The syntax of a literal, by its checked expression. */
export type LiteralSyntax = WeakMap<Expr, Syntax.StringExpr>;

/** The literals; `isKnown`: whether the format is certainly one of them. */
export function formatLiterals(
  format: Expr,
  literals: LiteralSyntax,
  language: LanguageOptions,
): { readonly formats: readonly KnownFormat[]; readonly isKnown: boolean } {
  const formats: KnownFormat[] = [];
  let isKnown = true;
  const visit = (expr: Expr, offset: number, isInCall: boolean): void => {
    const literal = literals.get(expr);
    if (literal !== undefined) {
      if (offset >= 0 && offset <= literal.bytes.length) formats.push({ literal, offset, isInCall });
      return;
    }
    switch (expr.kind) {
      case 'integer':
        return;
      case 'cast':
        visit(expr.operand, offset, isInCall);
        return;
      case 'conditional': {
        const condition = evaluateInteger(expr.condition, { language, readVariables: false });
        if (condition !== 0n) visit(expr.then, offset, isInCall);
        if (condition === undefined || condition === 0n) visit(expr.otherwise, offset, isInCall);
        return;
      }
      case 'address-of':
        if (expr.of.kind !== 'deref') break;
        visit(expr.of.pointer, offset, isInCall);
        return;
      case 'pointer-add': {
        const index = evaluateInteger(expr.index, { language, readVariables: false });
        if (index === undefined) break;
        visit(expr.pointer, offset + Number(expr.subtract ? -index : index), isInCall);
        return;
      }
      case 'load':
      case 'variable-ref': {
        const from = expr.kind === 'load' ? expr.from : expr;
        if (from.kind !== 'variable-ref' || !isFixed(from.variable)) break;
        visit(from.variable.init!, offset, false);
        return;
      }
    }
    isKnown = false;
  };
  visit(format, 0, true);
  return { formats, isKnown };
}

/** Whether the variable keeps its initializer's characters. */
function isFixed({ type, init }: VariableDecl): boolean {
  if (init === undefined || !(type.const || type.space === 'constant')) return false;
  if (type.type.kind !== 'pointer') return type.type.kind === 'array';
  const { pointee } = type.type;
  return pointee.const || pointee.space === 'constant';
}
