// SPDX-License-Identifier: MIT
//
// Source text to the parser's tokens: macro expansion and rescanning (C99, 6.10.3). Directives are in directives.ts.
//
// Tokens come from a stack of streams, expansions over the files' lexers. While an expansion's stream is not exhausted, its macro
// is active, and its name in that stream is painted: never expanded again.
import { note, type Reporter } from '../../diagnostics/reporter';
import type { MappedFile } from '../../diagnostics/source-map';
import type { LanguageOptions } from '../language';
import { Lexer, lexText } from '../lex/lexer';
import { PpToken } from '../lex/pp-token';
import { stringLiteralBytes } from '../lex/strings';
import type { Token } from '../lex/token';
import type { NameObserver } from '../name-observer';
import { assertText } from './assert';
import { readDefinition } from './define';
import { Directives } from './directives';
import { type IncludeOptions, Includes } from './includes';
import { type Dynamic, LONGEST_BODY, Macro, namedMacro } from './macro';
import { predefinedMacro } from './predefined';
import { type Argument, substitute } from './substitute';

export interface PreprocessorOptions extends IncludeOptions {
  /** Name of the main file. */
  readonly name: string;
  readonly text: string;
  /** Lines before the source: `-D` as `#define NAME VALUE`. */
  readonly commandLine: string;
}

interface Stream {
  readonly tokens: readonly PpToken[];
  index: number;
  /** The expanded macro. */
  readonly macro: Macro | undefined;
  /** Whether reading ends here although other streams are open: an argument that is expanded separately. */
  readonly isolated: boolean;
  /** Whether there is space after its tokens. */
  readonly spaceAfter: boolean;
}

/** The most tokens of macro expansions in one compilation; it limits time and memory. */
const EXPANSION_LIMIT = 2_000_000;
/** The most nested macro calls in arguments. */
const DEPTH_LIMIT = 400;

/** The longest name of SPIR-V (universal limits, 2.17). */
const LONGEST_IDENTIFIER = 65_535;

const ISOLATED_END = new PpToken('end', '', 0, false, false, false);

/** The tokens of a translation unit, 'end' last. Messages go to the reporter. */
export function preprocess(
  options: PreprocessorOptions,
  language: LanguageOptions,
  reporter: Reporter,
  observer?: NameObserver,
): readonly Token[] {
  return new Preprocessor(options, language, reporter, observer).run();
}

class Preprocessor {
  /** By name; null: looked up, and not a macro. */
  private readonly macros = new Map<string, Macro | null>();
  private readonly streams: Stream[] = [];
  private top: Stream | undefined;
  private expanded = 0;
  private depth = 0;
  private counter = 0;
  private readonly directives: Directives;
  /** The file being read. */
  lexer: Lexer;

  constructor(
    options: PreprocessorOptions,
    private readonly language: LanguageOptions,
    readonly reporter: Reporter,
    readonly observer?: NameObserver,
  ) {
    const { sources } = reporter;
    this.lexer = new Lexer(sources.addFile(options.name, options.text), reporter);
    this.directives = new Directives(this, new Includes(options));
    if (options.commandLine !== '') {
      this.directives.enter(sources.addFile('<command line>', options.commandLine));
    }
  }

  run(): readonly Token[] {
    const tokens: PpToken[] = [];
    for (;;) {
      const token = this.next();
      if (this.reporter.stopped || token.kind === 'end') {
        tokens.push(new PpToken('end', '', token.location, false, true, false));
        return tokens as readonly Token[];
      }
      if (token.kind === 'unknown') {
        this.reportUnknown(token);
        continue;
      }
      const { length } = token.text;
      if (token.kind === 'identifier' && length > LONGEST_IDENTIFIER) {
        this.reporter.report('identifier-too-long', token.location, { length, limit: LONGEST_IDENTIFIER });
      }
      tokens.push(token);
    }
  }

  /** The next token, macros expanded; 'newline' at the end of a directive. */
  next(): PpToken {
    for (;;) {
      const token = this.raw();
      if (token.kind !== 'identifier' || token.painted) return token;
      const macro = this.lookup(token.text);
      if (macro === null) {
        if (token.text !== '_Pragma') return token;
        const pragma = this.pragmaOperator(token);
        if (pragma) return pragma;
        continue;
      }
      if (macro.active) return token.paint();
      this.observer?.use(token.text, namedMacro(macro), token.location);
      if (!this.expand(macro, token)) return token;
    }
  }

  /** The next token without macro expansion; open expansions are read. */
  raw(): PpToken {
    let space = false;
    for (;;) {
      const { top } = this;
      if (!top || top.index < top.tokens.length) {
        const token = top ? top.tokens[top.index++]! : this.fileToken();
        return space && !token.lineStart ? token.at(token.location, true) : token;
      }
      if (top.isolated) return ISOLATED_END;
      space ||= top.spaceAfter;
      this.pop();
    }
  }

