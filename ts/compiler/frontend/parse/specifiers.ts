// SPDX-License-Identifier: MIT
//
// Declaration specifiers: the words before the declarators, records and enums with their bodies, and attributes.
import type { Location } from '../../diagnostics/diagnostic';
import type {
  Attribute,
  Declarator,
  Enumerator,
  EnumSpec,
  Expr,
  FieldDeclaration,
  Qualifiers,
  RecordSpec,
  Specifiers,
  StaticAssert,
  TypeName,
  TypeSpec,
} from '../ast/syntax';
import type { Token } from '../lex/token';
import { predefinedType } from '../predefined-types';
import { type Access, type AddressSpace, type ScalarKind, scalarOf, VOID } from '../types';
import { SYNTAX_ERROR } from './cursor';
import { ExpressionParser } from './expressions';
import type { BaseWord } from './keywords';

/** Kinds of keywords that can begin the specifiers of a type name. */
const TYPE_STARTS: ReadonlySet<string> = new Set([
  'base',
  'image',
  'qualifier',
  'space',
  'access',
  'record',
  'enum',
  'typeof',
  'auto-type',
  'pipe',
]);
/** … and those that can only begin a declaration's. */
const DECLARATION_STARTS: ReadonlySet<string> = new Set([
  'storage',
  'inline',
  'kernel',
  'noreturn',
  'attribute',
  'static-assert',
  'unsupported',
]);

const DOUBLE_PRAGMA = /^OPENCL\s+EXTENSION\s+(?:cl_khr_fp64|all)\s*:\s*(enable|disable)\b/;

/** Keywords that cannot follow the body of a record or an enum. */
const STARTS_ANOTHER: ReadonlySet<string> = new Set(['base', 'image', 'record', 'enum', 'kernel']);

export const isDefinition = (type: TypeSpec): boolean =>
  (type.kind === 'record' && type.fields !== undefined) ||
  (type.kind === 'enum' && type.enumerators !== undefined);

export const NO_QUALIFIERS: Qualifiers = {
  const: false,
  volatile: false,
  restrict: false,
  space: undefined,
  spaceLocation: 0,
};
const NO_ATTRIBUTES: readonly Attribute[] = [];

/** Qualifiers as they are collected. */
class QualifierSet {
  const = false;
  volatile = false;
  restrict = false;
  space: AddressSpace | undefined = undefined;
  spaceLocation: Location = 0;
  any = false;

  finish(): Qualifiers {
    if (!this.any) return NO_QUALIFIERS;
    const { volatile, restrict, space, spaceLocation } = this;
    return { const: this.const, volatile, restrict, space, spaceLocation };
  }
}

/** clang's attributes that say what the address space qualifiers say. */
const SPACE_ATTRIBUTES: ReadonlyMap<string, AddressSpace> = new Map([
  ['opencl_global', 'global'],
  ['opencl_local', 'local'],
  ['opencl_constant', 'constant'],
  ['opencl_private', 'private'],
  ['opencl_generic', 'generic'],
]);

function spaceOf(attributes: readonly Attribute[], into: QualifierSet): void {
  for (const { name, location } of attributes) {
    const space = SPACE_ATTRIBUTES.get(name);
    if (space === undefined) continue;
    into.space = space;
    into.spaceLocation = location;
    into.any = true;
  }
}

/** The scalar words of one declaration, in whatever order they came. */
class BaseWords {
  private base: BaseWord | undefined;
  private sign: 'signed' | 'unsigned' | undefined;
  private short = false;
  longs = 0;
  any = false;

  /** False if the word does not go with those before it. */
  add(word: BaseWord): boolean {
    this.any = true;
    switch (word) {
      case 'signed':
      case 'unsigned':
        if (this.sign !== undefined && this.sign !== word) return false;
        this.sign = word;
        return true;
      case 'long':
        this.longs++;
        return this.longs <= 2 && !this.short;
      case 'short':
        if (this.short || this.longs > 0) return false;
        this.short = true;
        return true;
      default:
        if (this.base !== undefined) return false;
        this.base = word;
        return true;
    }
  }

