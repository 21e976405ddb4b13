// SPDX-License-Identifier: MIT
//
// The dispatch over all expressions, and those that stand alone: literals, compound literals, _Generic, printf's format.
import type { Expr, VariableDecl } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import { unqualified } from '../predefined-types';
import { type QualType, sameType, scalarOf, type Type } from '../types';
import { stripParentheses } from './access';
import { isObject } from './base';
import { isComparison } from './binary-operators';
import { InitializerChecker } from './initializers';
import { isAddress, isElement, isText, readFormat, vectorElement } from './printf-format';
import { spell } from './spelling';
import { alignOf, asScalar, isComplete, isFloatKind, sizeOf } from './type-rules';

/** What integer a length modifier wants; shorter ones are int when they are passed. */
const INTEGER_LENGTHS: Readonly<Record<string, string | undefined>> = {
  '': 'int',
  l: 'long',
  ll: 'long long',
  z: 'size_t',
  t: 'size_t',
};

/** `long long` has 128 bits, and OpenCL C reserves it. */
const LENGTH_BYTES: Readonly<Record<string, number | undefined>> = { long: 8, 'long long': 16 };

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
        return this.stringLiteral(expr.bytes, expr.location);
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
    const raw = this.expression(expr);
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
    for (const [i, { type }] of args.entries()) {
      if (type.kind !== 'void') continue;
      const syntax = expr.arguments[i]!;
      this.reporter.report(
        'argument-incomplete',
        syntax.begin,
        { type: spell(type) },
        this.underline(syntax),
      );
    }
    const format = expr.arguments[0] && stripParentheses(expr.arguments[0]);
    if (format?.kind !== 'string') return;
    const { conversions, broken } = readFormat(new TextDecoder().decode(format.bytes));
    if (format.bytes.includes(0)) {
      this.reporter.report('format-nul', format.begin);
      return;
    }
    if (broken?.specifier === '') {
      this.reporter.report('format-incomplete', format.begin);
      return;
    }
    if (broken !== undefined) {
      this.reporter.report('format-invalid', format.begin, { conversion: broken.text });
      return;
    }
    let at = 1;
    for (const conversion of conversions) {
      at += conversion.stars;
      const value = args[at];
      if (value === undefined) {
        this.reporter.report('format-few', format.begin, {}, this.underline(format));
        return;
      }
      const type = value.type.kind === 'vector' ? value.type.element : asScalar(value.type);
      const wantsFloat = 'fFeEgGaA'.includes(conversion.specifier);
      const wantsInteger = 'diouxXc'.includes(conversion.specifier);
      const vector = value.type.kind === 'vector' ? value.type.count : undefined;
      const wanted = wantsInteger && vector === undefined ? INTEGER_LENGTHS[conversion.length] : undefined;
      const size = wanted === 'size_t' ? this.language.addressBits / 8 : (LENGTH_BYTES[wanted ?? ''] ?? 4);
      const isLengthWrong =
        wanted !== undefined &&
        type !== undefined &&
        !isFloatKind(type.scalar) &&
        sizeOf(value.type, this.language) !==
          (wanted === 'int' ? Math.min(4, sizeOf(value.type, this.language)) : size);
      if (isLengthWrong) {
        const syntax = expr.arguments[at]!;
        const message = { wanted: wanted!, type: spell(value.type) };
        this.reporter.report('format-length', syntax.begin, message, this.underline(syntax));
      }
      const wrong =
        (wantsFloat && (type === undefined || !isFloatKind(type.scalar))) ||
        (wantsInteger && (type === undefined || isFloatKind(type.scalar))) ||
        (conversion.specifier === 's' && !isText(value.type)) ||
        (conversion.specifier === 'p' && !isAddress(value.type)) ||
        vector !== conversion.vector;
      const element = vector === undefined || wrong ? undefined : vectorElement(conversion);
      if (element !== undefined && type !== undefined && !isElement(type.scalar, element)) {
        const syntax = expr.arguments[at]!;
        const message = { wanted: `${element}${vector}`, type: spell(value.type) };
        this.reporter.report('format-length', syntax.begin, message, this.underline(syntax));
      }
      if (wrong) {
        const syntax = expr.arguments[at]!;
        const message = { conversion: conversion.text, type: spell(value.type) };
        this.reporter.report('format-type', syntax.begin, message, this.underline(syntax));
      }
      at++;
    }
    if (at < args.length) {
      const extra = expr.arguments[at]!;
      this.reporter.report('format-many', extra.begin, {}, this.underline(extra));
    }
  }

  // ---- unused values

  protected warnUnused(value: Expr, at: Syntax.Expr): void {
    const found = this.unused(value, at);
    if (found !== undefined) {
      this.reporter.report(found.code, found.location, {}, this.underline(stripParentheses(at)));
    }
  }

  /** The message that a value without use deserves, if any. */
  private unused(value: Expr, at: Syntax.Expr): { code: UnusedCode; location: number } | undefined {
    const syntax = stripParentheses(at);
    const found = (code: UnusedCode, location = syntax.begin) => ({ code, location });
    switch (syntax.kind) {
      case 'binary':
        if (syntax.op === ',') {
          // `(f(), 0)` is how a value is dropped on purpose.
          const right = stripParentheses(syntax.right);
          if (value.kind !== 'comma' || (right.kind === 'integer' && right.value === 0n)) return undefined;
          return this.unused(value.right, syntax.right);
        }
        if (syntax.op === '&&' || syntax.op === '||') {
          // They also choose what is evaluated.
          const sides = value.kind === 'logical' ? [value.left, value.right] : [];
          const both = [syntax.left, syntax.right].every(
            (side, i) => sides[i] !== undefined && this.unused(sides[i], side) !== undefined,
          );
          return both ? found('unused-value', syntax.location) : undefined;
        }
        return found(isComparison(syntax.op) ? 'unused-comparison' : 'unused-value', syntax.location);
      case 'conditional': {
        if (value.kind !== 'conditional' || value.type.kind === 'void') return undefined;
        const both =
          this.unused(value.then, syntax.then ?? syntax.condition) &&
          this.unused(value.otherwise, syntax.otherwise);
        return both && found('unused-value', syntax.location);
      }
      case 'name':
      case 'integer':
      case 'floating':
      case 'member':
      case 'index':
        if (isObject(value) || value.kind === 'load') {
          const object = value.kind === 'load' ? value.from.object : this.objectOf(value);
          if (object.volatile) return undefined;
        }
        return found('unused-value');
      case 'string':
      case 'type-query':
        return found('unused-value');
      case 'cast':
        return value.type.kind === 'void' ? undefined : found('unused-value');
      case 'unary':
        if (syntax.op === '++' || syntax.op === '--') return undefined;
        if (value.kind === 'load' && value.from.object.volatile) return undefined;
        return found('unused-value', syntax.location);
      case 'call':
        return value.kind === 'builtin-call' && isPure(value) ? found('unused-call') : undefined;
      default:
        return undefined;
    }
  }
}

type UnusedCode = 'unused-value' | 'unused-comparison' | 'unused-call';

/** Functions that only compute: instructions on values, and the work-item's built-in variables. */
function isPure({ builtin }: Expr & { kind: 'builtin-call' }): boolean {
  const { lowering, name, parameters, variadic, result } = builtin;
  if (variadic || result.kind === 'void') return false;
  if (parameters.some(({ kind }) => kind !== 'scalar' && kind !== 'vector')) return false;
  return lowering.kind === 'extended' || lowering.kind === 'variable' || name.startsWith('convert_');
}
