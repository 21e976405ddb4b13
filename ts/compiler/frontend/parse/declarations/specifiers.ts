// SPDX-License-Identifier: MIT
//
// Declaration specifiers: the words before the declarators, in any order. The table has the effect of each kind of keyword.
import type { Specifiers, TypeSpec } from '../../ast/syntax';
import { foreignWordNote } from '../../foreign-words';
import type { Token } from '../../lex/token';
import { scalarOf, VOID } from '../../types';
import { SYNTAX_ERROR } from '../cursor';
import type { Keyword } from '../keywords';
import { isTypeNameToken, isTypeStart } from '../lookahead';
import type { Parser } from '../parser';
import { parseAlignas, parseAttributes } from './attributes';
import { parseEnum } from './enumerations';
import { OpenSpecifiers } from './open-specifiers';
import { parseQualifier } from './qualifiers';
import { parseRecord } from './records';
import { addSpaceOf } from './specifier-words';

/** `of a type`: in a type name or before members, where only types and qualifiers are allowed. */
export function parseSpecifiers(
  p: Parser,
  which: 'of a declaration' | 'of a type' = 'of a declaration',
): Specifiers {
  const open = new OpenSpecifiers(which, p.token.location);
  while (p.token.kind === 'identifier') {
    const keyword = p.keywords.get(p.token.text);
    if (keyword === undefined) {
      if (!acceptTypeName(p, open)) break;
    } else if (keyword.kind === 'pipe') return parsePipe(p, open);
    else if (startsAnother(keyword, open.type)) {
      // A definition without its `;`: the next token begins another declaration.
      assumeSemicolon(p, open.type!);
      break;
    } else {
      const parse = KEYWORDS[keyword.kind] as KeywordRule | undefined;
      if (parse === undefined) break;
      parse(p, open, keyword);
    }
  }
  finishType(p, open);
  return open.finish(p.previousEnd);
}

// ---- names of types

/** Accepts an identifier that names the type, or was meant as one; false if the specifiers end before it. */
function acceptTypeName(p: Parser, open: OpenSpecifiers): boolean {
  const { token } = p;
  const { type } = open;
  if (open.hasType) {
    if (type !== undefined && isDefinition(type) && beginsDeclaration(p)) assumeSemicolon(p, type);
    return false;
  }
  if (isTypeNameToken(p, token)) {
    p.next();
    open.type = { kind: 'typedef', name: token.text, location: token.location };
    open.spelling = token.text;
    return true;
  }
  if (!looksLikeType(p, open.qualifiers.any && open.which === 'of a type')) return false;
  const foreign = foreignWordNote(token.text, token.location);
  p.reporter.report(
    'unknown-type-name',
    token.location,
    { name: token.text },
    foreign && { notes: [foreign] },
  );
  p.next();
  open.type = { kind: 'error' };
  // Most likely a qualifier of another version or a macro: the type may follow.
  open.isBroken = true;
  return true;
}

/** An unknown identifier where a type should be, judged by what follows it. */
function looksLikeType(p: Parser, qualified: boolean): boolean {
  const next = p.peek();
  if (next.kind === 'identifier') return true;
  if (next.kind !== 'punctuator') return false;
  return next.text === '*' || (qualified && next.text === ')');
}

export const isDefinition = (type: TypeSpec): boolean =>
  (type.kind === 'record' && type.fields !== undefined) ||
  (type.kind === 'enum' && type.enumerators !== undefined);

/** Whether a type's name is followed by another name, so that it cannot begin a declarator. */
function beginsDeclaration(p: Parser): boolean {
  return isTypeNameToken(p, p.token) && p.isIdentifier(p.peek());
}

/** Keywords that cannot follow the body of a record or an enum. */
const STARTS_ANOTHER: ReadonlySet<Keyword['kind']> = new Set(['base', 'image', 'record', 'enum', 'kernel']);

const startsAnother = (keyword: Keyword, type: TypeSpec | undefined): boolean =>
  (type?.kind === 'record' || type?.kind === 'enum') && STARTS_ANOTHER.has(keyword.kind);

export function assumeSemicolon(p: Parser, type: TypeSpec): void {
  const after = `after ${type.kind === 'record' ? type.tag : 'enum'}`;
  p.reporter.report('expected-semicolon', p.previousEnd, { after });
  p.semicolonAssumed = true;
}

// ---- keywords

/** Parses the specifier that begins with the current token, a keyword, and adds it. */
type KeywordRule<K = Keyword> = (p: Parser, open: OpenSpecifiers, keyword: K) => void;

