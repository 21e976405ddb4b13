// SPDX-License-Identifier: MIT
//
// -Wunused-value and similar warnings: values that are computed and dropped, by clang's rules (Expr::isUnusedResultAWarning).
import { isComparison } from '../../../../base/integer-arithmetic';
import type { Location } from '../../../diagnostics/diagnostic';
import type { Reporter } from '../../../diagnostics/reporter';
import type { Expr } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import { effectOf } from '../../builtins/effects';
import { stripParentheses } from '../expressions/parentheses';

interface Unused {
  readonly code: 'unused-value' | 'unused-call' | 'unused-result';
  readonly location: Location;
  readonly syntax: Syntax.Expr;
  /** The attribute of the function of an unused call, which makes it worth a warning. */
  readonly effect?: 'const' | 'pure';
}

/** clang's own functions that are evaluated at compile time, so that no call remains. */
const DECIDED: ReadonlySet<string> = new Set([
  '__builtin_expect',
  '__builtin_expect_with_probability',
  '__builtin_constant_p',
]);

/** `beforeComma`: the value is the left one of a comma's two. */
export function warnUnused(reporter: Reporter, value: Expr, at: Syntax.Expr, beforeComma = false): void {
  const found = unused(value, at);
  if (found === undefined) return;
  const { code, location, syntax, effect } = found;
  const { sources } = reporter;
  const inMacro = (where: Location) => sources.macroAt(where)?.isArgument === false;
  const ranges = { ranges: [{ begin: syntax.begin, end: syntax.end }] };
  if (at.kind === 'statement-expression' && sources.isMacro(location)) return;
  if (at.kind === 'binary' && isComparison(at.op)) {
    const what = at.op === '==' ? 'equality' : at.op === '!=' ? 'inequality' : 'relational';
    if (!inMacro(location)) reporter.report('unused-comparison', location, { what }, ranges);
    return;
  }
  if (code === 'unused-result') {
    reporter.report(code, location, {}, ranges);
    return;
  }
  if (inMacro(location)) return;
  if (effect !== undefined) reporter.report('unused-call', location, { effect }, ranges);
  else if (syntax.kind === 'cast' && isPlainVoidPointer(value))
    reporter.report('unused-void-pointer', location, {}, ranges);
  else reporter.report(beforeComma ? 'unused-before-comma' : 'unused-value', location, {}, ranges);
}

function unused(value: Expr, at: Syntax.Expr): Unused | undefined {
  const syntax = stripParentheses(at);
  const found = (location = syntax.begin): Unused => ({ code: 'unused-value', location, syntax });
  const read = withoutConversions(value);
  switch (syntax.kind) {
    case 'error':
      return undefined;
    case 'binary':
      if (syntax.op === ',') {
        // `(f(), 0)` discards a value on purpose.
        const right = stripParentheses(syntax.right);
        if (read.kind !== 'comma' || (right.kind === 'integer' && right.value === 0n)) return undefined;
        return unused(read.right, syntax.right);
      }
      if (syntax.op === '&&' || syntax.op === '||') {
        // Logical operators also select what is evaluated.
        if (read.kind !== 'logical') return found(syntax.location);
        if (unused(read.left, syntax.left) === undefined || unused(read.right, syntax.right) === undefined)
          return undefined;
      }
      return found(syntax.location);
    case 'assign':
    case 'postfix':
      return undefined;
    case 'unary':
      if (syntax.op === '++' || syntax.op === '--' || (syntax.op === '*' && isVolatile(read)))
        return undefined;
      return found(syntax.location);
    case 'conditional':
      if (value.type.kind === 'void' || (read.kind !== 'conditional' && read.kind !== 'vector-select'))
        return undefined;
      if (syntax.then === undefined) return unused(read.otherwise, syntax.otherwise);
      return unused(read.then, syntax.then) && unused(read.otherwise, syntax.otherwise);
    case 'call':
      return unusedCall(read, syntax);
    case 'statement-expression': {
      const last = syntax.body.statements.at(-1);
      if (last?.kind !== 'expression' || read.kind !== 'statement-expression' || read.value === undefined)
        return undefined;
      return unused(read.value, last.expression);
    }
    case 'generic':
      return read.kind === 'call' || read.kind === 'builtin-call' ? undefined : found();
    case 'member':
    case 'index':
    case 'name':
      if (isVolatile(read)) return undefined;
      return found(syntax.kind === 'member' ? syntax.nameLocation : syntax.begin);
    default:
      return value.type.kind === 'void' ? undefined : found();
  }
}

function unusedCall(value: Expr, syntax: Syntax.CallExpr): Unused | undefined {
  const at = { location: syntax.begin, syntax };
  if (value.type.kind === 'void') return undefined;
  if (value.kind === 'call') {
    const { mustUse, effect } = value.callee.attributes;
    if (mustUse) return { code: 'unused-result', ...at };
    return effect && { code: 'unused-call', effect, ...at };
  }
  const callee = stripParentheses(syntax.callee);
  const isDecided = callee.kind === 'name' && DECIDED.has(callee.name);
  const effect = value.kind === 'builtin-call' ? effectOf(value.builtin) : isDecided ? 'const' : undefined;
  return effect && { code: 'unused-call', effect, ...at };
}

function withoutConversions(value: Expr): Expr {
  let at = value;
  while (at.kind === 'cast' && at.implicit) at = at.operand;
  return at;
}

/** Reading it is an effect; an array is not read. */
function isVolatile(value: Expr): boolean {
  if (value.type.kind === 'array') return false;
  if (value.kind === 'load') return value.from.object.volatile;
  return 'object' in value && value.object.volatile;
}

const isPlainVoidPointer = ({ type }: Expr): boolean =>
  type.kind === 'pointer' &&
  type.pointee.type.kind === 'void' &&
  !type.pointee.const &&
  !type.pointee.volatile &&
  (type.space === 'private' || type.space === 'generic');
