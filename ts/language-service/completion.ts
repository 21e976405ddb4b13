// SPDX-License-Identifier: MIT
//
// What may follow at a place: names, members, keywords, macros.
import { allBuiltinNames, isBuiltinName } from '../compiler/frontend/builtins';
import { keywordsOf } from '../compiler/frontend/parse/keywords';
import { COUNTS, ELEMENTS, predefinedTypeNames } from '../compiler/frontend/predefined-types';
import type { Type } from '../compiler/frontend/types';
import { describe } from './describe';
import { type OpenDocument, openDocument, wordAt } from './document';

export interface Completion {
  readonly name: string;
  readonly kind: 'function' | 'builtin' | 'variable' | 'field' | 'type' | 'keyword' | 'macro' | 'constant';
  /** One line of OpenCL C; empty if the name alone says enough. For built-ins, see `builtinText`. */
  readonly detail: string;
}

/** A name that no program uses. It takes the place of the member's name that is to be completed. */
const PLACEHOLDER = 'anycl_completes_this';

/** The completions of the name before `offset`. */
export function completions(document: OpenDocument, offset: number): readonly Completion[] {
  const { text } = document.input;
  const { begin } = wordAt(text.slice(0, offset), offset);
  const prefix = text.slice(begin, offset);
  if (/^\d/.test(prefix)) return [];
  const before = text.slice(0, begin).trimEnd();
  const list =
    before.endsWith('->') || (before.endsWith('.') && !/(?:^|[^\w)\]])\d+\.$/.test(before))
      ? members(document, begin, offset)
      : names(document, begin, prefix);
  return list.filter(({ name }) => name.startsWith(prefix));
}

function members(document: OpenDocument, begin: number, end: number): readonly Completion[] {
  const { input } = document;
  const text = `${input.text.slice(0, begin)}${PLACEHOLDER};${input.text.slice(end)}`;
  const object = openDocument({ ...input, text }).names.objectAt(begin);
  return object === undefined ? [] : membersOf(object);
}

const COMPONENTS = ['x', 'y', 'z', 'w'];
const HALVES = ['lo', 'hi', 'even', 'odd'];

function membersOf(type: Type): readonly Completion[] {
  if (type.kind === 'record') {
    return (type.fields ?? []).flatMap(({ name, type: field }) =>
      name === undefined
        ? membersOf(field.type)
        : [
            {
              name,
              kind: 'field' as const,
              detail: describe(name, { kind: 'field', identity: field, record: type, type: field }),
            },
          ],
    );
  }
  if (type.kind !== 'vector') return [];
  const { count, element } = type;
  const parts = [
    ...COMPONENTS.slice(0, Math.min(count, 4)),
    ...Array.from({ length: count }, (_, i) => `s${i.toString(16)}`),
  ];
  return [
    ...parts.map((name) => ({ name, kind: 'field' as const, detail: element.scalar })),
    ...HALVES.map((name) => ({
      name,
      kind: 'field' as const,
      detail: count === 2 ? element.scalar : `${element.scalar}${count === 3 ? 2 : count / 2}`,
    })),
  ];
}

const KIND_OF = {
  function: 'function',
  variable: 'variable',
  typedef: 'type',
  enumerator: 'constant',
  macro: 'macro',
} as const;

function names(document: OpenDocument, offset: number, prefix: string): readonly Completion[] {
  const { language } = document;
  const found = new Map<string, Completion>();
  const add = (completion: Completion) => {
    if (!found.has(completion.name)) found.set(completion.name, completion);
  };
  for (const { name, what } of document.names.visibleAt(offset))
    if (what.kind !== 'field' && what.kind !== 'tag')
      add({ name, kind: KIND_OF[what.kind], detail: describe(name, what) });
  for (const name of keywordsOf(language).keys()) add({ name, kind: 'keyword', detail: '' });
  for (const name of predefinedTypeNames(language)) add({ name, kind: 'type', detail: '' });
  // There are more built-in functions than an editor can show.
  if (prefix !== '')
    for (const name of builtinNames(prefix))
      if (isBuiltinName(name, language)) add({ name, kind: 'builtin', detail: '' });
  return [...found.values()];
}

const WIDTHS = ['', ...COUNTS];

/** The built-in functions that begin with a prefix. The names of conversions are composed of names of types. */
function* builtinNames(prefix: string): Iterable<string> {
  for (const name of allBuiltinNames()) if (name.startsWith(prefix)) yield name;
  if (!prefix.startsWith('co') && !'convert_'.startsWith(prefix)) return;
  for (const element of ELEMENTS)
    for (const width of WIDTHS) {
      const name = `convert_${element}${width}`;
      if (name.startsWith(prefix)) yield name;
      for (const suffix of ['_sat', '_rte', '_rtz', '_rtp', '_rtn'])
        if (prefix.startsWith(name)) yield `${name}${suffix}`;
    }
}