/** The keywords that specifiers consist of; at any other one they end. */
const KEYWORDS: { readonly [K in Keyword['kind']]?: KeywordRule<Keyword & { readonly kind: K }> } = {
  base(p, open, { word }) {
    const token = p.next();
    const { words, spelling } = open;
    if (words.hasSign(word)) reportRepeated(p, token);
    if (open.type !== undefined || !words.add(word)) reportSecondType(p, open, token);
    else open.spelling = spelling === '' ? token.text : `${spelling} ${token.text}`;
  },
  image(p, open, { image }) {
    const token = p.next();
    if (open.hasType) reportSecondType(p, open, token);
    open.type = { kind: 'image', image, access: undefined };
    open.spelling = token.text;
  },
  record(p, open, { tag }) {
    const { token } = p;
    if (open.hasType) reportSecondType(p, open, token);
    open.type = parseRecord(p, tag);
    open.spelling = `${token.text} ${open.type.name ?? ''}`;
  },
  enum(p, open) {
    const { token } = p;
    if (open.hasType) reportSecondType(p, open, token);
    open.type = parseEnum(p);
    open.spelling = `${token.text} ${open.type.name ?? ''}`;
  },
  typeof(p, open) {
    const token = p.next();
    if (open.hasType) reportSecondType(p, open, token);
    const opener = p.open('(');
    open.type = { kind: 'typeof', operand: isTypeStart(p) ? p.rules.typeName(p) : p.rules.expression(p) };
    open.spelling = 'typeof';
    p.close(')', opener);
  },
  'auto-type'(p, open) {
    const token = p.next();
    if (open.hasType) reportSecondType(p, open, token);
    open.type = { kind: 'auto' };
    open.spelling = token.text;
  },
  qualifier: (p, open) => parseQualifier(p, open.qualifiers),
  space: (p, open) => parseQualifier(p, open.qualifiers),
  access(p, open, { access }) {
    const token = p.next();
    if (open.access === access) reportRepeated(p, token);
    else if (open.access !== undefined) p.reporter.report('multiple-access-qualifiers', token.location);
    open.access = access;
  },
  storage(p, open, { storage }) {
    const token = p.next();
    if (open.which === 'of a type') {
      p.reporter.report('storage-in-type', token.location);
      return;
    }
    if (open.storage === storage) reportRepeated(p, token);
    else if (open.storage !== undefined)
      p.reporter.report('cannot-combine-specifier', token.location, { with: open.storage });
    if (!checkStorage(p, storage, token)) return;
    open.storage = storage;
    open.storageLocation = token.location;
  },
  inline(p, open) {
    const token = p.next();
    if (open.inline) reportRepeated(p, token);
    if (open.which === 'of a declaration') open.inline = true;
    else p.reporter.report('function-specifier-in-type', token.location);
  },
  noreturn(p, open) {
    const token = p.next();
    if (open.noreturn) reportRepeated(p, token);
    open.noreturn = true;
  },
  kernel(p, open) {
    p.next();
    open.kernel = true;
  },
  extension(p) {
    p.next();
  },
  alignas(p, open) {
    open.attributes = [...open.attributes, parseAlignas(p)];
  },
  attribute(p, open) {
    open.attributes = parseAttributes(p, open.attributes);
    addSpaceOf(open.attributes, open.qualifiers);
  },
  unsupported(p, open) {
    const token = p.next();
    p.reporter.report('unsupported-keyword', token.location, { word: token.text });
    open.type ??= { kind: 'error' };
    open.isBroken = true;
  },
};

function reportRepeated(p: Parser, { text, location }: Token): void {
  p.reporter.report('duplicate-qualifier', location, { qualifier: text });
}

function reportSecondType(p: Parser, open: OpenSpecifiers, { location }: Token): void {
  if (!open.isBroken) p.reporter.report('cannot-combine-type', location, { with: open.spelling });
  open.isBroken = true;
}

/** Whether the version has the storage class specifier (6.8); reports it if not. */
function checkStorage(p: Parser, storage: NonNullable<Specifiers['storage']>, { location }: Token): boolean {
  if (storage === 'typedef') return true;
  const { version } = p.language;
  const never = storage === 'auto' || storage === 'register';
  if (!never && version >= 120) return true;
  const name = `${Math.floor(version / 100)}.${(version % 100) / 10}`;
  p.reporter.report('storage-class', location, { version: name, storage });
  return false;
}

/** `pipe`: the remaining specifiers are the packet's type. */
function parsePipe(p: Parser, open: OpenSpecifiers): Specifiers {
  p.next();
  if (!isTypeStart(p)) {
    p.reporter.report('pipe-type-missing', p.token.location);
    throw SYNTAX_ERROR;
  }
  const packet = p.rules.specifiers(p);
  return {
    ...packet,
    // The packet's specifiers are those of an ordinary type; the checker makes the pipe type from it.
    type: { kind: 'pipe', access: open.access, packet },
    qualifiers: open.qualifiers.finish(),
    attributes: [...open.attributes, ...packet.attributes],
    location: open.location,
    ...(open.storage && { storage: open.storage }),
  };
}

// ---- the end

/** Decides the type once all words are read, and gives an image or typedef its access qualifier. */
function finishType(p: Parser, open: OpenSpecifiers): void {
  const { words, access, location } = open;
  if (words.any && open.type === undefined) open.type = scalarType(p, open);
  const { type } = open;
  if (access !== undefined) {
    if (type?.kind === 'image' || type?.kind === 'typedef') open.type = { ...type, access };
    else if (type?.kind !== 'error') p.reporter.report('access-qualifier-misplaced', location);
  }
  if (type === undefined) {
    open.type = missingType(p, open);
    open.spelling = 'int';
  }
}

function scalarType(p: Parser, open: OpenSpecifiers): TypeSpec {
  if (open.isBroken) return { kind: 'error' };
  const scalar = open.words.scalar();
  if (scalar === undefined) {
    p.reporter.report('invalid-type-words', open.location, { type: open.spelling });
    return { kind: 'error' };
  }
  open.spelling = scalar;
  return { kind: 'builtin', type: scalar === 'void' ? VOID : scalarOf(scalar) };
}

/** A declaration without a type is int, as in C before 1999. */
function missingType(p: Parser, { which, location, qualifiers }: OpenSpecifiers): TypeSpec {
  const isQualified = qualifiers.any;
  if (which === 'of a type' && !isQualified && p.isIdentifier()) {
    p.reporter.report('type-without-specifier', location);
    return { kind: 'error' };
  }
  if (isQualified || p.isIdentifier() || p.is('*') || p.is('(') || p.is(';')) {
    if (!p.is(';')) p.reporter.report('missing-type', location);
    return { kind: 'builtin', type: scalarOf('int') };
  }
  p.reporter.report('expected-type', p.token.location);
  throw SYNTAX_ERROR;
}
