// SPDX-License-Identifier: MIT
//
// What all directives need: the preprocessor as they see it, and the parts of a directive's line that several of them have.
import type { Reporter } from '../../diagnostics/reporter';
import type { MappedFile } from '../../diagnostics/source-map';
import type { Lexer } from '../lex/lexer';
import type { PpToken } from '../lex/pp-token';
import type { NameObserver } from '../name-observer';
import type { Macro } from './macro';

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

/** The name after `define`, `undef` or `ifdef`. Undefined after an error; then the line is consumed. */
export function readMacroName(host: DirectiveHost): PpToken | undefined {
  const { lexer, reporter } = host;
  const name = lexer.next();
  if (name.kind === 'identifier' && name.text !== 'defined') return name;
  if (name.kind === 'newline') reporter.report('macro-name-missing', name.location);
  else if (name.kind === 'identifier') {
    reporter.report('macro-name-reserved', name.location, { name: name.text });
  } else reporter.report('macro-name-not-identifier', name.location);
  lexer.skipLine();
  return undefined;
}

/** Consumes the rest of a directive's line, which should be empty. */
export function finishLine(host: DirectiveHost, word: PpToken): void {
  const { lexer } = host;
  if (!lexer.inDirective) return;
  const token = lexer.next();
  if (token.kind === 'newline') return;
  host.reporter.report('extra-tokens', token.location, { directive: word.text });
  lexer.skipLine();
}
