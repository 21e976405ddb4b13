// SPDX-License-Identifier: MIT
//
// Characters to preprocessing tokens (C99, 6.4). Works on a text whose trigraphs and line splices are already out. Macros and
// directives are the preprocessor's; the lexer only knows whether it is inside of a directive, where a line's end counts.
import type { Location } from '../../diagnostics/diagnostic';
import type { Reporter } from '../../diagnostics/reporter';
import type { MappedFile } from '../../diagnostics/source-map';
import {
  Char,
  CLASSES,
  Class,
  identifierEnd,
  isFloating,
  isLineEnd,
  isQuote,
  LONG_PUNCTUATORS,
  lineEnd,
  numberEnd,
  SINGLE_CHARACTERS,
  stripComments,
  wideIdentifierLength,
} from './characters';
import { type PpKind, PpToken } from './pp-token';

const NOT_OF_DECLARATIONS: ReadonlySet<string> = new Set([
  'else',
  'do',
  'return',
  'ifdef',
  'ifndef',
  'defined',
  'undef',
  'define',
]);

export class Lexer {
  private position = 0;
  private lineStart = true;
  /** Whether `literalEnd` found a closing quote. */
  private closed = false;
  /** The preprocessor sets it after a `#`: then the end of the line is a token, which resets it. */
  inDirective = false;
  private readonly text: string;
  private readonly start: Location;
  /** The first trigraph of the file after the last token. */
  private nextTrigraph = 0;

  constructor(
    readonly file: MappedFile,
    private readonly reporter: Reporter,
  ) {
    this.text = file.text;
    this.start = file.start;
    if (this.text.charCodeAt(0) === 0xfeff) this.position = 1;
  }

  get location(): Location {
    return this.start + this.position;
  }

  /** Whether the name that was read last follows another word or a `*`, as the name of a declared function does. */
  isDeclaring(): boolean {
    const { text } = this;
    let at = this.position - 1;
    while (CLASSES[text.charCodeAt(at)] === Class.Identifier || CLASSES[text.charCodeAt(at)] === Class.Digit)
      at--;
    const before = /([\w$]+|\*)\s*$/.exec(text.slice(Math.max(0, at - 40), at + 1))?.[1];
    return before !== undefined && !NOT_OF_DECLARATIONS.has(before);
  }

  /** The next token; at the end always one of kind 'end'. */
  next(): PpToken {
    const { text } = this;
    let space = false;
    for (;;) {
      const at = this.position;
      const code = text.charCodeAt(at);
      switch (code < 128 ? CLASSES[code] : Class.Other) {
        case Class.Space:
          this.position++;
          space = true;
          continue;
        case Class.Newline:
          if (this.inDirective) {
            this.inDirective = false;
            return this.token('newline', '', at, space);
          }
          this.position++;
          this.lineStart = true;
          space = false;
          continue;
        case Class.Identifier:
          if (code === Char.UpperL && isQuote(text.charCodeAt(at + 1)))
            return this.literal(at, at + 1, space);
          return this.identifier(at, space);
        case Class.Digit:
          return this.number(at, space);
        case Class.Quote:
          return this.literal(at, at, space);
        case Class.Punctuator:
          if (code === Char.Slash) {
            const following = text.charCodeAt(at + 1);
            if (following === Char.Slash || following === Char.Star) {
              this.skipComment(following === Char.Star);
              space = true;
              continue;
            }
          }
          if (code === Char.Dot && CLASSES[text.charCodeAt(at + 1)] === Class.Digit)
            return this.number(at, space);
          return this.punctuator(code, at, space);
        default:
          if (at >= text.length) {
            if (this.inDirective) {
              this.inDirective = false;
              return this.token('newline', '', at, space);
            }
            return this.token('end', '', at, space);
          }
          if (code === 0) {
            this.skipNulls();
            space = true;
            continue;
          }
          if (code === 0xfeff || code === 0xa0) {
            this.position++;
            space = true;
            continue;
          }
          return this.other(at, space);
      }
    }
  }

