// SPDX-License-Identifier: MIT
//
// Conditional inclusion (C99, 6.10.1): `#if` to `#endif`, with the operators `defined` and `__has_include`.
import type { Location } from '../../diagnostics/diagnostic';
import type { Reporter } from '../../diagnostics/reporter';
import { PpToken } from '../lex/pp-token';
import { evaluateCondition } from './condition';
import { type DirectiveHost, finishLine, readMacroName } from './directive-line';
import type { Includes } from './includes';

/** An `#if` that is open. */
interface Conditional {
  readonly location: Location;
  /** Whether one of its groups was chosen; then the others are skipped. */
  taken: boolean;
  afterElse: boolean;
}

export class Conditionals {
  /** Those of the file that is read, the innermost last. */
  private conditionals: Conditional[] = [];
  /** Those of the files that include it. */
  private readonly outer: Conditional[][] = [];

  constructor(
    private readonly host: DirectiveHost,
    private readonly includes: Includes,
  ) {}

  private get reporter(): Reporter {
    return this.host.reporter;
  }

  /** A file begins: the conditionals that are open stay so until it is left. */
  enterFile(): void {
    this.outer.push(this.conditionals);
    this.conditionals = [];
  }

  /** The end of a file: all its conditionals must be closed. */
  leaveFile(): void {
    for (const open of this.conditionals.reverse()) {
      this.reporter.report('condition-unterminated', open.location);
    }
    this.conditionals = this.outer.pop() ?? [];
  }

  /** `#if`, `#ifdef` or `#ifndef` */
  open(word: PpToken): void {
    const chosen = word.text === 'if' ? this.condition(word) : this.definedness(word);
    this.conditionals.push({ location: word.location, taken: chosen, afterElse: false });
    if (!chosen) this.skip();
  }

  /** `#else` or `#elif` after a group that was not skipped. */
  alternative(word: PpToken): void {
    const conditional = this.conditionals.at(-1);
    if (!conditional) {
      this.reporter.report('condition-missing', word.location, { directive: word.text });
      this.host.lexer.skipLine();
      return;
    }
    if (conditional.afterElse) {
      this.reporter.report('condition-after-else', word.location, { directive: word.text });
    }
    if (word.text === 'else') {
      conditional.afterElse = true;
      finishLine(this.host, word);
    } else {
      this.host.lexer.skipLine();
    }
    this.skip();
  }

  /** `#endif` after a group that was not skipped. */
  close(word: PpToken): void {
    if (!this.conditionals.pop())
      this.reporter.report('condition-missing', word.location, { directive: 'endif' });
    finishLine(this.host, word);
  }

  /** Skips groups up to the chosen one, or past the `#endif`. */
  private skip(): void {
    const { lexer } = this.host;
    const conditional = this.conditionals.at(-1)!;
    let nested = 0;
    while (lexer.skipToDirective()) {
      const word = lexer.next();
      switch (word.kind === 'identifier' ? word.text : '') {
        case 'if':
        case 'ifdef':
        case 'ifndef':
          nested++;
          lexer.skipLine();
          break;
        case 'endif':
          if (nested === 0) {
            this.conditionals.pop();
            finishLine(this.host, word);
            return;
          }
          nested--;
          lexer.skipLine();
          break;
        case 'else':
          if (nested > 0) {
            lexer.skipLine();
            break;
          }
          if (conditional.afterElse) {
            this.reporter.report('condition-after-else', word.location, { directive: 'else' });
          }
          conditional.afterElse = true;
          finishLine(this.host, word);
          if (!conditional.taken) {
            conditional.taken = true;
            return;
          }
          break;
        case 'elif':
        case 'elifdef':
        case 'elifndef':
          if (nested > 0) {
            lexer.skipLine();
            break;
          }
          if (conditional.afterElse) {
            this.reporter.report('condition-after-else', word.location, { directive: word.text });
          }
          if (conditional.taken) {
            lexer.skipLine();
          } else if (word.text === 'elif' ? this.condition(word) : this.definedness(word)) {
            conditional.taken = true;
            return;
          }
          break;
        default:
          if (word.kind !== 'newline') lexer.skipLine();
      }
    }
  }

  /** `ifdef X`, `ifndef X`, `elifdef X`, `elifndef X` */
  private definedness(word: PpToken): boolean {
    const name = readMacroName(this.host);
    if (!name) return false;
    finishLine(this.host, word);
    return this.isDefined(name.text) !== word.text.endsWith('ndef');
  }

  private isDefined(name: string): boolean {
    return this.host.lookup(name) !== null || name === '__has_include';
  }

  private condition(word: PpToken): boolean {
    const { host } = this;
    const tokens: PpToken[] = [];
    let end = word.end;
    for (;;) {
      const token = host.next();
      if (token.kind === 'newline' || token.kind === 'end') {
        end = token.location;
        break;
      }
      if (token.kind === 'identifier' && (token.text === 'defined' || token.text === '__has_include')) {
        const value = token.text === 'defined' ? this.definedOperator(token) : this.hasInclude(token);
        if (value === undefined) {
          host.lexer.skipLine();
          return false;
        }
        tokens.push(new PpToken('integer', value ? '1' : '0', token.location, token.space, false, false));
      } else {
        tokens.push(token);
      }
    }
    return evaluateCondition(tokens, end, this.reporter);
  }

  /** Undefined after an error. */
  private definedOperator(operator: PpToken): boolean | undefined {
    let name = this.host.raw();
    const parenthesized = name.kind === 'punctuator' && name.text === '(';
    if (parenthesized) name = this.host.raw();
    if (name.kind !== 'identifier') {
      this.reporter.report(
        'defined-without-identifier',
        name.kind === 'newline' ? operator.end : name.location,
      );
      return undefined;
    }
    if (parenthesized && this.host.raw().text !== ')') {
      this.reporter.report('defined-without-paren', name.end);
      return undefined;
    }
    return this.isDefined(name.text);
  }

  private hasInclude(operator: PpToken): boolean | undefined {
    const { host } = this;
    if (host.raw().text !== '(') {
      this.reporter.report('has-include-paren', operator.end);
      return undefined;
    }
    const header = host.lexer.headerName();
    if (!header) {
      this.reporter.report('include-name-expected', host.lexer.location);
      return undefined;
    }
    if (host.raw().text !== ')') {
      this.reporter.report('has-include-close', header.end);
      return undefined;
    }
    return (
      this.includes.find(header.text.slice(1, -1), header.text.startsWith('<'), host.lexer.file.name) !==
      undefined
    );
  }
}
