// SPDX-License-Identifier: MIT
//
// printf's format (6.15.14): what each conversion wants.

import type { ScalarKind, Type } from '../types';

export interface Conversion {
  /** The whole of it, `%v4hlf`. */
  readonly text: string;
  /** Arguments for `*` before the value. */
  readonly stars: number;
  readonly vector: number | undefined;
  readonly length: '' | 'hh' | 'h' | 'hl' | 'l' | 'll' | 'L' | 'z' | 'j' | 't';
  readonly specifier: string;
  /** Offset in the format. */
  readonly at: number;
}

const CONVERSION = /%([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+)?)?(?:v(2|3|4|8|16))?(hh|hl|h|ll|l|z|j|t|L)?(.)?/gs;

/** The conversions of a format; `%%` is none. `broken` has the offset of the first that is wrong. */
export function readFormat(format: string): { conversions: Conversion[]; broken: Conversion | undefined } {
  const conversions: Conversion[] = [];
  let broken: Conversion | undefined;
  for (const match of format.matchAll(CONVERSION)) {
    const [text, , width, precision, vector, length = '', specifier = ''] = match;
    if (text === '%%') continue;
    const stars = (width === '*' ? 1 : 0) + (precision === '*' ? 1 : 0);
    const conversion: Conversion = {
      text,
      stars,
      vector: vector === undefined ? undefined : Number(vector),
      length: length as Conversion['length'],
      specifier,
      at: match.index,
    };
    if (specifier === '' || !'diouxXfFeEgGaAcsp'.includes(specifier)) broken ??= conversion;
    conversions.push(conversion);
  }
  return { conversions, broken };
}

/** The element of a vector that a conversion wants, where a length modifier or its absence says it. */
export function vectorElement({ specifier, length }: Conversion): string | undefined {
  const table: Readonly<Record<string, string | undefined>> = 'fFeEgGaA'.includes(specifier)
    ? { '': 'double', l: 'double', hl: 'float', h: 'half' }
    : 'diouxX'.includes(specifier)
      ? { '': 'int', hl: 'int', hh: 'char', h: 'short', l: 'long' }
      : {};
  return table[length];
}

/** Signed and unsigned go both. */
export const isElement = (scalar: ScalarKind, wanted: string): boolean =>
  scalar === wanted || scalar === `u${wanted}`;

export const isAddress = ({ kind }: Type): boolean => kind === 'pointer' || kind === 'array';

/** A pointer to characters, which `%s` wants. */
export function isText(type: Type): boolean {
  const pointee = type.kind === 'pointer' ? type.pointee : type.kind === 'array' ? type.element : undefined;
  return pointee?.type.kind === 'scalar' && isElement(pointee.type.scalar, 'char');
}
