// SPDX-License-Identifier: MIT
//
// Statements.
import type { Location } from '../../diagnostics/diagnostic';
import type { Attribute, CompoundStmt, Expr, IfStmt, Parameter, Stmt } from '../ast/syntax';
import type { Token } from '../lex/token';
import { SYNTAX_ERROR } from './cursor';
import { DeclarationParser } from './declarations';

const NO_ATTRIBUTES: readonly Attribute[] = [];

/** #pragma unroll, nounroll, clang loop unroll and unroll_count, with what stands in parentheses or behind. */
export const UNROLL = /^(clang\s+loop\s+)?(no)?unroll(?:_count)?\b\s*(?:\(([^()]*)\)|(.*))/;
/** What a pragma for loops may stand before; 'error' has its own message. */
const CAN_UNROLL: ReadonlySet<Stmt['kind']> = new Set(['for', 'while', 'do', 'attributed', 'error']);

export abstract class StatementParser extends DeclarationParser {
  /** The statement that begins here is one of a block's. */
  private isListed = false;
  /** What labels of blocks are called in the function, where names must differ. */
  private localLabels: ReadonlyMap<string, string> = new Map();
  private labelCount = 0;

  protected functionBody(parameters: readonly Parameter[]): CompoundStmt {
    for (const { declarator } of parameters) this.declareName(declarator.name, false);
    return this.compound();
  }

  protected compound(): CompoundStmt {
    return this.inScope(() => {
      const location = this.open('{');
      const statements: Stmt[] = [];
      const { localLabels } = this;
      while (this.keyword()?.kind === 'local-label') this.declareLabels();
      while (!this.is('}') && this.token.kind !== 'end' && !this.reporter.stopped) {
        statements.push(this.blockItem());
      }
      const end = this.token.location;
      this.close('}', location);
      this.localLabels = localLabels;
      return { kind: 'compound', statements, location, end };
    });
  }

  /** GNU's `__label__ a, b;`: labels that belong to the block. */
  private declareLabels(): void {
    this.next();
    const labels = new Map(this.localLabels);
    do {
      const { text } = this.token;
      if (!this.isIdentifier()) this.fail('expected-identifier');
      this.next();
      labels.set(text, `${text}.${++this.labelCount}`);
    } while (this.accept(','));
    this.localLabels = labels;
    this.expectSemicolon('after label declaration');
  }

  private blockItem(): Stmt {
    const { location } = this.token;
    if (!this.isDeclarationStart()) {
      this.isListed = true;
      return this.statement();
    }
    this.namesSeen = [];
    const { depth } = this;
    try {
      return this.declarationOrAttributed();
    } catch (error) {
      const names = this.namesSeen;
      this.unwind(error, depth);
      this.skipDeclaration(names);
      return { kind: 'error', names, location };
    }
  }

  private declarationOrAttributed(): Stmt {
    const kind = this.keyword()?.kind;
    if (kind === 'static-assert') return this.staticAssert();
    if (kind === 'attribute' && !this.attributeBeginsDeclaration()) return this.attributed();
    const declaration = this.declaration('in a block');
    return declaration.kind === 'declaration'
      ? declaration
      : { kind: 'error', names: [], location: declaration.location };
  }

  /** Looks past `__attribute__((…))` for a type. */
  private attributeBeginsDeclaration(): boolean {
    let distance = 0;
    for (;;) {
      if (this.keyword(this.peek(distance))?.kind !== 'attribute') break;
      distance++;
      let depth = 0;
      do {
        const token = this.peek(distance++);
        if (token.kind === 'end') return false;
        if (token.kind !== 'punctuator') continue;
        if (token.text === '(') depth++;
        else if (token.text === ')') depth--;
      } while (depth > 0);
    }
    const kind = this.keyword(this.peek(distance))?.kind;
    return this.isTypeStart(distance) || kind === 'storage' || kind === 'inline';
  }

  private attributed(): Stmt {
    const { location } = this.token;
    const attributes = this.attributes(NO_ATTRIBUTES);
    if (this.accept(';')) return { kind: 'empty', location };
    return { kind: 'attributed', attributes, body: this.statement(), location };
  }

  /** A statement that is a part of another. */
  private nested(): Stmt {
    this.deeper();
    const statement = this.inScope(() => this.statement());
    this.shallower();
    return statement;
  }

  /** Counts twice, since its scope takes as much of the stack again. */
  private loopInScope(location: Location): Stmt {
    this.deeper();
    const loop = this.inScope(() => this.forStatement(location));
    this.shallower();
    return loop;
  }

  /** A statement; after a syntax error, what is left of it is skipped. */
  protected statement(): Stmt {
    const { token, depth } = this;
    try {
      return this.anyStatement();
    } catch (error) {
      this.unwind(error, depth);
      this.skipStatement();
      return { kind: 'error', names: [], location: token.location };
    }
  }

