// SPDX-License-Identifier: MIT
//
// Declaration specifiers: the words before the declarators.
import type { Location } from '../../diagnostics/diagnostic';
import type { Attribute, Qualifiers, Specifiers, TypeSpec } from '../ast/syntax';
import type { Token } from '../lex/token';
import { type Access, scalarOf, VOID } from '../types';
import { SYNTAX_ERROR } from './cursor';
import { RecordParser } from './records';
import { BaseWords, NO_ATTRIBUTES, QualifierSet, spaceOf } from './specifier-words';

/** Keywords that cannot follow the body of a record or an enum. */
const STARTS_ANOTHER: ReadonlySet<string> = new Set(['base', 'image', 'record', 'enum', 'kernel']);

export const isDefinition = (type: TypeSpec): boolean =>
  (type.kind === 'record' && type.fields !== undefined) ||
  (type.kind === 'enum' && type.enumerators !== undefined);

export abstract class SpecifierParser extends RecordParser {
  /** The specifiers just read end a declaration though no `;` follows. */
  protected semicolonAssumed = false;

  /** `of a type`: in a type name or before members, where nothing but types and qualifiers may stand. */
  protected specifiers(which: 'of a declaration' | 'of a type' = 'of a declaration'): Specifiers {
    const { location } = this.token;
    const qualifiers = new QualifierSet();
    const words = new BaseWords();
    let attributes = NO_ATTRIBUTES;
    let type: TypeSpec | undefined;
    let spelling = '';
    let storage: Specifiers['storage'];
    let storageLocation = 0;
    let inline = false;
    let noreturn = false;
    let kernel = false;
    let access: Access | undefined;
    let broken = false;
    const twice = (at: Token) => {
      if (!broken) this.reporter.report('cannot-combine-type', at.location, { with: spelling });
      broken = true;
    };

    const repeated = (token: Token) =>
      this.reporter.report('duplicate-qualifier', token.location, { qualifier: token.text });

    loop: for (;;) {
      const { token } = this;
      if (token.kind !== 'identifier') break;
      const keyword = this.keywords.get(token.text);
      if (keyword === undefined) {
        if (type !== undefined || words.any) {
          if (type !== undefined && isDefinition(type) && this.beginsDeclaration())
            this.assumeSemicolon(type);
          break;
        }
        if (this.isTypeNameToken(token)) {
          this.next();
          type = { kind: 'typedef', name: token.text };
          spelling = token.text;
          continue;
        }
        if (!this.looksLikeType(qualifiers.any && which === 'of a type')) break;
        this.reporter.report('unknown-type-name', token.location, { name: token.text });
        this.next();
        type = { kind: 'error' };
        // Most likely a qualifier of another version or a macro: the type may follow.
        broken = true;
        continue;
      }
      if (STARTS_ANOTHER.has(keyword.kind) && (type?.kind === 'record' || type?.kind === 'enum')) {
        // A definition without its `;`: what follows is a declaration of its own.
        this.assumeSemicolon(type);
        break;
      }
      switch (keyword.kind) {
        case 'base':
          this.next();
          if (words.hasSign(keyword.word)) repeated(token);
          if (type !== undefined || !words.add(keyword.word)) twice(token);
          else spelling = spelling === '' ? token.text : `${spelling} ${token.text}`;
          continue;
        case 'image':
          this.next();
          if (type !== undefined || words.any) twice(token);
          type = { kind: 'image', image: keyword.image, access: undefined };
          spelling = token.text;
          continue;
        case 'pipe':
          this.next();
          // What is left of the specifiers is the packet's type.
          return {
            ...this.pipe(location, access, qualifiers.finish(), attributes),
            ...(storage && { storage }),
          };
        case 'record':
        case 'enum':
          if (type !== undefined || words.any) twice(token);
          type = keyword.kind === 'record' ? this.record(keyword.tag) : this.enumeration();
          spelling = `${token.text} ${type.name ?? ''}`;
          continue;
        case 'typeof': {
          this.next();
          const opener = this.open('(');
          type = { kind: 'typeof', operand: this.isTypeStart() ? this.typeName() : this.expression() };
          this.close(')', opener);
          continue;
        }
        case 'auto-type':
          this.next();
          type = { kind: 'auto' };
          continue;
        case 'qualifier':
        case 'space':
          this.qualifier(qualifiers);
          continue;
        case 'access':
          this.next();
          if (access === keyword.access) repeated(token);
          else if (access !== undefined) this.reporter.report('multiple-access-qualifiers', token.location);
          access = keyword.access;
          continue;
        case 'storage':
          this.next();
          if (which === 'of a type') {
            this.reporter.report('storage-in-type', token.location);
            continue;
          }
          if (storage === keyword.storage) repeated(token);
          else if (storage !== undefined) {
            this.reporter.report('cannot-combine-specifier', token.location, { with: storage });
          }
          if (!this.checkStorage(keyword.storage, token)) continue;
          storage = keyword.storage;
          storageLocation = token.location;
          continue;
        case 'inline':
        case 'noreturn':
          this.next();
          if (keyword.kind === 'noreturn' ? noreturn : inline) repeated(token);
          if (keyword.kind === 'noreturn') noreturn = true;
          else if (which === 'of a declaration') inline = true;
          else this.reporter.report('function-specifier-in-type', token.location);
          continue;
        case 'extension':
          this.next();
          continue;
        case 'kernel':
          this.next();
          kernel = true;
          continue;
        case 'alignas':
          attributes = [...attributes, this.alignas()];
          continue;
        case 'attribute':
          attributes = this.attributes(attributes);
          spaceOf(attributes, qualifiers);
          continue;
        case 'unsupported':
          this.next();
          this.reporter.report('unsupported-keyword', token.location, { word: token.text });
          type ??= { kind: 'error' };
          broken = true;
          continue;
        default:
          break loop;
      }
    }

    if (words.any && type === undefined) {
      const scalar = words.scalar();
      if (broken) type = { kind: 'error' };
      else if (scalar === undefined) {
        this.reporter.report('invalid-type-words', location, {
          type: spelling,
        });
        type = { kind: 'error' };
      } else {
        type = { kind: 'builtin', type: scalar === 'void' ? VOID : scalarOf(scalar) };
        spelling = scalar;
      }
    }
    if (access !== undefined) {
      if (type?.kind === 'image') type = { ...type, access };
      else if (type?.kind === 'typedef') type = { ...type, access };
      else if (type?.kind !== 'error') {
        this.reporter.report('access-qualifier-misplaced', location);
      }
    }
    if (type === undefined) {
      type = this.missingType(location, qualifiers.any, which);
      spelling = 'int';
    }
    return {
      type,
      qualifiers: qualifiers.finish(),
      storage,
      storageLocation,
      inline,
      noreturn,
      kernel,
      attributes,
      spelling,
      location,
      end: this.previousEnd,
    };
  }

