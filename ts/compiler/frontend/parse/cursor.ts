// SPDX-License-Identifier: MIT
//
// The parser's lowest layer: the current token, looking ahead, expecting, and skipping to where parsing can go on.
import type { Location } from '../../diagnostics/diagnostic';
import { note, type Reporter } from '../../diagnostics/reporter';
import type { LanguageOptions } from '../language';
import type { Token } from '../lex/token';
import { type Keyword, keywordsOf } from './keywords';

/** Thrown once an error is reported, caught where the parser knows how to go on. */
export const SYNTAX_ERROR = Symbol('syntax error');

/** As many brackets may be open at a time, as in clang. */
const BRACKET_LIMIT = 256;
/** Other nesting: unary operators, `else if` chains, conditional expressions. Bounds the stack of every later stage. */
const NESTING_LIMIT = 1000;

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

export class TokenCursor {
  protected token: Token;
  /** Behind the last token that was taken. */
  protected previousEnd: Location;
  private index = 0;
  private brackets = 0;
  private nesting = 0;
  protected readonly keywords: ReadonlyMap<string, Keyword>;

  constructor(
    private readonly tokens: readonly Token[],
    protected readonly language: LanguageOptions,
    protected readonly reporter: Reporter,
  ) {
    this.token = tokens[0]!;
    this.previousEnd = this.token.location;
    this.keywords = keywordsOf(language);
  }

  protected next(): Token {
    const { token } = this;
    this.previousEnd = token.location + token.text.length;
    if (token.kind !== 'end') this.token = this.tokens[++this.index]!;
    // The end of the file is shown on its last line, not on the empty one behind it.
    if (this.token.kind === 'end' && this.token.location > 1) {
      const { location } = this.token;
      this.token = { kind: 'end', text: '', location: location - 1 };
    }
    return token;
  }

  /** The token `distance` behind the current one. */
  protected peek(distance = 1): Token {
    const at = this.index + distance;
    return this.tokens[at < this.tokens.length ? at : this.tokens.length - 1]!;
  }

  protected is(text: string): boolean {
    return this.token.text === text && this.token.kind === 'punctuator';
  }

  protected isAt(distance: number, text: string): boolean {
    const token = this.peek(distance);
    return token.text === text && token.kind === 'punctuator';
  }

  protected accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.next();
    return true;
  }

  protected keyword(token: Token = this.token): Keyword | undefined {
    return token.kind === 'identifier' ? this.keywords.get(token.text) : undefined;
  }

  protected isWord(word: string): boolean {
    return this.token.kind === 'identifier' && this.token.text === word;
  }

  protected isIdentifier(token: Token = this.token): boolean {
    return token.kind === 'identifier' && !this.keywords.has(token.text);
  }

  protected expect(text: string, opener?: Location): void {
    if (this.accept(text)) return;
    const notes = opener === undefined ? [] : [note('to-match', opener, { token: openerOf(text) })];
    this.reporter.report('expected-token', this.token.location, { token: text }, { notes });
    throw SYNTAX_ERROR;
  }

  /** A missing `;` is noticed where it should be and otherwise ignored. */
  protected expectSemicolon(after: string): void {
    if (this.accept(';')) return;
    if (this.is(')') && this.isAt(1, ';')) {
      this.reporter.report('extraneous-token', this.token.location, { token: ')' });
      this.next();
      this.next();
      return;
    }
    this.reporter.report('expected-semicolon', this.previousEnd, { after });
    this.recoverStatement();
  }

  protected fail(code: 'expected-expression' | 'expected-identifier'): never {
    this.reporter.report(code, this.token.location);
    throw SYNTAX_ERROR;
  }

  /** Opens a bracket; `close` must follow, or `attempt` around both. */
  protected open(text: string): Location {
    const { location } = this.token;
    this.expect(text);
    if (++this.brackets > BRACKET_LIMIT) this.tooDeep(location);
    return location;
  }

  protected close(text: string, opener: Location): void {
    this.expect(text, opener);
    this.brackets--;
  }

  /** Counts nesting that needs no brackets. */
  protected deeper(): void {
    if (++this.nesting > NESTING_LIMIT) {
      this.reporter.report('nesting-too-deep', this.token.location, { limit: NESTING_LIMIT });
      throw SYNTAX_ERROR;
    }
  }

  protected shallower(): void {
    this.nesting--;
  }

  private tooDeep(location: Location): never {
    this.reporter.report('bracket-depth', location, { limit: BRACKET_LIMIT });
    throw SYNTAX_ERROR;
  }

  /** Runs `parse`; after a syntax error runs `recover` instead, at the depth where it all began. */
  protected attempt<T>(parse: () => T, recover: () => T): T {
    const { brackets, nesting } = this;
    try {
      return parse();
    } catch (error) {
      if (error !== SYNTAX_ERROR) throw error;
      this.brackets = brackets;
      this.nesting = nesting;
      return recover();
    }
  }

  /** Skips balanced brackets up to one of `stops` (not taken), to the end of what is open, or of the file. */
  protected skipTo(...stops: string[]): void {
    this.skip(stops, undefined);
  }

  /** As `skipTo`; names behind commas are added to `names`: in a declaration they are declarators'. */
  private skip(stops: readonly string[], names: string[] | undefined): void {
    const open: string[] = [];
    for (; this.token.kind !== 'end'; this.next()) {
      if (this.token.kind !== 'punctuator') continue;
      const { text } = this.token;
      if (names !== undefined && text === ',' && open.length === 0) {
        const next = this.peek(this.isAt(1, '*') ? 2 : 1);
        if (this.isIdentifier(next)) names.push(next.text);
      }
      if (open.length === 0 && stops.includes(text)) return;
      const closing = CLOSING[text];
      if (closing !== undefined) open.push(closing);
      else if (text === ')' || text === ']' || text === '}') {
        if (open.length === 0) {
          if (text === '}') return;
        } else if (open.at(-1) === text) open.pop();
        else if (text === '}') {
          // An unclosed parenthesis ends with its block.
          while (open.length > 0 && open.at(-1) !== '}') open.pop();
          if (open.length === 0) return;
          open.pop();
        }
      }
    }
  }

  /** Behind a statement that makes no sense: past its `;` or its own block, or before the end of the block around it. */
  protected skipStatement(names?: string[]): void {
    this.skip([';', '{'], names);
    if (this.is('{')) {
      this.next();
      this.skipTo('}');
      this.accept('}');
    } else this.accept(';');
  }

  /** After a missing `;`. */
  protected recoverStatement(): void {
    const { token } = this;
    // A word at the beginning of a line after a missing `;` is most likely the next statement.
    if (token.kind === 'identifier' || token.kind === 'pragma' || this.is('}') || this.is('{')) return;
    this.skipTo(';');
    this.accept(';');
  }
}

const openerOf = (closing: string): string => (closing === ')' ? '(' : closing === ']' ? '[' : '{');
