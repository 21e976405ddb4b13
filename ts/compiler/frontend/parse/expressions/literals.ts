// SPDX-License-Identifier: MIT
//
// Literals: numbers, characters, strings.

import type { Expr, StringExpr, StringPart } from '../../ast/syntax';
import { parseFloatLiteral, parseIntegerLiteral } from '../../lex/numbers';
import { characterLiteralValue, stringLiteralBytes } from '../../lex/strings';
import type { ScalarKind } from '../../types';
import type { Parser } from '../parser';

export function parseLiteral(p: Parser): Expr {
  const { token } = p;
  const { location, text } = token;
  const at = { location, begin: location, end: location + text.length };
  switch (token.kind) {
    case 'integer': {
      p.next();
      const literal = parseIntegerLiteral(text, location, p.reporter);
      if (!literal) return { kind: 'error', ...at };
      return { kind: 'integer', value: literal.value, type: literal.type, ...at };
    }
    case 'floating': {
      p.next();
      const unsuffixed = unsuffixedType(p);
      const literal = parseFloatLiteral(text, location, p.reporter, unsuffixed);
      if (literal && unsuffixed === 'float' && !p.language.singlePrecisionConstant && !/[fh]$/i.test(text)) {
        p.reporter.report('double-literal', location);
      }
      if (!literal) return { kind: 'error', ...at };
      return { kind: 'floating', value: literal.value, type: literal.type, ...at };
    }
    case 'character': {
      p.next();
      if (isUnterminated(text)) return { kind: 'error', ...at };
      const value = characterLiteralValue(text, location, p.reporter);
      return {
        kind: 'integer',
        value: BigInt(value),
        type: 'int' satisfies ScalarKind,
        isCharacter: true,
        ...at,
      };
    }
    case 'string':
      if (isUnterminated(text)) {
        p.next();
        return { kind: 'error', ...at };
      }
      return parseString(p);
  }
  return p.fail('expected-expression');
}

function unsuffixedType(p: Parser): 'float' | 'double' {
  const { features, singlePrecisionConstant, version } = p.language;
  const hasDouble = features.has('cl_khr_fp64') || features.has('__opencl_c_fp64');
  const enabled = hasDouble && (version >= 120 || p.doubleEnabled);
  return singlePrecisionConstant || !enabled ? 'float' : 'double';
}

export function parseString(p: Parser): StringExpr {
  const begin = p.token.location;
  const pieces: Uint8Array[] = [];
  const parts: StringPart[] = [];
  let length = 0;
  let isWide = false;
  while (p.token.kind === 'string') {
    const { text, location } = p.next();
    if (text.startsWith('L')) isWide = true;
    const bytes = stringLiteralBytes(text, location, p.reporter);
    pieces.push(bytes);
    parts.push({ location, text, length: bytes.length });
    length += bytes.length;
  }
  let bytes = pieces[0]!;
  if (pieces.length > 1) {
    bytes = new Uint8Array(length);
    let at = 0;
    for (const part of pieces) {
      bytes.set(part, at);
      at += part.length;
    }
  }
  const wide = isWide && Array.from(new TextDecoder().decode(bytes), (each) => each.codePointAt(0)!);
  return {
    kind: 'string',
    bytes,
    parts,
    location: begin,
    begin,
    end: p.previousEnd,
    ...(wide && { wide }),
  };
}

const isUnterminated = (text: string): boolean =>
  text.length < 2 || !text.endsWith(text[text.search(/['"]/)]!);
