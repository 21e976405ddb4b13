// SPDX-License-Identifier: MIT
//
// An open file of an editor: its text, and the diagnostics and names of its last compilation.
import { analyze } from '../compiler/compile';
import type { CompileInput } from '../compiler/compiled';
import type { Diagnostic } from '../compiler/diagnostics/diagnostic';
import type { LanguageOptions } from '../compiler/frontend/language';
import { type NameIndex, NameRecorder } from './name-index';

/** The compiler's input. Its text is a string, as in editors. */
export type SourceInput = Omit<CompileInput, 'text'> & { readonly text: string };

export interface OpenDocument {
  readonly input: SourceInput;
  readonly diagnostics: readonly Diagnostic[];
  readonly names: NameIndex;
  readonly language: LanguageOptions;
}

export function openDocument(input: SourceInput): OpenDocument {
  const recorder = new NameRecorder();
  const { diagnostics, sources, language } = analyze(input, recorder);
  return { input, diagnostics, names: recorder.finish(sources), language };
}

/** The identifier around an offset, or before it; empty if there is none. */
export function wordAt(
  text: string,
  offset: number,
): { readonly begin: number; readonly end: number; readonly word: string } {
  let begin = offset;
  let end = offset;
  while (begin > 0 && isWord(text.charCodeAt(begin - 1))) begin--;
  while (end < text.length && isWord(text.charCodeAt(end))) end++;
  return { begin, end, word: text.slice(begin, end) };
}

/** A letter, a digit or `_`. */
const isWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
