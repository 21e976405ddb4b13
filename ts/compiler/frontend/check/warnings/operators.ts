// SPDX-License-Identifier: MIT
//
// Warnings about operators whose operands suggest a mistake, as clang gives them by default.

import { holds, isComparison } from '../../../../base/integer-arithmetic';
import type { Location } from '../../../diagnostics/diagnostic';
import type { Reporter } from '../../../diagnostics/reporter';
import type { Expr } from '../../ast/checked';
import type { CompareOp } from '../../ast/operators';
import type * as Syntax from '../../ast/syntax';
import { isFloatKind, isUnsigned, scalarSize } from '../../scalars';
import { stripParentheses } from '../expressions/parentheses';
import { asScalar, isFloating, isInteger } from '../types/predicates';
import { addressed } from './addressed';
import { warnUnsequenced } from './sequencing';

interface Span {
  readonly begin: Location;
  readonly end: Location;
}

const under = (...nodes: Span[]) => ({ ranges: nodes.map(({ begin, end }) => ({ begin, end })) });

const isBitwise = (op: string): boolean => op === '&' || op === '|' || op === '^';

/** Operators whose precedence may not be what the author expected; uses only the syntax. */
export function warnPrecedence(reporter: Reporter, expr: Syntax.BinaryExpr): void {
  const { op, left, right, location } = expr;
  if (isBitwise(op)) {
    const binary = (side: Syntax.Expr, test: (op: string) => boolean) =>
      side.kind === 'binary' && test(side.op);
    const compared = [left, right].filter((side) => binary(side, isComparison));
    if (compared.length !== 1 || binary(left, isBitwise) || binary(right, isBitwise)) return;
    const inner = compared[0] as Syntax.BinaryExpr;
    reporter.report('bitwise-precedence', location, { op, inner: inner.op }, under(inner));
    return;
  }
  if (op !== '<<' && op !== '>>') return;
  for (const side of [left, right]) {
    if (side.kind === 'binary' && (side.op === '+' || side.op === '-')) {
      reporter.report('shift-precedence', side.location, { op, inner: side.op }, under(side));
    }
  }
}

/** `!a == b`, which compares `!a`. */
export function warnLogicalNot(reporter: Reporter, expr: Syntax.BinaryExpr, right: Expr): void {
  const { op, left } = expr;
  if (left.kind !== 'unary' || left.op !== '!' || !(isComparison(op) || op === '&')) return;
  if (isTruth(left.operand) || isTruthValue(right)) return;
  const what = op === '&' ? 'bitwise operator' : 'comparison';
  reporter.report('not-precedence', left.location, { what }, under(left));
}

/** `2 ^ 10` and `10 ^ 3`, written in decimal. */
export function warnXor(reporter: Reporter, { left, right, location }: Syntax.BinaryExpr): void {
  if (!isPlainDecimal(left) || !isPlainDecimal(right) || reporter.sources.isMacro(location)) return;
  const [base, exponent] = [left.value, right.value];
  if (base !== 10n && (base !== 2n || exponent >= 64n)) return;
  const shift = exponent >= 31n ? `1LL << ${exponent}` : `1 << ${exponent}`;
  const meant = base === 10n ? `1e${exponent}` : shift;
  reporter.report(
    'xor-as-power',
    location,
    { base, exponent, result: base ^ exponent, meant },
    under(left, right),
  );
}

/** A decimal literal without prefix and suffix: its length is that of its digits. */
const isPlainDecimal = (expr: Syntax.Expr): expr is Syntax.IntegerExpr =>
  expr.kind === 'integer' && expr.end - expr.begin === `${expr.value}`.length;

/** `n && 4`, where `n & 4` was meant. */
export function warnLogicalConstant(
  reporter: Reporter,
  expr: Syntax.BinaryExpr,
  left: Expr,
  right: Expr,
): void {
  const { op, location } = expr;
  if (right.kind !== 'integer' || !isPlainInteger(left) || !isPlainInteger(right)) return;
  if (reporter.sources.isMacro(location)) return;
  if (reporter.sources.isMacro(expr.right.begin) && right.value >= 0n && right.value <= 1n) return;
  reporter.report('constant-logical-operand', location, { op }, under(expr.right));
}

const isPlainInteger = ({ type }: Expr): boolean =>
  type.kind === 'scalar' && type.scalar !== 'bool' && isInteger(type);

/** Comparisons whose result is constant. */
export function warnComparison(reporter: Reporter, expr: Syntax.BinaryExpr, left: Expr, right: Expr): void {
  const op = expr.op as CompareOp;
  const { location } = expr;
  const { sources } = reporter;
  const inMacro = [location, expr.left.begin, expr.right.begin].some((each) => sources.isMacro(each));
  if (
    !inMacro &&
    !isFloating(left.type) &&
    !(left.type.kind === 'vector' && isFloatKind(left.type.element.scalar)) &&
    sameObject(expr.left, expr.right)
  ) {
    const result = op === '==' || op === '<=' || op === '>=';
    reporter.report('self-comparison', location, { result: `${result}` }, under(expr.left, expr.right));
    return;
  }
  if (left.kind === 'integer' && right.kind !== 'integer') {
    warnRange(reporter, expr, mirrored(op), right, left.value, left.type);
  } else if (right.kind === 'integer' && left.kind !== 'integer') {
    warnRange(reporter, expr, op, left, right.value, right.type);
  }
}

/** The address of an object against NULL. */
export function warnNullComparison(reporter: Reporter, expr: Syntax.BinaryExpr, pointer: Expr): void {
  const of = addressed(pointer);
  if (of?.kind !== 'variable-ref') return;
  const what = `${pointer.kind === 'cast' ? 'array' : 'address of'} '${of.variable.name}'`;
  const how = expr.op === '==' ? 'equal' : 'not equal';
  const result = `${expr.op !== '=='}`;
  reporter.report('null-comparison', expr.location, { what, how, result }, under(expr.left, expr.right));
}

