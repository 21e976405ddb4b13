// SPDX-License-Identifier: MIT
//
// Arguments of printf in OpenCL C, and what C's printf is given in their place.
import type { Chance } from '../chance';

/** A conversion with its argument, in both languages: a vector's components are arguments of their own in C. */
export interface Argument {
  readonly format: string;
  readonly values: readonly string[];
  readonly cFormat: string;
  readonly cValues: readonly string[];
}

/** The number of words that kernels read with `V(i)`. */
export const WORDS = 64;

interface Kind {
  readonly type: string;
  readonly bytes: number;
  readonly letters: string;
  /** The length of a scalar's conversion, that of a vector's. */
  readonly lengths: readonly [string, string];
  /** A component from a word, in OpenCL C and in C. */
  readonly cl: (word: string) => string;
  readonly c: (word: string) => string;
  /** The same in both languages; not for vectors. */
  readonly literals: readonly string[];
}

const cast = (type: string) => (word: string) => `(${type})${word}`;
const SIGNED = 'di';
const UNSIGNED = 'ouxX';
const FLOATS = 'fFeEgGaA';

const integer = (
  type: string,
  bytes: number,
  lengths: Kind['lengths'],
  literals: readonly string[],
): Kind => ({
  type,
  bytes,
  letters: type.startsWith('u') ? UNSIGNED : SIGNED,
  lengths,
  cl: cast(type),
  c: cast(`${type}_`),
  literals,
});

const KINDS: readonly Kind[] = [
  integer('char', 1, ['hh', 'hh'], ["'a'", '300', '-129', '(char)-1']),
  integer('uchar', 1, ['hh', 'hh'], ["'z'", '511', '255']),
  integer('short', 2, ['h', 'h'], ['70000', '-1', '32768']),
  integer('ushort', 2, ['h', 'h'], ['65536', '65535', '(short)-2']),
  integer('int', 4, ['', 'hl'], ['0', '-1', '42', '-2147483647 - 1', 'gid', '2147483647', 'gid > 2', 'TWO']),
  integer('uint', 4, ['', 'hl'], ['0u', '4000000000u', '0xffffffffu', '42', '010']),
  integer(
    'long',
    8,
    ['l', 'l'],
    ['0L', '-1L', '0x7fffffffffffffffL', '-9223372036854775807L - 1', '(long)gid'],
  ),
  integer('ulong', 8, ['l', 'l'], ['0UL', '0xffffffffffffffffUL', '10000000000UL']),
  {
    type: 'half',
    bytes: 2,
    letters: FLOATS,
    lengths: ['', 'h'],
    cl: (word) => `as_half((ushort)${word})`,
    c: (word) => `half_of((ushort_)${word})`,
    literals: [],
  },
  {
    type: 'float',
    bytes: 4,
    letters: FLOATS,
    lengths: ['', 'hl'],
    cl: (word) => `as_float((uint)${word})`,
    c: (word) => `float_of((uint_)${word})`,
    literals: ['0.0f', '-0.0f', '1.5f', '0.1f', '1e38f', '1.0f / 3', '999999.5f', '9.9999995e-5f'],
  },
  {
    type: 'float',
    bytes: 4,
    letters: FLOATS,
    lengths: ['', 'hl'],
    cl: (word) => `(float)(int)(${word} >> 40)`,
    c: (word) => `(float)(int)(${word} >> 40)`,
    literals: ['(float)gid', 'gid * 0.25f', '-2.5f', '0.5f'],
  },
  {
    type: 'double',
    bytes: 8,
    letters: FLOATS,
    lengths: ['', 'l'],
    cl: (word) => `as_double(${word})`,
    c: (word) => `double_of(${word})`,
    literals: ['0.1', '1e300', '5e-324', '123456789.125', '-1e22', '0.0001', '99999.95', '1e23', 'gid / 8.0'],
  },
];

/** What C needs of these arguments. */
export const C_PRELUDE = `#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef signed char char_; typedef unsigned char uchar_; typedef int16_t short_; typedef uint16_t ushort_;
typedef int32_t int_; typedef uint32_t uint_; typedef int64_t long_; typedef uint64_t ulong_;
enum { TWO = 2 };
static float float_of(uint_ bits) { float x; memcpy(&x, &bits, 4); return x; }
static double double_of(ulong_ bits) { double x; memcpy(&x, &bits, 8); return x; }
static double half_of(ushort_ bits) {
  ulong_ sign = (ulong_)(bits >> 15) << 63;
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent == 31) return double_of(sign | 0x7ffull << 52 | (ulong_)fraction << 42);
  if (exponent == 0) return (sign ? -0x1p-24 : 0x1p-24) * fraction;
  return double_of(sign | (ulong_)(exponent + 1008) << 52 | (ulong_)fraction << 42);
}
`;

const LENGTHS_OF_VECTORS = [2, 3, 4, 8, 16];

