// SPDX-License-Identifier: MIT
//
// The macros that clang predefines in every language. Programs written for drivers find them there: nearly all of these have
// clang within, and code shared with a host asks for limits and byte order by these names.
import type { LanguageOptions } from '../language';

/** As for SPIR's targets by clang 15. `long` and `long long` are of 64 bits; there is no 128-bit type. */
const PLAIN = `
__clang__ 1
__clang_major__ 15
__clang_minor__ 0
__clang_patchlevel__ 0
__clang_version__ "15.0.0"
__VERSION__ "anycl, as clang 15"
__llvm__ 1
__GNUC__ 4
__GNUC_MINOR__ 2
__GNUC_PATCHLEVEL__ 1
__GNUC_STDC_INLINE__ 1
__STRICT_ANSI__ 1
__STDC_UTF_16__ 1
__STDC_UTF_32__ 1
__NO_MATH_ERRNO__ 1
__USER_LABEL_PREFIX__

__ORDER_LITTLE_ENDIAN__ 1234
__ORDER_BIG_ENDIAN__ 4321
__ORDER_PDP_ENDIAN__ 3412
__BYTE_ORDER__ 1234
__LITTLE_ENDIAN__ 1

__BOOL_WIDTH__ 8
__SIZEOF_SHORT__ 2
__SIZEOF_LONG_LONG__ 8
__SIZEOF_WCHAR_T__ 4
__BIGGEST_ALIGNMENT__ 8
__SCHAR_MAX__ 127
__SHRT_MAX__ 32767
__SHRT_WIDTH__ 16
__INT_MAX__ 2147483647
__INT_WIDTH__ 32
__LONG_MAX__ 9223372036854775807L
__LONG_WIDTH__ 64
__LONG_LONG_MAX__ 9223372036854775807L
__LLONG_WIDTH__ 64
__INTMAX_TYPE__ long
__INTMAX_MAX__ 9223372036854775807L
__INTMAX_WIDTH__ 64
__UINTMAX_TYPE__ unsigned long
__UINTMAX_MAX__ 18446744073709551615UL
__UINTMAX_WIDTH__ 64
__WCHAR_TYPE__ int
__WCHAR_MAX__ 2147483647
__WCHAR_WIDTH__ 32

__FLT_RADIX__ 2
__FLT_DIG__ 6
__FLT_DECIMAL_DIG__ 9
__FLT_MANT_DIG__ 24
__FLT_MAX_10_EXP__ 38
__FLT_MAX_EXP__ 128
__FLT_MIN_10_EXP__ (-37)
__FLT_MIN_EXP__ (-125)
__FLT_MAX__ 3.40282347e+38F
__FLT_MIN__ 1.17549435e-38F
__FLT_EPSILON__ 1.19209290e-7F
__FLT_DENORM_MIN__ 1.40129846e-45F
__FLT_HAS_DENORM__ 1
__FLT_HAS_INFINITY__ 1
__FLT_HAS_QUIET_NAN__ 1
__DBL_DIG__ 15
__DBL_DECIMAL_DIG__ 17
__DBL_MANT_DIG__ 53
__DBL_MAX_10_EXP__ 308
__DBL_MAX_EXP__ 1024
__DBL_MIN_10_EXP__ (-307)
__DBL_MIN_EXP__ (-1021)
__DBL_MAX__ 1.7976931348623157e+308
__DBL_MIN__ 2.2250738585072014e-308
__DBL_EPSILON__ 2.2204460492503131e-16
__DBL_DENORM_MIN__ 4.9406564584124654e-324
__DBL_HAS_DENORM__ 1
__DBL_HAS_INFINITY__ 1
__DBL_HAS_QUIET_NAN__ 1
__DECIMAL_DIG__ 17
__FLT16_DIG__ 3
__FLT16_DECIMAL_DIG__ 5
__FLT16_MANT_DIG__ 11
__FLT16_MAX_10_EXP__ 4
__FLT16_MAX_EXP__ 16
__FLT16_MIN_10_EXP__ (-4)
__FLT16_MIN_EXP__ (-13)
__FLT16_HAS_DENORM__ 1
__FLT16_HAS_INFINITY__ 1
__FLT16_HAS_QUIET_NAN__ 1
`;

