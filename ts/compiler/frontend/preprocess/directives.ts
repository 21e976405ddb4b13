// SPDX-License-Identifier: MIT
//
// Preprocessing directives (C99, 6.10): conditional inclusion, `#include`, `#define`, `#line`, `#error`, `#pragma`.
import type { Location } from '../../diagnostics/diagnostic';
import { note, type Reporter } from '../../diagnostics/reporter';
import type { MappedFile } from '../../diagnostics/source-map';
import type { Lexer } from '../lex/lexer';
import { PpToken } from '../lex/pp-token';
import type { NameObserver } from '../name-observer';
import { evaluateCondition } from './condition';
import { readDefinition } from './define';
import type { Includes } from './includes';
import { type Macro, namedMacro } from './macro';
import { PragmaReader } from './pragmas';

/** The part of the preprocessor that directives use. */
export interface DirectiveHost {
  readonly reporter: Reporter;
  lexer: Lexer;
  next(): PpToken;
  raw(): PpToken;
  lookup(name: string): Macro | null;
  define(macro: Macro): void;
  undefine(name: string): void;
  openFile(file: MappedFile): Lexer;
  readonly observer?: NameObserver;
}

/** An `#if` that is open. */
interface Conditional {
  readonly location: Location;
  /** Whether one of its groups was chosen; then the others are skipped. */
  taken: boolean;
  afterElse: boolean;
}

/** A file to continue with after an `#include`. */
interface OpenFile {
  readonly lexer: Lexer;
  readonly conditionals: Conditional[];
}

const INCLUDE_DEPTH_LIMIT = 200;
const INCLUDE_COUNT_LIMIT = 20_000;

export class Directives {
  private readonly outer: OpenFile[] = [];
  private conditionals: Conditional[] = [];
  private readonly once = new Set<string>();
  private included = 0;
  private readonly pragmas: PragmaReader;

  constructor(
    private readonly host: DirectiveHost,
    private readonly includes: Includes,
  ) {
    this.pragmas = new PragmaReader(host.reporter, host);
  }

  private get reporter(): Reporter {
    return this.host.reporter;
  }

  /** Starts to read a file; the current one continues after it. */
  enter(file: MappedFile): void {
    this.outer.push({ lexer: this.host.lexer, conditionals: this.conditionals });
    this.conditionals = [];
    this.host.openFile(file);
  }

  /** At the end of a file: continues with the including file. False if there is none. */
  leave(end: PpToken): boolean {
    for (const open of this.conditionals.reverse()) {
      this.reporter.report('condition-unterminated', open.location);
    }
    this.conditionals = [];
    const file = this.outer.pop();
    if (!file || end.kind !== 'end') return false;
    this.host.lexer = file.lexer;
    this.conditionals = file.conditionals;
    return true;
  }

  /** Reads the directive after a `#`. Returns a token if it is a pragma for the parser. */
  read(hash: PpToken): PpToken | undefined {
    const { lexer } = this.host;
    lexer.inDirective = true;
    const word = lexer.next();
    if (word.kind === 'newline') return undefined;
    if (word.kind === 'integer') {
      // GNU's line markers: `# 12 "file"`
      this.line(word);
      return undefined;
    }
    switch (word.kind === 'identifier' ? word.text : '') {
      case 'if':
        this.open(word, this.condition(word));
        return undefined;
      case 'ifdef':
      case 'ifndef':
        this.open(word, this.definedness(word));
        return undefined;
      case 'elif':
      case 'elifdef':
      case 'elifndef':
      case 'else':
        this.alternative(word);
        return undefined;
      case 'endif':
        if (!this.conditionals.pop())
          this.reporter.report('condition-missing', word.location, { directive: 'endif' });
        this.finish(word);
        return undefined;
      case 'define':
        this.define();
        return undefined;
      case 'undef':
        this.undef(word);
        return undefined;
      case 'include':
        this.include(hash, word);
        return undefined;
      case 'line':
        this.line(this.host.next());
        return undefined;
      case 'error':
        this.reporter.report('user-error', word.location, { text: lexer.restOfLine() });
        return undefined;
      case 'warning':
        this.reporter.report('user-warning', word.location, { text: lexer.restOfLine() });
        return undefined;
      case 'pragma':
        return this.pragma(lexer.restOfLine(), hash);
      case 'ident':
        lexer.skipLine();
        return undefined;
      default:
        this.reporter.report('invalid-directive', word.location);
        lexer.skipLine();
        return undefined;
    }
  }

  /** A pragma's text after the word: handled here, or a token for the parser. */
  pragma(text: string, at: PpToken): PpToken | undefined {
    const { lexer } = this.host;
    if (text === 'once') {
      if (this.outer.length === 0) this.reporter.report('pragma-once-main', at.location);
      else this.once.add(lexer.file.name);
      return undefined;
    }
    if (this.pragmas.read(text, at.location)) return undefined;
    const expanded = /^(?:no)?unroll\b/.test(text) ? this.expandWords(text) : text;
    return new PpToken('pragma', expanded, at.location, false, true, false);
  }

  /** Macros after `unroll` are expanded: `#pragma unroll N`. */
  private expandWords(text: string): string {
    for (let round = 0; round < 16; round++) {
      const next = text.replace(/(?<=\W)[A-Za-z_]\w*/g, (word) => {
        const macro = this.host.lookup(word);
        if (!macro || macro.parameters || macro.dynamic) return word;
        return macro.body.map((item) => item.token.text).join(' ');
      });
      if (next === text || next.length > 1000) break;
      text = next;
    }
    return text;
  }