/** Words of all kinds of numbers. */
export function randomWords(chance: Chance): BigUint64Array {
  const words = new BigUint64Array(WORDS);
  const floats = new Float32Array(2);
  const doubles = new Float64Array(1);
  const bitsOf = (view: ArrayBufferView) => new BigUint64Array(view.buffer)[0]!;
  const small = () => chance.pick([0, 1, -1, 0.5, 1.5, -2.5, 100, 0.001, 999999.5, 1e10, 1e-5, 65504, 3]);
  for (let i = 0; i < WORDS; i++) {
    const low = BigInt(chance.integer(0, 0xffffffff));
    const high = BigInt(chance.integer(0, 0xffffffff));
    switch (chance.integer(0, 5)) {
      case 0:
        words[i] = (high << 32n) | low;
        break;
      case 1:
        floats[0] = small();
        floats[1] = small() * chance.random();
        words[i] = bitsOf(floats);
        break;
      case 2:
        doubles[0] = small() * 10 ** chance.integer(-12, 12);
        words[i] = bitsOf(doubles);
        break;
      case 3:
        words[i] = BigInt.asUintN(64, BigInt(chance.integer(-3, 300)));
        break;
      case 4:
        // Infinities and NaNs of floats and doubles, zeros, the least numbers.
        words[i] = chance.pick([
          0x7ff0000000000000n,
          0xfff0000000000000n,
          0x7ff80000ffc00000n,
          0x7f8000007f800000n,
          0xff80000080000000n,
          0x8000000000000000n,
          1n,
          0x0010000000000000n,
          0x3ff0000000007c00n,
        ]);
        break;
      default:
        words[i] = (high & 0xffffn) * 0x1000100010001n;
    }
  }
  return words;
}

export function randomArgument(chance: Chance): Argument {
  const roll = chance.random();
  if (roll < 0.08) return character(chance);
  if (roll < 0.2) return text(chance);
  return number(chance);
}

function number(chance: Chance): Argument {
  const kind = chance.pick(KINDS);
  const letter = chance.pick([...kind.letters]);
  const spec = flagsOf(chance, letter) + widthOf(chance) + precisionOf(chance);
  const first = chance.integer(0, WORDS - 1);
  if (chance.with(0.65)) {
    // Doubles may have C's length.
    const length = kind.lengths[0] || (kind.type === 'double' && chance.with(0.1) ? 'l' : '');
    const format = `%${spec}${length}${letter}`;
    const literal = kind.literals.length > 0 && chance.with(0.35) ? chance.pick(kind.literals) : undefined;
    const value = literal ?? kind.cl(`V(${first})`);
    return starred(chance, format, value, literal ?? kind.c(`V(${first})`));
  }
  const count = chance.pick(LENGTHS_OF_VECTORS);
  const whole = kind.letters !== FLOATS && kind.bytes * count === 8 && chance.with(0.5);
  const words = Array.from({ length: count }, (_, k) =>
    whole ? `(V(${first}) >> ${k * kind.bytes * 8})` : `V(${first + k * 3})`,
  );
  const each = `%${spec}${kind.lengths[0]}${letter}`;
  return {
    format: `%${spec}v${count}${kind.lengths[1]}${letter}`,
    values: [
      whole
        ? `as_${kind.type}${count}(V(${first}))`
        : `(${kind.type}${count})(${words.map(kind.cl).join(', ')})`,
    ],
    cFormat: words.map(() => each).join(','),
    cValues: words.map(kind.c),
  };
}

/** At times with width and precision as arguments, as in C. */
function starred(chance: Chance, plain: string, value: string, cValue: string): Argument {
  const amounts: string[] = [];
  const format = chance.with(0.85)
    ? plain
    : plain.replace(/(?<=%[-+ #0]*)[1-9]\d*|(?<=\.)\d+/g, () => {
        amounts.push(chance.pick(['gid', `${chance.integer(-12, 12)}`, '(char)5', '4u']));
        return '*';
      });
  return { format, values: [...amounts, value], cFormat: format, cValues: [...amounts, cValue] };
}

function character(chance: Chance): Argument {
  const format = `%${chance.with(0.3) ? '-' : ''}${widthOf(chance)}c`;
  const value = chance.pick(["'x'", '65', '321', '0', '-23', '((int)V(3) & 7) | 96', "'\\n'", "'%'"]);
  return starred(chance, format, value, value);
}

const TEXTS = ['', 'a', 'text', 'a longer text', '%d', '\\\\', '\\"', 'zwölf', '\\377\\200', 'a\\0b', '\\n'];

function text(chance: Chance): Argument {
  const format = `%${chance.with(0.3) ? '-' : ''}${widthOf(chance)}${chance.with(0.5) ? precisionOf(chance) : ''}s`;
  const literal = () => `"${chance.pick(TEXTS)}"`;
  const value = chance.with(0.8)
    ? literal()
    : chance.pick([`(V(1) & 1 ? ${literal()} : ${literal()})`, 'NAME', '(NAME + 2)', '&NAME[1]']);
  return starred(chance, format, value, value);
}

function flagsOf(chance: Chance, letter: string): string {
  // glibc loses zeros of `%#g` where rounding adds a digit.
  const isPlain = 'diugG'.includes(letter);
  const allowed = `-0${UNSIGNED.includes(letter) ? '' : '+ '}${isPlain ? '' : '#'}`;
  let flags = '';
  while (chance.with(0.3)) flags += chance.pick([...allowed]);
  return flags;
}

function widthOf(chance: Chance): string {
  if (chance.with(0.5)) return '';
  return `${chance.with(0.95) ? chance.integer(1, 24) : chance.integer(25, 700)}`;
}

function precisionOf(chance: Chance): string {
  if (chance.with(0.5)) return '';
  if (chance.with(0.1)) return '.';
  return `.${chance.with(0.95) ? chance.integer(0, 20) : chance.integer(21, 700)}`;
}
