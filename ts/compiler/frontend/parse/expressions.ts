// SPDX-License-Identifier: MIT
//
// Expressions, by precedence climbing.
import type { Location } from '../../diagnostics/diagnostic';
import type { ArithmeticOp } from '../ast/checked';
import type {
  AsTypeExpr,
  BinaryOp,
  BlockExpr,
  CompoundStmt,
  Designator,
  Expr,
  Parameter,
  TypeName,
  UnaryOp,
} from '../ast/syntax';
import type { Token } from '../lex/token';
import { SYNTAX_ERROR } from './cursor';
import { InitializerParser } from './initializers';

const PRECEDENCE: ReadonlyMap<string, number> = new Map([
  ['*', 10],
  ['/', 10],
  ['%', 10],
  ['+', 9],
  ['-', 9],
  ['<<', 8],
  ['>>', 8],
  ['<', 7],
  ['>', 7],
  ['<=', 7],
  ['>=', 7],
  ['==', 6],
  ['!=', 6],
  ['&', 5],
  ['^', 4],
  ['|', 3],
  ['&&', 2],
  ['||', 1],
]);

const ASSIGNMENTS: ReadonlyMap<string, ArithmeticOp | undefined> = new Map([
  ['=', undefined],
  ['+=', '+'],
  ['-=', '-'],
  ['*=', '*'],
  ['/=', '/'],
  ['%=', '%'],
  ['&=', '&'],
  ['|=', '|'],
  ['^=', '^'],
  ['<<=', '<<'],
  ['>>=', '>>'],
]);

/** Statements that are not taken for an expression behind a `,`; as in clang. */
const NOT_EXPRESSIONS: ReadonlySet<string> = new Set(['for', 'while', 'if', 'else', 'goto']);

/** `a + b + c + …` grows to the left without nesting; later stages walk it. */
const CHAIN_LIMIT = 100_000;

export abstract class ExpressionParser extends InitializerParser {
  protected abstract isTypeStart(distance?: number): boolean;
  protected abstract typeName(): TypeName;
  protected abstract compound(): CompoundStmt;
  protected abstract blockSignature(): {
    readonly result: TypeName | undefined;
    readonly parameters: readonly Parameter[] | undefined;
  };
  /** Runs `parse` in a scope of its own for the names that `blockSignature` declared. */
  protected abstract inBlockScope<T>(parse: () => T): T;

  protected expression(): Expr {
    let left = this.assignment();
    let length = 0;
    while (this.is(',') && !this.cannotBeginExpression(this.peek())) {
      if (++length > CHAIN_LIMIT) this.chainTooLong();
      const { location } = this.next();
      const right = this.assignment();
      left = { kind: 'binary', op: ',', left, right, location, begin: left.begin, end: right.end };
    }
    return left;
  }

  /** Behind a `,`: what begins a statement or a declaration, so that a `;` was meant. */
  private cannotBeginExpression(token: Token): boolean {
    if (token.kind === 'punctuator') return token.text === '{' || token.text === '}';
    if (token.kind !== 'identifier') return false;
    const kind = this.keywords.get(token.text)?.kind;
    if (kind === 'statement') return NOT_EXPRESSIONS.has(token.text);
    return kind === 'storage' || (kind !== 'attribute' && this.isTypeStart(1));
  }

  /** An assignment-expression: an expression without commas. */
  protected assignment(): Expr {
    const left = this.conditional();
    const { token } = this;
    if (token.kind !== 'punctuator' || !ASSIGNMENTS.has(token.text)) return left;
    this.next();
    this.deeper();
    const right = this.assignment();
    this.shallower();
    const op = ASSIGNMENTS.get(token.text);
    return { kind: 'assign', op, left, right, location: token.location, begin: left.begin, end: right.end };
  }

  /** A constant-expression by its grammar. */
  protected conditional(): Expr {
    const condition = this.binary(this.unary(), 1);
    if (!this.is('?')) return condition;
    const { location } = this.next();
    this.deeper();
    const then = this.is(':') ? undefined : this.expression();
    if (!this.accept(':')) {
      this.reporter.report('expected-token', this.token.location, { token: ':' });
      throw SYNTAX_ERROR;
    }
    const otherwise = this.conditional();
    this.shallower();
    return {
      kind: 'conditional',
      condition,
      then,
      otherwise,
      location,
      begin: condition.begin,
      end: otherwise.end,
    };
  }

