// SPDX-License-Identifier: MIT
//
// Definitions of structures, unions and enumerations.
import type {
  Declarator,
  Enumerator,
  EnumSpec,
  Expr,
  FieldDeclaration,
  RecordSpec,
  Specifiers,
  StaticAssert,
} from '../ast/syntax';
import { AttributeParser } from './attributes';
import { SYNTAX_ERROR } from './cursor';
import { NO_ATTRIBUTES } from './specifier-words';

/** Whether a declarator names something; a `member` may do without. */
export type Named = 'always' | 'never' | 'either' | 'member';

export abstract class RecordParser extends AttributeParser {
  protected abstract staticAssert(): StaticAssert;
  protected abstract declarator(named: Named): Declarator;
  protected abstract specifiers(which?: 'of a declaration' | 'of a type'): Specifiers;

  protected record(tag: 'struct' | 'union'): RecordSpec {
    const { location: start } = this.next();
    let attributes = this.attributes(NO_ATTRIBUTES);
    let { location } = this.token;
    let name: string | undefined;
    if (this.isIdentifier()) name = this.next().text;
    let fields: FieldDeclaration[] | undefined;
    const asserts: StaticAssert[] = [];
    const { pack } = this;
    if (this.is('{')) {
      if (name === undefined) location = this.token.location;
      const opener = this.open('{');
      fields = [];
      while (!this.is('}') && this.token.kind !== 'end') {
        const into = fields;
        this.attempt(
          () => {
            if (this.keyword()?.kind === 'static-assert') asserts.push(this.staticAssert());
            else this.fieldDeclarations(into);
          },
          () => this.skipStatement(),
        );
      }
      this.close('}', opener);
      attributes = this.attributes(attributes);
    } else if (name === undefined) {
      this.reporter.report('anonymous-without-definition', start, { tag });
      throw SYNTAX_ERROR;
    }
    return { kind: 'record', tag, name, fields, asserts, attributes, pack, location };
  }

  private fieldDeclarations(into: FieldDeclaration[]): void {
    if (this.token.kind === 'pragma') {
      this.pragma(this.next());
      return;
    }
    if (this.accept(';')) return;
    const specifiers = this.specifiers('of a type');
    if (this.is(';')) {
      const { location } = this.token;
      const declarator: Declarator = { name: undefined, location: specifiers.location, parts: [] };
      into.push({ specifiers, declarator, bitField: undefined, attributes: NO_ATTRIBUTES, location });
    } else {
      do {
        const { location } = this.token;
        const declarator: Declarator = this.is(':')
          ? { name: undefined, location, parts: [] }
          : this.declarator('member');
        const bitField = this.accept(':') ? this.conditional() : undefined;
        const attributes = this.attributes(NO_ATTRIBUTES);
        into.push({ specifiers, declarator, bitField, attributes, location: declarator.location });
      } while (this.accept(','));
    }
    if (!this.accept(';')) {
      if (this.is('}')) {
        this.reporter.report('semicolon-before-brace', this.previousEnd);
        return;
      }
      this.reporter.report('expected-semicolon', this.previousEnd, { after: 'at end of declaration list' });
      this.skipStatement();
    }
  }

  protected enumeration(): EnumSpec {
    this.next();
    let attributes = this.attributes(NO_ATTRIBUTES);
    const { location } = this.token;
    let name: string | undefined;
    if (this.isIdentifier()) name = this.next().text;
    const underlying = this.accept(':') ? this.specifiers('of a type') : undefined;
    let enumerators: Enumerator[] | undefined;
    if (this.is('{')) {
      const opener = this.open('{');
      enumerators = [];
      const { errors } = this.reporter;
      while (!this.is('}') && this.token.kind !== 'end') if (!this.enumerator(enumerators)) break;
      // Empty for want of something right.
      if (enumerators.length === 0 && this.reporter.errors > errors)
        enumerators.push({ name: '', value: undefined, location });
      this.close('}', opener);
      attributes = this.attributes(attributes);
    } else if (name === undefined && underlying === undefined) {
      this.reporter.report('expected-identifier-or-brace', location);
      throw SYNTAX_ERROR;
    }
    return { kind: 'enum', name, enumerators, attributes, location, ...(underlying && { underlying }) };
  }

  /** One enumerator and the comma behind it; false if there is no other. */
  private enumerator(into: Enumerator[]): boolean {
    const { token, depth } = this;
    if (!this.isIdentifier()) {
      this.reporter.report('expected-identifier', token.location);
      return this.skipUntil([',', '}'], 'only') && this.accept(',');
    }
    this.next();
    this.attributes(NO_ATTRIBUTES);
    const hasValue = this.accept('=');
    let value: Expr | undefined;
    if (hasValue) {
      try {
        value = this.conditional();
      } catch (error) {
        this.unwind(error, depth);
        this.skipUntil([',', '}'], 'only');
      }
    }
    into.push({ name: token.text, value, location: token.location });
    this.declareName(token.text, false);
    if (this.isIdentifier()) {
      this.reporter.report('expected-enumerator-comma', this.previousEnd);
      return true;
    }
    if (!this.is(',') && !this.is('}')) {
      this.reporter.report(
        hasValue ? 'expected-brace-or-comma' : 'expected-enumerator-end',
        this.token.location,
      );
      this.skipUntil([',', '}'], 'only');
    }
    return this.accept(',');
  }
}
