// SPDX-License-Identifier: MIT
import type { Location } from '../../diagnostics/diagnostic';

/** The preprocessor's output for the parser: C tokens, with macros expanded and directives removed. */
export type TokenKind =
  | 'identifier' // also keywords: the parser looks them up, because the set of keywords depends on -cl-std
  | 'integer'
  | 'floating'
  | 'character'
  | 'string'
  | 'punctuator'
  | 'pragma' // a pragma that concerns the parser or the checker (FP_CONTRACT, OPENCL EXTENSION, unroll, pack): text is the rest of the line after the word
  | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** The token's spelling; for a string that of one literal, quotes and escapes included (the parser joins them). */
  readonly text: string;
  readonly location: Location;
}