  /** Undefined for combinations that are no type. */
  scalar(): ScalarKind | 'void' | undefined {
    const { base, sign, short, longs } = this;
    const unsigned = sign === 'unsigned';
    if (short || longs > 0) {
      // Reserved by OpenCL C, but clang has them.
      if (base === 'double' && longs === 1 && sign === undefined) return 'double';
      if (base !== undefined && base !== 'int') return undefined;
      if (short) return unsigned ? 'ushort' : 'short';
      return unsigned ? 'ulong' : 'long';
    }
    switch (base) {
      case undefined:
      case 'int':
        return unsigned ? 'uint' : 'int';
      case 'char':
        return unsigned ? 'uchar' : 'char';
      case 'signed':
      case 'unsigned':
      case 'long':
      case 'short':
        return undefined;
      default:
        return sign === undefined ? base : undefined;
    }
  }
}

export abstract class SpecifierParser extends ExpressionParser {
  /** Names of the scopes around the current token: true for typedefs, false for what hides one. */
  private readonly names = new Map<string, boolean>();
  private readonly hidden: { readonly name: string; readonly was: boolean | undefined }[] = [];
  private scopes = 0;
  private readonly packs: { readonly pack: number | undefined; readonly label: string }[] = [];
  private pack: number | undefined;
  /** The specifiers just read end a declaration though no `;` follows. */
  protected semicolonAssumed = false;

  protected abstract staticAssert(): StaticAssert;
  protected abstract declarator(named: 'always' | 'never' | 'either'): Declarator;

  // ---- names

  /** Declares a name in the innermost scope. */
  protected declareName(name: string | undefined, isTypedef: boolean): void {
    if (name === undefined) return;
    const was = this.names.get(name);
    if (was === isTypedef) return;
    const isPredefined = predefinedType(name, this.language) !== undefined;
    if (was === undefined && !isTypedef && !isPredefined) return;
    // At file scope that is an error, and what follows goes on meaning the type.
    if (isPredefined && this.scopes === 0) return;
    this.hidden.push({ name, was });
    this.names.set(name, isTypedef);
  }

  protected inScope<T>(parse: () => T): T {
    const mark = this.hidden.length;
    this.scopes++;
    try {
      return parse();
    } finally {
      this.scopes--;
      while (this.hidden.length > mark) {
        const { name, was } = this.hidden.pop()!;
        if (was === undefined) this.names.delete(name);
        else this.names.set(name, was);
      }
    }
  }

  protected isTypeNameToken(token: Token): boolean {
    if (token.kind !== 'identifier') return false;
    return this.names.get(token.text) ?? predefinedType(token.text, this.language) !== undefined;
  }

  protected isTypeStart(distance = 0): boolean {
    const token = this.peek(distance);
    if (token.kind !== 'identifier') return false;
    const keyword = this.keywords.get(token.text);
    return keyword === undefined ? this.isTypeNameToken(token) : TYPE_STARTS.has(keyword.kind);
  }

  protected isDeclarationStart(): boolean {
    const { token } = this;
    if (token.kind !== 'identifier') return false;
    const keyword = this.keywords.get(token.text);
    if (keyword === undefined) {
      if (this.isTypeNameToken(token)) return !this.isAt(1, ':');
      // `unknown x`: only a declaration looks like this.
      return this.isIdentifier(this.peek()) && !this.isAt(1, ':');
    }
    if (keyword.kind === 'extension') {
      const next = this.peek();
      const kind = this.keyword(next)?.kind;
      return kind === undefined
        ? this.isTypeNameToken(next)
        : TYPE_STARTS.has(kind) || DECLARATION_STARTS.has(kind);
    }
    return TYPE_STARTS.has(keyword.kind) || DECLARATION_STARTS.has(keyword.kind);
  }

