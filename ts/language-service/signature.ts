// SPDX-License-Identifier: MIT
//
// The call that is being written, with the prototypes of its function.
import { describeBuiltin } from '../compiler/frontend/builtins/describe';
import { describe } from './describe';
import { type OpenDocument, wordAt } from './document';

export interface SignatureHelp {
  readonly prototypes: readonly string[];
  /** The argument that is being written, from 0. */
  readonly argument: number;
}

/** The call around an offset. Uses only the text, because a call that is being written does not compile. */
export function signatureHelp(document: OpenDocument, offset: number): SignatureHelp | undefined {
  const text = withoutLiterals(document.input.text.slice(0, offset));
  let argument = 0;
  let depth = 0;
  for (let at = offset - 1; at >= 0; at--) {
    const character = text[at]!;
    if (character === ')' || character === ']') depth++;
    else if (character === ';' || character === '{' || character === '}') return undefined;
    else if (character === '[') depth--;
    else if (character === ',' && depth === 0) argument++;
    else if (character === '(') {
      if (depth > 0) depth--;
      else return helpFor(document, at, argument);
    }
  }
  return undefined;
}

const LITERAL = /"(?:[^"\\\n]|\\.)*(?:"|$)|'(?:[^'\\\n]|\\.)*'|\/\/.*|\/\*[\s\S]*?(?:\*\/|$)/g;

/** The text with spaces in place of literals and comments, whose commas and parentheses do not count. */
const withoutLiterals = (text: string): string =>
  text.replace(LITERAL, (literal) => ' '.repeat(literal.length));

/** The prototypes of the function whose name is before a parenthesis. */
function helpFor(document: OpenDocument, parenthesis: number, argument: number): SignatureHelp | undefined {
  const before = document.input.text.slice(0, parenthesis).trimEnd();
  const { word } = wordAt(before, before.length);
  if (word === '') return undefined;
  const own = document.names
    .visibleAt(parenthesis)
    .filter(({ name, what }) => name === word && what.kind === 'function');
  const prototypes =
    own.length > 0
      ? own.map(({ name, what }) => describe(name, what))
      : (describeBuiltin(word, document.language)?.prototypes ?? []);
  return prototypes.length === 0 ? undefined : { prototypes, argument };
}