  /** Whether the version has the storage class specifier (6.8); reports it if not. */
  private checkStorage(storage: NonNullable<Specifiers['storage']>, { location }: Token): boolean {
    if (storage === 'typedef') return true;
    const { version } = this.language;
    const never = storage === 'auto' || storage === 'register';
    if (!never && version >= 120) return true;
    const name = `${Math.floor(version / 100)}.${(version % 100) / 10}`;
    this.reporter.report('storage-class', location, { version: name, storage });
    return false;
  }

  /** A type's name before another name: no declarator. */
  private beginsDeclaration(): boolean {
    return this.isTypeNameToken(this.token) && this.isIdentifier(this.peek());
  }

  protected assumeSemicolon(type: TypeSpec): void {
    const after = `after ${type.kind === 'record' ? type.tag : 'enum'}`;
    this.reporter.report('expected-semicolon', this.previousEnd, { after });
    this.semicolonAssumed = true;
  }

  private pipe(
    location: Location,
    before: Access | undefined,
    qualifiers: Qualifiers,
    attributes: readonly Attribute[],
  ): Specifiers {
    if (!this.isTypeStart()) {
      this.reporter.report('pipe-type-missing', this.token.location);
      throw SYNTAX_ERROR;
    }
    const packet = this.specifiers();
    return {
      ...packet,
      // The packet's specifiers are those of an ordinary type; the pipe around it is made by the checker.
      type: { kind: 'pipe', access: before, packet },
      qualifiers,
      attributes: [...attributes, ...packet.attributes],
      location,
    };
  }

  /** An unknown identifier where a type should be, judged by what follows it. */
  private looksLikeType(qualified: boolean): boolean {
    const next = this.peek();
    if (next.kind === 'identifier') return true;
    if (next.kind !== 'punctuator') return false;
    return next.text === '*' || (qualified && next.text === ')');
  }

  private missingType(
    location: Location,
    qualified: boolean,
    which: 'of a declaration' | 'of a type',
  ): TypeSpec {
    if (which === 'of a type' && !qualified && this.isIdentifier()) {
      this.reporter.report('type-without-specifier', location);
      return { kind: 'error' };
    }
    if (qualified || this.isIdentifier() || this.is('*') || this.is('(') || this.is(';')) {
      if (!this.is(';')) this.reporter.report('missing-type', location);
      return { kind: 'builtin', type: scalarOf('int') };
    }
    this.reporter.report('expected-type', this.token.location);
    throw SYNTAX_ERROR;
  }

  /** Takes one qualifier; the current token is one. */
  private qualifier(into: QualifierSet): void {
    const token = this.next();
    const keyword = this.keywords.get(token.text)!;
    into.any = true;
    const repeated = () =>
      this.reporter.report('duplicate-qualifier', token.location, { qualifier: token.text });
    if (keyword.kind === 'qualifier') {
      if (into[keyword.qualifier]) repeated();
      into[keyword.qualifier] = true;
    } else if (keyword.kind === 'space') {
      if (into.space === keyword.space) repeated();
      else if (into.space !== undefined) this.reporter.report('multiple-address-spaces', token.location);
      into.space = keyword.space;
      into.spaceLocation = token.location;
    }
  }

  /** Qualifiers behind a `*`. */
  protected qualifiers(): Qualifiers {
    const set = new QualifierSet();
    for (;;) {
      const kind = this.keyword()?.kind;
      if (kind === 'qualifier' || kind === 'space') this.qualifier(set);
      else if (kind === 'attribute') spaceOf(this.attributes(NO_ATTRIBUTES), set);
      else return set.finish();
    }
  }
}