  private anyStatement(): Stmt {
    const { token, isListed } = this;
    const { location } = token;
    this.isListed = false;
    if (token.kind === 'pragma') return this.pragmaStatement();
    if (token.kind === 'punctuator') {
      if (token.text === '{') return this.compound();
      if (token.text === ';') {
        this.next();
        return { kind: 'empty', location };
      }
    } else if (token.kind === 'identifier') {
      const keyword = this.keywords.get(token.text);
      if (keyword === undefined) {
        if (this.isAt(1, ':')) return this.label();
      } else if (keyword.kind === 'statement') return this.keywordStatement(isListed);
      else if (keyword.kind === 'attribute') return this.attributed();
      else if (keyword.kind === 'asm') {
        this.reporter.report('asm-unsupported', location);
        this.skipStatement();
        return { kind: 'error', names: [], location };
      }
    }
    const expression = this.expression();
    if (expression.kind === 'error' && !this.is(';')) this.skipStatement();
    else this.expectSemicolon('after expression', location);
    return { kind: 'expression', expression, location };
  }

  private pragmaStatement(): Stmt {
    const token = this.next();
    const { location, text } = token;
    const unroll = UNROLL.exec(text);
    if (unroll) return this.unrolled(token, unroll);
    if (this.pragma(token)) return { kind: 'empty', location };
    return { kind: 'pragma', text, location };
  }

  /** `#pragma unroll` and its kind stand in front of a loop. */
  private unrolled({ location, text }: Token, found: RegExpExecArray): Stmt {
    const [, loop, no, inside, behind] = found;
    const argument = inside ?? behind ?? '';
    const number = /^-?\d+$/.exec(argument.trim())?.[0];
    if (number?.startsWith('-')) this.reporter.report('unroll-count', location, { value: number });
    const isOff = no !== undefined || number === '0' || argument.trim() === 'disable';
    const value = isOff ? 1n : BigInt(Math.max(0, Number.parseInt(argument, 10) || 0));
    const at = { location, begin: location, end: location };
    const attribute: Attribute = {
      name: 'unroll',
      arguments: [{ kind: 'integer', value, type: 'int', ...at }],
      type: undefined,
      location,
    };
    if (this.is('}')) {
      this.reporter.report('expected-statement', this.token.location);
      return { kind: 'empty', location };
    }
    while (this.token.kind === 'pragma' && !UNROLL.test(this.token.text)) this.pragma(this.next());
    const body = this.blockItem();
    if (!CAN_UNROLL.has(body.kind)) {
      const pragma = loop === undefined ? `#pragma ${/^\w+/.exec(text)![0]}` : '#pragma clang loop';
      this.reporter.report('loop-expected', body.location, { pragma });
      return body;
    }
    return { kind: 'attributed', attributes: [attribute], body, location };
  }

  private label(): Stmt {
    const { text: name, location } = this.next();
    this.next();
    this.attributes(NO_ATTRIBUTES);
    return { kind: 'label', name: this.localLabels.get(name) ?? name, body: this.labelled(), location };
  }

  /** What a label stands before; at the end of a block clang wants a statement. */
  private labelled(): Stmt {
    if (this.is('}')) {
      this.reporter.report('label-at-end', this.token.location);
      return { kind: 'empty', location: this.token.location };
    }
    if (this.isDeclarationStart() && this.keyword()?.kind !== 'attribute') {
      this.reporter.report('expected-expression', this.token.location);
      return this.blockItem();
    }
    this.deeper();
    const body = this.statement();
    this.shallower();
    return body;
  }

  /** In a block the next of several labels in a row is a statement of its own: there may be thousands. */
  private caseBody(isListed: boolean): Stmt {
    if (isListed && (this.isWord('case') || this.isWord('default')))
      return { kind: 'empty', location: this.token.location };
    return this.labelled();
  }

