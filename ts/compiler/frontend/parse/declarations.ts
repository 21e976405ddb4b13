// SPDX-License-Identifier: MIT
//
// Declarators, type names, declarations and function definitions.
import type { Location } from '../../diagnostics/diagnostic';
import type {
  CompoundStmt,
  Declaration,
  Declarator,
  DeclaratorPart,
  Expr,
  FunctionDefinition,
  InitDeclarator,
  NameExpr,
  Parameter,
  Specifiers,
  StaticAssert,
  StringExpr,
  TypeName,
} from '../ast/syntax';
import { scalarOf } from '../types';
import { SYNTAX_ERROR } from './cursor';
import type { Named } from './records';
import { NO_ATTRIBUTES, NO_QUALIFIERS } from './specifier-words';
import { isDefinition, SpecifierParser } from './specifiers';

export abstract class DeclarationParser extends SpecifierParser {
  protected abstract functionBody(parameters: readonly Parameter[]): CompoundStmt;

  /** A function inside of the current one was reported. */
  protected hasInnerFunction = false;

  /** What the current declaration declares so far: known even if it goes wrong. */
  protected namesSeen: string[] = [];

  // ---- declarators

  protected declarator(named: Named): Declarator {
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
      if (named === 'always') this.namesSeen.push(name);
    } else if (named === 'always' || named === 'member') {
      this.reporter.report(named === 'always' ? 'expected-identifier-or-paren' : 'expected-member', location);
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
  private opensGroup(named: Named): boolean {
    if (named === 'always' || named === 'member') return true;
    if (this.isAt(1, ')')) return false;
    if (this.isAt(1, '*') || this.isAt(1, '^') || this.isAt(1, '(') || this.isAt(1, '[')) return true;
    if (this.isTypeStart(1)) return false;
    return named === 'either' && this.isIdentifier(this.peek());
  }

  private arrayPart(): DeclaratorPart {
    const location = this.open('[');
    let qualifiers = this.qualifiers();
    const keyword = this.keyword();
    if (keyword?.kind === 'storage' && keyword.storage === 'static') this.next();
    if (qualifiers === NO_QUALIFIERS) qualifiers = this.qualifiers();
    let size: Expr | undefined;
    if (this.is('*') && this.isAt(1, ']')) {
      const star = this.next().location;
      this.reporter.report('variable-length-array', star);
      size = errorAt(star, this.previousEnd);
    } else if (!this.is(']')) {
      const { depth } = this;
      try {
        size = this.assignment();
      } catch (error) {
        this.unwind(error, depth - 1);
        size = errorAt(location, this.previousEnd);
        return { kind: 'array', size, qualifiers, location };
      }
    }
    this.close(']', location);
    return { kind: 'array', size, qualifiers, location };
  }

  private functionPart(): DeclaratorPart {
    const location = this.open('(');
    let parameters: Parameter[] | undefined;
    let variadic = false;
    let isBroken = false;
    let names: NameExpr[] | undefined;
    if (
      this.isIdentifier() &&
      !this.isTypeNameToken(this.token) &&
      (this.isAt(1, ',') || this.isAt(1, ')'))
    ) {
      names = this.identifierList();
    } else if (!this.is(')')) {
      parameters = [];
      const into = parameters;
      variadic = this.inScope(() => {
        do {
          if (this.accept('...')) return true;
          const parameter = this.parameter();
          if (parameter) into.push(parameter);
          else isBroken = true;
        } while (this.accept(','));
        return false;
      });
    }
    if (!this.close(')', location)) isBroken = true;
    const more = { ...(names && { names }), ...(isBroken && { isBroken }) };
    return { kind: 'function', parameters, variadic, location, ...more };
  }

  /** The names of a definition that gives its parameters' types behind the parentheses, as C did before 1989. */
  private identifierList(): NameExpr[] {
    const names: NameExpr[] = [];
    do {
      const { text: name, location, kind } = this.token;
      if (kind !== 'identifier') this.fail('expected-identifier');
      this.next();
      names.push({ kind: 'name', name, location, begin: location, end: this.previousEnd });
    } while (this.accept(','));
    return names;
  }

  /** The declarations between an identifier list and the body; parameters that have none are int. */
  private oldStyleParameters(names: readonly NameExpr[]): Parameter[] {
    const declared = new Map<string, Parameter>();
    while (!this.is('{') && this.isDeclarationStart()) {
      const specifiers = this.specifiers();
      do {
        const declarator = this.declarator('always');
        const attributes = this.attributes(NO_ATTRIBUTES);
        const { name = '', location } = declarator;
        if (declared.has(name)) this.reporter.report('redefinition-parameter', location, { name });
        else if (names.some((each) => each.name === name))
          declared.set(name, { specifiers, declarator, attributes });
        else this.reporter.report('not-a-parameter', location, { name });
      } while (this.accept(','));
      this.expectSemicolon('at end of declaration');
    }
    return names.map(({ name, location, end }) => {
      const found = declared.get(name);
      if (found !== undefined) return found;
      this.reporter.report('parameter-without-type', location, { name });
      return {
        specifiers: intSpecifiers(location, end),
        declarator: { name, location, parts: NO_PARTS },
        attributes: NO_ATTRIBUTES,
      };
    });
  }

  /** Undefined, and said so, where there is none. */
  private parameter(): Parameter | undefined {
    const { location } = this.token;
    if (!this.isParameterStart()) {
      this.reporter.report('expected-parameter', location);
      this.skipUntil([')'], 'or semicolon');
      return undefined;
    }
    const specifiers = this.specifiers();
    const declarator = this.declarator('either');
    const attributes = this.attributes(NO_ATTRIBUTES);
    this.declareName(declarator.name, false);
    if (declarator.name === undefined && this.keyword() !== undefined) {
      this.reporter.report('keyword-as-parameter', this.token.location, { word: this.next().text });
      return undefined;
    }
    return { specifiers, declarator, attributes };
  }

  private isParameterStart(): boolean {
    const { kind } = this.token;
    return kind === 'identifier' || this.is('*') || this.is('(') || this.is('^') || this.is('[');
  }

  protected typeName(): TypeName {
    const { location } = this.token;
    const specifiers = this.specifiers('of a type');
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

/** Pointers to pointers and arrays of arrays: later stages walk types recursively. */
const PART_LIMIT = 256;

/** What can begin a declarator, and what can follow the name that does; as in clang. */
const DECLARATOR_STARTS: ReadonlySet<string> = new Set(['(', '*', '^', '=', ',', ';']);
const DECLARATOR_NEXT: ReadonlySet<string> = new Set([...',=;()[]{}', '->', '==', ':']);

const NO_PARTS: readonly DeclaratorPart[] = [];

const intSpecifiers = (location: Location, end: Location): Specifiers => ({
  type: { kind: 'builtin', type: scalarOf('int') },
  qualifiers: NO_QUALIFIERS,
  storage: undefined,
  storageLocation: 0,
  inline: false,
  noreturn: false,
  kernel: false,
  attributes: NO_ATTRIBUTES,
  spelling: 'int',
  location,
  end,
});

const errorAt = (begin: Location, end: Location): Expr => ({ kind: 'error', location: begin, begin, end });
