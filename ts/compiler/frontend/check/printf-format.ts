// SPDX-License-Identifier: MIT
//
// printf's format (6.15.14): what each conversion wants.

export interface Conversion {
  /** The whole of it, `%v4hlf`. */
  readonly text: string;
  /** Arguments for `*` before the value. */
  readonly stars: number;
  readonly vector: number | undefined;
  readonly length: '' | 'hh' | 'h' | 'hl' | 'l';
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
