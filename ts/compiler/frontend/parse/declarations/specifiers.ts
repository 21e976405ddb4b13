// SPDX-License-Identifier: MIT
//
// Declaration specifiers: the words before the declarators.

import type { Location } from '../../../diagnostics/diagnostic';
import type { Attribute, Qualifiers, Specifiers, TypeSpec } from '../../ast/syntax';
import type { Token } from '../../lex/token';
import { type Access, scalarOf, VOID } from '../../types';
import { SYNTAX_ERROR } from '../cursor';
import { isTypeNameToken, isTypeStart } from '../lookahead';
import type { Parser } from '../parser';
import { parseAlignas, parseAttributes } from './attributes';
import { parseEnum } from './enumerations';
import { parseQualifier } from './qualifiers';
import { parseRecord } from './records';
import { addSpaceOf, BaseWords, NO_ATTRIBUTES, QualifierSet } from './specifier-words';

/** Keywords that cannot follow the body of a record or an enum. */
const STARTS_ANOTHER: ReadonlySet<string> = new Set(['base', 'image', 'record', 'enum', 'kernel']);

export const isDefinition = (type: TypeSpec): boolean =>
  (type.kind === 'record' && type.fields !== undefined) ||
  (type.kind === 'enum' && type.enumerators !== undefined);

/** `of a type`: in a type name or before members, where nothing but types and qualifiers may stand. */
export function parseSpecifiers(
  p: Parser,
  which: 'of a declaration' | 'of a type' = 'of a declaration',
): Specifiers {
  const { location } = p.token;
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
    if (!broken) p.reporter.report('cannot-combine-type', at.location, { with: spelling });
    broken = true;
  };

  const repeated = (token: Token) =>
    p.reporter.report('duplicate-qualifier', token.location, { qualifier: token.text });

  loop: for (;;) {
    const { token } = p;
    if (token.kind !== 'identifier') break;
    const keyword = p.keywords.get(token.text);
    if (keyword === undefined) {
      if (type !== undefined || words.any) {
        if (type !== undefined && isDefinition(type) && beginsDeclaration(p)) assumeSemicolon(p, type);
        break;
      }
      if (isTypeNameToken(p, token)) {
        p.next();
        type = { kind: 'typedef', name: token.text };
        spelling = token.text;
        continue;
      }
      if (!looksLikeType(p, qualifiers.any && which === 'of a type')) break;
      p.reporter.report('unknown-type-name', token.location, { name: token.text });
      p.next();
      type = { kind: 'error' };
      // Most likely a qualifier of another version or a macro: the type may follow.
      broken = true;
      continue;
    }
    if (STARTS_ANOTHER.has(keyword.kind) && (type?.kind === 'record' || type?.kind === 'enum')) {
      // A definition without its `;`: what follows is a declaration of its own.
      assumeSemicolon(p, type);
      break;
    }
    switch (keyword.kind) {
      case 'base':
        p.next();
        if (words.hasSign(keyword.word)) repeated(token);
        if (type !== undefined || !words.add(keyword.word)) twice(token);
        else spelling = spelling === '' ? token.text : `${spelling} ${token.text}`;
        continue;
      case 'image':
        p.next();
        if (type !== undefined || words.any) twice(token);
        type = { kind: 'image', image: keyword.image, access: undefined };
        spelling = token.text;
        continue;
      case 'pipe':
        p.next();
        // What is left of the specifiers is the packet's type.
        return {
          ...parsePipe(p, location, access, qualifiers.finish(), attributes),
          ...(storage && { storage }),
        };
      case 'record':
      case 'enum':
        if (type !== undefined || words.any) twice(token);
        type = keyword.kind === 'record' ? parseRecord(p, keyword.tag) : parseEnum(p);
        spelling = `${token.text} ${type.name ?? ''}`;
        continue;
      case 'typeof': {
        p.next();
        const opener = p.open('(');
        type = { kind: 'typeof', operand: isTypeStart(p) ? p.rules.typeName(p) : p.rules.expression(p) };
        p.close(')', opener);
        continue;
      }
      case 'auto-type':
        p.next();
        type = { kind: 'auto' };
        continue;
      case 'qualifier':
      case 'space':
        parseQualifier(p, qualifiers);
        continue;
      case 'access':
        p.next();
        if (access === keyword.access) repeated(token);
        else if (access !== undefined) p.reporter.report('multiple-access-qualifiers', token.location);
        access = keyword.access;
        continue;
      case 'storage':
        p.next();
        if (which === 'of a type') {
          p.reporter.report('storage-in-type', token.location);
          continue;
        }
        if (storage === keyword.storage) repeated(token);
        else if (storage !== undefined) {
          p.reporter.report('cannot-combine-specifier', token.location, { with: storage });
        }
        if (!checkStorage(p, keyword.storage, token)) continue;
        storage = keyword.storage;
        storageLocation = token.location;
        continue;
      case 'inline':
      case 'noreturn':
        p.next();
        if (keyword.kind === 'noreturn' ? noreturn : inline) repeated(token);
        if (keyword.kind === 'noreturn') noreturn = true;
        else if (which === 'of a declaration') inline = true;
        else p.reporter.report('function-specifier-in-type', token.location);
        continue;
      case 'extension':
        p.next();
        continue;
      case 'kernel':
        p.next();
        kernel = true;
        continue;
      case 'alignas':
        attributes = [...attributes, parseAlignas(p)];
        continue;
      case 'attribute':
        attributes = parseAttributes(p, attributes);
        addSpaceOf(attributes, qualifiers);
        continue;
      case 'unsupported':
        p.next();
        p.reporter.report('unsupported-keyword', token.location, { word: token.text });
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
      p.reporter.report('invalid-type-words', location, {
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
      p.reporter.report('access-qualifier-misplaced', location);
    }
  }
  if (type === undefined) {
    type = missingType(p, location, qualifiers.any, which);
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
    end: p.previousEnd,
  };
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

/** A type's name before another name: no declarator. */
function beginsDeclaration(p: Parser): boolean {
  return isTypeNameToken(p, p.token) && p.isIdentifier(p.peek());
}

export function assumeSemicolon(p: Parser, type: TypeSpec): void {
  const after = `after ${type.kind === 'record' ? type.tag : 'enum'}`;
  p.reporter.report('expected-semicolon', p.previousEnd, { after });
  p.semicolonAssumed = true;
}

function parsePipe(
  p: Parser,
  location: Location,
  before: Access | undefined,
  qualifiers: Qualifiers,
  attributes: readonly Attribute[],
): Specifiers {
  if (!isTypeStart(p)) {
    p.reporter.report('pipe-type-missing', p.token.location);
    throw SYNTAX_ERROR;
  }
  const packet = p.rules.specifiers(p);
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
function looksLikeType(p: Parser, qualified: boolean): boolean {
  const next = p.peek();
  if (next.kind === 'identifier') return true;
  if (next.kind !== 'punctuator') return false;
  return next.text === '*' || (qualified && next.text === ')');
}

function missingType(
  p: Parser,
  location: Location,
  qualified: boolean,
  which: 'of a declaration' | 'of a type',
): TypeSpec {
  if (which === 'of a type' && !qualified && p.isIdentifier()) {
    p.reporter.report('type-without-specifier', location);
    return { kind: 'error' };
  }
  if (qualified || p.isIdentifier() || p.is('*') || p.is('(') || p.is(';')) {
    if (!p.is(';')) p.reporter.report('missing-type', location);
    return { kind: 'builtin', type: scalarOf('int') };
  }
  p.reporter.report('expected-type', p.token.location);
  throw SYNTAX_ERROR;
}
