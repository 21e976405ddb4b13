// SPDX-License-Identifier: MIT
//
// Literals: numbers, characters, strings.
import type { Expr, StringExpr, StringPart } from '../ast/syntax';
import { parseFloatLiteral, parseIntegerLiteral } from '../lex/numbers';
import { characterLiteralValue, stringLiteralBytes } from '../lex/strings';
import type { ScalarKind } from '../types';
import { TokenCursor } from './cursor';

export abstract class LiteralParser extends TokenCursor {
  protected literal(): Expr {
    const { token } = this;
    const { location, text } = token;
    const at = { location, begin: location, end: location + text.length };
    switch (token.kind) {
      case 'integer': {
        this.next();
        const literal = parseIntegerLiteral(text, location, this.reporter);
        if (!literal) return { kind: 'error', ...at };
        return { kind: 'integer', value: literal.value, type: literal.type, ...at };
      }
      case 'floating': {
        this.next();
        const unsuffixed = this.unsuffixed();
        const literal = parseFloatLiteral(text, location, this.reporter, unsuffixed);
        if (
          literal &&
          unsuffixed === 'float' &&
          !this.language.singlePrecisionConstant &&
          !/[fh]$/i.test(text)
        ) {
          this.reporter.report('double-literal', location);
        }
        if (!literal) return { kind: 'error', ...at };
        return { kind: 'floating', value: literal.value, type: literal.type, ...at };
      }
      case 'character': {
        this.next();
        if (isUnterminated(text)) return { kind: 'error', ...at };
        const value = characterLiteralValue(text, location, this.reporter);
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
          this.next();
          return { kind: 'error', ...at };
        }
        return this.string();
    }
    return this.fail('expected-expression');
  }

  /** Before 1.2 doubles were an extension that programs had to enable. */
  protected doubleEnabled = false;

  private unsuffixed(): 'float' | 'double' {
    const { features, singlePrecisionConstant, version } = this.language;
    const hasDouble = features.has('cl_khr_fp64') || features.has('__opencl_c_fp64');
    const enabled = hasDouble && (version >= 120 || this.doubleEnabled);
    return singlePrecisionConstant || !enabled ? 'float' : 'double';
  }

  protected string(): StringExpr {
    const begin = this.token.location;
    const pieces: Uint8Array[] = [];
    const parts: StringPart[] = [];
    let length = 0;
    let isWide = false;
    while (this.token.kind === 'string') {
      const { text, location } = this.next();
      if (text.startsWith('L')) isWide = true;
      const bytes = stringLiteralBytes(text, location, this.reporter);
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
      end: this.previousEnd,
      ...(wide && { wide }),
    };
  }
}

const isUnterminated = (text: string): boolean =>
  text.length < 2 || !text.endsWith(text[text.search(/['"]/)]!);