  // ---- specifiers

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
    let kernel = false;
    let access: Access | undefined;
    let broken = false;
    const twice = (at: Token) => {
      if (!broken) this.reporter.report('cannot-combine-type', at.location, { with: spelling });
      broken = true;
    };

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
        if (!this.looksLikeType(qualifiers.any)) break;
        this.reporter.report('unknown-type-name', token.location, { name: token.text });
        this.next();
        type = { kind: 'error' };
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
          if (access !== undefined && access !== keyword.access) {
            this.reporter.report('multiple-access-qualifiers', token.location);
          }
          access = keyword.access;
          continue;
        case 'storage':
          this.next();
          if (which === 'of a type') {
            this.reporter.report('storage-in-type', token.location);
            continue;
          }
          if (storage !== undefined && storage !== keyword.storage) {
            this.reporter.report('cannot-combine-specifier', token.location, { with: storage });
          }
          if (!this.checkStorage(keyword.storage, token)) continue;
          storage = keyword.storage;
          storageLocation = token.location;
          continue;
        case 'inline':
          this.next();
          inline = true;
          continue;
        case 'noreturn':
        case 'extension':
          this.next();
          continue;
        case 'kernel':
          this.next();
          kernel = true;
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
      else if (type !== undefined && type.kind !== 'error') {
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
    if (keyword.kind === 'qualifier') into[keyword.qualifier] = true;
    else if (keyword.kind === 'space') {
      if (into.space !== undefined && into.space !== keyword.space) {
        this.reporter.report('multiple-address-spaces', token.location);
      }
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

  // ---- records and enums

  private record(tag: 'struct' | 'union'): RecordSpec {
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

  private enumeration(): EnumSpec {
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

  // ---- attributes and pragmas

  /** Appends the attributes that stand here, if any. */
  protected attributes(before: readonly Attribute[]): readonly Attribute[] {
    let all: Attribute[] | undefined;
    while (this.keyword()?.kind === 'attribute') {
      this.next();
      const outer = this.open('(');
      const inner = this.open('(');
      all ??= [...before];
      while (!this.is(')')) {
        if (this.accept(',')) continue;
        all.push(this.attribute());
        if (!this.is(')') && !this.is(',')) this.expect(')', inner);
      }
      this.close(')', inner);
      this.close(')', outer);
    }
    return all ?? before;
  }

  private attribute(): Attribute {
    const { text, location, kind } = this.token;
    if (kind !== 'identifier') this.fail('expected-identifier');
    this.next();
    const name = text.startsWith('__') && text.endsWith('__') && text.length > 4 ? text.slice(2, -2) : text;
    const args: Expr[] = [];
    let type: TypeName | undefined;
    if (this.is('(')) {
      const opener = this.open('(');
      while (!this.is(')')) {
        if (this.isTypeStart()) type = this.typeName();
        else args.push(this.conditional());
        if (!this.accept(',')) break;
      }
      this.close(')', opener);
    }
    return { name, arguments: args, type, location };
  }

  /** Keeps `#pragma pack`; false for other pragmas, which are the checker's. */
  protected pragma(token: Token): boolean {
    const double = DOUBLE_PRAGMA.exec(token.text);
    if (double) this.doubleEnabled = double[1] !== 'disable';
    const match = /^pack\s*\(\s*(?:(push|pop)\s*(?:,\s*([A-Za-z_]\w*)\s*)?)?(?:,?\s*(\d+)\s*)?\)/.exec(
      token.text,
    );
    if (!match) return false;
    const [, action, label = '', width] = match;
    if (action === 'push') this.packs.push({ pack: this.pack, label });
    if (action === 'pop') {
      let top = this.packs.pop();
      while (top !== undefined && label !== '' && top.label !== label) top = this.packs.pop();
      this.pack = top?.pack;
    }
    if (width !== undefined) this.pack = Number(width) || undefined;
    else if (action === undefined) this.pack = undefined;
    return true;
  }
}
