// SPDX-License-Identifier: MIT
//
// What an editor shows about the name under the pointer.
import type { Accuracy, Ulp } from '../compiler/frontend/builtins/accuracy';
import { type BuiltinDescription, describeBuiltin } from '../compiler/frontend/builtins/describe';
import { alignOf, sizeOf } from '../compiler/frontend/check/types/layout';
import type { LanguageOptions } from '../compiler/frontend/language';
import { predefinedType } from '../compiler/frontend/predefined-types';
import { commentAbove } from './comment-above';
import { describe } from './describe';
import { type OpenDocument, wordAt } from './document';
import type { Entity } from './name-index';

export interface Hover {
  readonly begin: number;
  readonly end: number;
  /** OpenCL C. */
  readonly code: string;
  /** A sentence or two below it, in Markdown. */
  readonly text: string;
}

/** The description of the name at an offset. */
export function hover(document: OpenDocument, offset: number): Hover | undefined {
  const { begin, end, word } = wordAt(document.input.text, offset);
  if (word === '') return undefined;
  const found = document.names.at(offset);
  if (found !== undefined) {
    const { entity } = found;
    return {
      begin: found.offset,
      end: found.offset + found.length,
      code: describe(entity.name, entity.what),
      text: comment(document, entity),
    };
  }
  const builtin = describeBuiltin(word, document.language);
  if (builtin !== undefined) return { begin, end, ...builtinText(builtin) };
  const type = typeText(word, document.language);
  return type && { begin, end, ...type };
}

/** The comment above the first declaration in this file that has one. */
function comment({ input, names }: OpenDocument, entity: Entity): string {
  for (const { file, offset } of entity.declarations) {
    const found = file === names.file ? commentAbove(input.text, offset) : '';
    if (found !== '') return found;
  }
  return '';
}

/** At most this many prototypes are shown. */
const PROTOTYPE_LIMIT = 12;

export function builtinText({ prototypes, families, accuracy }: BuiltinDescription): {
  readonly code: string;
  readonly text: string;
} {
  // Overloads for floats first, because the accuracy is that of floats.
  const isFloat = (form: string): boolean => /\b(?:half|float|double)/.test(form);
  const ordered = [...prototypes.filter(isFloat), ...prototypes.filter((form) => !isFloat(form))];
  const shown = ordered.slice(0, PROTOTYPE_LIMIT);
  const more = prototypes.length - shown.length;
  const lines = [families.length > 0 ? families.join(', ') : 'Built-in functions'];
  if (
    shown.some((each) => /\b\w+n\b/.test(each) && /(?:char|short|int|long|half|float|double)n\b/.test(each))
  )
    lines.push('`n` is 2, 3, 4, 8 or 16, or nothing');
  if (more > 0) lines.push(`${more} more overloads`);
  if (accuracy?.float !== undefined) lines.push(accuracyText(accuracy));
  return { code: shown.join('\n'), text: lines.join('  \n') };
}

const limitText = (limit: Ulp): string =>
  limit === 0 ? 'exact' : limit === 0.5 ? 'correctly rounded' : `within ${limit} ULP`;

function accuracyText({ float, double }: Accuracy): string {
  if (double === undefined) return `Accuracy for float: ${limitText(float)}`;
  if (double === float) return `Accuracy for float and double: ${limitText(float)}`;
  return `Accuracy: float ${limitText(float)}, double ${limitText(double)}`;
}

function typeText(
  name: string,
  language: LanguageOptions,
): { readonly code: string; readonly text: string } | undefined {
  const type = predefinedType(name, language);
  if (type === undefined) return undefined;
  if (type.kind === 'vector') {
    const bytes = sizeOf(type, language);
    return {
      code: name,
      text: `Vector of ${type.count} ${type.element.scalar}: ${bytes} bytes, aligned to ${alignOf(type, language)}`,
    };
  }
  if (type.kind === 'scalar')
    return { code: name, text: `Same as ${type.scalar}: ${sizeOf(type, language)} bytes` };
  return { code: name, text: 'Type of OpenCL C' };
}
