// SPDX-License-Identifier: MIT
//
// Declarators, type names, declarations and function definitions.
import type { Location } from '../../diagnostics/diagnostic';
import type {
  Attribute,
  CompoundStmt,
  Declaration,
  Declarator,
  DeclaratorPart,
  Expr,
  FunctionDefinition,
  InitDeclarator,
  Parameter,
  Specifiers,
  StaticAssert,
  TypeName,
} from '../ast/syntax';
import { SYNTAX_ERROR } from './cursor';
import { SpecifierParser } from './specifiers';

const NO_ATTRIBUTES: readonly Attribute[] = [];

export abstract class DeclarationParser extends SpecifierParser {
  protected abstract functionBody(parameters: readonly Parameter[]): CompoundStmt;

  // ---- declarators

  protected declarator(named: 'always' | 'never' | 'either'): Declarator {
    const before: DeclaratorPart[] = [];
    while (this.is('*') || this.is('^')) {
      const { location, text } = this.next();
      before.push({ kind: text === '*' ? 'pointer' : 'block', qualifiers: this.qualifiers(), location });
    }
    let { location } = this.token;
    let name: string | undefined;
    let inner: readonly DeclaratorPart[] = [];
    if (this.is('(') && this.opensGroup(named)) {
      const opener = this.open('(');
      this.attributes(NO_ATTRIBUTES);
      const nested = this.declarator(named);
      this.close(')', opener);
      ({ name, location } = nested);
      inner = nested.parts;
    } else if (this.isIdentifier() && named !== 'never') {
      name = this.next().text;
    } else if (named === 'always') {
      this.reporter.report('expected-identifier-or-paren', location);
      throw SYNTAX_ERROR;
    }
    if (before.length === 0 && inner.length === 0 && !this.is('(') && !this.is('[')) {
      return { name, location, parts: NO_PARTS };
    }
    const after: DeclaratorPart[] = [];
    for (;;) {
      if (this.is('[')) after.push(this.arrayPart());
      else if (this.is('(')) after.push(this.functionPart());
      else break;
    }
    const parts = [...before, ...after.reverse(), ...inner];
    if (parts.length > PART_LIMIT) {
      this.reporter.report('nesting-too-deep', location, { limit: PART_LIMIT });
      throw SYNTAX_ERROR;
    }
    return { name, location, parts };
  }

  /** Whether a `(` groups a declarator; otherwise it opens parameters of an abstract one. */
  private opensGroup(named: 'always' | 'never' | 'either'): boolean {
    if (named === 'always') return true;
    if (this.isAt(1, ')')) return false;
    if (this.isAt(1, '*') || this.isAt(1, '^') || this.isAt(1, '(') || this.isAt(1, '[')) return true;
    if (this.isTypeStart(1)) return false;
    return named === 'either' && this.isIdentifier(this.peek());
  }

  private arrayPart(): DeclaratorPart {
    const location = this.open('[');
    for (;;) {
      const keyword = this.keyword();
      if (keyword?.kind === 'qualifier' || (keyword?.kind === 'storage' && keyword.storage === 'static'))
        this.next();
      else break;
    }
    let size: Expr | undefined;
    if (this.is('*') && this.isAt(1, ']')) this.next();
    else if (!this.is(']')) size = this.assignment();
    this.close(']', location);
    return { kind: 'array', size, location };
  }

  private functionPart(): DeclaratorPart {
    const location = this.open('(');
    let parameters: Parameter[] | undefined;
    let variadic = false;
    if (!this.is(')')) {
      parameters = [];
      const into = parameters;
      variadic = this.inScope(() => {
        do {
          if (this.accept('...')) return true;
          into.push(this.parameter());
        } while (this.accept(','));
        return false;
      });
    }
    this.close(')', location);
    return { kind: 'function', parameters, variadic, location };
  }

  private parameter(): Parameter {
    const specifiers = this.specifiers();
    const declarator = this.declarator('either');
    const attributes = this.attributes(NO_ATTRIBUTES);
    this.declareName(declarator.name, false);
    return { specifiers, declarator, attributes };
  }

  protected typeName(): TypeName {
    const { location } = this.token;
    const specifiers = this.specifiers();
    const declarator = this.declarator('never');
    return { kind: 'type-name', specifiers, declarator, location, begin: location, end: this.previousEnd };
  }

