// SPDX-License-Identifier: MIT
//
// Arguments of calls.
import type { Note } from '../../../diagnostics/reporter';
import type { Expr } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import type { ArgumentType } from '../../builtins/builtin';
import { type FunctionType, scalarOf } from '../../types';
import type { Checker } from '../checker';
import { convertAsIfAssigned } from '../conversions/assignment';
import { rvalue } from '../conversions/implicit';
import { isNullPointerConstant } from '../conversions/pointers';
import { underline } from '../extents';
import { convertScalar } from '../nodes';
import { asScalar } from '../types/predicates';
import { promoted } from '../types/scalars';

export interface Argument {
  readonly value: Expr;
  readonly syntax: Syntax.Expr;
}

export const PASS = { what: 'pass', parameter: '' } as const;

export function checkArguments(c: Checker, list: readonly Syntax.Expr[]): Argument[] | undefined {
  const args: Argument[] = [];
  let broken = false;
  for (const syntax of list) {
    const raw = c.rules.expression(c, syntax);
    if (raw === undefined) broken = true;
    else args.push({ value: rvalue(c, raw), syntax });
  }
  return broken ? undefined : args;
}

/** Converts the arguments to the parameters' types. */
export function passArguments(
  c: Checker,
  type: FunctionType,
  args: readonly Argument[],
  expr: Syntax.CallExpr,
  what: 'function' | 'block',
  notes: readonly Note[] | undefined,
): Expr[] | undefined {
  const { parameters } = type;
  if (args.length !== parameters.length && !(type.variadic && args.length > parameters.length)) {
    const few = args.length < parameters.length;
    const at = few ? expr.end - 1 : args[parameters.length]!.syntax.begin;
    const counts = { what, expected: parameters.length, have: args.length };
    c.reporter.report(few ? 'too-few-arguments' : 'too-many-arguments', at, counts, {
      ...underline(expr.callee),
      ...(notes && { notes }),
    });
    return undefined;
  }
  const converted: Expr[] = [];
  let broken = false;
  for (let i = 0; i < args.length; i++) {
    const { value, syntax } = args[i]!;
    const parameter = parameters[i];
    const passed =
      parameter === undefined
        ? promoteVariadic(c, value)
        : convertAsIfAssigned(c, value, parameter.type, PASS, syntax);
    if (passed === undefined) broken = true;
    else converted.push(passed);
  }
  return broken ? undefined : converted;
}

export function promoteVariadic(c: Checker, value: Expr): Expr {
  const scalar = asScalar(value.type);
  if (scalar === undefined) return value;
  if (scalar.scalar === 'float' || scalar.scalar === 'half') {
    return c.hasDouble ? convertScalar(value, scalarOf('double')) : convertScalar(value, scalarOf('float'));
  }
  const kind = promoted(scalar.scalar);
  return convertScalar(value, scalarOf(kind));
}

export function argumentType(c: Checker, value: Expr): ArgumentType {
  const isIntegerConstant = value.kind === 'integer' && value.type.kind !== 'pointer';
  return { type: value.type, isNull: isNullPointerConstant(c, value), isIntegerConstant };
}
