// SPDX-License-Identifier: MIT
//
// clang's own functions that OpenCL C code written for it uses. Those with control flow or types among their arguments
// are the checker's.
import { custom, extended, type Family, type Row, row } from '../row';

const UNARY =
  'fabs floor ceil sqrt sin cos tan exp exp2 log log2 log10 trunc round rint asin acos atan sinh cosh tanh';
const BINARY = 'fmin fmax pow fmod copysign atan2 hypot fdim';

/** `__builtin_NAMEf` on float, `__builtin_NAME` on double. */
const math = (names: string, parameters: string): Row[] =>
  names
    .split(' ')
    .flatMap((name) => [
      row(`__builtin_${name}f`, `float(${parameters.replaceAll('T', 'float')})`, extended(name)),
      row(`__builtin_${name}`, `double(${parameters.replaceAll('T', 'double')})`, extended(name)),
    ]);

/** On int, and with `l` and `ll` on long. */
const bits = (name: string, instruction: string): Row[] => [
  row(`__builtin_${name}`, 'int(uint)', custom('bit_count', instruction)),
  row(`__builtin_${name}l __builtin_${name}ll`, 'int(ulong)', custom('bit_count', instruction)),
];

export const compilerFunctions: Family = {
  title: "The compiler's functions",
  names: /^__builtin_/,
  rows: () => [
    ...bits('popcount', 'OpBitCount'),
    ...bits('clz', 'clz'),
    ...bits('ctz', 'ctz'),
    row('__builtin_bswap16', 'ushort(ushort)', custom('byte_swap')),
    row('__builtin_bswap32', 'uint(uint)', custom('byte_swap')),
    row('__builtin_bswap64', 'ulong(ulong)', custom('byte_swap')),
    row('__builtin_rotateleft8', 'uchar(uchar, uchar)', extended('rotate')),
    row('__builtin_rotateleft16', 'ushort(ushort, ushort)', extended('rotate')),
    row('__builtin_rotateleft32', 'uint(uint, uint)', extended('rotate')),
    row('__builtin_rotateleft64', 'ulong(ulong, ulong)', extended('rotate')),
    row('__builtin_abs', 'int(int)', extended('s_abs')),
    ...math(UNARY, 'T'),
    ...math(BINARY, 'T, T'),
    ...math('fma', 'T, T, T'),
    row('__builtin_isnan', 'T in float double; int(T)', custom('relational', 'OpIsNan')),
    row('__builtin_isinf', 'T in float double; int(T)', custom('relational', 'OpIsInf')),
    row('__builtin_isfinite', 'T in float double; int(T)', custom('relational', 'OpIsFinite')),
    row('__builtin_isnormal', 'T in float double; int(T)', custom('relational', 'OpIsNormal')),
    row('__builtin_inff __builtin_huge_valf', 'float()', custom('special', 'Infinity')),
    row('__builtin_inf __builtin_huge_val', 'double()', custom('special', 'Infinity')),
    row('__builtin_nanf', 'float(constant const char*)', custom('special', 'NaN')),
    row('__builtin_nan', 'double(constant const char*)', custom('special', 'NaN')),
  ],
};
