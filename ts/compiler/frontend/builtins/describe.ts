// SPDX-License-Identifier: MIT
//
// A built-in function as an editor shows it.
import type { LanguageOptions } from '../language';
import { type Accuracy, accuracyOf } from './accuracy';
import { prototypeOf } from './prototype';
import { isBuiltinName, resolve } from './resolve';
import { familiesOf } from './table';

export interface BuiltinDescription {
  readonly name: string;
  /** The titles of its sections. */
  readonly families: readonly string[];
  /** One for each form; `floatn` stands for float and its vectors. */
  readonly prototypes: readonly string[];
  /** In ULP; undefined for functions without a limit of their own. */
  readonly accuracy: Accuracy | undefined;
}

/** Undefined if this language has no built-in function of the name. */
export function describeBuiltin(name: string, language: LanguageOptions): BuiltinDescription | undefined {
  if (!isBuiltinName(name, language)) return undefined;
  return {
    name,
    families: familiesOf(name),
    prototypes: collapse(prototypesOf(name, language)),
    accuracy: accuracyOf(name),
  };
}

/** What overload resolution would list for a call that fits none. */
function prototypesOf(name: string, language: LanguageOptions): readonly string[] {
  const resolution = resolve(name, [], language);
  if (resolution.ok) return [prototypeOf(resolution.builtin)];
  return resolution.problem === 'unknown' ? [] : resolution.candidates.map(({ prototype }) => prototype);
}

const ELEMENT = 'u?(?:char|short|int|long)|half|float|double';
const VECTOR = new RegExp(`\\b(${ELEMENT})(?:2|3|4|8|16)\\b`, 'g');
const ANY_WIDTH = new RegExp(`\\b(${ELEMENT})n\\b`, 'g');

/** Joins the prototypes that differ in the width of vectors alone. */
function collapse(prototypes: readonly string[]): string[] {
  const forms = [...new Set(prototypes.map((each) => each.replace(VECTOR, '$1n')))];
  const scalars = new Set(
    forms.filter((form) => form.search(ANY_WIDTH) >= 0).map((form) => form.replace(ANY_WIDTH, '$1')),
  );
  return forms.filter((form) => !scalars.has(form));
}
