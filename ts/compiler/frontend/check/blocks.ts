// SPDX-License-Identifier: MIT
//
// Blocks (6.14) and GNU's statement expressions.
import type { Expr, Stmt } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import { type FunctionType, type Type, VOID } from '../types';
import type { CurrentFunction } from './base';
import { StatementChecker } from './statements';
import type { FunctionEntity } from './symbols';

export abstract class BlockChecker extends StatementChecker {
  private blockCount = 0;

  protected block(expr: Syntax.BlockExpr): Expr | undefined {
    const { location } = expr;
    if (!this.hasBlocks()) {
      this.reporter.report('blocks-disabled', location);
      return undefined;
    }
    const declaredResult = expr.result && this.typeName(expr.result)?.type;
    if (expr.result !== undefined && declaredResult === undefined) return undefined;
    const parameterTypes = [];
    for (const parameter of expr.parameters ?? []) {
      const type = this.parameterType(parameter);
      if (type === undefined) return undefined;
      if (type.type.kind !== 'void') parameterTypes.push(type);
    }
    const outer = this.current;
    const current: CurrentFunction = {
      state: { outer: outer?.state, captures: new Map() },
      entity: outer?.entity,
      result: declaredResult,
      isKernel: false,
      isBlock: true,
      callees: outer?.callees ?? new Set(),
      depth: this.symbols.depth + 1,
    };
    this.symbols.push();
    const unfinished: FunctionType = {
      kind: 'function',
      result: VOID,
      parameters: parameterTypes,
      variadic: false,
    };
    const named = (expr.parameters ?? []).slice(0, parameterTypes.length);
    const parameters = this.declareParameters(named, unfinished, current);
    const body = this.body(expr.body, current);
    this.symbols.pop();
    const type: FunctionType = { ...unfinished, result: current.result ?? VOID };
    const entity: FunctionEntity = {
      kind: 'function',
      name: `__${outer?.entity?.name ?? 'global'}_block_invoke_${this.blockCount++}`,
      location,
      type,
      parameters,
      isKernel: false,
      external: false,
      inlineOnly: false,
      attributes: {},
      body,
    };
    this.functions.push(entity);
    const captures = [...current.state.captures].map(([outerVariable, inner]) => ({
      outer: outerVariable,
      inner,
    }));
    return { kind: 'block', function: entity, captures, type: { kind: 'block', signature: type }, location };
  }

  /** GNU's `({ …; value; })` */
  protected statementExpression(expr: Syntax.StatementExpr): Expr | undefined {
    if (this.current === undefined) {
      this.reporter.report('statement-expression-outside', expr.location);
      return undefined;
    }
    this.symbols.push();
    const statements: Stmt[] = [];
    const list = expr.body.statements;
    let value: Expr | undefined;
    let broken = false;
    for (let i = 0; i < list.length; i++) {
      const each = list[i]!;
      if (i === list.length - 1 && each.kind === 'expression') {
        const raw = this.expression(each.expression);
        if (raw === undefined) broken = true;
        else value = this.value(raw);
        continue;
      }
      // What waits for its being reached waits with the statement around.
      const checked = this.anyStatement(each);
      if (checked !== undefined) statements.push(checked);
    }
    this.symbols.pop();
    if (broken) return undefined;
    const type: Type = value?.type ?? VOID;
    return { kind: 'statement-expression', statements, value, type, location: expr.location };
  }
}