  private keywordStatement(isListed: boolean): Stmt {
    const { text, location } = this.next();
    switch (text) {
      case 'if':
        return this.ifChain(location);
      case 'while': {
        const condition = this.inParentheses('while');
        if (condition === undefined) return { kind: 'error', names: [], location };
        return { kind: 'while', condition, body: this.nested(), location };
      }
      case 'do': {
        const body = this.nested();
        if (!this.isWord('while')) {
          if (body.kind !== 'error') this.reporter.report('expected-while', this.token.location);
          throw SYNTAX_ERROR;
        }
        this.next();
        const condition = this.inParentheses('do/while');
        if (condition === undefined) return { kind: 'error', names: [], location };
        this.expectSemicolon('after do/while statement', condition.begin);
        return { kind: 'do', body, condition, location };
      }
      case 'for':
        return this.loopInScope(location);
      case 'switch': {
        const value = this.inParentheses('switch');
        if (value === undefined) return { kind: 'error', names: [], location };
        return { kind: 'switch', value, body: this.nested(), location };
      }
      case 'case': {
        const value = this.conditional();
        const last = this.accept('...') ? this.conditional() : undefined;
        this.expectColon(`after 'case'`);
        return { kind: 'case', value, last, body: this.caseBody(isListed), location };
      }
      case 'default':
        this.expectColon(`after 'default'`);
        return { kind: 'default', body: this.caseBody(isListed), location };
      case 'goto': {
        const target = this.token;
        if (!this.isIdentifier()) this.fail('expected-identifier');
        this.next();
        this.expectSemicolon('after goto statement');
        const label = this.localLabels.get(target.text) ?? target.text;
        return { kind: 'goto', target: label, targetLocation: target.location, location };
      }
      case 'break':
      case 'continue':
        this.expectSemicolon(`after ${text} statement`);
        return { kind: text, location };
      case 'return': {
        const value = this.is(';') ? undefined : this.is('{') ? this.initializer() : this.expression();
        this.expectSemicolon('after return statement', value?.begin);
        return { kind: 'return', value, location };
      }
      default:
        this.reporter.report('expected-expression', location);
        throw SYNTAX_ERROR;
    }
  }

  /** `if … else if …` may be long: it is read link by link, and nested from the last one. */
  private ifChain(location: Location): Stmt {
    const links: Omit<IfStmt, 'otherwise'>[] = [];
    let otherwise: Stmt | undefined;
    for (let at = location; ; at = this.next().location) {
      const condition = this.inParentheses('if');
      if (condition === undefined) {
        otherwise = { kind: 'error', names: [], location: at };
        break;
      }
      const then = this.nested();
      const elseLocation = this.isWord('else') ? this.next().location : undefined;
      links.push({ kind: 'if', condition, then, elseLocation, location: at });
      if (elseLocation !== undefined && this.isWord('if')) continue;
      if (elseLocation !== undefined) otherwise = this.nested();
      break;
    }
    for (const link of links.reverse()) otherwise = { ...link, otherwise };
    return otherwise!;
  }

  private expectColon(after: string): void {
    if (this.accept(':')) return;
    this.reporter.report('expected-colon', this.previousEnd, { after });
    this.accept(';');
  }

  /** Undefined if so much is wrong that what follows cannot be the statement's body. */
  private inParentheses(statement: string): Expr | undefined {
    if (!this.is('(')) {
      this.reporter.report('expected-paren-after', this.token.location, { statement });
      this.skipUntil([';'], 'only');
      if (statement !== 'do/while') this.accept(';');
      return undefined;
    }
    const { depth } = this;
    const opener = this.open('(');
    const begin = this.token.location;
    let condition: Expr;
    try {
      condition = this.expression();
    } catch (error) {
      this.unwind(error, depth + 1);
      if (!this.is(')') && this.skipUntil([';'], 'only')) this.next();
      if (!this.is(')')) {
        this.unwind(error, depth);
        return undefined;
      }
      condition = { kind: 'error', location: begin, begin, end: this.previousEnd };
    }
    if (!this.close(')', opener)) this.doubt(begin);
    while (statement !== 'do/while' && this.is(')')) {
      this.reporter.report('extraneous-paren', this.token.location);
      this.next();
    }
    return condition;
  }

  private forStatement(location: Location): Stmt {
    if (!this.is('(')) {
      this.reporter.report('expected-paren-after', this.token.location, { statement: 'for' });
      if (this.skipUntil([';'], 'only')) this.next();
      return { kind: 'error', names: [], location };
    }
    const opener = this.open('(');
    let init: Stmt | undefined;
    if (this.is(';')) this.next();
    else if (this.isDeclarationStart()) {
      const declaration = this.declaration('in for');
      init = declaration.kind === 'declaration' ? declaration : undefined;
      this.endOfPart(true);
    } else {
      const at = this.token.location;
      const expression = this.part();
      init = { kind: 'expression', expression, location: at };
      this.endOfPart(expression.kind !== 'error');
    }
    const condition = this.is(';') || this.is(')') ? undefined : this.part();
    this.endOfPart(condition?.kind !== 'error');
    const step = this.is(')') ? undefined : this.part();
    this.close(')', opener);
    return { kind: 'for', init, condition, step, body: this.nested(), location };
  }

  /** One of the expressions between the parentheses of `for`; after a syntax error, up to the next `;` or `)`. */
  private part(): Expr {
    const begin = this.token.location;
    const { depth } = this;
    try {
      return this.expression();
    } catch (error) {
      this.unwind(error, depth);
      this.skipUntil([')'], 'or semicolon');
      return { kind: 'error', location: begin, begin, end: this.previousEnd };
    }
  }

  private endOfPart(isRight: boolean): void {
    if (this.accept(';')) return;
    if (isRight)
      this.reporter.report('expected-semicolon', this.token.location, {
        after: "in 'for' statement specifier",
      });
  }
}
