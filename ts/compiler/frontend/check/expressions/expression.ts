// SPDX-License-Identifier: MIT
//
// The dispatch over the kinds of expressions.
import type { Expr } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import { scalarOf } from '../../types';
import { checkCall } from '../calls/calls';
import { checkConvertVector } from '../calls/compiler-functions';
import type { Checker } from '../checker';
import { underline } from '../extents';
import { integerConstant } from '../nodes';
import { checkAssignment } from './assignments';
import { checkBinary } from './binary';
import { checkBlock, checkStatementExpression } from './blocks';
import { checkAsType, checkCast } from './casts';
import { checkConditional } from './conditional';
import { checkSubscript } from './elements';
import { checkGeneric } from './generic';
import { checkCompoundLiteral, checkFloating, checkString } from './literals';
import { checkMember } from './members';
import { checkName } from './names';
import { checkOffsetof, checkTypeQuery, checkTypesCompatible } from './type-queries';
import { checkIncrement, checkUnary } from './unary';

export function checkExpression(c: Checker, expr: Syntax.Expr): Expr | undefined {
  switch (expr.kind) {
    case 'name':
      return checkName(c, expr);
    case 'integer':
      return integerConstant(expr.value, scalarOf(expr.type), expr.location);
    case 'floating':
      return checkFloating(c, expr);
    case 'string':
      return checkString(c, expr);
    case 'paren':
      return c.rules.expression(c, expr.inner);
    case 'unary':
      return checkUnary(c, expr);
    case 'postfix': {
      const raw = c.rules.expression(c, expr.operand);
      return raw && checkIncrement(c, raw, expr.op, false, expr);
    }
    case 'binary':
      return checkBinary(c, expr);
    case 'assign':
      return checkAssignment(c, expr);
    case 'conditional':
      return checkConditional(c, expr);
    case 'call':
      return checkCall(c, expr);
    case 'member':
      return checkMember(c, expr);
    case 'index':
      return checkSubscript(c, expr);
    case 'cast':
      return checkCast(c, expr);
    case 'compound-literal':
      return checkCompoundLiteral(c, expr);
    case 'init-list':
      c.reporter.report('unexpected-init-list', expr.begin, {}, underline(expr));
      return undefined;
    case 'type-query':
      return checkTypeQuery(c, expr);
    case 'offsetof':
      return checkOffsetof(c, expr);
    case 'astype':
      return expr.form === 'convert-vector' ? checkConvertVector(c, expr) : checkAsType(c, expr);
    case 'types-compatible':
      return checkTypesCompatible(c, expr);
    case 'generic':
      return checkGeneric(c, expr);
    case 'block':
      return checkBlock(c, expr);
    case 'statement-expression':
      return checkStatementExpression(c, expr);
    case 'error':
      // The parts are checked for errors in them, which come first.
      for (const part of expr.parts ?? []) c.rules.expression(c, part);
      return undefined;
  }
}