const INTEGER_TYPES: Readonly<Record<string, string>> = { 8: 'char', 16: 'short', 32: 'int', 64: 'long' };
/** `__INT_FAST16_TYPE__`, `__UINT8_MAX__`, `__INT_LEAST64_WIDTH__` */
const SIZED = /^__(U?)INT(?:_FAST|_LEAST)?(8|16|32|64)_(TYPE|MAX|WIDTH|C_SUFFIX)__$/;
/** The types that are as wide as a pointer. */
const POINTER_SIZED = /^__(U?INTPTR|PTRDIFF|SIZE|POINTER|SIZEOF_PTRDIFF_T|SIZEOF_SIZE_T)(?:_(MAX|WIDTH))?__$/;

/** The prefixes of these names; no macro of an option has them. */
const TYPE_MACROS = ['__INT', '__UINT', '__PTRDIFF', '__SIZE', '__POINTER', '__LP64__'] as const;

let plain: ReadonlyMap<string, string> | undefined;

/** The replacement text of a macro of this name, which begins and ends with two underscores; undefined if there is none. */
export function compilerMacro(name: string, language: LanguageOptions): string | undefined {
  plain ??= new Map(
    PLAIN.split('\n').map((line) => {
      const blank = line.indexOf(' ');
      return blank < 0 ? [line, ''] : [line.slice(0, blank), line.slice(blank + 1)];
    }),
  );
  const known = plain.get(name);
  if (known !== undefined) return known;
  // Most programs use none of these, and compiling the patterns takes as long as reading a hundred lines.
  const derived = TYPE_MACROS.some((start) => name.startsWith(start));
  if (derived) return sizedMacro(name) ?? pointerMacro(name, language);
  return optionMacro(name, language);
}

function sizedMacro(name: string): string | undefined {
  const [, unsigned, bits = '', what] = SIZED.exec(name) ?? [];
  if (what === 'WIDTH') return unsigned ? undefined : bits;
  if (what === 'TYPE') return `${unsigned ? 'unsigned' : 'signed'} ${INTEGER_TYPES[bits]}`;
  if (what === 'MAX') return maximum(Number(bits), unsigned !== '');
  return what && suffix(Number(bits), unsigned !== '');
}

/** With the suffix of its promoted type. */
function maximum(bits: number, unsigned: boolean): string {
  const value = (1n << BigInt(unsigned ? bits : bits - 1)) - 1n;
  return `${value}${suffix(bits, unsigned)}`;
}

const suffix = (bits: number, unsigned: boolean): string =>
  (unsigned && bits >= 32 ? 'U' : '') + (bits === 64 ? 'L' : '');

function pointerMacro(name: string, { addressBits }: LanguageOptions): string | undefined {
  if (name === '__LP64__') return addressBits === 64 ? '1' : undefined;
  const [, type, what] = POINTER_SIZED.exec(name) ?? [];
  if (type === undefined) return undefined;
  if (type.startsWith('SIZEOF')) return what === undefined ? String(addressBits / 8) : undefined;
  if (what === 'WIDTH') return String(addressBits);
  return what && type !== 'POINTER' ? maximum(addressBits, /^(UINT|SIZE)/.test(type)) : undefined;
}

function optionMacro(name: string, language: LanguageOptions): string | undefined {
  switch (name) {
    case '__FINITE_MATH_ONLY__':
      return language.finiteMathOnly ? '1' : '0';
    case '__FAST_MATH__':
      return language.fastRelaxedMath ? '1' : undefined;
    case '__OPTIMIZE__':
      return language.optDisable ? undefined : '1';
    case '__NO_INLINE__':
      return language.optDisable ? '1' : undefined;
    case '__BLOCKS__':
      return language.version >= 200 && language.features.has('__opencl_c_device_enqueue') ? '1' : undefined;
    default:
      return undefined;
  }
}
