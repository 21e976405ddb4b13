// SPDX-License-Identifier: MIT
import { custom, type Family, type LoweringRule, type Row, row, startingWith, under } from '../row';

const lowered = (opcode: string): LoweringRule => custom('atomic_legacy', opcode);

/** One operation of OpenCL 1.x under both names: `atomic_` on 32 bits in the core, `atom_` by the extensions. */
function legacy(operation: string, parameters: string, signed: string, unsigned: string, set: string): Row[] {
  const signature = (type: string, space: string) =>
    `T in ${type}; T(${space} volatile T*${parameters.replaceAll('V', 'T')})`;
  const both = (name: string, ints: string, uints: string, space: string): Row[] => [
    row(name, signature(ints, space), lowered(signed)),
    row(name, signature(uints, space), lowered(unsigned)),
  ];
  return [
    ...both(`atomic_${operation}`, 'int', 'uint', 'L'),
    ...under(`cl_khr_global_int32_${set}_atomics`, ...both(`atom_${operation}`, 'int', 'uint', 'global')),
    ...under(`cl_khr_local_int32_${set}_atomics`, ...both(`atom_${operation}`, 'int', 'uint', 'local')),
    ...under(`cl_khr_int64_${set}_atomics`, ...both(`atom_${operation}`, 'long', 'ulong', 'L')),
  ];
}

export const legacyAtomics: Family = {
  title: 'Atomic functions of OpenCL C 1.x',
  mayHave: startingWith('atom'),
  rows: () => [
    ...legacy('add', ', V', 'OpAtomicIAdd', 'OpAtomicIAdd', 'base'),
    ...legacy('sub', ', V', 'OpAtomicISub', 'OpAtomicISub', 'base'),
    ...legacy('xchg', ', V', 'OpAtomicExchange', 'OpAtomicExchange', 'base'),
    row('atomic_xchg', 'float(L volatile float*, float)', lowered('OpAtomicExchange')),
    ...legacy('inc', '', 'OpAtomicIIncrement', 'OpAtomicIIncrement', 'base'),
    ...legacy('dec', '', 'OpAtomicIDecrement', 'OpAtomicIDecrement', 'base'),
    ...legacy('cmpxchg', ', V, V', 'OpAtomicCompareExchange', 'OpAtomicCompareExchange', 'base'),
    ...legacy('min', ', V', 'OpAtomicSMin', 'OpAtomicUMin', 'extended'),
    ...legacy('max', ', V', 'OpAtomicSMax', 'OpAtomicUMax', 'extended'),
    ...legacy('and', ', V', 'OpAtomicAnd', 'OpAtomicAnd', 'extended'),
    ...legacy('or', ', V', 'OpAtomicOr', 'OpAtomicOr', 'extended'),
    ...legacy('xor', ', V', 'OpAtomicXor', 'OpAtomicXor', 'extended'),
  ],
};

const INT64 = 'cl_khr_int64_base_atomics & cl_khr_int64_extended_atomics';
/** The conditions of a function with the default order and scope, and of one with only the default scope. */
const SEQ_CST = 'CL2.0 & __opencl_c_atomic_order_seq_cst & __opencl_c_atomic_scope_device';
const DEVICE = 'CL2.0 & __opencl_c_atomic_scope_device';

/** `name` and `name_explicit` with one or `orders` memory orders and an optional scope. */
function forms(
  name: string,
  signature: string,
  lowering: LoweringRule,
  when?: string,
  orders: 1 | 2 = 1,
): readonly Row[] {
  const open = signature.slice(0, -1);
  const order = orders === 1 ? 'int' : 'int, int';
  const rows = [
    ...under(SEQ_CST, row(name, signature, lowering)),
    ...under(DEVICE, row(`${name}_explicit`, `${open}, ${order})`, lowering)),
    row(`${name}_explicit`, `${open}, ${order}, int)`, lowering, 'CL2.0'),
  ];
  return when === undefined ? rows : under(when, ...rows);
}

/** For each group of types its rows: 32 bits, 64 bits, floating point. */
function typed(
  name: string,
  signature: string,
  opcode: string,
  types: 'all' | 'int' | 'sint' | 'uint',
  orders?: 1 | 2,
) {
  const lowering = custom('atomic', opcode);
  const narrow = { all: 'int uint float', int: 'int uint', sint: 'int', uint: 'uint' }[types];
  const wide = { all: 'long ulong', int: 'long ulong', sint: 'long', uint: 'ulong' }[types];
  return [
    ...forms(name, `T in ${narrow}; ${signature}`, lowering, undefined, orders),
    ...forms(name, `T in ${wide}; ${signature}`, lowering, INT64, orders),
    ...(types === 'all' ? forms(name, `T in double; ${signature}`, lowering, INT64, orders) : []),
  ];
}