  /** Whether the next token, line ends and comments skipped, is an opening parenthesis. */
  peekLeftParen(): boolean {
    const { text } = this;
    let at = this.position;
    for (;;) {
      const code = text.charCodeAt(at);
      const kind = code < 128 ? CLASSES[code] : Class.Other;
      if (kind === Class.Space || (kind === Class.Newline && !this.inDirective)) {
        at++;
      } else if (code === Char.Slash && text.charCodeAt(at + 1) === Char.Star) {
        const end = text.indexOf('*/', at + 2);
        if (end < 0) return false;
        at = end + 2;
      } else if (code === Char.Slash && text.charCodeAt(at + 1) === Char.Slash) {
        at = lineEnd(text, at);
      } else {
        return code === Char.LeftParen;
      }
    }
  }

  /** In a directive: `"name"` or `<name>`, quotes included; undefined if something else follows. */
  headerName(): PpToken | undefined {
    const { text } = this;
    let at = this.position;
    while (CLASSES[text.charCodeAt(at)] === Class.Space) at++;
    const open = text.charCodeAt(at);
    if (open !== Char.Less && open !== Char.DoubleQuote) return undefined;
    const close = text.indexOf(open === Char.Less ? '>' : '"', at + 1);
    if (close < 0 || close > lineEnd(text, at)) return undefined;
    this.position = close + 1;
    return new PpToken('string', text.slice(at, close + 1), this.start + at, true, false, false);
  }

  /**
   * In a directive: the text of the rest of the line, without comments and without spaces at its ends. Leaves the
   * directive.
   */
  restOfLine(): string {
    const { text } = this;
    const begin = this.position;
    const end = lineEnd(text, begin);
    this.position = end;
    this.inDirective = false;
    return stripComments(text.slice(begin, end)).trim();
  }

  /** Leaves a directive and ignores the rest of its line (except for a comment that continues on the next line). */
  skipLine(): void {
    while (this.inDirective) {
      const { text } = this;
      const at = this.position;
      const code = text.charCodeAt(at);
      if (at >= text.length || code === Char.Newline || code === Char.Return) this.inDirective = false;
      else if (code === Char.Slash && text.charCodeAt(at + 1) === Char.Star) this.skipComment(true);
      else if (code === Char.Slash && text.charCodeAt(at + 1) === Char.Slash)
        this.position = lineEnd(text, at);
      else if (isQuote(code)) this.position = Math.min(this.literalEnd(at), lineEnd(text, at));
      else this.position++;
    }
  }

  /**
   * Skips whole lines up to one that begins with `#`. The next token is then the one after this `#`, in the directive.
   * False at the end of the file.
   */
  skipToDirective(): boolean {
    const { text } = this;
    for (;;) {
      // At the start of a line, or after the end of a directive.
      let at = this.position;
      let atStart = this.lineStart;
      for (;;) {
        const code = text.charCodeAt(at);
        if (at >= text.length) {
          this.position = at;
          return false;
        }
        if (code === Char.Newline || code === Char.Return) {
          at++;
          atStart = true;
        } else if (code === Char.Space || code === Char.Tab) {
          at++;
        } else if (code === Char.Slash && text.charCodeAt(at + 1) === Char.Star) {
          const end = text.indexOf('*/', at + 2);
          at = end < 0 ? text.length : end + 2;
        } else if (code === Char.Slash && text.charCodeAt(at + 1) === Char.Slash) {
          at = lineEnd(text, at);
        } else if (
          atStart &&
          (code === Char.Hash || (code === Char.Percent && text.charCodeAt(at + 1) === Char.Colon))
        ) {
          this.position = code === Char.Hash ? at + 1 : at + 2;
          this.lineStart = false;
          this.inDirective = true;
          return true;
        } else {
          atStart = false;
          at = isQuote(code) ? this.literalEnd(at) : at + 1;
        }
      }
    }
  }

  private token(kind: PpKind, text: string, at: number, space: boolean): PpToken {
    const { lineStart } = this;
    this.lineStart = kind === 'newline';
    const { trigraphs } = this.file;
    if (trigraphs !== undefined) this.reportTrigraphs(trigraphs, at);
    return new PpToken(kind, text, this.start + at, space, lineStart, false);
  }

