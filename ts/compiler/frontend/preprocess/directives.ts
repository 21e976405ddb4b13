// SPDX-License-Identifier: MIT
//
// Preprocessing directives (C99, 6.10): `#include`, `#define`, `#line`, `#error`, `#pragma`. `#if` is in
// conditionals.ts.
import { note, type Reporter } from '../../diagnostics/reporter';
import type { MappedFile } from '../../diagnostics/source-map';
import { isForeignHeader } from '../foreign-words';
import type { Lexer } from '../lex/lexer';
import { PpToken } from '../lex/pp-token';
import { Conditionals } from './conditionals';
import { readDefinition } from './define';
import { type DirectiveHost, finishLine, readMacroName } from './directive-line';
import type { Includes } from './includes';
import { namedMacro } from './macro';
import { PragmaReader } from './pragmas';

const INCLUDE_DEPTH_LIMIT = 200;
const INCLUDE_COUNT_LIMIT = 20_000;

export class Directives {
  /** The files to continue with after an `#include`, the innermost last. */
  private readonly outer: Lexer[] = [];
  private readonly conditionals: Conditionals;
  private readonly once = new Set<string>();
  private included = 0;
  private readonly pragmas: PragmaReader;

  constructor(
    private readonly host: DirectiveHost,
    private readonly includes: Includes,
  ) {
    this.conditionals = new Conditionals(host, includes);
    this.pragmas = new PragmaReader(host.reporter, host);
  }

  private get reporter(): Reporter {
    return this.host.reporter;
  }

  /** Starts to read a file; the current one continues after it. */
  enter(file: MappedFile): void {
    this.outer.push(this.host.lexer);
    this.conditionals.enterFile();
    this.host.openFile(file);
  }

  /** At the end of a file: continues with the including file. False if there is none. */
  leave(): boolean {
    this.conditionals.leaveFile();
    const lexer = this.outer.pop();
    if (!lexer) return false;
    this.host.lexer = lexer;
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
      case 'ifdef':
      case 'ifndef':
        this.conditionals.open(word);
        return undefined;
      case 'elif':
      case 'elifdef':
      case 'elifndef':
      case 'else':
        this.conditionals.alternative(word);
        return undefined;
      case 'endif':
        this.conditionals.close(word);
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

  private define(): void {
    const { host, reporter } = this;
    const name = readMacroName(this.host);
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
    const name = readMacroName(this.host);
    if (!name) return;
    finishLine(this.host, word);
    if (this.host.lookup(name.text)?.dynamic) this.reporter.report('builtin-macro-undefined', name.location);
    this.host.undefine(name.text);
  }

  // ---- files and lines

  private include(hash: PpToken, word: PpToken): void {
    const { host, reporter } = this;
    const { lexer } = host;
    const header = lexer.headerName() ?? this.computedHeader(word);
    if (!header) return;
    finishLine(this.host, word);
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
      const notes = isForeignHeader(name) ? [note('foreign-header', header.location)] : [];
      reporter.report(
        isForbidden ? 'include-forbidden' : 'include-not-found',
        header.location,
        { name },
        { notes },
      );
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
}