  // ---- conditional inclusion

  private open(word: PpToken, chosen: boolean): void {
    this.conditionals.push({ location: word.location, taken: chosen, afterElse: false });
    if (!chosen) this.skip();
  }

  /** `#else` or `#elif` after a group that was not skipped. */
  private alternative(word: PpToken): void {
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
      this.finish(word);
    } else {
      this.host.lexer.skipLine();
    }
    this.skip();
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
            this.finish(word);
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
          this.finish(word);
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
    const name = this.macroName();
    if (!name) return false;
    this.finish(word);
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

  // ---- macros

  /** The name after `define`, `undef` or `ifdef`. Undefined after an error; then the line is consumed. */
  private macroName(): PpToken | undefined {
    const { lexer } = this.host;
    const name = lexer.next();
    if (name.kind === 'identifier' && name.text !== 'defined') return name;
    if (name.kind === 'newline') this.reporter.report('macro-name-missing', name.location);
    else if (name.kind === 'identifier') {
      this.reporter.report('macro-name-reserved', name.location, { name: name.text });
    } else this.reporter.report('macro-name-not-identifier', name.location);
    lexer.skipLine();
    return undefined;
  }

  private define(): void {
    const { host, reporter } = this;
    const name = this.macroName();
    if (!name) return;
    const macro = readDefinition(name, host.lexer, reporter, false);
    host.lexer.skipLine();
    if (!macro) return;
    const previous = host.lookup(name.text);
    if (previous?.dynamic) {
      reporter.report('builtin-macro-redefined', name.location);
    } else if (previous && !previous.predefined && !previous.equals(macro)) {
      const notes = [note('previous-definition', previous.location)];
      reporter.report('macro-redefined', name.location, { name: name.text }, { notes });
    }
    host.define(macro);
    host.observer?.declare(macro.name, namedMacro(macro), name.location);
  }

  private undef(word: PpToken): void {
    const name = this.macroName();
    if (!name) return;
    this.finish(word);
    if (this.host.lookup(name.text)?.dynamic) this.reporter.report('builtin-macro-undefined', name.location);
    this.host.undefine(name.text);
  }

  // ---- files and lines

  private include(hash: PpToken, word: PpToken): void {
    const { host, reporter } = this;
    const { lexer } = host;
    const header = lexer.headerName() ?? this.computedHeader(word);
    if (!header) return;
    this.finish(word);
    const name = header.text.slice(1, -1);
    if (name === '') {
      reporter.report('include-name-empty', header.location);
      return;
    }
    if (this.outer.length >= INCLUDE_DEPTH_LIMIT) {
      reporter.report('include-depth', header.location);
      return;
    }
    if (++this.included > INCLUDE_COUNT_LIMIT) {
      reporter.report('include-count', header.location, { limit: INCLUDE_COUNT_LIMIT });
      return;
    }
    const angled = header.text.startsWith('<');
    const file = this.includes.find(name, angled, lexer.file.name);
    if (!file) {
      const isForbidden = this.includes.isForbidden(name, angled, lexer.file.name);
      reporter.report(isForbidden ? 'include-forbidden' : 'include-not-found', header.location, { name });
      return;
    }
    host.observer?.include(file.path, header.location, header.text.length);
    if (this.once.has(file.path)) return;
    this.enter(reporter.sources.addFile(file.path, file.text, hash.location));
  }

  /** `#include MACRO`: the expansion is a string or `<` … `>`. */
  private computedHeader(word: PpToken): PpToken | undefined {
    const first = this.host.next();
    if (first.kind === 'string') return first;
    if (first.kind === 'punctuator' && first.text === '<') {
      let text = '<';
      for (;;) {
        const token = this.host.next();
        if (token.kind === 'newline' || token.kind === 'end') break;
        text += (token.space && text !== '<' ? ' ' : '') + token.text;
        if (token.text === '>') return new PpToken('string', text, first.location, true, false, false);
      }
    }
    this.reporter.report('include-name-expected', first.kind === 'newline' ? word.end : first.location);
    this.host.lexer.skipLine();
    return undefined;
  }

  /** `#line 12 "file"`; `number` is its first token. */
  private line(number: PpToken): void {
    const { host, reporter } = this;
    if (number.kind !== 'integer' || !/^\d+$/.test(number.text)) {
      reporter.report('line-number-expected', number.location);
      host.lexer.skipLine();
      return;
    }
    const line = Number(number.text);
    if (line > 0x7fffffff) reporter.report('line-number-range', number.location);
    let token = host.next();
    let file: string | undefined;
    if (token.kind === 'string') {
      file = token.text.slice(1, -1).replace(/\\(.)/g, '$1');
      token = host.next();
    } else if (token.kind !== 'newline') {
      reporter.report('line-file-invalid', token.location);
    }
    while (token.kind !== 'newline' && token.kind !== 'end') token = host.next();
    reporter.sources.overrideLine(token.location, line, file);
  }

  /** Consumes the rest of a directive's line, which should be empty. */
  private finish(word: PpToken): void {
    const { lexer } = this.host;
    if (!lexer.inDirective) return;
    const token = lexer.next();
    if (token.kind === 'newline') return;
    this.reporter.report('extra-tokens', token.location, { directive: word.text });
    lexer.skipLine();
  }
}