  private binary(left: Expr, least: number): Expr {
    let length = 0;
    for (;;) {
      const { token } = this;
      const precedence = token.kind === 'punctuator' ? PRECEDENCE.get(token.text) : undefined;
      if (precedence === undefined || precedence < least) return left;
      if (++length > CHAIN_LIMIT) this.chainTooLong();
      this.next();
      let right = this.unary();
      const following = this.token.kind === 'punctuator' ? PRECEDENCE.get(this.token.text) : undefined;
      if (following !== undefined && following > precedence) right = this.binary(right, precedence + 1);
      left = {
        kind: 'binary',
        op: token.text as BinaryOp,
        left,
        right,
        location: token.location,
        begin: left.begin,
        end: right.end,
      };
    }
  }

  private chainTooLong(): never {
    this.reporter.report('nesting-too-deep', this.token.location, { limit: CHAIN_LIMIT });
    throw SYNTAX_ERROR;
  }

  /** A cast-expression by C's grammar: unary operators and casts. */
  private unary(): Expr {
    const { token } = this;
    const begin = token.location;
    if (token.kind === 'punctuator') {
      switch (token.text) {
        case '+':
        case '-':
        case '~':
        case '!':
        case '*':
        case '&':
        case '++':
        case '--': {
          this.next();
          this.deeper();
          const operand = this.unary();
          this.shallower();
          return {
            kind: 'unary',
            op: token.text as UnaryOp,
            operand,
            location: begin,
            begin,
            end: operand.end,
          };
        }
        case '(':
          if (this.isTypeStart(1)) return this.castOrLiteral();
          return this.postfix(this.parenthesized());
        case '^':
          return this.postfix(this.block());
      }
      return this.fail('expected-expression');
    }
    if (token.kind === 'identifier') {
      const keyword = this.keywords.get(token.text);
      if (keyword === undefined) return this.postfix(this.name());
      switch (keyword.kind) {
        case 'query':
          return this.typeQuery(keyword.query);
        case 'extension': {
          this.next();
          this.deeper();
          const operand = this.unary();
          this.shallower();
          return operand;
        }
        case 'offsetof':
          return this.postfix(this.offsetof());
        case 'astype':
          return this.postfix(this.asType(keyword.form));
        case 'types-compatible':
          return this.postfix(this.typesCompatible());
        case 'generic':
          return this.postfix(this.generic());
      }
      return this.fail('expected-expression');
    }
    return this.postfix(this.literal());
  }

  private name(): Expr {
    const { text, location } = this.next();
    return { kind: 'name', name: text, location, begin: location, end: location + text.length };
  }

  private parenthesized(): Expr {
    const begin = this.open('(');
    if (this.is('{')) {
      const body = this.compound();
      this.close(')', begin);
      return { kind: 'statement-expression', body, location: begin, begin, end: this.previousEnd };
    }
    const inner = this.expression();
    this.close(')', begin);
    return { kind: 'paren', inner, location: begin, begin, end: this.previousEnd };
  }

  private castOrLiteral(): Expr {
    const begin = this.open('(');
    const type = this.typeName();
    this.close(')', begin);
    if (this.is('{')) {
      const init = this.initList();
      return this.postfix({ kind: 'compound-literal', type, init, location: begin, begin, end: init.end });
    }
    this.deeper();
    const operand = this.unary();
    this.shallower();
    return { kind: 'cast', type, operand, location: begin, begin, end: operand.end };
  }

