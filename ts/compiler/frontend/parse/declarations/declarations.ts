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
} from '../../ast/syntax';
import { errorAt } from '../nodes';
import type { Parser } from '../parser';
import { parseAttributes } from './attributes';
import { parseInitializer } from './initializers';
import { parseOldStyleParameters } from './parameters';
import {
  endsInComma,
  endsInMistake,
  endsWithDefinition,
  isBeforeDeclarator,
  recoverMissingSemicolon,
  recoverWithoutBody,
  reportMissingSemicolon,
  skipExternal,
  type Where,
} from './recovery';
import { NO_ATTRIBUTES } from './specifier-words';
import { isDefinition } from './specifiers';

/** A declaration, or at file scope a function's definition. In `for` the `;` after it is not consumed. */
export function parseDeclaration(p: Parser, where: Where): Declaration | FunctionDefinition {
  const { location } = p.token;
  const specifiers = p.rules.specifiers(p);
  const isTypedef = specifiers.storage === 'typedef';
  const declarators: InitDeclarator[] = [];
  const declaration: Declaration = { kind: 'declaration', specifiers, declarators, location };
  let missed = false;
  if (p.semicolonAssumed || p.accept(';')) {
    p.semicolonAssumed = false;
    return declaration;
  }
  if (p.token.kind === 'end' && endsWithDefinition(p, specifiers)) return declaration;
  do {
    const declared = parseDeclared(p, where, declaration);
    if (declared === undefined) return declaration;
    const isFunction = declared.declarator.parts.at(-1)?.kind === 'function';
    if (isFunction && declarators.length === 0 && !isAfterDeclarator(p)) {
      const definition = parseDefinition(p, where, declaration, declared);
      if (definition !== undefined) return definition;
      if (recoverWithoutBody(p, where)) {
        declarators.push({ ...declared, init: undefined });
        return declaration;
      }
    }
    const init = acceptEqual(p) ? parseInitialValue(p, where) : undefined;
    declarators.push({ ...declared, init });
    if (endsInComma(p)) {
      p.reporter.report('expected-semicolon', p.token.location, { after: 'at end of declaration' });
      p.next();
      return declaration;
    }
    if (where !== 'in for' && init !== undefined && endsInMistake(p, init)) {
      reportMissingSemicolon(p, where);
      p.doubt(init.begin);
      p.skipUntil([',', '}'], 'or semicolon');
      missed = true;
    }
  } while ((!missed || isBeforeDeclarator(p)) && p.accept(','));
  if (where !== 'in for' && !p.accept(';') && !missed)
    recoverMissingSemicolon(p, where, isTypedef, declarators);
  return declaration;
}

type Declared = Pick<InitDeclarator, 'declarator' | 'attributes'>;

/**
 * A declarator with its attributes. Undefined if it has an error that is recovered from: then the rest of the declaration is
 * skipped.
 */
function parseDeclared(
  p: Parser,
  where: Where,
  { specifiers, declarators }: Declaration,
): Declared | undefined {
  const before = parseAttributes(p, NO_ATTRIBUTES);
  const { depth } = p;
  let declarator: Declarator;
  try {
    declarator = p.rules.declarator(p, 'always');
  } catch (error) {
    if (declarators.length === 0 && !isDefinition(specifiers.type)) throw error;
    p.unwind(error, depth);
    if (where === 'at file scope') skipExternal(p);
    else p.skipDeclaration();
    return undefined;
  }
  skipAsmLabel(p);
  const attributes = parseAttributes(p, before);
  p.names.declare(declarator.name, specifiers.storage === 'typedef');
  return { declarator: withOldStyleParameters(p, declarator, where, declarators), attributes };
}

/** The definition of a function, if its body follows the declarator. */
function parseDefinition(
  p: Parser,
  where: Where,
  { specifiers, location }: Declaration,
  { declarator, attributes }: Declared,
): FunctionDefinition | undefined {
  const part = declarator.parts.at(-1);
  if (part?.kind !== 'function' || where !== 'at file scope' || !p.is('{')) return undefined;
  if (specifiers.storage === 'typedef') p.reporter.report('typedef-definition', specifiers.storageLocation);
  const body = p.names.inScope(() => parseFunctionBody(p, part.parameters ?? []));
  return { kind: 'function', specifiers, declarator, attributes, body, location };
}

function parseFunctionBody(p: Parser, parameters: readonly Parameter[]): CompoundStmt {
  for (const { declarator } of parameters) p.names.declare(declarator.name, false);
  return p.rules.compound(p);
}

/** Whether the current token can follow a declarator that is not a function's definition. */
function isAfterDeclarator(p: Parser): boolean {
  return p.is(';') || p.is(',') || p.is('=');
}

function parseInitialValue(p: Parser, where: Where): Expr {
  const at = p.token.location;
  const init = p.attempt(
    () => parseInitializer(p),
    () => errorAt(at, p.previousEnd),
  );
  if (init.kind === 'error') p.skipUntil(where === 'in for' ? [',', ')'] : [',', '}'], 'or semicolon');
  return init;
}

/** Accepts a `=`, or an operator that was probably meant as `=`. */
function acceptEqual(p: Parser): boolean {
  if (p.accept('=')) return true;
  const { token } = p;
  if (token.kind !== 'punctuator' || !MEANT_EQUAL.has(token.text)) return false;
  p.reporter.report('invalid-instead-of-equal', token.location, { token: token.text });
  p.next();
  return true;
}

/** Operators that are most likely a mistake for `=` after a declarator. */
const MEANT_EQUAL: ReadonlySet<string> = new Set('&= *= += -= != /= %= <= <<= >= >>= ^= |= =='.split(' '));

function withOldStyleParameters(
  p: Parser,
  declarator: Declarator,
  where: Where,
  before: readonly InitDeclarator[],
): Declarator {
  const part = declarator.parts.at(-1);
  if (part?.kind !== 'function' || part.names === undefined) return declarator;
  const { names } = part;
  const isDefinition = where === 'at file scope' && before.length === 0 && !p.is(';') && !p.is(',');
  if (!isDefinition) p.reporter.report('parameters-without-types', names[0]!.location);
  const parameters = p.names.inScope(() => (isDefinition ? parseOldStyleParameters(p, names) : []));
  return { ...declarator, parts: [...declarator.parts.slice(0, -1), { ...part, parameters }] };
}

function skipAsmLabel(p: Parser): void {
  if (p.keyword()?.kind !== 'asm') return;
  p.next();
  const opener = p.open('(');
  p.skipUntil([')'], 'or semicolon');
  p.close(')', opener);
}
