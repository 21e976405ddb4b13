// SPDX-License-Identifier: MIT
//
// Functions of vendors' extensions that much existing code uses.
import { custom, type Family, type Row, row, startingWith, under } from '../row';

const amd = (name: string, signature: string) => row(name, signature, custom(name));

export const amdMediaOps: Family = {
  title: 'cl_amd_media_ops, cl_amd_media_ops2',
  mayHave: startingWith('amd_'),
  rows: () => [
    ...under(
      'cl_amd_media_ops',
      ...['amd_bitalign', 'amd_bytealign', 'amd_lerp', 'amd_sad', 'amd_sadhi'].map((name) =>
        amd(name, 'uintn(uintn, uintn, uintn)'),
      ),
      amd('amd_pack', 'uint(float4)'),
      amd('amd_sad4', 'uint(uint4, uint4, uint)'),
      ...[0, 1, 2, 3].map((byte) =>
        row(`amd_unpack${byte}`, 'floatn(uintn)', custom('amd_unpack', String(byte))),
      ),
    ),
    ...under(
      'cl_amd_media_ops2',
      ...['amd_msad', 'amd_sadd', 'amd_sadw'].map((name) => amd(name, 'uintn(uintn, uintn, uintn)')),
      amd('amd_qsad', 'ulongn(ulongn, uintn, ulongn)'),
      amd('amd_mqsad', 'ulongn(ulongn, uintn, ulongn)'),
      row('amd_bfe', 'intn(intn, uintn, uintn)', custom('amd_bfe', 'OpShiftRightArithmetic')),
      row('amd_bfe', 'uintn(uintn, uintn, uintn)', custom('amd_bfe', 'OpShiftRightLogical')),
      amd('amd_bfm', 'uintn(uintn, uintn)'),
      ...(
        [
          ['float', 'f'],
          ['int', 's_'],
          ['uint', 'u_'],
        ] as const
      ).flatMap(([type, prefix]) =>
        ['min3', 'max3', 'median3'].map((name) =>
          row(`amd_${name}`, `${type}n(${type}n, ${type}n, ${type}n)`, custom(`amd_${name}`, prefix)),
        ),
      ),
    ),
  ],
};

const SHUFFLES = [
  ['intel_sub_group_shuffle', 'V, uint', 'OpSubgroupShuffleINTEL'],
  ['intel_sub_group_shuffle_down', 'V, V, uint', 'OpSubgroupShuffleDownINTEL'],
  ['intel_sub_group_shuffle_up', 'V, V, uint', 'OpSubgroupShuffleUpINTEL'],
  ['intel_sub_group_shuffle_xor', 'V, uint', 'OpSubgroupShuffleXorINTEL'],
] as const;
const shuffles = (domain: string, type: string): Row[] =>
  SHUFFLES.map(([name, parameters, opcode]) =>
    row(name, `${domain}; ${type}(${parameters.replaceAll('V', type)})`, custom('intel_shuffle', opcode)),
  );

/** Block reads and writes of an element type, from images and from buffers. */
function blocks(suffix: string, type: string, widths: readonly number[], spaces: readonly string[]): Row[] {
  const read = custom('intel_block_read');
  const write = custom('intel_block_write');
  return widths.flatMap((width) => {
    const end = `${suffix}${width === 1 ? '' : width}`;
    const data = `${type}${width === 1 ? '' : width}`;
    const [reader, writer] = [`intel_sub_group_block_read${end}`, `intel_sub_group_block_write${end}`];
    const access = 'CL2.0 & __opencl_c_read_write_images';
    return [
      row(reader, `${data}(read_only image2d, int2)`, read),
      row(reader, `${data}(read_write image2d, int2)`, read, access),
      row(writer, `void(write_only image2d, int2, ${data})`, write),
      row(writer, `void(read_write image2d, int2, ${data})`, write, access),
      ...(suffix === '_ui' ? [row(writer, `void(read_only image2d, int2, ${data})`, write)] : []),
      ...spaces.flatMap((space) => [
        row(reader, `${data}(${space} const ${type}*)`, read),
        row(writer, `void(${space} ${type}*, ${data})`, write),
      ]),
    ];
  });
}

