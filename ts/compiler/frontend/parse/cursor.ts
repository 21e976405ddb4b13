// SPDX-License-Identifier: MIT
//
// The parser's lowest layer: the current token, lookahead, expected tokens, and error recovery by skipping.
import type { Diagnostic, Location } from '../../diagnostics/diagnostic';
import { note, type Reporter } from '../../diagnostics/reporter';
import type { LanguageOptions } from '../language';
import type { Token } from '../lex/token';
import { type Keyword, keywordsOf } from './keywords';

/** Thrown after an error is reported, caught where the parser can recover. */
export const SYNTAX_ERROR = Symbol('syntax error');

/** The most brackets that may be open at a time, as in clang. */
const BRACKET_LIMIT = 256;
/** Other nesting: unary operators, `else if` chains, conditional expressions. Bounds the stack of every later stage. */
const NESTING_LIMIT = 1000;

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** A message that is withdrawn if the checker finds an error between `begin` and `end`. */
export interface DoubtfulMessage {
  readonly diagnostic: Diagnostic;
  readonly begin: Location;
  readonly end: Location;
}

export class TokenCursor {
  token: Token;
  /** The end of the last token that was consumed. */
  previousEnd: Location;
  private index = 0;
  /** The closing tokens of the open brackets. */
  readonly brackets: string[] = [];
  private nesting = 0;
  readonly keywords: ReadonlyMap<string, Keyword>;
  /** Messages that are withdrawn if the checker finds an error in their range. */
  readonly doubtful: DoubtfulMessage[] = [];

  constructor(
    private readonly tokens: readonly Token[],
    readonly language: LanguageOptions,
    readonly reporter: Reporter,
  ) {
    this.token = tokens[0]!;
    this.previousEnd = this.token.location;
    this.keywords = keywordsOf(language);
  }

  next(): Token {
    const { token } = this;
    this.previousEnd = token.location + token.text.length;
    if (token.kind !== 'end') this.token = this.tokens[++this.index]!;
    // The end of the file is shown on its last line, not on the empty one after it.
    if (this.token.kind === 'end' && this.token.location > 1) {
      const { location } = this.token;
      this.token = { kind: 'end', text: '', location: location - 1 };
    }
    return token;
  }

  /** The token `distance` after the current one. */
  peek(distance = 1): Token {
    const at = this.index + distance;
    return this.tokens[at < this.tokens.length ? at : this.tokens.length - 1]!;
  }

  is(text: string): boolean {
    return this.token.text === text && this.token.kind === 'punctuator';
  }

  isAt(distance: number, text: string): boolean {
    const token = this.peek(distance);
    return token.text === text && token.kind === 'punctuator';
  }

  accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.next();
    return true;
  }

  keyword(token: Token = this.token): Keyword | undefined {
    return token.kind === 'identifier' ? this.keywords.get(token.text) : undefined;
  }

  isWord(word: string): boolean {
    return this.token.kind === 'identifier' && this.token.text === word;
  }

  isIdentifier(token: Token = this.token): boolean {
    return token.kind === 'identifier' && !this.keywords.has(token.text);
  }

  /** A missing token is reported at the end of the token before it. */
  expect(text: string): void {
    if (this.accept(text)) return;
    this.reporter.report('expected-token', this.previousEnd, { token: text });
    throw SYNTAX_ERROR;
  }

  /**
   * A missing `;` is reported at its place and otherwise ignored. `since` is the beginning of the expression before it: an error
   * in the expression explains the missing `;`.
   */
  expectSemicolon(after: string, since?: Location): void {
    if (this.accept(';')) return;
    if (this.is(')') && this.isAt(1, ';')) {
      this.reporter.report('extraneous-token', this.token.location, { token: ')' });
      this.doubt(since);
      this.next();
      this.next();
      return;
    }
    this.reporter.report('expected-semicolon', this.previousEnd, { after });
    this.doubt(since);
    this.recoverStatement();
  }

  /** The last message is dropped if the checker finds an error between `since` and here. */
  doubt(since: Location | undefined): void {
    if (since === undefined) return;
    const diagnostic = this.reporter.diagnostics.at(-1);
    if (diagnostic) this.doubtful.push({ diagnostic, begin: since, end: this.previousEnd });
  }

  fail(code: 'expected-expression' | 'expected-identifier'): never {
    this.reporter.report(code, this.token.location);
    throw SYNTAX_ERROR;
  }

  /** Opens a bracket; `close` must follow, or `unwind`. */
  open(text: string): Location {
    const { location } = this.token;
    this.expect(text);
    this.brackets.push(CLOSING[text]!);
    if (this.brackets.length > BRACKET_LIMIT) this.tooDeep(location);
    return location;
  }

  /** Consumes a closing bracket. If it is missing, reports this, searches for it up to the next `;`, and returns false. */
  close(text: string, opener: Location): boolean {
    const found = this.accept(text) || this.missing(text, opener);
    this.brackets.pop();
    return found;
  }

  private missing(text: string, opener: Location): boolean {
    if (this.is(';') && this.isAt(1, text)) {
      this.reporter.report('unexpected-semicolon', this.token.location, { token: text });
      this.next();
      this.next();
      return false;
    }
    const notes = [note('to-match', opener, { token: openerOf(text) })];
    this.reporter.report('expected-token', this.token.location, { token: text }, { notes });
    if (text !== '}') this.doubt(opener);
    // A block at this place is most likely intended.
    const stays = this.is('{') || (this.token.kind === 'punctuator' && CLOSERS.has(this.token.text));
    if (!stays && this.skipUntil([text], 'or semicolon')) this.next();
    return false;
  }

  /** The number of open brackets, for `unwind`. */
  get depth(): number {
    return this.brackets.length;
  }

  /** Counts nesting that needs no brackets. */
  deeper(): void {
    if (++this.nesting > NESTING_LIMIT) {
      this.reporter.report('nesting-too-deep', this.token.location, { limit: NESTING_LIMIT });
      throw SYNTAX_ERROR;
    }
  }

  shallower(): void {
    this.nesting--;
  }

  private tooDeep(location: Location): never {
    this.reporter.report('bracket-depth', location, { limit: BRACKET_LIMIT });
    throw SYNTAX_ERROR;
  }

  /** Runs `parse`; after a syntax error skips past the brackets that it opened, and runs `recover`. */
  attempt<T>(parse: () => T, recover: () => T): T {
    const { depth, nesting } = this;
    try {
      return parse();
    } catch (error) {
      this.unwind(error, depth);
      this.nesting = nesting;
      return recover();
    }
  }

  /** After a syntax error skips past the brackets that were opened since `depth`, at most to the next `;`. */
  unwind(error: unknown, depth: number): void {
    if (error !== SYNTAX_ERROR) throw error;
    while (this.brackets.length > depth) {
      const closer = this.brackets.at(-1)!;
      if ((closer === '}' || !this.is('}')) && this.skipUntil([closer], 'or semicolon')) this.next();
      this.brackets.pop();
    }
  }

  /**
   * Skips to one of `stops`, outside of brackets that are opened meanwhile, and does not consume it. False if the enclosing
   * bracket, the end of the file or, if requested, a `;` comes first. Follows clang, so that the messages after an error are the
   * same.
   */
  skipUntil(stops: readonly string[], until: 'or semicolon' | 'only'): boolean {
    const inner: string[] = [];
    const counts = new Map<string, number>();
    for (const closer of this.brackets) counts.set(closer, (counts.get(closer) ?? 0) + 1);
    const push = (closer: string) => {
      inner.push(closer);
      counts.set(closer, (counts.get(closer) ?? 0) + 1);
    };
    const pop = () => {
      const closer = inner.pop()!;
      counts.set(closer, counts.get(closer)! - 1);
    };
    let isFirst = true;
    for (; this.token.kind !== 'end'; this.next()) {
      const { text, kind } = this.token;
      if (kind !== 'punctuator') {
        isFirst = false;
        continue;
      }
      const isSemicolon = text === ';' && until === 'or semicolon';
      const closesAnother = CLOSERS.has(text) && !isFirst && (counts.get(text) ?? 0) > 0;
      // An unexpected closing bracket ends the search; it may belong to an enclosing construct.
      while (
        inner.length > 0 &&
        text !== inner.at(-1) &&
        (closesAnother || (isSemicolon && inner.at(-1) === ':'))
      )
        pop();
      isFirst = false;
      if (text === inner.at(-1)) pop();
      else if (inner.length === 0 && stops.includes(text)) return true;
      else if (inner.length === 0 && (isSemicolon || closesAnother)) return false;
      else if (text === '?') push(':');
      else if (CLOSING[text] !== undefined) {
        push(CLOSING[text]);
        isFirst = true;
      }
    }
    return false;
  }

  /** Skips an invalid declaration: past its `;` or its block, or before the end of the enclosing block. */
  skipDeclaration(names?: string[]): void {
    for (;;) {
      const { text, kind } = this.token;
      if (kind === 'end') return;
      if (names !== undefined && this.is(',')) {
        const next = this.peek(this.isAt(1, '*') ? 2 : 1);
        if (this.isIdentifier(next)) names.push(next.text);
      }
      if (kind !== 'punctuator') this.next();
      else if (text === '}') return;
      else if (text === ';') {
        this.next();
        return;
      } else if (CLOSING[text] === undefined) this.next();
      else {
        this.next();
        this.brackets.push(CLOSING[text]);
        if (this.skipUntil([CLOSING[text]], 'only')) this.next();
        this.brackets.pop();
        if (text === '{' && !this.is(',') && !this.is('{')) {
          this.accept(';');
          return;
        }
      }
    }
  }

  /** After a syntax error in a statement: past its `;`, or before the end of the block. */
  skipStatement(): void {
    do this.skipUntil(['}'], 'or semicolon');
    while (this.accept(';') && (this.is(')') || this.is(']')));
  }

  /** After a missing `;`. */
  private recoverStatement(): void {
    const { token } = this;
    // A word at the beginning of a line after a missing `;` is most likely the next statement.
    if (token.kind === 'identifier' || token.kind === 'pragma' || this.is('}') || this.is('{')) return;
    this.skipStatement();
  }
}

const CLOSERS: ReadonlySet<string> = new Set(Object.values(CLOSING));
const openerOf = (closing: string): string => (closing === ')' ? '(' : closing === ']' ? '[' : '{');
