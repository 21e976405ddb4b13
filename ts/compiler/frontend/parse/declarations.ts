// SPDX-License-Identifier: MIT
//
// Declarations and function definitions.
import type {
  CompoundStmt,
  Declaration,
  Declarator,
  Expr,
  FunctionDefinition,
  InitDeclarator,
  Parameter,
  Specifiers,
  StaticAssert,
  StringExpr,
} from '../ast/syntax';
import { SYNTAX_ERROR } from './cursor';
import { DeclaratorParser, errorAt } from './declarators';
import { NO_ATTRIBUTES } from './specifier-words';
import { isDefinition } from './specifiers';

export abstract class DeclarationParser extends DeclaratorParser {
  protected abstract functionBody(parameters: readonly Parameter[]): CompoundStmt;

  /** A function inside of the current one was reported. */
  protected hasInnerFunction = false;

  protected staticAssert(): StaticAssert {
    const { location } = this.next();
    if (!this.is('(')) {
      this.reporter.report('expected-token', this.token.location, { token: '(' });
      throw SYNTAX_ERROR;
    }
    const opener = this.open('(');
    const condition = this.conditional();
    const message = this.accept(',') ? this.assertMessage() : undefined;
    this.close(')', opener);
    this.expectSemicolon('after static_assert');
    return { kind: 'static-assert', condition, message, location };
  }

  private assertMessage(): StringExpr {
    if (this.token.kind === 'string') return this.string();
    this.reporter.report('expected-assert-message', this.token.location);
    throw SYNTAX_ERROR;
  }

  /** A declaration, or at file scope a function's definition. In `for` the `;` behind it is left. */
  protected declaration(where: Where): Declaration | FunctionDefinition {
    const { location } = this.token;
    const specifiers = this.specifiers();
    const isTypedef = specifiers.storage === 'typedef';
    const declarators: InitDeclarator[] = [];
    const declaration: Declaration = { kind: 'declaration', specifiers, declarators, location };
    let missed = false;
    if (this.semicolonAssumed || this.accept(';')) {
      this.semicolonAssumed = false;
      return declaration;
    }
    if (this.token.kind === 'end' && this.endsWithDefinition(specifiers)) return declaration;
    do {
      let attributes = this.attributes(NO_ATTRIBUTES);
      let declarator: Declarator;
      const { depth } = this;
      try {
        declarator = this.declarator('always');
      } catch (error) {
        if (declarators.length === 0 && !isDefinition(specifiers.type)) throw error;
        this.unwind(error, depth);
        if (where === 'at file scope') this.skipExternal();
        else this.skipDeclaration();
        return declaration;
      }
      this.asmLabel();
      attributes = this.attributes(attributes);
      this.declareName(declarator.name, isTypedef);
      const outermost = declarator.parts.at(-1);
      if (outermost?.kind === 'function') {
        if (outermost.names !== undefined)
          declarator = this.withOldStyleParameters(declarator, where, declarators);
        if (declarators.length === 0 && !this.isAfterDeclarator()) {
          const part = declarator.parts.at(-1);
          if (this.is('{') && where === 'at file scope' && part?.kind === 'function') {
            if (isTypedef) this.reporter.report('typedef-definition', specifiers.storageLocation);
            const body = this.inScope(() => this.functionBody(part.parameters ?? []));
            return { kind: 'function', specifiers, declarator, attributes, body, location };
          }
          if (this.noBody(where)) {
            declarators.push({ declarator, attributes, init: undefined });
            return declaration;
          }
        }
      }
      const init = this.isEqual() ? this.initialValue(where) : undefined;
      declarators.push({ declarator, attributes, init });
      if (this.endsInComma()) {
        this.reporter.report('expected-semicolon', this.token.location, { after: 'at end of declaration' });
        this.next();
        return declaration;
      }
      if (where !== 'in for' && init !== undefined && this.endsInMistake(init)) {
        this.reportMissingSemicolon(where);
        this.doubt(init.begin);
        this.skipUntil([',', '}'], 'or semicolon');
        missed = true;
      }
    } while ((!missed || this.isBeforeDeclarator()) && this.accept(','));
    if (where !== 'in for' && !this.accept(';') && !missed)
      this.missingSemicolon(where, isTypedef, declarators);
    return declaration;
  }

  /** What follows a declarator that is not a function's definition. */
  private isAfterDeclarator(): boolean {
    return this.is(';') || this.is(',') || this.is('=');
  }

  /** At a `=`, or at what was probably to be one. It is taken. */
  private isEqual(): boolean {
    if (this.accept('=')) return true;
    const { token } = this;
    if (token.kind !== 'punctuator' || !MEANT_EQUAL.has(token.text)) return false;
    this.reporter.report('invalid-instead-of-equal', token.location, { token: token.text });
    this.next();
    return true;
  }

  private initialValue(where: Where): Expr {
    const at = this.token.location;
    const init = this.attempt(
      () => this.initializer(),
      () => errorAt(at, this.previousEnd),
    );
    if (init.kind === 'error') this.skipUntil(where === 'in for' ? [',', ')'] : [',', '}'], 'or semicolon');
    return init;
  }