  /** Puts tokens back: they are read next. */
  unread(token: PpToken): void {
    this.push([token], undefined, false);
  }

  /** The macro of a name; null if it is none. */
  lookup(name: string): Macro | null {
    const known = this.macros.get(name);
    if (known !== undefined) return known;
    const macro = this.makePredefined(name) ?? null;
    this.macros.set(name, macro);
    return macro;
  }

  define(macro: Macro): void {
    this.macros.set(macro.name, macro);
  }

  undefine(name: string): void {
    this.macros.set(name, null);
  }

  /** Starts to read another file; the current one continues after it. */
  openFile(file: MappedFile): Lexer {
    this.lexer = new Lexer(file, this.reporter);
    return this.lexer;
  }

  private fileToken(): PpToken {
    for (;;) {
      const token = this.lexer.next();
      if (token.lineStart && token.kind === 'punctuator' && token.text === '#' && !this.lexer.inDirective) {
        const pragma = this.directives.read(token);
        if (pragma) return pragma;
        if (this.reporter.stopped) return new PpToken('end', '', token.location, false, true, false);
      } else if (token.kind === 'end' && this.directives.leave()) {
      } else {
        return token;
      }
    }
  }

  private push(
    tokens: readonly PpToken[],
    macro: Macro | undefined,
    isolated: boolean,
    spaceAfter = false,
  ): void {
    this.top = { tokens, index: 0, macro, isolated, spaceAfter };
    this.streams.push(this.top);
    if (macro) macro.active = true;
  }

  private pop(): void {
    const stream = this.streams.pop();
    if (stream?.macro) stream.macro.active = false;
    this.top = this.streams.at(-1);
  }

  /** Expands a macro: its tokens are read next. False if it is a function-like macro's name without a call. */
  private expand(macro: Macro, use: PpToken): boolean {
    if (macro.dynamic) {
      const { sources } = this.reporter;
      const text = macro.dynamic(sources.expansion(use.location));
      const [token] = lexText(text, use.location, this.reporter);
      this.push([token!.at(use.location, use.space)], undefined, false);
      return true;
    }
    if (macro.body.length > LONGEST_BODY) return this.overrun(use, LONGEST_BODY);
    let args: Argument[] = [];
    if (macro.parameters) {
      if (!this.atCall()) return false;
      const read = this.readArguments(macro, use);
      if (read === undefined) return true;
      args = read;
      // A call in an argument reads tokens that the outer calls have read already.
      if (this.depth > 0) for (const { tokens } of args) this.expanded += tokens.length;
    }
    const left = EXPANSION_LIMIT - this.expanded;
    const { tokens, spaceAfter } = substitute(
      macro,
      use,
      args,
      (list) => this.expandArgument(list, use),
      left,
      this.reporter,
    );
    this.expanded += tokens.length;
    if (this.expanded > EXPANSION_LIMIT) return this.overrun(use, EXPANSION_LIMIT);
    this.push(tokens, macro, false, spaceAfter);
    return true;
  }

  private overrun(use: PpToken, limit: number): true {
    this.reporter.report('macro-expansion-limit', use.location, { limit });
    this.abandon();
    return true;
  }

  /** Drops all open expansions. */
  private abandon(): void {
    for (const stream of this.streams) stream.index = stream.tokens.length;
  }

  /** Whether the next token is `(`. */
  private atCall(): boolean {
    for (let i = this.streams.length - 1; i >= 0; i--) {
      const stream = this.streams[i]!;
      if (stream.index < stream.tokens.length) {
        const token = stream.tokens[stream.index]!;
        return token.kind === 'punctuator' && token.text === '(';
      }
      if (stream.isolated) return false;
    }
    return this.lexer.peekLeftParen();
  }

  /** Reads a call's arguments. After an error, which is reported, the call is dropped. */
  private readArguments(macro: Macro, use: PpToken): Argument[] | undefined {
    const parameters = macro.parameters!;
    const last = macro.variadic ? parameters.length - 1 : -1;
    const args: Argument[] = [];
    let tokens: PpToken[] = [];
    let parens = 0;
    this.raw();
    for (;;) {
      let token = this.raw();
      if (token.kind === 'end' || token.kind === 'newline') {
        if (token !== ISOLATED_END) this.unread(token);
        this.reporter.report('macro-arguments-unterminated', use.location, {}, this.definitionNote(macro));
        return undefined;
      }
      if (token.kind === 'punctuator') {
        if (token.text === '(') {
          parens++;
        } else if (token.text === ')') {
          if (parens-- === 0) break;
        } else if (token.text === ',' && parens === 0 && args.length !== last) {
          args.push({ tokens, expanded: undefined });
          tokens = [];
          continue;
        }
      } else if (token.kind === 'identifier' && !token.painted && this.macros.get(token.text)?.active) {
        token = token.paint();
      }
      tokens.push(token.lineStart ? token.at(token.location, true) : token);
    }
    if (args.length > 0 || tokens.length > 0 || parameters.length > 0)
      args.push({ tokens, expanded: undefined });
    if (macro.variadic && args.length === last) args.push({ tokens: [], expanded: undefined, absent: true });
    if (args.length === parameters.length) return args;

    const code = args.length > parameters.length ? 'macro-arguments-many' : 'macro-arguments-few';
    this.reporter.report(code, use.location, {}, this.definitionNote(macro));
    // A value in its place avoids a second message from the parser.
    this.push([new PpToken('integer', '0', use.location, use.space, false, false)], undefined, false);
    return undefined;
  }

