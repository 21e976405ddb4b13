// SPDX-License-Identifier: MIT
import { render } from '../../diagnostics/render';
import { DEFAULT_WARNINGS, Reporter } from '../../diagnostics/reporter';
import { SourceMap } from '../../diagnostics/source-map';
import { parseFloatLiteral, parseIntegerLiteral } from './numbers';
import { characterLiteralValue, stringLiteralBytes } from './strings';

function context(text: string) {
  const sources = new SourceMap();
  const file = sources.addFile('a.cl', text);
  const reporter = new Reporter(sources, {
    ...DEFAULT_WARNINGS,
    flags: new Map([['gnu-binary-literal', true]]),
  });
  return { reporter, location: file.start, log: () => render(reporter.diagnostics).split('\n')[0]! };
}
function integer(text: string) {
  const { reporter, location, log } = context(text);
  const literal = parseIntegerLiteral(text, location, reporter);
  return literal && log() === '' ? `${literal.type} ${literal.value}` : log();
}
function floating(text: string) {
  const { reporter, location, log } = context(text);
  const literal = parseFloatLiteral(text, location, reporter, 'double');
  return literal && log() === '' ? [literal.type, literal.value] : log();
}

test.each([
  ['0', 'int 0'],
  ['2147483647', 'int 2147483647'],
  ['2147483648', 'long 2147483648'],
  ['0x80000000', 'uint 2147483648'],
  ['017', 'int 15'],
  ['0xFFu', 'uint 255'],
  ['4294967296u', 'ulong 4294967296'],
  ['1UL', 'ulong 1'],
  ['1lu', 'ulong 1'],
  ['1LL', 'long 1'],
  ['0xffffffffffffffff', 'ulong 18446744073709551615'],
  ['00000000000000000000000000000000000000000000000000000000000000000000000001', 'int 1'],
  [
    '18446744073709551615',
    'a.cl:1:1: warning: integer literal is too large to be represented in a signed integer type, interpreting as unsigned [-Wimplicitly-unsigned-literal]',
  ],
  [
    '18446744073709551616',
    "a.cl:1:1: warning: implicit conversion to 'ulong' changes value from 18446744073709551616 to 0 [-Wconstant-conversion]",
  ],
  [
    '340282366920938463463374607431768211456',
    'a.cl:1:1: error: integer literal is too large to be represented in any integer type',
  ],
  ['08', "a.cl:1:2: error: invalid digit '8' in octal constant"],
  ['0b12', "a.cl:1:4: error: invalid digit '2' in binary constant"],
  ['0b11', 'a.cl:1:1: warning: binary integer literals are a GNU extension [-Wgnu-binary-literal]'],
  ['1lL', "a.cl:1:2: error: invalid suffix 'lL' on integer constant"],
  ['12abc', "a.cl:1:3: error: invalid suffix 'abc' on integer constant"],
  ['1f', "a.cl:1:2: error: invalid suffix 'f' on integer constant"],
  ['0x', "a.cl:1:2: error: invalid suffix 'x' on integer constant"],
])('integer %s', (text, expected) => expect(integer(text)).toBe(expected));

