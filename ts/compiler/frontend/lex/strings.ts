// SPDX-License-Identifier: MIT
//
// The values of character and string literals (C99, 6.4.4.4 and 6.4.5).
import type { Location } from '../../diagnostics/diagnostic';
import type { Reporter } from '../../diagnostics/reporter';

const SIMPLE_ESCAPES: Readonly<Record<string, number | undefined>> = {
  n: 10,
  t: 9,
  r: 13,
  '0': 0,
  a: 7,
  b: 8,
  f: 12,
  v: 11,
  e: 27,
  '\\': 92,
  "'": 39,
  '"': 34,
  '?': 63,
};

let encoder: InstanceType<typeof TextEncoder> | undefined;

function utf8(text: string): Uint8Array {
  encoder ??= new TextEncoder();
  return encoder.encode(text);
}

/** The bytes of one string literal from the lexer, quotes included; no NUL is added. */
export function stringLiteralBytes(text: string, location: Location, reporter: Reporter): Uint8Array {
  return decode(text, location, reporter, 'string');
}

/**
 * The value of a character literal, of type int: that of a signed char; several characters are combined as in
 * clang.
 */
export function characterLiteralValue(text: string, location: Location, reporter: Reporter): number {
  if (text.startsWith('L')) return text.codePointAt(2) ?? 0;
  const bytes = decode(text, location, reporter, 'character');
  if (bytes.length === 0) {
    reporter.report('empty-character', location);
    return 0;
  }
  if (bytes.length === 1) return (bytes[0]! << 24) >> 24;
  if (bytes.length > 4) reporter.report('character-too-long', location);
  else reporter.report('character-multiple', location);
  let value = 0;
  for (const byte of bytes) value = (value << 8) | byte;
  return value;
}

const ESCAPE = /\\(?:[0-7]{1,3}|x[\da-fA-F]*|u[\da-fA-F]{4}|U[\da-fA-F]{8}|.)/suy;

/** The place of byte `index` of the contents in a string literal from the lexer. */
export function stringOffset(text: string, index: number): number {
  let at = text.startsWith('L') ? 2 : 1;
  for (let bytes = 0; bytes < index && at < text.length - 1; ) {
    ESCAPE.lastIndex = at;
    const sequence = ESCAPE.exec(text)?.[0];
    const isUniversal = sequence !== undefined && /^\\u/i.test(sequence);
    const code = isUniversal ? Number.parseInt(sequence.slice(2), 16) : text.codePointAt(at)!;
    bytes +=
      sequence !== undefined && !isUniversal
        ? 1
        : code < 0x80
          ? 1
          : code < 0x800
            ? 2
            : code < 0x10000
              ? 3
              : 4;
    at += sequence?.length ?? (code > 0xffff ? 2 : 1);
  }
  return at;
}

function decode(
  text: string,
  location: Location,
  reporter: Reporter,
  what: 'string' | 'character',
): Uint8Array {
  const begin = text.startsWith('L') ? 2 : 1;
  const end = text.length - 1;
  const body = text.slice(begin, end);
  if (body.includes('\ufffd')) {
    reporter.report('invalid-utf8-in-literal', location + begin + body.indexOf('\ufffd'), { what });
  }
  if (!body.includes('\\')) return utf8(body);

  const bytes: number[] = [];
  let plain = 0;
  const flush = (to: number) => {
    if (to > plain) for (const byte of utf8(body.slice(plain, to))) bytes.push(byte);
  };
  for (let i = body.indexOf('\\'); i >= 0; i = body.indexOf('\\', i)) {
    flush(i);
    i = decodeEscape(body, i + 1, location + begin, reporter, bytes);
    plain = i;
  }
  flush(body.length);
  return Uint8Array.from(bytes);
}

/** Decodes the escape sequence whose first character after the backslash is at `at`; returns its end. */
function decodeEscape(
  body: string,
  at: number,
  origin: Location,
  reporter: Reporter,
  bytes: number[],
): number {
  const character = body[at] ?? '';
  if (character >= '0' && character <= '7') {
    const digits = /^[0-7]{1,3}/.exec(body.slice(at, at + 3))![0];
    const value = Number.parseInt(digits, 8);
    if (value > 255) reporter.report('escape-out-of-range', origin + at - 1, { what: 'octal' });
    bytes.push(value & 255);
    return at + digits.length;
  }
  if (character === 'x') {
    let end = at + 1;
    let value = 0;
    let tooLarge = false;
    for (; /[\da-fA-F]/.test(body[end] ?? ''); end++) {
      value = value * 16 + Number.parseInt(body[end]!, 16);
      if (value > 255) tooLarge = true;
      value &= 255;
    }
    if (end === at + 1) reporter.report('escape-hex-empty', origin + at - 1);
    else if (tooLarge) reporter.report('escape-out-of-range', origin + at - 1, { what: 'hex' });
    bytes.push(value);
    return end;
  }
  if (character === 'u' || character === 'U') {
    const length = character === 'u' ? 4 : 8;
    const digits = body.slice(at + 1, at + 1 + length);
    const value = Number.parseInt(digits, 16);
    if (
      !/^[\da-fA-F]+$/.test(digits) ||
      digits.length < length ||
      value > 0x10ffff ||
      (value & 0xfffff800) === 0xd800
    ) {
      reporter.report('escape-universal-invalid', origin + at - 1);
      return at + 1;
    }
    for (const byte of utf8(String.fromCodePoint(value))) bytes.push(byte);
    return at + 1 + length;
  }
  const simple = SIMPLE_ESCAPES[character];
  if (simple === undefined) {
    reporter.report('escape-unknown', origin + at - 1, { character });
    const code = body.codePointAt(at) ?? 92;
    const unit = String.fromCodePoint(code);
    for (const byte of utf8(unit)) bytes.push(byte);
    return at + unit.length;
  }
  bytes.push(simple);
  return at + 1;
}
