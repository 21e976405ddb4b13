// SPDX-License-Identifier: MIT
//
// Declarators and type names.
import type { Location } from '../../diagnostics/diagnostic';
import type {
  Declarator,
  DeclaratorPart,
  Expr,
  NameExpr,
  Parameter,
  Specifiers,
  TypeName,
} from '../ast/syntax';
import { scalarOf } from '../types';
import { SYNTAX_ERROR } from './cursor';
import type { Named } from './records';
import { NO_ATTRIBUTES, NO_QUALIFIERS } from './specifier-words';
import { SpecifierParser } from './specifiers';

export abstract class DeclaratorParser extends SpecifierParser {
  /** What the current declaration declares so far: known even if it goes wrong. */
  protected namesSeen: string[] = [];

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
  protected oldStyleParameters(names: readonly NameExpr[]): Parameter[] {
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
}

/** Pointers to pointers and arrays of arrays: later stages walk types recursively. */
const PART_LIMIT = 256;

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

export const errorAt = (begin: Location, end: Location): Expr => ({
  kind: 'error',
  location: begin,
  begin,
  end,
});