  private definitionNote(macro: Macro) {
    return { notes: [note('macro-defined-here', macro.location, { name: macro.name })] };
  }

  private expandArgument(tokens: readonly PpToken[], use: PpToken): readonly PpToken[] {
    if (!tokens.some((token) => token.kind === 'identifier' && this.concerns(token))) return tokens;
    if (this.depth === DEPTH_LIMIT) {
      this.reporter.report('macro-depth', use.location, { limit: DEPTH_LIMIT });
      this.abandon();
      return [];
    }
    this.depth++;
    this.push(tokens, undefined, true);
    const own = this.streams.length;
    const result: PpToken[] = [];
    for (;;) {
      const token = this.next();
      if (token === ISOLATED_END || token.kind === 'end') break;
      result.push(token);
    }
    while (this.streams.length >= own) this.pop();
    this.depth--;
    return result;
  }

  private concerns(token: PpToken): boolean {
    return this.lookup(token.text) !== null || token.text === '_Pragma';
  }

  private pragmaOperator(operator: PpToken): PpToken | undefined {
    const open = this.raw();
    const string = open.text === '(' ? this.raw() : open;
    const close = string.kind === 'string' ? this.raw() : string;
    if (close.text !== ')' || close.kind !== 'punctuator') {
      if (close.kind === 'end' || close.kind === 'newline') this.unread(close);
      this.reporter.report('pragma-operator-string', operator.location);
      return undefined;
    }
    const text = new TextDecoder().decode(stringLiteralBytes(string.text, string.location, this.reporter));
    return this.directives.pragma(text, operator);
  }

  private makePredefined(name: string): Macro | undefined {
    const dynamic = this.dynamic(name);
    if (dynamic) return new Macro(name, 0, undefined, false, [], true, dynamic);
    const text = name === 'assert' ? this.assertMacro() : predefinedMacro(name, this.language);
    if (text === undefined) return undefined;
    const separator = text.startsWith('(') && /^\([\w, ]*\) /.test(text) ? '' : ' ';
    const file = this.reporter.sources.addFile('<built-in>', `#define ${name}${separator}${text}`);
    const lexer = new Lexer(file, this.reporter);
    lexer.inDirective = true;
    lexer.next();
    lexer.next();
    return readDefinition(lexer.next(), lexer, this.reporter, true);
  }

  /** C's `assert` (C99, 7.2), which programs need not include: what the program itself defines by this name goes first. */
  private assertMacro(): string | undefined {
    if (!this.top && this.lexer.isDeclaring()) return undefined;
    return assertText((name) => this.lookup(name) !== null);
  }

  private dynamic(name: string): Dynamic | undefined {
    const { sources } = this.reporter;
    switch (name) {
      case '__LINE__':
        return (use) => String(sources.position(use)?.line ?? 0);
      case '__FILE__':
        return (use) => quote(sources.position(use)?.file ?? '');
      case '__COUNTER__':
        return () => String(this.counter++);
      case '__INCLUDE_LEVEL__':
        return (use) => String(sources.includeStack(use).length);
      case '__DATE__':
        return () => quote(dateText(new Date()));
      case '__TIME__':
        return () => quote(new Date().toTimeString().slice(0, 8));
      default:
        return undefined;
    }
  }

  private reportUnknown(token: PpToken): void {
    const code = token.text.codePointAt(0)!;
    // An unterminated literal was reported where it was read.
    if (code === 0x22 || code === 0x27 || code === 0x4c) return;
    if (code === 0xfffd) {
      this.reporter.report('invalid-utf8', token.location);
    } else {
      const hex = code.toString(16).toUpperCase().padStart(4, '0');
      this.reporter.report('unexpected-character', token.location, { code: hex });
    }
  }
}

function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

/** C99's form: `Jan 1 2026`. */
function dateText(date: Date): string {
  const [, month, day, year] = date.toDateString().split(' ');
  return `${month} ${String(Number(day)).padStart(2)} ${year}`;
}
