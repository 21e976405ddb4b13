// SPDX-License-Identifier: MIT
//
// clang's own functions that OpenCL C code written for it uses. Those with control flow or types among their arguments
// are the checker's.
import { custom, extended, type Family, type Row, row, startingWith } from '../row';

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

const COMPARISONS = [
  ['isgreater', 'OpFOrdGreaterThan'],
  ['isgreaterequal', 'OpFOrdGreaterThanEqual'],
  ['isless', 'OpFOrdLessThan'],
  ['islessequal', 'OpFOrdLessThanEqual'],
  ['islessgreater', 'OpFOrdNotEqual'],
  ['isunordered', 'OpUnordered'],
] as const;

/** `__builtin_elementwise_NAME`: operands, then the instruction for floating-point, signed and unsigned values. */
const ELEMENTWISE: readonly (readonly [
  name: string,
  operands: 1 | 2 | 3,
  float?: string,
  signed?: string,
  unsigned?: string,
])[] = [
  ['abs', 1, 'fabs', 's_abs'],
  ...'ceil floor trunc round rint sin cos tan asin acos atan sinh cosh tanh exp exp2 log log2 log10 sqrt'
    .split(' ')
    .map((name) => [name, 1, name] as const),
  ['roundeven', 1, 'rint'],
  ['nearbyint', 1, 'rint'],
  ['max', 2, 'fmax', 's_max', 'u_max'],
  ['min', 2, 'fmin', 's_min', 'u_min'],
  ['pow', 2, 'pow'],
  ['copysign', 2, 'copysign'],
  ['fma', 3, 'fma'],
  ['add_sat', 2, undefined, 's_add_sat', 'u_add_sat'],
  ['sub_sat', 2, undefined, 's_sub_sat', 'u_sub_sat'],
];

function elementwise([name, operands, float, signed, unsigned]: (typeof ELEMENTWISE)[number]): Row[] {
  const rows: Row[] = [];
  for (const [variable, instruction] of [
    ['F', float],
    ['S', signed],
    ['U', unsigned],
  ] as const) {
    if (instruction === undefined) continue;
    const list = new Array<string>(operands).fill(`${variable}n`).join(', ');
    rows.push(row(`__builtin_elementwise_${name}`, `${variable}n(${list})`, extended(instruction)));
  }
  return rows;
}

/** `__builtin_reduce_NAME` over integers: the instruction for signed ones, and for unsigned ones where it differs. */
const REDUCTIONS: readonly (readonly [name: string, signed: string, unsigned?: string])[] = [
  ['max', 's_max', 'u_max'],
  ['min', 's_min', 'u_min'],
  ['add', 'OpIAdd'],
  ['mul', 'OpIMul'],
  ['xor', 'OpBitwiseXor'],
  ['or', 'OpBitwiseOr'],
  ['and', 'OpBitwiseAnd'],
];

/**
 * GNU's atomics, on plain integers. Those of `__sync` are sequentially consistent; those of `__atomic` have an order
 * argument.
 */
const SYNC = [
  ['add', 'OpAtomicIAdd'],
  ['sub', 'OpAtomicISub'],
  ['or', 'OpAtomicOr'],
  ['and', 'OpAtomicAnd'],
  ['xor', 'OpAtomicXor'],
] as const;
const WORDS = 'T in int uint long ulong';
const SYNC_UPDATE = `${WORDS}; T(W volatile T*, T)`;
const ATOMIC_UPDATE = `${WORDS}; T(W volatile T*, T, int)`;