test.each([
  ['0x1.fffffffffffffp1023', ['double', Number.MAX_VALUE]],
  ['0x1p-1074', ['double', Number.MIN_VALUE]],
  ['1.', ['double', 1]],
  ['.5f', ['float', 0.5]],
  ['1e3', ['double', 1000]],
  ['1.5q', ['double', 1.5]],
  ['1.5h', ['half', 1.5]],
  ['0x1.8p1', ['double', 3]],
  ['0x.8p-1F', ['float', 0.25]],
  ['0x1.fffffep127f', ['float', 3.4028234663852886e38]],
  ['0.1f', ['float', Math.fround(0.1)]],
  // Rounded to double first, it is halfway between two floats and would round to the even one.
  ['1.00000005960464477540f', ['float', 1.0000001192092896]],
  ['1.00000005960464477539f', ['float', 1]],
  ['1.000000059604644775390625f', ['float', 1]],
  ['0x1.00000100000000001p0f', ['float', 1.0000001192092896]],
  ['0x1.000001p0f', ['float', 1]],
  ['0x1p-149f', ['float', 2 ** -149]],
  ['0x1.8p-150f', ['float', 2 ** -149]],
  ['0x1p-1074', ['double', 5e-324]],
  ['5.9604645e-8h', ['half', 2 ** -24]],
  ['65519.99h', ['half', 65504]],
  [
    '65520.0h',
    "a.cl:1:1: warning: magnitude of floating-point constant too large for type 'half'; maximum is 6.5504E+4 [-Wliteral-range]",
  ],
  [
    '1e39f',
    "a.cl:1:1: warning: magnitude of floating-point constant too large for type 'float'; maximum is 3.40282347E+38 [-Wliteral-range]",
  ],
  [
    '3.4028235677973367e38f',
    "a.cl:1:1: warning: magnitude of floating-point constant too large for type 'float'; maximum is 3.40282347E+38 [-Wliteral-range]",
  ],
  ['3.4028235677973366e38f', ['float', 3.4028234663852886e38]],
  [
    '1e-46f',
    "a.cl:1:1: warning: magnitude of floating-point constant too small for type 'float'; minimum is 1.40129846E-45 [-Wliteral-range]",
  ],
  [
    '1e400',
    "a.cl:1:1: warning: magnitude of floating-point constant too large for type 'double'; maximum is 1.7976931348623157E+308 [-Wliteral-range]",
  ],
  ['1e+', 'a.cl:1:2: error: exponent has no digits'],
  ['0x1.8', 'a.cl:1:1: error: hexadecimal floating constant requires an exponent'],
  ['0x.p1', 'a.cl:1:1: error: hexadecimal floating constant requires a significand'],
  ['1.0w', "a.cl:1:4: error: invalid suffix 'w' on floating constant"],
  ['1.0.0', "a.cl:1:4: error: invalid suffix '.0' on floating constant"],
])('floating %s', (text, expected) => expect(floating(text)).toEqual(expected));

test('decimal floats are rounded once, whatever they are', () => {
  // Midpoints of neighbouring floats, slightly increased or decreased by exact arithmetic.
  for (let i = 0; i < 2000; i++) {
    const significand = 0x800000 + ((i * 2654435761) % 0x800000);
    const exponent = (i % 200) - 120;
    const middle = BigInt(significand) * 2n + 1n;
    const scale = exponent - 1;
    const digits = scale >= 0 ? middle << BigInt(scale) : middle * 5n ** BigInt(-scale);
    const power = Math.min(scale, 0);
    const text = (hair: string) => `${digits}${hair}e${power - hair.length}f`;
    const below = significand * 2 ** exponent;
    const above = (significand + 1) * 2 ** exponent;
    expect(floating(`${text('001')}`)).toEqual(['float', above]);
    expect(floating(`${digits - 1n}999e${power - 3}f`)).toEqual(['float', below]);
    expect(floating(text(''))).toEqual(['float', significand % 2 === 0 ? below : above]);
  }
});

test('strings and characters', () => {
  const bytes = (text: string) => {
    const { reporter, location, log } = context(text);
    return log() || [...stringLiteralBytes(text, location, reporter)];
  };
  expect(bytes('"ab"')).toEqual([97, 98]);
  expect(bytes(String.raw`"\n\t\\\"\x41\1012\0"`)).toEqual([10, 9, 92, 34, 0x41, 65, 50, 0]);
  expect(bytes('"é"')).toEqual([0xc3, 0xa9]);
  expect(bytes(String.raw`"\u00e9x"`)).toEqual([0xc3, 0xa9, 120]);
  const character = (text: string) => {
    const { reporter, location, log } = context(text);
    const value = characterLiteralValue(text, location, reporter);
    return log() || value;
  };
  expect(character("'a'")).toBe(97);
  expect(character(String.raw`'\xff'`)).toBe(-1);
  expect(character(String.raw`'\''`)).toBe(39);
  expect(character("''")).toMatch(/empty character constant/);
  expect(character("'ab'")).toMatch(/multi-character character constant \[-Wmultichar\]/);
  expect(character(String.raw`'\q'`)).toMatch(/unknown escape sequence '\\q'/);
  expect(character(String.raw`'\x'`)).toMatch(/\\x used with no following hex digits/);
  expect(character(String.raw`'\400'`)).toMatch(/octal escape sequence out of range/);
});
