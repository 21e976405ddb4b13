// SPDX-License-Identifier: MIT
import type { Location } from '../../diagnostics/diagnostic';
import type { TokenKind } from './token';

/** Kinds that only the preprocessor sees: the end of a directive's line, and a character that begins no token. */
export type PpKind = TokenKind | 'newline' | 'unknown';

/** A preprocessing token. Those that reach the parser are `Token`s. */
export class PpToken {
  constructor(
    readonly kind: PpKind,
    readonly text: string,
    readonly location: Location,
    /** White space or a comment precedes it. */
    readonly space: boolean,
    /** It is the first of its line. */
    readonly lineStart: boolean,
    /** A macro's name that must not be expanded again: it results from that macro's expansion. */
    readonly painted: boolean,
  ) {}

  /** The same token at another place. */
  at(location: Location, space: boolean): PpToken {
    return new PpToken(this.kind, this.text, location, space, false, this.painted);
  }

  paint(): PpToken {
    return new PpToken(this.kind, this.text, this.location, this.space, this.lineStart, true);
  }

  get end(): Location {
    return this.location + this.text.length;
  }
}