const mirrored = (op: CompareOp): CompareOp =>
  ({ '<': '>', '>': '<', '<=': '>=', '>=': '<=', '==': '==', '!=': '!=' })[op] as CompareOp;

/** `value op constant`, where the constant is outside the range of the value's type. */
function warnRange(
  reporter: Reporter,
  expr: Syntax.BinaryExpr,
  op: CompareOp,
  value: Expr,
  constant: bigint,
  constantType: Expr['type'],
): void {
  const scalar = asScalar(value.type);
  if (scalar === undefined || !isInteger(value.type) || value.type.kind === 'enum') return;
  const boolean = isTruthValue(value);
  const bits = BigInt(scalarSize(scalar.scalar) * 8);
  const unsigned = isUnsigned(scalar.scalar);
  // An unsigned constant of the same or a greater rank makes the comparison unsigned: anything is in range.
  const other = asScalar(constantType);
  const widens = other !== undefined && scalarSize(other.scalar) >= scalarSize(scalar.scalar);
  if (!boolean && !unsigned && other !== undefined && isUnsigned(other.scalar) && widens) return;
  if (!boolean && unsigned && scalarSize(scalar.scalar) >= 4 && constant < 0n) return;
  const least = boolean || unsigned ? 0n : -(1n << (bits - 1n));
  const greatest = boolean ? 1n : unsigned ? (1n << bits) - 1n : (1n << (bits - 1n)) - 1n;
  const results = [holds(op, least, constant), holds(op, greatest, constant)];
  const outside = constant < least || constant > greatest;
  if (op === '==' || op === '!=' ? !outside : results[0] !== results[1]) return;
  if (!outside && !boolean) return;
  const of =
    boolean && scalar.scalar !== 'bool' ? 'boolean expression' : `expression of type '${scalar.scalar}'`;
  const args = { constant, of, result: `${results[0]}` };
  reporter.report(
    outside ? 'out-of-range-comparison' : 'constant-comparison',
    expr.location,
    args,
    under(expr),
  );
}

/** The same object without side effects, judged only by the syntax. */
function sameObject(a: Syntax.Expr, b: Syntax.Expr): boolean {
  if (a.kind === 'paren') return sameObject(a.inner, b);
  if (b.kind === 'paren') return sameObject(a, b.inner);
  switch (a.kind) {
    case 'name':
      return b.kind === 'name' && a.name === b.name;
    case 'member':
      return b.kind === 'member' && a.name === b.name && a.arrow === b.arrow && sameObject(a.base, b.base);
    case 'index':
      return b.kind === 'index' && sameObject(a.base, b.base) && sameIndex(a.index, b.index);
    default:
      return false;
  }
}

const sameIndex = (a: Syntax.Expr, b: Syntax.Expr): boolean =>
  (a.kind === 'integer' && b.kind === 'integer' && a.value === b.value) || sameObject(a, b);

/** Whether a value is always 0 or 1: a bool, or the result of a comparison or logical operator. */
export function isTruthValue(expr: Expr): boolean {
  if (expr.type.kind === 'scalar' && expr.type.scalar === 'bool') return true;
  if (expr.type.kind === 'vector') return false;
  return expr.kind === 'compare' || expr.kind === 'logical' || expr.kind === 'not';
}

function isTruth(expr: Syntax.Expr): boolean {
  if (expr.kind === 'paren') return isTruth(expr.inner);
  if (expr.kind === 'unary') return expr.op === '!';
  return expr.kind === 'binary' && (isComparison(expr.op) || expr.op === '&&' || expr.op === '||');
}

/** `a | b == c ? d : e`, where the condition is all of `a | b == c`. */
export function warnConditional(reporter: Reporter, { condition, location }: Syntax.ConditionalExpr): void {
  if (condition.kind !== 'binary' || !isTruth(condition.right)) return;
  const { op } = condition;
  const isLogical = isComparison(op) || op === '&&' || op === '||' || op === ',';
  if (isLogical) return;
  const code = isBitwise(op) ? 'bitwise-conditional-precedence' : 'conditional-precedence';
  reporter.report(code, location, { op }, under(condition));
}

/** `x =+ 1` */
export function warnAssignmentSign(reporter: Reporter, expr: Syntax.AssignExpr): void {
  const { right, location } = expr;
  if (expr.op !== undefined || right.kind !== 'unary' || (right.op !== '+' && right.op !== '-')) return;
  if (right.begin !== location + 1 || right.operand.begin <= right.begin + 1) return;
  reporter.report('assignment-sign', location, { op: `${right.op}=` }, under(right));
}

/** An assignment as a condition, or a comparison with redundant parentheses. */
export function warnCondition(reporter: Reporter, condition: Syntax.Expr): void {
  warnUnsequenced(reporter, condition);
  if (condition.kind === 'assign' && condition.op === undefined) {
    reporter.report('assignment-as-condition', condition.location, {}, under(condition));
    return;
  }
  if (condition.kind !== 'paren' || reporter.sources.isMacro(condition.location)) return;
  const inner = stripParentheses(condition);
  if (inner.kind !== 'binary' || inner.op !== '==') return;
  const left = stripParentheses(inner.left);
  const isObject = left.kind === 'name' || left.kind === 'member' || left.kind === 'index';
  if (!isObject && !(left.kind === 'unary' && left.op === '*')) return;
  reporter.report('equality-parentheses', inner.location, {}, under(inner));
}
