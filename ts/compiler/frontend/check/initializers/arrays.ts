// SPDX-License-Identifier: MIT
//
// Arrays that are initialized by a string literal or a compound literal.
import type { Expr } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import { type ArrayType, sameType } from '../../types';
import type { Checker } from '../checker';
import { stripParentheses } from '../expressions/parentheses';
import { underline } from '../extents';
import { integerConstant } from '../nodes';

export function arrayFromExpression(c: Checker, init: Syntax.Expr, type: ArrayType): Expr | undefined {
  const stripped = stripParentheses(init);
  if (isStringFor(type, stripped)) return stringArray(c, stripped, type);
  const raw = c.rules.expression(c, init);
  if (raw === undefined) return undefined;
  if (raw.kind === 'compound-literal' && raw.variable.init && sameType(raw.type, type))
    return raw.variable.init;
  c.reporter.report('array-initializer', init.begin, {}, underline(init));
  return undefined;
}

function stringArray(c: Checker, init: Syntax.StringExpr, type: ArrayType): Expr {
  const { location } = init;
  const characters = init.wide ?? init.bytes;
  const count = type.count ?? characters.length + 1;
  if (characters.length > count) {
    c.reporter.report('string-too-long', init.begin, {}, underline(init));
  }
  const element = type.element.type;
  const signed = element.kind === 'scalar' && element.scalar === 'char';
  const elements = Array.from(characters.slice(0, count), (character) =>
    integerConstant(signed ? BigInt.asIntN(8, BigInt(character)) : BigInt(character), element, location),
  );
  const array: Expr = { kind: 'initializer', elements, type: { ...type, count }, location };
  c.facts.literals.set(array, init);
  return array;
}

/** A string literal that can be the array's contents: of characters, or of int for a wide one. */
export function isStringFor(type: ArrayType, value: Syntax.Expr): value is Syntax.StringExpr {
  const element = type.element.type;
  if (value.kind !== 'string' || element.kind !== 'scalar') return false;
  return value.wide ? element.scalar === 'int' : element.scalar === 'char' || element.scalar === 'uchar';
}