const SPACES = ['global', 'local'];
const SHORT_SCANS = ['reduce', 'scan_exclusive', 'scan_inclusive'] as const;
const GROUP_OPERATION = {
  reduce: 'Reduce',
  scan_exclusive: 'ExclusiveScan',
  scan_inclusive: 'InclusiveScan',
} as const;

/** Broadcasts, reductions and scans of narrow types under Intel's names. */
const narrow = (signed: string, unsigned: string): Row[] => [
  row(
    'intel_sub_group_broadcast',
    `T in ${signed} ${unsigned}; Tn(Tn, uint)`,
    custom('group_broadcast', 'Subgroup'),
  ),
  ...SHORT_SCANS.flatMap((way) =>
    (
      [
        ['add', 'IAdd', 'IAdd'],
        ['min', 'SMin', 'UMin'],
        ['max', 'SMax', 'UMax'],
      ] as const
    ).flatMap(([operation, onSigned, onUnsigned]) => {
      const name = `intel_sub_group_${way}_${operation}`;
      const group = `Subgroup ${GROUP_OPERATION[way]}`;
      return [
        row(name, `${signed}(${signed})`, custom('group', `${group} ${onSigned}`)),
        row(name, `${unsigned}(${unsigned})`, custom('group', `${group} ${onUnsigned}`)),
      ];
    }),
  ),
];

export const intelSubGroups: Family = {
  title: 'cl_intel_subgroups and its kin',
  mayHave: startingWith('intel_'),
  rows: () => [
    ...under(
      'cl_intel_subgroups',
      ...shuffles('T in float int uint long ulong half double', 'Tn'),
      ...blocks('', 'uint', [1, 2, 4, 8], SPACES),
    ),
    ...under(
      'cl_intel_subgroups_short',
      ...narrow('short', 'ushort'),
      ...shuffles('T in short ushort', 'Tn'),
      ...blocks('_ui', 'uint', [1, 2, 4, 8], SPACES),
      ...blocks('_us', 'ushort', [1, 2, 4, 8, 16], SPACES),
    ),
    ...under(
      'cl_intel_subgroups_char',
      ...narrow('char', 'uchar'),
      ...shuffles('T in char uchar', 'Tn'),
      ...blocks('_uc', 'uchar', [1, 2, 4, 8, 16], SPACES),
    ),
    ...under('cl_intel_subgroups_long', ...blocks('_ul', 'ulong', [1, 2, 4, 8], SPACES)),
  ],
};

const dot = (name: string, signature: string, opcode: string) =>
  row(name, signature, custom('arm_dot', opcode));

export const armDotProducts: Family = {
  title: 'cl_arm_integer_dot_product',
  mayHave: startingWith('arm_'),
  rows: () => [
    ...under(
      'cl_arm_integer_dot_product_int8',
      dot('arm_dot', 'uint(uchar4, uchar4)', 'OpUDot'),
      dot('arm_dot', 'int(char4, char4)', 'OpSDot'),
    ),
    ...under(
      'cl_arm_integer_dot_product_accumulate_int8',
      dot('arm_dot_acc', 'uint(uchar4, uchar4, uint)', 'OpUDot'),
      dot('arm_dot_acc', 'int(char4, char4, int)', 'OpSDot'),
    ),
    ...under(
      'cl_arm_integer_dot_product_accumulate_int16',
      dot('arm_dot_acc', 'uint(ushort2, ushort2, uint)', 'OpUDot'),
      dot('arm_dot_acc', 'int(short2, short2, int)', 'OpSDot'),
    ),
    ...under(
      'cl_arm_integer_dot_product_accumulate_saturate_int8',
      dot('arm_dot_acc_sat', 'uint(uchar4, uchar4, uint)', 'OpUDotAccSat'),
      dot('arm_dot_acc_sat', 'int(char4, char4, int)', 'OpSDotAccSat'),
    ),
  ],
};
