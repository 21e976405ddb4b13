// SPDX-License-Identifier: MIT
//
// Work-group and sub-group functions. The lowering of a collective is told `scope operation opcode`.
import { containing, custom, type Family, type Row, row, startingWith, under } from '../row';

/** Element types of collectives, by the kind of arithmetic. */
interface Domain {
  readonly signed: string;
  readonly unsigned: string;
  readonly float: string;
}
const CORE: Domain = { signed: 'int long', unsigned: 'uint ulong', float: 'float double half' };
const NARROW: Domain = { signed: 'char short', unsigned: 'uchar ushort', float: '' };
const ALL: Domain = {
  signed: 'char short int long',
  unsigned: 'uchar ushort uint ulong',
  float: 'float double half',
};
const every = (domain: Domain): string =>
  [domain.signed, domain.unsigned, domain.float].filter((part) => part !== '').join(' ');

/** Operation by kind of arithmetic; 'logical' takes an int as a truth value. */
const ARITHMETIC = {
  add: { signed: 'IAdd', unsigned: 'IAdd', float: 'FAdd' },
  mul: { signed: 'IMul', unsigned: 'IMul', float: 'FMul' },
  min: { signed: 'SMin', unsigned: 'UMin', float: 'FMin' },
  max: { signed: 'SMax', unsigned: 'UMax', float: 'FMax' },
  and: { signed: 'BitwiseAnd', unsigned: 'BitwiseAnd' },
  or: { signed: 'BitwiseOr', unsigned: 'BitwiseOr' },
  xor: { signed: 'BitwiseXor', unsigned: 'BitwiseXor' },
} as const;
const LOGICAL = { and: 'LogicalAnd', or: 'LogicalOr', xor: 'LogicalXor' } as const;
type Operation = keyof typeof ARITHMETIC;

const WAYS = [
  ['reduce', 'Reduce'],
  ['scan_inclusive', 'InclusiveScan'],
  ['scan_exclusive', 'ExclusiveScan'],
] as const;

function arithmetic(
  prefix: string,
  operation: Operation,
  domain: Domain,
  lowering: string,
  rest = '',
): Row[] {
  const opcodes: { readonly [kind in keyof Domain]?: string } = ARITHMETIC[operation];
  return (['signed', 'unsigned', 'float'] as const).flatMap((kind) => {
    const opcode = opcodes[kind];
    if (opcode === undefined || domain[kind] === '') return [];
    const [name, data] = lowering.split(' ') as [string, string];
    return [
      row(
        `${prefix}_${operation}`,
        `T in ${domain[kind]}; T(T${rest})`,
        custom(name, `${data.replaceAll('+', ' ')} ${opcode}`),
      ),
    ];
  });
}

/** Reductions and scans of `sub_group_` and `work_group_`. */
const scans = (prefix: string, scope: string, domain: Domain): Row[] =>
  WAYS.flatMap(([way, group]) =>
    (['add', 'min', 'max'] as const).flatMap((operation) =>
      arithmetic(`${prefix}_${way}`, operation, domain, `group ${scope}+${group}`),
    ),
  );

export const workGroups: Family = {
  title: 'Work-group collective functions',
  mayHave: startingWith('work_group_'),
  rows: () => [
    ...under(
      'CL2.0 & __opencl_c_work_group_collective_functions',
      row('work_group_all', 'int(int)', custom('group_vote', 'Workgroup OpGroupAll')),
      row('work_group_any', 'int(int)', custom('group_vote', 'Workgroup OpGroupAny')),
      ...['size_t', 'size_t, size_t', 'size_t, size_t, size_t'].map((place) =>
        row(
          'work_group_broadcast',
          `T in ${every(CORE)}; T(T, ${place})`,
          custom('group_broadcast', 'Workgroup'),
        ),
      ),
      ...scans('work_group', 'Workgroup', CORE),
    ),
    ...under(
      'cl_khr_work_group_uniform_arithmetic',
      ...WAYS.flatMap(([way, group]) => [
        ...(['mul', 'and', 'or', 'xor'] as const).flatMap((operation) =>
          arithmetic(`work_group_${way}`, operation, CORE, `group Workgroup+${group}`),
        ),
        ...(['and', 'or', 'xor'] as const).map((operation) =>
          row(
            `work_group_${way}_logical_${operation}`,
            'int(int)',
            custom('group_logical', `Workgroup ${group} ${LOGICAL[operation]}`),
          ),
        ),
      ]),
    ),
  ],
};

const SUB_GROUPS = 'cl_khr_subgroups | __opencl_c_subgroups | cl_intel_subgroups';
const VOTE = 'cl_khr_subgroup_non_uniform_vote';
const BALLOT = 'cl_khr_subgroup_ballot';
const NON_UNIFORM = 'cl_khr_subgroup_non_uniform_arithmetic';
const CLUSTERED = 'cl_khr_subgroup_clustered_reduce';
const T_ALL = `T in ${every(ALL)}`;
const OPERATIONS = ['add', 'mul', 'min', 'max', 'and', 'or', 'xor'] as const;

/** Vectors of all types but half and double are broadcast as well. */
const VECTORS = 'T in char uchar short ushort int uint long ulong float double half';