  /** Reports the trigraphs of the token that begins at `at` and ends here. Those before it are in comments. */
  private reportTrigraphs(trigraphs: readonly number[], at: number): void {
    for (; trigraphs[this.nextTrigraph]! < this.position; this.nextTrigraph++) {
      const offset = trigraphs[this.nextTrigraph]!;
      if (offset >= at)
        this.reporter.report('trigraph', this.start + offset, { character: this.text[offset]! });
    }
  }

  private identifier(at: number, space: boolean): PpToken {
    const { text } = this;
    const end = identifierEnd(text, at);
    this.position = end;
    return this.token('identifier', text.slice(at, end), at, space);
  }

  private number(at: number, space: boolean): PpToken {
    const { text } = this;
    const end = numberEnd(text, at);
    this.position = end;
    const number = text.slice(at, end);
    return this.token(isFloating(number) ? 'floating' : 'integer', number, at, space);
  }

  /** A character or string literal that begins at `at`, its quote at `quoteAt`. */
  private literal(at: number, quoteAt: number, space: boolean): PpToken {
    const { text } = this;
    const quote = text.charCodeAt(quoteAt);
    const end = this.literalEnd(quoteAt);
    const kind = quote === Char.DoubleQuote ? 'string' : 'character';
    this.position = end;
    if (this.closed) return this.token(kind, text.slice(at, end), at, space);
    const code = this.inDirective ? 'unterminated-literal-ignored' : 'unterminated-literal';
    this.reporter.report(code, this.start + at, { quote: SINGLE_CHARACTERS[quote]! });
    if (this.inDirective) return this.token('unknown', text.slice(at, end), at, space);
    return this.token(kind, text.slice(at, end), at, space);
  }

  /** The place after the closing quote, or the line's end if there is none. */
  private literalEnd(quoteAt: number): number {
    const { text } = this;
    const quote = text.charCodeAt(quoteAt);
    let end = quoteAt + 1;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (code === quote) {
        this.closed = true;
        return end + 1;
      }
      if (isLineEnd(code)) break;
      if (code === Char.Backslash && !isLineEnd(text.charCodeAt(end + 1))) end++;
    }
    this.closed = false;
    return Math.min(end, text.length);
  }

  private punctuator(code: number, at: number, space: boolean): PpToken {
    const candidates = LONG_PUNCTUATORS.get(code);
    if (candidates) {
      for (const [spelling, meaning] of candidates) {
        if (this.text.startsWith(spelling, at)) {
          this.position = at + spelling.length;
          return this.token('punctuator', meaning, at, space);
        }
      }
    }
    this.position = at + 1;
    return this.token('punctuator', SINGLE_CHARACTERS[code]!, at, space);
  }

  private other(at: number, space: boolean): PpToken {
    const { text } = this;
    if (wideIdentifierLength(text, at) > 0) {
      return this.identifier(at, space);
    }
    // One token for a run of invalid characters, so that there is one message.
    let end = at + 1;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (code !== 0 && (code < 128 ? CLASSES[code] !== Class.Other : wideIdentifierLength(text, end) > 0))
        break;
    }
    this.position = end;
    return this.token('unknown', text.slice(at, end), at, space);
  }

  private skipComment(block: boolean): void {
    const { text } = this;
    const at = this.position;
    if (!block) {
      this.position = lineEnd(text, at);
      return;
    }
    const end = text.indexOf('*/', at + 2);
    if (end < 0) {
      this.reporter.report('unterminated-comment', this.start + at);
      this.position = text.length;
    } else {
      this.position = end + 2;
    }
  }

  private skipNulls(): void {
    this.reporter.report('null-character', this.location);
    while (this.text.charCodeAt(this.position) === 0) this.position++;
  }
}

/** The tokens of a short text that belongs to no file, such as a macro's pasted name. All are at `location`. */
export function lexText(text: string, location: Location, reporter: Reporter): PpToken[] {
  const lexer = new Lexer({ name: '', start: location, text }, reporter);
  const tokens: PpToken[] = [];
  for (let token = lexer.next(); token.kind !== 'end'; token = lexer.next()) {
    tokens.push(new PpToken(token.kind, token.text, location, token.space, false, false));
  }
  return tokens;
}
