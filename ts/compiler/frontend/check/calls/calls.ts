// SPDX-License-Identifier: MIT
//
// Calls: of the program's functions, of built-ins, and of blocks.

import type { Expr } from '../../ast/checked';
import { knownBlock } from '../../ast/known-block';
import type * as Syntax from '../../ast/syntax';
import type { BlockType } from '../../types';
import type { Checker } from '../checker';
import { rvalue } from '../conversions/implicit';
import { stripParentheses } from '../expressions/parentheses';
import { underline } from '../extents';
import { spell } from '../types/spelling';
import { type Argument, checkArguments, passArguments } from './arguments';
import { checkBuiltin } from './builtin-calls';
import { checkCompilerFunction, NOT_OURS } from './compiler-functions';
import { checkUserCall } from './user-calls';

export function checkCall(c: Checker, expr: Syntax.CallExpr): Expr | undefined {
  const callee = stripParentheses(expr.callee);
  const args = checkArguments(c, expr.arguments);
  if (callee.kind === 'name') {
    const symbol = c.symbols.values.get(callee.name);
    if (symbol === undefined) {
      if (args === undefined) return undefined;
      const own = checkCompilerFunction(c, callee, args, expr);
      return own === NOT_OURS ? checkBuiltin(c, callee, args, expr) : own;
    }
    if (symbol.kind === 'function') {
      if (callee !== expr.callee) {
        c.reporter.report('function-address', callee.location, { name: callee.name });
        return undefined;
      }
      return args && checkUserCall(c, symbol, args, callee, expr);
    }
    if (symbol.kind === 'broken') return undefined;
  }
  const raw = c.rules.expression(c, callee);
  if (raw === undefined || args === undefined) return undefined;
  const block = rvalue(c, raw);
  if (block.type.kind !== 'block') {
    c.reporter.report('not-callable', expr.location, { type: spell(block.type) }, underline(callee));
    return undefined;
  }
  return checkBlockCall(c, block, block.type, args, expr);
}

function checkBlockCall(
  c: Checker,
  block: Expr,
  type: BlockType,
  args: readonly Argument[],
  expr: Syntax.CallExpr,
): Expr | undefined {
  const converted = passArguments(c, type.signature, args, expr, 'block', undefined);
  const literal = knownBlock(block);
  if (literal) c.function?.callees.add(literal.function);
  return (
    converted && {
      kind: 'block-call',
      block,
      arguments: converted,
      type: type.signature.result,
      location: expr.location,
    }
  );
}
