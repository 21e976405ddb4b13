// SPDX-License-Identifier: MIT
//
// Statements (6.13); switches and blocks are in files of their own.
import { Deferral } from '../../diagnostics/deferral';
import type { Location } from '../../diagnostics/diagnostic';
import { note } from '../../diagnostics/reporter';
import type { CompoundStmt, Expr, Stmt, VariableDecl } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import { type FunctionType, sameType, VOID } from '../types';
import type { CurrentFunction } from './base';
import { spell } from './spelling';
import { SwitchChecker } from './switches';
import { warnCondition } from './warnings/operators';
import { endOf, missingReturn, reachedStatements } from './warnings/reachability';
import { warnUnsequenced } from './warnings/sequencing';
import { warnStackAddress } from './warnings/stack-addresses';
import { warnEmptyLoop, warnIf } from './warnings/statements';
import { warnUnused } from './warnings/unused';

export abstract class StatementChecker extends SwitchChecker {
  private loops = 0;
  private labels = new Map<string, Location>();
  private gotos: Syntax.GotoStmt[] = [];
  /** Statements that could not be read. */
  private syntaxErrors = 0;

  protected abstract localDeclaration(declaration: Syntax.Declaration): VariableDecl[];
  protected abstract declareParameters(
    parameters: readonly Syntax.Parameter[],
    type: FunctionType,
    current: CurrentFunction,
  ): VariableDecl[];

  // ---- functions' bodies

  /** Checks a body; the parameters are in scope already. */
  protected body(statement: Syntax.CompoundStmt, current: CurrentFunction): CompoundStmt {
    const outer = {
      current: this.current,
      switches: this.switches,
      loops: this.loops,
      breakables: this.breakables,
      labels: this.labels,
      gotos: this.gotos,
    };
    this.current = current;
    this.switches = [];
    this.loops = 0;
    this.breakables = 0;
    this.labels = new Map();
    this.gotos = [];
    const { syntaxErrors } = this;
    const { deferral: outerDeferral } = this.reporter;
    const deferral = new Deferral();
    this.reporter.deferral = deferral;
    const body = this.compoundInside(statement);
    this.reporter.deferral = outerDeferral;
    for (const { target, targetLocation } of this.gotos) {
      // The label may be in what could not be read.
      if (!this.labels.has(target) && this.syntaxErrors === syntaxErrors)
        this.reporter.report('undeclared-label', targetLocation, { name: target });
    }
    const isVoid = current.result === undefined || current.result.kind === 'void';
    const isRight = this.reporter.errors === 0 && this.syntaxErrors === syntaxErrors;
    const facts = { endless: this.endless, exhaustive: this.exhaustive };
    if (deferral.count > 0) {
      // With an error, what is reached cannot be told.
      const reached = isRight ? reachedStatements(body, facts) : undefined;
      deferral.release((each) => reached === undefined || reached.has(each as Stmt));
    }
    if (current.entity?.attributes.noReturn && !current.isBlock && isRight) {
      const end = endOf(body, facts);
      if (end !== undefined) this.reporter.report('noreturn-returns', end === 'end' ? statement.end : end);
    } else if (!isVoid && isRight) {
      const missing = missingReturn(body, facts);
      if (missing !== undefined) {
        const isNever = missing === 'never';
        if (current.isBlock) {
          const where = isNever ? '' : ' in all control paths';
          this.reporter.report('block-without-value', statement.end, { where });
        } else this.reporter.report(isNever ? 'missing-return-never' : 'missing-return', statement.end);
      }
    }
    ({
      current: this.current,
      switches: this.switches,
      loops: this.loops,
      breakables: this.breakables,
      labels: this.labels,
      gotos: this.gotos,
    } = outer);
    return body;
  }

  private compound(statement: Syntax.CompoundStmt): CompoundStmt {
    this.symbols.push();
    const result = this.compoundInside(statement);
    this.symbols.pop();
    return result;
  }

  private compoundInside(statement: Syntax.CompoundStmt): CompoundStmt {
    const { contract } = this;
    const statements: Stmt[] = [];
    const list = statement.statements;
    for (let i = 0; i < list.length; i++) {
      const each = list[i]!;
      warnEmptyLoop(this.reporter, each, list[i + 1]);
      const checked = this.statement(each);
      if (checked !== undefined) statements.push(checked);
    }
    this.contract = contract;
    return { kind: 'compound', statements, location: statement.location, end: statement.end };
  }

