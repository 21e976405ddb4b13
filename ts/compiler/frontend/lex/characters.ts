// SPDX-License-Identifier: MIT
//
// Characters of the source, and what can be read of a text without state and without messages.

export enum Char {
  Tab = 9,
  Newline = 10,
  VerticalTab = 11,
  FormFeed = 12,
  Return = 13,
  Space = 32,
  DoubleQuote = 34,
  Hash = 35,
  Percent = 37,
  SingleQuote = 39,
  LeftParen = 40,
  Star = 42,
  Plus = 43,
  Minus = 45,
  Dot = 46,
  Slash = 47,
  Zero = 48,
  Nine = 57,
  Colon = 58,
  Less = 60,
  Greater = 62,
  UpperL = 76,
  Backslash = 92,
}

export enum Class {
  Other = 0,
  Identifier = 1,
  Digit = 2,
  Space = 3,
  Newline = 4,
  Punctuator = 5,
  Quote = 6,
}

/** The class of each ASCII character. */
export const CLASSES: Uint8Array = (() => {
  const classes = new Uint8Array(128);
  const set = (characters: string, value: Class) => {
    for (const character of characters) classes[character.charCodeAt(0)] = value;
  };
  set('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$', Class.Identifier);
  set('0123456789', Class.Digit);
  set(' \t\v\f', Class.Space);
  set('\n\r', Class.Newline);
  set('!#%&()*+,-./:;<=>?[]^{|}~', Class.Punctuator);
  set('"\'', Class.Quote);
  return classes;
})();

/** Each ASCII character as a string, by its code: the texts of punctuators of one character. */
export const SINGLE_CHARACTERS: readonly string[] = Array.from({ length: 128 }, (_, code) =>
  String.fromCharCode(code),
);

/** Digraphs (C99, 6.4.6) by the token that they represent. */
export const DIGRAPHS: ReadonlyMap<string, string> = new Map([
  ['##', '%:%:'],
  ['[', '<:'],
  [']', ':>'],
  ['{', '<%'],
  ['}', '%>'],
  ['#', '%:'],
]);

/** Longer punctuators by their first character, longest first. Digraphs become the tokens that they represent. */
export const LONG_PUNCTUATORS: ReadonlyMap<number, readonly (readonly [string, string])[]> = (() => {
  const same = '... <<= >>= -> ++ -- << >> <= >= == != && || *= /= %= += -= &= ^= |= ##'.split(' ');
  const all: [string, string][] = same.map((text) => [text, text]);
  for (const [meaning, spelling] of DIGRAPHS) all.push([spelling, meaning]);
  const table = new Map<number, [string, string][]>();
  for (const entry of all.sort((a, b) => b[0].length - a[0].length)) {
    const first = entry[0].charCodeAt(0);
    const list = table.get(first);
    if (list) list.push(entry);
    else table.set(first, [entry]);
  }
  return table;
})();

/** Created on first use: V8 reads all of Unicode's ranges for it. */
let wideIdentifier: RegExp | undefined;
const DECIMAL_EXPONENT = /^[\d.]*[eE]/;

export function isQuote(code: number): boolean {
  return code === Char.DoubleQuote || code === Char.SingleQuote;
}

export function isLineEnd(code: number): boolean {
  return code === Char.Newline || code === Char.Return;
}

/** The place of the next line end, or the end of the text. */
export function lineEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && !isLineEnd(text.charCodeAt(end))) end++;
  return end;
}

/** A line with a space for each comment. */
export function stripComments(line: string): string {
  let result = '';
  for (let at = 0; at < line.length; ) {
    const block = line.indexOf('/*', at);
    const rest = line.indexOf('//', at);
    if (rest >= 0 && (block < 0 || rest < block)) return result + line.slice(at, rest);
    if (block < 0) return result + line.slice(at);
    const end = line.indexOf('*/', block + 2);
    result += `${line.slice(at, block)} `;
    if (end < 0) return result;
    at = end + 2;
  }
  return result;
}

/** UTF-16 units of an identifier's character beyond ASCII; 0 if it is none. */
export function wideIdentifierLength(text: string, at: number): number {
  const code = text.codePointAt(at);
  if (code === undefined || code < 128) return 0;
  wideIdentifier ??= /\p{XID_Continue}/u;
  if (!wideIdentifier.test(String.fromCodePoint(code))) return 0;
  return code > 0xffff ? 2 : 1;
}

/** The place after an identifier that begins at `at`. */
export function identifierEnd(text: string, at: number): number {
  let end = at;
  for (;;) {
    const code = text.charCodeAt(end);
    if (code < 128) {
      const kind = CLASSES[code]!;
      if (kind !== Class.Identifier && kind !== Class.Digit) return end;
      end++;
    } else {
      const length = wideIdentifierLength(text, end);
      if (length === 0) return end;
      end += length;
    }
  }
}

/** The place after a preprocessing number (C99, 6.4.8) that begins at `at`. */
export function numberEnd(text: string, at: number): number {
  for (let end = at + 1; ; end++) {
    const code = text.charCodeAt(end);
    const kind = code < 128 ? CLASSES[code]! : Class.Other;
    if (kind === Class.Identifier || kind === Class.Digit || code === Char.Dot) continue;
    if (code !== Char.Plus && code !== Char.Minus) return end;
    const before = text.charCodeAt(end - 1) | 0x20;
    const hex = text.charCodeAt(at) === Char.Zero && (text.charCodeAt(at + 1) | 0x20) === 0x78;
    // Accepts p+ and p- anywhere, and e+ and e- except in hexadecimal numbers: compilers treat 0xe+1 as a sum,
    // against the standard.
    if (before !== 0x70 && (before !== 0x65 || hex)) return end;
  }
}

/** Whether a preprocessing number is a floating constant. */
export function isFloating(number: string): boolean {
  if (number.length > 1 && (number.charCodeAt(1) | 0x20) === 0x78)
    return number.includes('.') || number.includes('p') || number.includes('P');
  if (number.includes('.')) return true;
  return (number.includes('e') || number.includes('E')) && DECIMAL_EXPONENT.test(number);
}