  /** A function's declarator has neither a body nor a `;` behind it: says so, and skips what is there instead. */
  private noBody(where: Where): boolean {
    if (where === 'at file scope') {
      if (this.isDeclarationStart()) return false;
      this.reporter.report('expected-function-body', this.token.location);
      this.skipExternal();
      return true;
    }
    if (!this.is('{')) return false;
    // A `}` is missing, most likely: all functions that follow are then inside of this one.
    if (!this.hasInnerFunction) this.reporter.report('function-definition-here', this.token.location);
    this.hasInnerFunction = true;
    this.skipDeclaration();
    return true;
  }

  private withOldStyleParameters(
    declarator: Declarator,
    where: Where,
    before: readonly InitDeclarator[],
  ): Declarator {
    const part = declarator.parts.at(-1);
    if (part?.kind !== 'function' || part.names === undefined) return declarator;
    const { names } = part;
    const isDefinition = where === 'at file scope' && before.length === 0 && !this.is(';') && !this.is(',');
    if (!isDefinition) this.reporter.report('parameters-without-types', names[0]!.location);
    const parameters = this.inScope(() => (isDefinition ? this.oldStyleParameters(names) : []));
    return { ...declarator, parts: [...declarator.parts.slice(0, -1), { ...part, parameters }] };
  }

  /** The file ends behind a definition without its `;`. */
  private endsWithDefinition({ type }: Specifiers): boolean {
    if (!isDefinition(type)) return false;
    this.assumeSemicolon(type);
    this.semicolonAssumed = false;
    return true;
  }

  /** At a `,` behind which, on another line, no declarator can begin: it was to be a `;`. */
  private endsInComma(): boolean {
    if (!this.is(',')) return false;
    const next = this.peek();
    if (next.kind === 'punctuator' && DECLARATOR_STARTS.has(next.text)) return false;
    if (this.keyword(next)?.kind === 'attribute') return false;
    if (this.isIdentifier(next) && !this.isIdentifier(this.peek(2))) {
      const { kind, text } = this.peek(2);
      if (kind === 'punctuator' && DECLARATOR_NEXT.has(text)) return false;
    }
    const { sources } = this.reporter;
    return sources.position(this.token.location)?.line !== sources.position(next.location)?.line;
  }

  /**
   * Behind an initial value neither `,` nor `;`: if the checker finds a mistake in the value, that is why. The declarators
   * behind it declare what they declare.
   */
  private endsInMistake(init: Expr): boolean {
    return init.kind !== 'error' && !this.is(',') && !this.is(';') && !this.isDeclarationStart();
  }

  private isBeforeDeclarator(): boolean {
    return this.is(',') && this.isIdentifier(this.peek(this.isAt(1, '*') ? 2 : 1));
  }

  private reportMissingSemicolon(where: Where): void {
    const after = where === 'at file scope' ? 'after top level declarator' : 'at end of declaration';
    this.reporter.report('expected-semicolon', this.previousEnd, { after });
  }

  private missingSemicolon(where: Where, isTypedef: boolean, declarators: InitDeclarator[]): void {
    const last = declarators.at(-1);
    this.reportMissingSemicolon(where);
    this.doubt(last?.init?.begin);
    if (this.isDeclarationStart()) return;
    const outermost = last?.declarator.parts.at(-1)?.kind;
    if (last !== undefined && last.init === undefined && !isTypedef && outermost !== 'function') {
      const init = errorAt(last.declarator.location, this.previousEnd);
      declarators[declarators.length - 1] = { ...last, init };
    }
    if (where === 'at file scope') this.skipExternal();
    else this.skipStatement();
  }

  /** Behind the next `;` or block at file scope, or before what begins a line as a declaration does. */
  protected skipExternal(): void {
    for (let isFirst = true; this.token.kind !== 'end'; isFirst = false) {
      if (this.is('{')) {
        this.next();
        this.brackets.push('}');
        if (this.skipUntil(['}'], 'only')) this.next();
        this.brackets.pop();
        this.accept(';');
        return;
      }
      if (this.accept(';') || (!isFirst && this.isNextDeclaration())) return;
      this.next();
    }
  }

  private isNextDeclaration(): boolean {
    if (this.keyword() === undefined || !this.isDeclarationStart()) return false;
    const { sources } = this.reporter;
    return sources.position(this.token.location)?.line !== sources.position(this.previousEnd)?.line;
  }

  private asmLabel(): void {
    if (this.keyword()?.kind !== 'asm') return;
    this.next();
    const opener = this.open('(');
    this.skipUntil([')'], 'or semicolon');
    this.close(')', opener);
  }
}

type Where = 'at file scope' | 'in a block' | 'in for';

/** Operators that are most likely a slip for `=` behind a declarator. */
const MEANT_EQUAL: ReadonlySet<string> = new Set('&= *= += -= != /= %= <= <<= >= >>= ^= |= =='.split(' '));

/** What can begin a declarator, and what can follow the name that does; as in clang. */
const DECLARATOR_STARTS: ReadonlySet<string> = new Set(['(', '*', '^', '=', ',', ';']);
const DECLARATOR_NEXT: ReadonlySet<string> = new Set([...',=;()[]{}', '->', '==', ':']);