  // ---- statements

  /** Undefined for what leaves nothing behind, or was wrong. */
  protected statement(statement: Syntax.Stmt, unroll?: number): Stmt | undefined {
    const deferral = this.reporter.deferral!;
    const { count } = deferral;
    const checked = this.anyStatement(statement, unroll);
    if (deferral.count > count) deferral.claim(count, checked);
    return checked;
  }

  protected anyStatement(statement: Syntax.Stmt, unroll?: number): Stmt | undefined {
    const { location } = statement;
    switch (statement.kind) {
      case 'compound':
        return this.compound(statement);
      case 'expression':
        return this.expressionStatement(statement);
      case 'declaration': {
        const variables = this.localDeclaration(statement);
        return variables.length === 0 ? undefined : { kind: 'declaration', variables, location };
      }
      case 'pragma':
        this.pragma(statement);
        return undefined;
      case 'static-assert':
        this.staticAssert(statement);
        return undefined;
      case 'if':
        return this.ifStatement(statement);
      case 'for':
        return this.forStatement(statement, unroll);
      case 'while': {
        warnCondition(this.reporter, statement.condition);
        const condition = this.condition(this.expression(statement.condition), statement.condition);
        const body = this.loopBody(statement.body);
        return condition && { kind: 'while', condition, body, unroll, location };
      }
      case 'do': {
        const body = this.loopBody(statement.body);
        warnCondition(this.reporter, statement.condition);
        const { begin, end } = statement.condition;
        // clang has a wrong condition on the line of the `do`.
        const at = { location, begin, end };
        const condition = this.condition(this.expression(statement.condition), at);
        return condition && { kind: 'do', body, condition, unroll, location };
      }
      case 'switch':
        return this.switchStatement(statement);
      case 'case':
        return this.caseStatement(statement);
      case 'default':
        return this.defaultStatement(statement);
      case 'label': {
        const before = this.labels.get(statement.name);
        if (before !== undefined) {
          const notes = [note('previous-definition', before)];
          this.reporter.report('redefinition-label', location, { name: statement.name }, { notes });
        }
        this.labels.set(statement.name, location);
        return { kind: 'label', name: statement.name, body: this.required(statement.body), location };
      }
      case 'goto':
        this.gotos.push(statement);
        return { kind: 'goto', target: statement.target, location };
      case 'break':
        if (this.breakables === 0) this.reporter.report('break-outside', location);
        return { kind: 'break', location };
      case 'continue':
        if (this.loops === 0) this.reporter.report('continue-outside', location);
        return { kind: 'continue', location };
      case 'return':
        return this.returnStatement(statement);
      case 'empty':
        return { kind: 'empty', location };
      case 'attributed':
        return this.attributed(statement);
      case 'error':
        this.syntaxErrors++;
        for (const name of statement.names) this.symbols.values.set(name, { kind: 'broken' });
        return undefined;
    }
  }

  /** A statement that must be there for another one's sake. */
  protected required(statement: Syntax.Stmt): Stmt {
    return this.statement(statement) ?? { kind: 'empty', location: statement.location };
  }

  protected scoped(statement: Syntax.Stmt): Stmt {
    if (statement.kind === 'compound') return this.compound(statement);
    this.symbols.push();
    const checked = this.required(statement);
    this.symbols.pop();
    return checked;
  }

  protected abstract pragma(statement: Syntax.Pragma): void;

  private expressionStatement(statement: Syntax.ExprStmt): Stmt | undefined {
    const raw = this.expression(statement.expression);
    if (raw === undefined) return undefined;
    const expression = raw.type.kind === 'array' ? raw : this.value(raw);
    warnUnused(this.reporter, expression, statement.expression);
    warnUnsequenced(this.reporter, statement.expression);
    return { kind: 'expression', expression, location: statement.location };
  }

  /** `if … else if …` may be long: its links are followed without recursion. */
  private ifStatement(statement: Syntax.IfStmt): Stmt | undefined {
    const links: { condition: Expr | undefined; then: Stmt; location: Location }[] = [];
    let otherwise: Stmt | undefined;
    for (let at = statement; ; ) {
      const syntax = at.condition;
      const condition = this.condition(this.expression(syntax), syntax);
      warnCondition(this.reporter, syntax);
      warnIf(this.reporter, at);
      links.push({ condition, then: this.scoped(at.then), location: at.location });
      if (at.otherwise?.kind === 'if') {
        at = at.otherwise;
        continue;
      }
      otherwise = at.otherwise && this.scoped(at.otherwise);
      break;
    }
    for (const { condition, then, location } of links.reverse()) {
      otherwise = condition && { kind: 'if', condition, then, otherwise, location };
    }
    return otherwise;
  }