export const compilerFunctions: Family = {
  title: "The compiler's functions",
  computes: true,
  mayHave: startingWith('__builtin_', '__sync_', '__atomic_', '__anycl_'),
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
    row('__builtin_rotateright8', 'uchar(uchar, uchar)', custom('rotate_right')),
    row('__builtin_rotateright16', 'ushort(ushort, ushort)', custom('rotate_right')),
    row('__builtin_rotateright32', 'uint(uint, uint)', custom('rotate_right')),
    row('__builtin_rotateright64', 'ulong(ulong, ulong)', custom('rotate_right')),
    row('__builtin_bitreverse8', 'uchar(uchar)', custom('bit_reverse')),
    row('__builtin_bitreverse16', 'ushort(ushort)', custom('bit_reverse')),
    row('__builtin_bitreverse32', 'uint(uint)', custom('bit_reverse')),
    row('__builtin_bitreverse64', 'ulong(ulong)', custom('bit_reverse')),
    row('__builtin_ffs', 'int(int)', custom('find_first_set')),
    row('__builtin_ffsl __builtin_ffsll', 'int(long)', custom('find_first_set')),
    row('__builtin_parity', 'int(uint)', custom('parity')),
    row('__builtin_parityl __builtin_parityll', 'int(ulong)', custom('parity')),
    row('__builtin_clrsb', 'int(int)', custom('redundant_signs')),
    row('__builtin_clrsbl __builtin_clrsbll', 'int(long)', custom('redundant_signs')),
    row('__builtin_abs', 'int(int)', extended('s_abs')),
    row('__builtin_labs __builtin_llabs', 'long(long)', extended('s_abs')),
    ...math(UNARY, 'T'),
    ...math(BINARY, 'T, T'),
    ...math('fma', 'T, T, T'),
    row('__builtin_powif', 'float(float, int)', extended('pown')),
    row('__builtin_powi', 'double(double, int)', extended('pown')),
    ...COMPARISONS.map(([name, opcode]) =>
      row(`__builtin_${name}`, 'T in float double; int(T, T)', custom('relational', opcode)),
    ),
    row('__builtin_signbit', 'T in float double; int(T)', custom('relational', 'OpSignBitSet')),
    row('__builtin_signbitf', 'int(float)', custom('relational', 'OpSignBitSet')),
    row('__builtin_signbitl', 'int(double)', custom('relational', 'OpSignBitSet')),
    row('__builtin_isnan', 'T in float double; int(T)', custom('relational', 'OpIsNan')),
    row('__builtin_isinf', 'T in float double; int(T)', custom('relational', 'OpIsInf')),
    row('__builtin_isfinite', 'T in float double; int(T)', custom('relational', 'OpIsFinite')),
    row('__builtin_isnormal', 'T in float double; int(T)', custom('relational', 'OpIsNormal')),
    row('__builtin_inff __builtin_huge_valf', 'float()', custom('special', 'Infinity')),
    row('__builtin_inf __builtin_huge_val', 'double()', custom('special', 'Infinity')),
    row('__builtin_nanf', 'float(constant const char*)', custom('special', 'NaN')),
    row('__builtin_nan', 'double(constant const char*)', custom('special', 'NaN')),
    ...ELEMENTWISE.flatMap(elementwise),
    ...REDUCTIONS.flatMap(([name, signed, unsigned = signed]) => [
      row(`__builtin_reduce_${name}`, 'S(Sv)', custom('reduce', signed)),
      row(`__builtin_reduce_${name}`, 'U(Uv)', custom('reduce', unsigned)),
    ]),
    row('__builtin_reduce_max', 'F(Fv)', custom('reduce', 'fmax')),
    row('__builtin_reduce_min', 'F(Fv)', custom('reduce', 'fmin')),
    ...['add', 'sub', 'mul'].flatMap((name) => [
      row(`__builtin_${name}_overflow`, 'int(S, S, P S*)', custom('overflow', `${name} signed`)),
      row(`__builtin_${name}_overflow`, 'int(U, U, P U*)', custom('overflow', `${name} unsigned`)),
      ...[
        ['s', '', 'int', 'signed'],
        ['s', 'l', 'long', 'signed'],
        ['s', 'll', 'long', 'signed'],
        ['u', '', 'uint', 'unsigned'],
        ['u', 'l', 'ulong', 'unsigned'],
        ['u', 'll', 'ulong', 'unsigned'],
      ].map(([sign, length, type, kind]) =>
        row(
          `__builtin_${sign}${name}${length}_overflow`,
          `int(${type}, ${type}, P ${type}*)`,
          custom('overflow', `${name} ${kind}`),
        ),
      ),
    ]),
    row(
      '__builtin_memcpy __builtin_memcpy_inline',
      'P void*(P void*, Q const void*, size_t)',
      custom('copy_bytes'),
    ),
    row('__builtin_memmove', 'P void*(P void*, Q const void*, size_t)', custom('move_bytes')),
    row('__builtin_memset', 'P void*(P void*, int, size_t)', custom('fill_bytes')),
    row('__builtin_bzero', 'void(P void*, size_t)', custom('fill_bytes', 'zero')),
    row('__builtin_memcmp', 'int(Q const void*, Q const void*, size_t)', custom('compare_bytes')),
    ...SYNC.flatMap(([name, opcode]) => [
      row(`__sync_fetch_and_${name}`, SYNC_UPDATE, custom('atomic', opcode)),
      row(`__sync_${name}_and_fetch`, SYNC_UPDATE, custom('atomic_then', opcode)),
      row(`__atomic_fetch_${name}`, ATOMIC_UPDATE, custom('atomic', opcode)),
      row(`__atomic_${name}_fetch`, ATOMIC_UPDATE, custom('atomic_then', opcode)),
    ]),
    row('__sync_lock_test_and_set', SYNC_UPDATE, custom('atomic', 'OpAtomicExchange')),
    row('__sync_lock_release', `${WORDS}; void(W volatile T*)`, custom('atomic_clear')),
    row('__sync_val_compare_and_swap', `${WORDS}; T(W volatile T*, T, T)`, custom('sync_exchange', 'value')),
    row('__sync_bool_compare_and_swap', `${WORDS}; bool(W volatile T*, T, T)`, custom('sync_exchange')),
    row('__sync_synchronize', 'void()', custom('full_barrier')),
    row('__atomic_load_n', `${WORDS}; T(W volatile T*, int)`, custom('atomic', 'OpAtomicLoad')),
    row('__atomic_store_n', `${WORDS}; void(W volatile T*, T, int)`, custom('atomic', 'OpAtomicStore')),
    row('__atomic_exchange_n', ATOMIC_UPDATE, custom('atomic', 'OpAtomicExchange')),
    row(
      '__atomic_compare_exchange_n',
      `${WORDS}; bool(W volatile T*, P T*, T, bool, int, int)`,
      custom('atomic_exchange_if_equal'),
    ),
    row('__atomic_thread_fence __atomic_signal_fence', 'void(int)', custom('full_barrier')),
    row('__builtin_trap', 'void()', custom('trap')),
    // What `assert` is in a checked run.
    row('__anycl_assert', 'void(int, constant const char*)', custom('assert')),
  ],
};
