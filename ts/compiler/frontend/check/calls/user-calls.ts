// SPDX-License-Identifier: MIT
//
// Calls of the program's functions.
import { note } from '../../../diagnostics/reporter';
import type { Expr } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import { type Conversion, compareConversions, convert } from '../../builtins/convert';
import type { FunctionType } from '../../types';
import type { Checker } from '../checker';
import { underline } from '../extents';
import { zeroConstant } from '../nodes';
import type { FunctionSymbol, Overload } from '../symbols';
import { isComplete } from '../types/layout';
import { asScalar } from '../types/predicates';
import { spell } from '../types/spelling';
import { type Argument, argumentType, passArguments } from './arguments';

export function checkUserCall(
  c: Checker,
  symbol: FunctionSymbol,
  args: readonly Argument[],
  callee: Syntax.NameExpr,
  expr: Syntax.CallExpr,
): Expr | undefined {
  const [only] = symbol.overloads;
  let chosen: Overload | undefined = only;
  if (symbol.overloads.length > 1 || only?.overloadable) {
    chosen = chooseOverload(c, symbol, args, callee);
    if (chosen === undefined) return undefined;
  }
  if (chosen === undefined) return undefined;
  const { entity } = chosen;
  c.observer?.use(symbol.name, { kind: 'function', identity: entity, name: symbol.name }, callee.location);
  const notes = [note('declared-here', entity.location, { name: callee.name })];
  const given = entity.isOldStyle ? oldStyleArguments(c, entity.type, args, callee, expr) : args;
  const converted = passArguments(c, entity.type, given, expr, 'function', notes);
  if (converted === undefined) return undefined;
  if (entity.isKernel && c.function?.entity === entity && !c.function.isBlock) {
    c.reporter.report('recursion', callee.location, { name: callee.name });
  }
  c.function?.callees.add(entity);
  const { result } = entity.type;
  if (result.kind !== 'void' && !isComplete(result)) {
    const message = { name: callee.name, type: spell(result) };
    c.reporter.report('call-incomplete-result', callee.location, message, { notes });
    return undefined;
  }
  const { deprecated, noReturn } = entity.attributes;
  if (deprecated !== undefined) {
    const args = { name: callee.name, message: deprecated };
    c.reporter.report('deprecated', callee.location, args, { notes });
  }
  const call: Expr = {
    kind: 'call',
    callee: entity,
    arguments: converted,
    type: entity.type.result,
    location: callee.location,
  };
  if (noReturn) c.facts.endless.add(call);
  return call;
}

/** Without a prototype, missing arguments are undefined, here 0, and excess arguments are dropped. */
function oldStyleArguments(
  c: Checker,
  { parameters }: FunctionType,
  args: readonly Argument[],
  { name }: Syntax.NameExpr,
  expr: Syntax.CallExpr,
): readonly Argument[] {
  const { location } = expr;
  const missing = parameters.slice(args.length);
  if (args.length > parameters.length) {
    const at = args[parameters.length]!.syntax.begin;
    c.reporter.report('old-style-arguments', at, { what: 'many', name });
  } else if (missing.length > 0) {
    c.reporter.report('old-style-arguments', expr.end - 1, { what: 'few', name });
  }
  // Only arithmetic types and pointers have a 0 to pass.
  if (missing.some(({ type }) => asScalar(type) === undefined && type.kind !== 'pointer')) return args;
  const zeros = missing.map(() => ({ value: zeroConstant(location), syntax: expr }));
  return [...args.slice(0, parameters.length), ...zeros];
}

function chooseOverload(
  c: Checker,
  symbol: FunctionSymbol,
  args: readonly Argument[],
  callee: Syntax.NameExpr,
): Overload | undefined {
  const types = args.map((each) => argumentType(c, each.value));
  const viable: { overload: Overload; conversions: Conversion[] }[] = [];
  for (const overload of symbol.overloads) {
    const { parameters } = overload.entity.type;
    if (parameters.length !== args.length) continue;
    const conversions: Conversion[] = [];
    for (let i = 0; i < parameters.length; i++) {
      const conversion = convert(types[i]!, parameters[i]!.type);
      if (conversion === undefined) break;
      conversions.push(conversion);
    }
    if (conversions.length === parameters.length) viable.push({ overload, conversions });
  }
  const best = viable.filter((a) => viable.every((b) => a === b || isBetter(a.conversions, b.conversions)));
  if (best.length === 1) return best[0]!.overload;
  const shown = viable.length > 0 ? viable.map((each) => each.overload) : symbol.overloads;
  const notes = shown
    .slice(0, CANDIDATE_LIMIT)
    .map(({ entity }) => note('candidate-function', entity.location, { reason: '' }));
  const code = viable.length > 0 ? 'ambiguous-call' : 'no-matching-function';
  c.reporter.report(code, callee.location, { name: callee.name }, { ...underline(callee), notes });
  return undefined;
}

function isBetter(a: readonly Conversion[], b: readonly Conversion[]): boolean {
  let better = false;
  for (let i = 0; i < a.length; i++) {
    const order = compareConversions(a[i]!, b[i]!);
    if (order > 0) return false;
    if (order < 0) better = true;
  }
  return better;
}

/** As clang shows by default. */
export const CANDIDATE_LIMIT = 4;