  private loopBody(body: Syntax.Stmt): Stmt {
    this.loops++;
    this.breakables++;
    const checked = this.scoped(body);
    this.loops--;
    this.breakables--;
    return checked;
  }

  private forStatement(statement: Syntax.ForStmt, unroll: number | undefined): Stmt | undefined {
    this.symbols.push();
    const storage = statement.init?.kind === 'declaration' ? statement.init.specifiers.storage : undefined;
    if (storage === 'static' || storage === 'extern')
      this.reporter.report('for-variable', statement.init!.location);
    const init = statement.init && this.statement(statement.init);
    const syntax = statement.condition;
    if (syntax !== undefined) warnCondition(this.reporter, syntax);
    const condition = syntax && this.condition(this.expression(syntax), syntax);
    const rawStep = statement.step && this.expression(statement.step);
    const step = rawStep && this.value(rawStep);
    if (step !== undefined) {
      warnUnused(this.reporter, step, statement.step!);
      warnUnsequenced(this.reporter, statement.step!);
    }
    const body = this.loopBody(statement.body);
    this.symbols.pop();
    return { kind: 'for', init, condition, step, body, unroll, location: statement.location };
  }

  private attributed(statement: Syntax.AttributedStmt): Stmt | undefined {
    let unroll: number | undefined;
    const { body } = statement;
    for (const { name, arguments: args, location } of statement.attributes) {
      if (name !== 'opencl_unroll_hint' && name !== 'unroll') {
        if (name !== 'fallthrough' && name !== 'unused')
          this.reporter.report('unknown-attribute', location, { name });
        continue;
      }
      const loop =
        body.kind === 'for' || body.kind === 'while' || body.kind === 'do' || body.kind === 'attributed';
      if (!loop && name === 'opencl_unroll_hint') {
        this.reporter.report('unroll-not-loop', location, { name });
        continue;
      }
      const [argument, second] = args;
      if (second !== undefined) {
        this.reporter.report('unroll-arguments', location, { name });
        continue;
      }
      const isHint = name === 'opencl_unroll_hint' && argument !== undefined;
      const count = argument === undefined ? 0n : this.constantInteger(argument);
      if (count !== undefined && (isHint ? count < 1n : count < 0n))
        this.reporter.report('unroll-negative', location, { name });
      else if (count !== undefined) unroll = Number(count);
    }
    return this.statement(body, unroll);
  }

  // ---- return

  private returnStatement(statement: Syntax.ReturnStmt): Stmt | undefined {
    const { location } = statement;
    const current = this.current!;
    const raw = statement.value && this.expression(statement.value);
    if (statement.value !== undefined && raw === undefined)
      return { kind: 'return', value: undefined, location };
    const value = raw && this.value(raw);
    if (current.isBroken) return { kind: 'return', value, location };
    if (current.result === undefined) {
      current.result = value?.type ?? VOID;
      current.resultIsInferred = true;
    }
    const { result } = current;
    if (current.resultIsInferred && value !== undefined && !sameType(value.type, result)) {
      const types = { type: spell(value.type), before: spell(result) };
      this.reporter.report('block-result-differs', location, types, this.underline(statement.value!));
      return undefined;
    }
    const name = current.entity?.name ?? 'block';
    if (value === undefined) {
      if (result.kind !== 'void') this.reporter.report('return-without-value', location, { name });
      return { kind: 'return', value: undefined, location };
    }
    if (result.kind === 'void') {
      if (value.type.kind === 'void') {
        this.reporter.report('return-void-expression', location, { name }, this.underline(statement.value!));
        return { kind: 'return', value, location };
      }
      this.reporter.report('return-with-value', location, { name }, this.underline(statement.value!));
      return undefined;
    }
    warnStackAddress(this.reporter, value, statement.value!);
    warnUnsequenced(this.reporter, statement.value!);
    const converted = this.assignable(value, result, { what: 'return' }, statement.value!);
    return converted && { kind: 'return', value: converted, location };
  }
}