  /** What may stand between a block's `^` and its body. */
  protected blockSignature(): {
    readonly result: TypeName | undefined;
    readonly parameters: readonly Parameter[] | undefined;
  } {
    if (this.is('{')) return { result: undefined, parameters: undefined };
    let result: TypeName | undefined;
    if (!this.is('(')) {
      const { location } = this.token;
      const specifiers = this.specifiers();
      const parts: DeclaratorPart[] = [];
      while (this.is('*')) {
        const star = this.next().location;
        parts.push({ kind: 'pointer', qualifiers: this.qualifiers(), location: star });
      }
      const declarator: Declarator = { name: undefined, location, parts };
      result = {
        kind: 'type-name',
        specifiers,
        declarator,
        location,
        begin: location,
        end: this.previousEnd,
      };
    }
    const part = this.is('(') ? this.functionPart() : undefined;
    const parameters = part?.kind === 'function' ? (part.parameters ?? []) : undefined;
    for (const parameter of parameters ?? []) this.declareName(parameter.declarator.name, false);
    return { result, parameters };
  }

  protected inBlockScope<T>(parse: () => T): T {
    return this.inScope(parse);
  }

  // ---- declarations

  protected staticAssert(): StaticAssert {
    const { location } = this.next();
    const opener = this.open('(');
    const condition = this.conditional();
    const message = this.accept(',') && this.token.kind === 'string' ? this.string() : undefined;
    this.close(')', opener);
    this.expectSemicolon('after static_assert');
    return { kind: 'static-assert', condition, message, location };
  }

  /** A declaration, or at file scope a function's definition. */
  protected declaration(atFileScope: boolean): Declaration | FunctionDefinition {
    const { location } = this.token;
    const specifiers = this.specifiers();
    const isTypedef = specifiers.storage === 'typedef';
    const declarators: InitDeclarator[] = [];
    if (this.semicolonAssumed || this.accept(';')) {
      this.semicolonAssumed = false;
      return { kind: 'declaration', specifiers, declarators, location };
    }
    do {
      let attributes = this.attributes(NO_ATTRIBUTES);
      const declarator = this.declarator('always');
      this.asmLabel();
      attributes = this.attributes(attributes);
      this.declareName(declarator.name, isTypedef);
      if (this.is('{')) {
        const part = declarator.parts.at(-1);
        if (part?.kind === 'function' && declarators.length === 0) {
          if (!atFileScope) {
            this.reporter.report('function-definition-here', this.token.location);
            throw SYNTAX_ERROR;
          }
          const body = this.inScope(() => this.functionBody(part.parameters ?? []));
          return { kind: 'function', specifiers, declarator, attributes, body, location };
        }
      }
      let init: Expr | undefined;
      if (this.accept('=')) {
        const at = this.token.location;
        init = this.attempt(
          () => this.initializer(),
          () => {
            this.skipTo(',', ';');
            return errorAt(at, this.previousEnd);
          },
        );
      }
      declarators.push({ declarator, attributes, init });
    } while (this.accept(','));
    if (!this.accept(';')) this.missingSemicolon(atFileScope, specifiers, declarators);
    return { kind: 'declaration', specifiers, declarators, location };
  }

  private missingSemicolon(
    atFileScope: boolean,
    specifiers: Specifiers,
    declarators: readonly InitDeclarator[],
  ): void {
    const last = declarators.at(-1);
    if (atFileScope) {
      const isFunction = last?.declarator.parts.at(-1)?.kind === 'function' && last.init === undefined;
      if (isFunction) this.reporter.report('expected-function-body', this.token.location);
      else
        this.reporter.report('expected-semicolon', this.previousEnd, { after: 'after top level declarator' });
      if (!this.isDeclarationStart() && !specifiers.kernel) {
        this.skipTo(';', '{');
        if (this.is('{')) {
          this.next();
          this.skipTo('}');
          this.accept('}');
        } else this.accept(';');
      }
      return;
    }
    this.reporter.report('expected-semicolon', this.previousEnd, { after: 'at end of declaration' });
    this.recoverStatement();
  }

  private asmLabel(): void {
    if (this.keyword()?.kind !== 'asm') return;
    this.next();
    const opener = this.open('(');
    this.skipTo(')');
    this.close(')', opener);
  }
}

/** Pointers to pointers and arrays of arrays: later stages walk types recursively. */
const PART_LIMIT = 256;

const NO_PARTS: readonly DeclaratorPart[] = [];

const errorAt = (begin: Location, end: Location): Expr => ({ kind: 'error', location: begin, begin, end });
