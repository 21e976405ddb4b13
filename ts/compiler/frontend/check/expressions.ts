// SPDX-License-Identifier: MIT
//
// The dispatch over all expressions, and those that stand alone: literals, compound literals, _Generic, printf's format.
import type { Expr, VariableDecl } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import { unqualified } from '../predefined-types';
import { type QualType, sameType, scalarOf, type Type } from '../types';
import { isObject } from './base';
import { InitializerChecker } from './initializers';
import { spell } from './spelling';
import { alignOf, isComplete } from './type-rules';
import { formatLiterals } from './warnings/format-literals';
import { FormatChecker } from './warnings/formats';

export abstract class ExpressionChecker extends InitializerChecker {
  protected abstract block(expr: Syntax.BlockExpr): Expr | undefined;
  protected abstract statementExpression(expr: Syntax.StatementExpr): Expr | undefined;

  protected expression(expr: Syntax.Expr): Expr | undefined {
    switch (expr.kind) {
      case 'name':
        return this.name(expr);
      case 'integer':
        return this.integer(expr.value, scalarOf(expr.type), expr.location);
      case 'floating':
        return this.floating(expr);
      case 'string':
        return this.string(expr);
      case 'paren':
        return this.expression(expr.inner);
      case 'unary':
        return this.unary(expr);
      case 'postfix': {
        const raw = this.expression(expr.operand);
        return raw && this.increment(raw, expr.op, false, expr);
      }
      case 'binary':
        return this.binaryChain(expr);
      case 'assign':
        return this.assignment(expr);
      case 'conditional':
        return this.conditionalOperator(expr);
      case 'call':
        return this.call(expr);
      case 'member':
        return this.member(expr);
      case 'index':
        return this.index(expr);
      case 'cast':
        return this.castExpression(expr);
      case 'compound-literal':
        return this.compoundLiteral(expr);
      case 'init-list':
        this.reporter.report('unexpected-init-list', expr.begin, {}, this.underline(expr));
        return undefined;
      case 'type-query':
        return this.typeQuery(expr);
      case 'offsetof':
        return this.offsetof(expr);
      case 'astype':
        return expr.form === 'convert-vector' ? this.convertVector(expr) : this.asType(expr);
      case 'types-compatible':
        return this.typesCompatible(expr);
      case 'generic':
        return this.generic(expr);
      case 'block':
        return this.block(expr);
      case 'statement-expression':
        return this.statementExpression(expr);
      case 'error':
        // For the mistakes in them: those come first.
        for (const part of expr.parts ?? []) this.expression(part);
        return undefined;
    }
  }

  private string(expr: Syntax.StringExpr): Expr {
    const literal = this.stringLiteral(expr.bytes, expr.location);
    this.literals.set(literal, expr);
    return literal;
  }

  private floating(expr: Syntax.FloatingExpr): Expr | undefined {
    const type = scalarOf(expr.type);
    if (expr.type === 'half' && !this.hasHalf()) {
      this.reporter.report('half-literal', expr.location);
      return undefined;
    }
    return { kind: 'float', value: expr.value, type, location: expr.location };
  }

  /** Names in the operand are not evaluated: neither are blocks captured nor functions called. */
  protected typeOfOperand(expr: Syntax.Expr): QualType | undefined {
    const raw = this.unlessNever(true, expr);
    if (raw === undefined) return undefined;
    return isObject(raw) ? raw.object : unqualified(raw.type);
  }

  protected alignOfType(type: Type): number {
    return alignOf(type, this.language);
  }

  private compoundLiteral(expr: Syntax.CompoundLiteralExpr): Expr | undefined {
    const use = this.typeUse(expr.type);
    if (use === undefined) return undefined;
    const { location } = expr;
    if (!isComplete(use.type) && !(use.type.kind === 'array' && use.type.count === undefined)) {
      this.reporter.report('incomplete-type', location, { type: spell(use.type) }, this.underline(expr));
      return undefined;
    }
    const init = this.initializer(expr.init, use.type);
    if (init === undefined) return undefined;
    const type = use.type.kind === 'array' ? init.type : use.type;
    // A vector literal in braces is a value, as in clang.
    if (type.kind === 'vector') return init;
    const atFileScope = this.current === undefined;
    const space = atFileScope ? (this.hasProgramScopeVariables ? 'global' : 'constant') : 'private';
    const object: QualType = { ...use, type, space: use.space ?? space };
    const variable: VariableDecl = {
      kind: 'variable',
      name: '',
      location,
      type: object,
      storage: atFileScope ? 'program' : 'local-scope',
      external: false,
      attributes: {},
      init,
      typeName: '',
    };
    if (atFileScope) this.variables.push(variable);
    return { kind: 'compound-literal', variable, object, type, location };
  }

  private generic(expr: Syntax.GenericExpr): Expr | undefined {
    const control = this.expression(expr.control);
    if (control === undefined) return undefined;
    const { type } = this.value(control);
    let fallback: Syntax.Expr | undefined;
    let chosen: Syntax.Expr | undefined;
    const seen: Type[] = [];
    for (const each of expr.cases) {
      if (each.type === undefined) {
        if (fallback !== undefined) {
          this.reporter.report('generic-duplicate-default', each.location);
          return undefined;
        }
        fallback = each.value;
        continue;
      }
      const candidate = this.typeName(each.type)?.type;
      if (candidate === undefined) continue;
      if (seen.some((before) => sameType(before, candidate))) {
        this.reporter.report('generic-duplicate', each.location, { type: spell(candidate) });
        return undefined;
      }
      seen.push(candidate);
      if (sameType(candidate, type)) chosen = each.value;
    }
    chosen ??= fallback;
    // The others must make sense, too.
    for (const { value } of expr.cases) if (value !== chosen) this.typeOfOperand(value);
    if (chosen !== undefined) return this.expression(chosen);
    this.reporter.report(
      'generic-no-match',
      expr.control.begin,
      { type: spell(type) },
      this.underline(expr.control),
    );
    return undefined;
  }

  // ---- printf

  protected checkPrintf(args: readonly Expr[], expr: Syntax.CallExpr): void {
    const { reporter, language } = this;
    for (const [i, { type }] of args.entries()) {
      if (type.kind !== 'void') continue;
      const syntax = expr.arguments[i]!;
      reporter.report('argument-incomplete', syntax.begin, { type: spell(type) }, this.underline(syntax));
      return;
    }
    const [format, ...values] = args;
    const at = expr.arguments[0];
    if (format === undefined || at === undefined) return;
    const { formats, isKnown } = formatLiterals(format, this.literals, language);
    if (!isKnown && values.length === 0) reporter.report('format-unknown', at.begin, {}, this.underline(at));
    const given = values.map((value, i) => ({ value, syntax: expr.arguments[i + 1]! }));
    const checker = new FormatChecker(reporter, language, given, expr.begin);
    const unused = formats.map((each) => checker.check(each));
    // An argument that one of several formats uses is used.
    const first = unused.includes(undefined) ? undefined : Math.max(...(unused as number[]));
    if (formats.length === 0 || first === undefined) return;
    const { syntax } = given[first]!;
    reporter.report('format-many', syntax.begin, {}, this.underline(syntax));
  }
}
