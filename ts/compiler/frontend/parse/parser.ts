// SPDX-License-Identifier: MIT
//
// The state of all productions: the tokens, which names are types, and the state of pragmas and enclosing productions.
import type { Reporter } from '../../diagnostics/reporter';
import type { LanguageOptions } from '../language';
import type { Token } from '../lex/token';
import { TokenCursor } from './cursor';
import { NameScopes } from './names';
import type { Rules } from './rules';

export class Parser extends TokenCursor {
  readonly names: NameScopes;

  // ---- pragmas

  /** Before 1.2 doubles were an extension that programs had to enable. */
  doubleEnabled = false;
  /** `#pragma pack`: the current alignment, and those that `push` saved. */
  pack: number | undefined;
  readonly packs: { readonly pack: number | undefined; readonly label: string }[] = [];

  // ---- declarations

  /** Whether the last specifiers end a declaration although no `;` follows. */
  semicolonAssumed = false;
  /** The names that the current declaration has declared so far; they stay declared after a syntax error. */
  namesSeen: string[] = [];
  /** Whether a function inside the current one was reported. */
  hasInnerFunction = false;

  // ---- statements

  /** Whether the statement that begins here is directly in a block. */
  isListed = false;
  /** The function-wide unique names of block-local labels. */
  localLabels: ReadonlyMap<string, string> = new Map();
  labelCount = 0;

  constructor(
    tokens: readonly Token[],
    language: LanguageOptions,
    reporter: Reporter,
    readonly rules: Rules<Parser>,
  ) {
    super(tokens, language, reporter);
    this.names = new NameScopes(language);
  }
}