const READ_MODIFY = 'T(W volatile @T*, T)';
const COMPARE = 'bool(W volatile @T*, P T*, T)';

export const atomics: Family = {
  title: 'Atomic functions',
  mayHave: startingWith('atomic_'),
  rows: () => [
    row(
      'atomic_init',
      'T in int uint long ulong float double half; void(W volatile @T*, T)',
      custom('atomic_init'),
      'CL2.0',
    ),
    ...typed('atomic_store', 'void(W volatile @T*, T)', 'OpAtomicStore', 'all'),
    ...typed('atomic_load', 'T(W volatile @T*)', 'OpAtomicLoad', 'all'),
    ...typed('atomic_exchange', READ_MODIFY, 'OpAtomicExchange', 'all'),
    ...typed('atomic_compare_exchange_strong', COMPARE, 'OpAtomicCompareExchange', 'all', 2),
    ...typed('atomic_compare_exchange_weak', COMPARE, 'OpAtomicCompareExchangeWeak', 'all', 2),
    ...typed('atomic_fetch_add', READ_MODIFY, 'OpAtomicIAdd', 'int'),
    ...typed('atomic_fetch_sub', READ_MODIFY, 'OpAtomicISub', 'int'),
    ...typed('atomic_fetch_or', READ_MODIFY, 'OpAtomicOr', 'int'),
    ...typed('atomic_fetch_xor', READ_MODIFY, 'OpAtomicXor', 'int'),
    ...typed('atomic_fetch_and', READ_MODIFY, 'OpAtomicAnd', 'int'),
    ...typed('atomic_fetch_min', READ_MODIFY, 'OpAtomicSMin', 'sint'),
    ...typed('atomic_fetch_min', READ_MODIFY, 'OpAtomicUMin', 'uint'),
    ...typed('atomic_fetch_max', READ_MODIFY, 'OpAtomicSMax', 'sint'),
    ...typed('atomic_fetch_max', READ_MODIFY, 'OpAtomicUMax', 'uint'),
    ...forms(
      'atomic_flag_test_and_set',
      'bool(W volatile @int*)',
      custom('atomic_flag', 'OpAtomicFlagTestAndSet'),
    ),
    ...forms('atomic_flag_clear', 'void(W volatile @int*)', custom('atomic_flag', 'OpAtomicFlagClear')),
  ],
};

/** cl_ext_float_atomics: a feature for each width, operation and space; generic pointers need it in both spaces. */
function floating(
  name: string,
  signature: string,
  opcode: string,
  feature: string,
  types: readonly string[],
): Row[] {
  const width = { half: 'fp16', float: 'fp32', double: 'fp64' } as Record<string, string>;
  const macro = (type: string, space: string) => `__opencl_c_ext_${width[type]}_${space}_atomic_${feature}`;
  return types.flatMap((type) =>
    (['global', 'local', 'generic'] as const).flatMap((space) => {
      const when =
        space === 'generic' ? `${macro(type, 'global')} & ${macro(type, 'local')}` : macro(type, space);
      const types = signature.replace('W', space).replaceAll('T', type);
      return forms(name, types, custom('atomic', opcode), when);
    }),
  );
}

const FLOATS = ['half', 'float', 'double'];

export const floatAtomics: Family = {
  title: 'Floating-point atomics (cl_ext_float_atomics)',
  mayHave: startingWith('atomic_'),
  rows: () => [
    ...floating('atomic_store', 'void(W volatile @T*, T)', 'OpAtomicStore', 'load_store', ['half']),
    ...floating('atomic_load', 'T(W volatile @T*)', 'OpAtomicLoad', 'load_store', ['half']),
    ...floating('atomic_exchange', READ_MODIFY, 'OpAtomicExchange', 'load_store', ['half']),
    ...floating('atomic_fetch_add', READ_MODIFY, 'OpAtomicFAddEXT', 'add', FLOATS),
    ...floating('atomic_fetch_sub', READ_MODIFY, 'OpAtomicFAddEXT negate', 'add', FLOATS),
    ...floating('atomic_fetch_min', READ_MODIFY, 'OpAtomicFMinEXT', 'min_max', FLOATS),
    ...floating('atomic_fetch_max', READ_MODIFY, 'OpAtomicFMaxEXT', 'min_max', FLOATS),
  ],
};
