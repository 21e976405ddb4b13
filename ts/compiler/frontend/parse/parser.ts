// SPDX-License-Identifier: MIT
import type { ExternalDeclaration } from '../ast/syntax';
import { StatementParser, UNROLL } from './statements';

/**
 * Reads external declarations one after the other, so that the checker can follow right behind: messages then come in
 * the order of the source.
 */
export class Parser extends StatementParser {
  /** Undefined at the end of the unit. */
  external(): ExternalDeclaration | undefined {
    while (this.token.kind !== 'end' && !this.reporter.stopped) {
      const declaration = this.attempt(
        () => this.one(),
        () => {
          this.skipExternal();
          return undefined;
        },
      );
      if (declaration !== undefined) return declaration;
    }
    return undefined;
  }

  private one(): ExternalDeclaration | undefined {
    const { token } = this;
    const { location } = token;
    this.hasInnerFunction = false;
    if (token.kind === 'pragma') {
      this.next();
      if (UNROLL.test(token.text)) {
        this.reporter.report('expected-identifier-or-paren', location);
        return undefined;
      }
      return this.pragma(token) ? undefined : { kind: 'pragma', text: token.text, location };
    }
    if (this.accept(';')) return { kind: 'empty', location };
    if (this.is('}')) {
      this.reporter.report('extraneous-brace', location);
      this.next();
      return undefined;
    }
    const kind = this.keyword()?.kind;
    if (kind === 'static-assert') return this.staticAssert();
    if (kind === 'asm') {
      this.reporter.report('asm-unsupported', location);
      this.skipStatement();
      return undefined;
    }
    if (token.kind !== 'identifier' && !this.is('*') && !this.is('(')) {
      this.reporter.report('expected-identifier-or-paren', location);
      this.skipExternal();
      return undefined;
    }
    return this.declaration('at file scope');
  }
}
