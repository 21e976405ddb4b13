// SPDX-License-Identifier: MIT
//
// Definitions of structures, unions and enumerations.
import type {
  Declarator,
  Enumerator,
  EnumSpec,
  FieldDeclaration,
  RecordSpec,
  Specifiers,
  StaticAssert,
} from '../ast/syntax';
import { AttributeParser } from './attributes';
import { NO_ATTRIBUTES } from './specifier-words';

export abstract class RecordParser extends AttributeParser {
  protected abstract staticAssert(): StaticAssert;
  protected abstract declarator(named: 'always' | 'never' | 'either'): Declarator;
  protected abstract specifiers(which?: 'of a declaration' | 'of a type'): Specifiers;

  protected record(tag: 'struct' | 'union'): RecordSpec {
    this.next();
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
          () => {
            this.skipTo(';');
            this.accept(';');
          },
        );
      }
      this.close('}', opener);
      attributes = this.attributes(attributes);
    } else if (name === undefined) this.fail('expected-identifier');
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
          : this.declarator('either');
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
      this.skipTo(';');
      this.accept(';');
    }
  }

  protected enumeration(): EnumSpec {
    this.next();
    let attributes = this.attributes(NO_ATTRIBUTES);
    const { location } = this.token;
    let name: string | undefined;
    if (this.isIdentifier()) name = this.next().text;
    let enumerators: Enumerator[] | undefined;
    if (this.is('{')) {
      const opener = this.open('{');
      enumerators = [];
      while (!this.is('}')) {
        const { token } = this;
        if (!this.isIdentifier()) this.fail('expected-identifier');
        this.next();
        this.attributes(NO_ATTRIBUTES);
        const value = this.accept('=') ? this.conditional() : undefined;
        enumerators.push({ name: token.text, value, location: token.location });
        this.declareName(token.text, false);
        if (!this.accept(',')) break;
      }
      this.close('}', opener);
      attributes = this.attributes(attributes);
    } else if (name === undefined) this.fail('expected-identifier');
    return { kind: 'enum', name, enumerators, attributes, location };
  }
}