export const subGroups: Family = {
  title: 'Sub-group functions',
  mayHave: containing('sub_group_'),
  rows: () => [
    ...under(
      SUB_GROUPS,
      row('sub_group_all', 'int(int)', custom('group_vote', 'Subgroup OpGroupAll')),
      row('sub_group_any', 'int(int)', custom('group_vote', 'Subgroup OpGroupAny')),
      row('sub_group_broadcast', `T in ${every(CORE)}; T(T, uint)`, custom('group_broadcast', 'Subgroup')),
      ...scans('sub_group', 'Subgroup', CORE),
    ),
    ...under(
      'cl_khr_subgroup_extended_types',
      row('sub_group_broadcast', `T in ${every(NARROW)}; T(T, uint)`, custom('group_broadcast', 'Subgroup')),
      row('sub_group_broadcast', `${VECTORS}; Tv(Tv, uint)`, custom('group_broadcast', 'Subgroup')),
      ...scans('sub_group', 'Subgroup', NARROW),
    ),
    ...under(
      VOTE,
      row('sub_group_elect', 'int()', custom('sub_group_elect')),
      row('sub_group_non_uniform_all', 'int(int)', custom('group_vote', 'Subgroup OpGroupNonUniformAll')),
      row('sub_group_non_uniform_any', 'int(int)', custom('group_vote', 'Subgroup OpGroupNonUniformAny')),
      row(
        'sub_group_non_uniform_all_equal',
        `${T_ALL}; int(T)`,
        custom('group_vote', 'Subgroup OpGroupNonUniformAllEqual'),
      ),
    ),
    ...under(
      BALLOT,
      row('sub_group_non_uniform_broadcast', `${VECTORS}; Tn(Tn, uint)`, custom('non_uniform_broadcast')),
      row('sub_group_broadcast_first', `${T_ALL}; T(T)`, custom('non_uniform_first')),
      row('sub_group_ballot', 'uint4(int)', custom('ballot')),
      row('sub_group_inverse_ballot', 'int(uint4)', custom('ballot_test', 'OpGroupNonUniformInverseBallot')),
      row(
        'sub_group_ballot_bit_extract',
        'int(uint4, uint)',
        custom('ballot_test', 'OpGroupNonUniformBallotBitExtract'),
      ),
      row('sub_group_ballot_bit_count', 'uint(uint4)', custom('ballot_count', 'Reduce')),
      row('sub_group_ballot_inclusive_scan', 'uint(uint4)', custom('ballot_count', 'InclusiveScan')),
      row('sub_group_ballot_exclusive_scan', 'uint(uint4)', custom('ballot_count', 'ExclusiveScan')),
      row(
        'sub_group_ballot_find_lsb',
        'uint(uint4)',
        custom('ballot_find', 'OpGroupNonUniformBallotFindLSB'),
      ),
      row(
        'sub_group_ballot_find_msb',
        'uint(uint4)',
        custom('ballot_find', 'OpGroupNonUniformBallotFindMSB'),
      ),
      ...['eq', 'ge', 'gt', 'le', 'lt'].map((relation) =>
        row(
          `get_sub_group_${relation}_mask`,
          'uint4()',
          custom('sub_group_mask', `Subgroup${relation[0]!.toUpperCase()}${relation[1]}Mask`),
        ),
      ),
    ),
    ...under(
      NON_UNIFORM,
      ...WAYS.flatMap(([way, group]) => [
        ...OPERATIONS.flatMap((operation) =>
          arithmetic(`sub_group_non_uniform_${way}`, operation, ALL, `non_uniform ${group}`),
        ),
        ...(['and', 'or', 'xor'] as const).map((operation) =>
          row(
            `sub_group_non_uniform_${way}_logical_${operation}`,
            'int(int)',
            custom('non_uniform_logical', `${group} ${LOGICAL[operation]}`),
          ),
        ),
      ]),
    ),
    ...under(
      'cl_khr_subgroup_shuffle',
      row(
        'sub_group_shuffle',
        `${T_ALL}; T(T, uint)`,
        custom('sub_group_shuffle', 'OpGroupNonUniformShuffle'),
      ),
      row(
        'sub_group_shuffle_xor',
        `${T_ALL}; T(T, uint)`,
        custom('sub_group_shuffle', 'OpGroupNonUniformShuffleXor'),
      ),
    ),
    ...under(
      'cl_khr_subgroup_shuffle_relative',
      row(
        'sub_group_shuffle_up',
        `${T_ALL}; T(T, uint)`,
        custom('sub_group_shuffle', 'OpGroupNonUniformShuffleUp'),
      ),
      row(
        'sub_group_shuffle_down',
        `${T_ALL}; T(T, uint)`,
        custom('sub_group_shuffle', 'OpGroupNonUniformShuffleDown'),
      ),
    ),
    ...under(
      CLUSTERED,
      ...OPERATIONS.flatMap((operation) =>
        arithmetic('sub_group_clustered_reduce', operation, ALL, 'non_uniform ClusteredReduce', ', uint'),
      ),
      ...(['and', 'or', 'xor'] as const).map((operation) =>
        row(
          `sub_group_clustered_reduce_logical_${operation}`,
          'int(int, uint)',
          custom('non_uniform_logical', `ClusteredReduce ${LOGICAL[operation]}`),
        ),
      ),
    ),
    ...under(
      'cl_khr_subgroup_rotate',
      row('sub_group_rotate', `${T_ALL}; T(T, int)`, custom('sub_group_rotate')),
      row('sub_group_clustered_rotate', `${T_ALL}; T(T, int, uint)`, custom('sub_group_rotate')),
    ),
  ],
};