  private postfix(base: Expr): Expr {
    let length = 0;
    for (;;) {
      const { token } = this;
      if (token.kind !== 'punctuator') return base;
      switch (token.text) {
        case '[': {
          const opener = this.open('[');
          const index = this.expression();
          if (!this.close(']', opener)) return this.brokenBehind(base.begin, [index]);
          base = { kind: 'index', base, index, location: opener, begin: base.begin, end: this.previousEnd };
          break;
        }
        case '(': {
          const opener = this.open('(');
          const args: Expr[] = [];
          if (!this.is(')')) {
            do args.push(this.is('{') ? this.misplacedList() : this.assignment());
            while (this.accept(','));
          }
          if (!this.close(')', opener)) return this.brokenBehind(base.begin, args);
          base = {
            kind: 'call',
            callee: base,
            arguments: args,
            location: opener,
            begin: base.begin,
            end: this.previousEnd,
          };
          break;
        }
        case '.':
        case '->': {
          this.next();
          const { text: name, location: nameLocation, kind } = this.token;
          if (kind !== 'identifier') this.fail('expected-identifier');
          this.next();
          const arrow = token.text === '->';
          const { location } = token;
          base = {
            kind: 'member',
            base,
            name,
            arrow,
            nameLocation,
            location,
            begin: base.begin,
            end: this.previousEnd,
          };
          break;
        }
        case '++':
        case '--':
          this.next();
          base = {
            kind: 'postfix',
            op: token.text as '++' | '--',
            operand: base,
            location: token.location,
            begin: base.begin,
            end: this.previousEnd,
          };
          break;
        default:
          return base;
      }
      if (++length > 1000) this.chainTooLong();
    }
  }

  private brokenBehind(begin: Location, parts: readonly Expr[]): Expr {
    return { kind: 'error', parts, location: begin, begin, end: this.previousEnd };
  }

  private typeQuery(query: 'sizeof' | 'alignof' | 'vec_step'): Expr {
    const { location, text } = this.next();
    let operand: Expr | TypeName;
    if (this.is('(') && this.isTypeStart(1)) {
      const opener = this.open('(');
      operand = this.typeName();
      this.close(')', opener);
      if (this.is('{')) {
        const init = this.initList();
        operand = this.postfix({
          kind: 'compound-literal',
          type: operand,
          init,
          location: opener,
          begin: opener,
          end: init.end,
        });
      }
    } else {
      this.deeper();
      operand = this.unary();
      this.shallower();
    }
    return {
      kind: 'type-query',
      query,
      operand,
      location,
      begin: location,
      end: this.previousEnd,
      ...(text === '_Alignof' && { isStandardAlignof: true }),
    };
  }

  private offsetof(): Expr {
    const { location } = this.next();
    const opener = this.open('(');
    const type = this.typeName();
    this.expect(',');
    const path: Designator[] = [this.fieldDesignator()];
    for (;;) {
      if (this.accept('.')) path.push(this.fieldDesignator());
      else if (this.is('[')) path.push(this.indexDesignator());
      else break;
    }
    this.close(')', opener);
    return { kind: 'offsetof', type, path, location, begin: location, end: this.previousEnd };
  }

  private asType(form: AsTypeExpr['form']): Expr {
    const { location } = this.next();
    const opener = this.open('(');
    let operand: Expr;
    let type: TypeName;
    if (form === 'bit-cast') {
      type = this.typeName();
      this.expect(',');
      operand = this.assignment();
    } else {
      operand = this.assignment();
      this.expect(',');
      type = this.typeName();
    }
    this.close(')', opener);
    return { kind: 'astype', form, operand, type, location, begin: location, end: this.previousEnd };
  }

  private typesCompatible(): Expr {
    const { location } = this.next();
    const opener = this.open('(');
    const left = this.typeName();
    this.expect(',');
    const right = this.typeName();
    this.close(')', opener);
    return { kind: 'types-compatible', left, right, location, begin: location, end: this.previousEnd };
  }

  private generic(): Expr {
    const { location } = this.next();
    const opener = this.open('(');
    const control = this.assignment();
    const cases: { type: TypeName | undefined; value: Expr; location: Location }[] = [];
    while (this.accept(',')) {
      const at = this.token.location;
      let type: TypeName | undefined;
      if (this.isWord('default')) this.next();
      else type = this.typeName();
      this.expect(':');
      cases.push({ type, value: this.assignment(), location: at });
    }
    this.close(')', opener);
    return { kind: 'generic', control, cases, location, begin: location, end: this.previousEnd };
  }

  private block(): BlockExpr {
    const { location } = this.next();
    return this.inBlockScope(() => {
      const { result, parameters } = this.blockSignature();
      const body = this.compound();
      return { kind: 'block', result, parameters, body, location, begin: location, end: this.previousEnd };
    });
  }
}

/** A literal whose closing quote is missing: the lexer said so. */
