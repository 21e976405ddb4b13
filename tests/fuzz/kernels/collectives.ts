// SPDX-License-Identifier: MIT
//
// Random kernels of what the work-items of a group or sub-group do together: reductions, scans, broadcasts, votes, ballots, shuffles
// and asynchronous copies, in loops and branches, uniform ones and, where sub-groups allow it, divergent ones. Each
// checks its result against what the work-items have written to local memory before, and counts what differs:
// so results do not depend on how large sub-groups are.
import { Draft } from './draft';
import { PARAMETERS, type RandomKernel, RESULTS, type Triple } from './model';

const INTEGERS = ['char', 'uchar', 'short', 'ushort', 'int', 'uint', 'long', 'ulong'] as const;
const GROUP_TYPES = ['int', 'uint', 'long', 'ulong', 'float', 'double'] as const;
const TYPES = [...INTEGERS, 'float', 'double', 'half'] as const;
type Type = (typeof TYPES)[number];

const HELPERS = ['together', 'apart'];

const isFloat = (type: Type) => type === 'float' || type === 'double' || type === 'half';

/** How an operation joins two numbers, and where it begins. */
interface Operation {
  readonly name: string;
  readonly join: (a: string, b: string, type: Type) => string;
  readonly identity: (type: Type) => string;
}

const least = (type: Type) =>
  isFloat(type)
    ? `(${type})-INFINITY`
    : type.startsWith('u')
      ? `(${type})0`
      : `(${type})(((ulong)1) << (8 * sizeof(${type}) - 1))`;
const greatest = (type: Type) => (isFloat(type) ? `(${type})INFINITY` : `(${type})~${least(type)}`);

const ARITHMETIC: readonly Operation[] = [
  { name: 'add', join: (a, b, t) => (isFloat(t) ? `${a} + ${b}` : `(${t})((ulong)${a} + (ulong)${b})`), identity: (t) => `(${t})0` },
  { name: 'min', join: (a, b, t) => (isFloat(t) ? `fmin(${a}, ${b})` : `min(${a}, ${b})`), identity: greatest },
  { name: 'max', join: (a, b, t) => (isFloat(t) ? `fmax(${a}, ${b})` : `max(${a}, ${b})`), identity: least },
]; // biome-ignore format: a table

const LOGIC: readonly Operation[] = [
  { name: 'mul', join: (a, b, t) => `(${t})((ulong)${a} * (ulong)${b})`, identity: (t) => `(${t})1` },
  { name: 'and', join: (a, b, t) => `(${t})(${a} & ${b})`, identity: (t) => `(${t})~(${t})0` },
  { name: 'or', join: (a, b, t) => `(${t})(${a} | ${b})`, identity: (t) => `(${t})0` },
  { name: 'xor', join: (a, b, t) => `(${t})(${a} ^ ${b})`, identity: (t) => `(${t})0` },
]; // biome-ignore format: a table

/** Where a statement stands. */
interface Place {
  readonly indent: string;
  readonly depth: number;
}

export function randomCollectives(seed: number): RandomKernel {
  const w = new Draft(seed);
  const { chance } = w;
  let body = '';
  while (w.budget > 0) body += statement(w, { indent: '  ', depth: 0 });
  const size = chance.with(0.4)
    ? `__attribute__((intel_reqd_sub_group_size(${chance.pick([4, 8, 16, 32])})))\n`
    : '';
  const local = chance.pick<Triple>([
    [8, 1, 1], [16, 1, 1], [32, 1, 1], [7, 1, 1], [1, 1, 1], [13, 1, 1], [40, 1, 1], [64, 1, 1], [8, 2, 1], [16, 3, 1], [5, 3, 1],
    [4, 4, 1], [4, 2, 2], [3, 3, 3], [8, 4, 2],
  ]); // biome-ignore format: a table
  const declared = HELPERS.map((name) => helper(w, name)).join('\n');
  const source = `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
${declared}
${size}kernel void fuzz(${PARAMETERS}) {
  const uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const uint gid = (z * get_global_size(1) + y) * get_global_size(0) + x;
  const uint LS = get_local_size(0) * get_local_size(1) * get_local_size(2);
  const uint lid = get_local_linear_id(), group = get_group_id(0) + get_group_id(1);
  local uint sid[64], sli[64], came[64];
  local ulong kept[64];
  sid[lid] = get_sub_group_id();
  sli[lid] = get_sub_group_local_id();
  uint a = in[gid & 255], b = in[(gid * 3 + 7) & 255], u = in[group & 255], bad = 0;
  ulong h = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  // statements
${body}  out[gid * ${RESULTS.out}] = h;
  out[gid * ${RESULTS.out} + 1] = a;
  out[gid * ${RESULTS.out} + 2] = b;
  out[gid * ${RESULTS.out} + 3] = u;
  slots[gid * ${RESULTS.slots}] = bad;
}
`;
  // The last groups may have fewer work-items.
  const sizes: Triple = [local[0] * chance.integer(1, 2), local[1] * chance.integer(1, 2), local[2]];
  const global = sizes.map((size, d) =>
    chance.with(0.3) ? Math.max(size - chance.integer(0, local[d]! - 1), 1) : size,
  ) as unknown as Triple;
  return { source, global, local };
}

// ---- values

/** A number that differs between work-items. */
const varying = ({ chance }: Draft) =>
  chance.pick([
    'a',
    'b',
    'a ^ b',
    'lid * 7',
    'gid + a',
    'x',
    'a >> 5',
    'in[(a + lid) & 255]',
    '(b & 1) ? a : lid',
    'LS - lid',
  ]);

/** A number that is the same in the whole group. */
const uniform = ({ chance }: Draft) => chance.pick(['u', 'n', 'group', 'u >> 3', 'LS', '(u & 1) ? n : 3']);

const divergent = ({ chance }: Draft) =>
  chance.pick([
    '(a & 1)',
    '(b & 3) == 1',
    'lid > 2',
    'a < b',
    '(lid & 1) == 0',
    'x == 3',
    '(a & 7)',
    'lid == 0',
    'in[(b + x) & 255] > 7',
  ]);

/** A value of a type; sums of floating-point numbers are exact. */
const typed = (w: Draft, type: Type) =>
  isFloat(type)
    ? `(${type})((int)((${varying(w)}) & ${type === 'half' ? 15 : 0xff}) - ${type === 'half' ? 5 : 100})`
    : `((${type})(${varying(w)}))`;

const mix = (value: string, type: Type) =>
  isFloat(type) ? `(isinf(${value}) ? 9ul : (ulong)(long)${value})` : `(ulong)${value}`;

/** The integers with the bits of floats. */
const BITS_OF = { half: 'ushort', float: 'uint', double: 'ulong' } as const;
const bitsOf = (type: Type) => BITS_OF[type as keyof typeof BITS_OF];
const as64 = (type: Type, value: string) =>
  isFloat(type) ? `as_${bitsOf(type)}(${value})` : `(ulong)${value}`;
const from64 = (type: Type, word: string) =>
  isFloat(type) ? `as_${type}((${bitsOf(type)})${word})` : `(${type})${word}`;

/** A function in which the whole group comes together. */
function helper({ chance }: Draft, name: string): string {
  const one = () =>
    chance.pick([
      'work_group_reduce_add(v)',
      'work_group_scan_exclusive_add(v)',
      'work_group_scan_inclusive_max(v)',
      'work_group_broadcast(v, 0, 0, 0)',
      '(uint)work_group_any(v & 1)',
    ]);
  return `static uint ${name}(uint v, uint many) { uint r = v; for (uint i = 0; i < many; i++) r = r * 3 + ${one()}; if (many & 1) r ^= ${one()}; return r; }`;
}

// ---- statements of the whole group

type Form = (w: Draft, place: Place) => string;

const BARRIER = 'barrier(CLK_LOCAL_MEM_FENCE);';

/** Publishes each work-item's value `v`. */
const publish = (type: Type) => `${BARRIER} kept[lid] = ${as64(type, 'v')}; ${BARRIER}`;

const reduction: Form = (w, { indent }) => {
  const type = w.chance.pick(GROUP_TYPES);
  const { name, join, identity } = w.chance.pick(ARITHMETIC);
  return `${indent}{ ${type} v = ${typed(w, type)}, m = ${identity(type)}; ${publish(type)} for (uint s = 0; s < LS; s++) m = ${join('m', from64(type, 'kept[s]'), type)}; ${type} r = work_group_reduce_${name}(v); bad += m != r; h = h * 31 + ${mix('r', type)}; u += (uint)${mix('r', type)}; ${BARRIER} }\n`;
};

const scan: Form = (w, { indent }) => {
  const type = w.chance.pick(GROUP_TYPES);
  const { name, join, identity } = w.chance.pick(ARITHMETIC);
  const isInclusive = w.chance.with(0.5);
  return `${indent}{ ${type} v = ${typed(w, type)}, m = ${identity(type)}; ${publish(type)} for (uint s = 0; s ${isInclusive ? '<=' : '<'} lid; s++) m = ${join('m', from64(type, 'kept[s]'), type)}; ${type} r = work_group_scan_${isInclusive ? 'inclusive' : 'exclusive'}_${name}(v); bad += m != r; h = h * 31 + ${mix('r', type)}; a ^= (uint)${mix('r', type)}; ${BARRIER} }\n`;
};

const broadcast: Form = (w, { indent }) => {
  const type = w.chance.pick(GROUP_TYPES);
  const from = [0, 1, 2].map((d) => `(${uniform(w)}) % get_local_size(${d})`);
  return `${indent}{ ${type} v = ${typed(w, type)}; size_t i = ${from[0]}, j = ${from[1]}, l = ${from[2]}; ${publish(type)} ${type} m = ${from64(type, 'kept[(l * get_local_size(1) + j) * get_local_size(0) + i]')}, r = work_group_broadcast(v, i, j, l); bad += m != r; h = h * 31 + ${mix('r', type)}; u ^= (uint)${mix('r', type)}; ${BARRIER} }\n`;
};

const vote: Form = (w, { indent }) => {
  const isAny = w.chance.with(0.5);
  return `${indent}{ int v = ${divergent(w)}, m = ${isAny ? 0 : 1}; ${publish('int')} for (uint s = 0; s < LS; s++) m = m ${isAny ? '||' : '&&'} kept[s] != 0; int r = work_group_${isAny ? 'any' : 'all'}(v); bad += m != (r != 0); u += m * 5; ${BARRIER} }\n`;
};

const call: Form = (w, { indent }) =>
  `${indent}a ^= ${w.chance.pick(HELPERS)}(${varying(w)}, (${uniform(w)}) & 3);\n`;

const copy: Form = (w, { indent }) => {
  const { chance } = w;
  const count = chance.pick([4, 8, 16, 32]);
  const stride = chance.integer(1, 4);
  const how = chance.with(0.5)
    ? `async_work_group_copy(l, in + ${chance.integer(0, 60)}, ${count}, 0)`
    : `async_work_group_strided_copy(l, in + ${chance.integer(0, 60)}, ${count}, ${stride}, 0)`;
  return `${indent}{ local uint *l = (local uint *)kept; ${BARRIER} event_t e = ${how}; wait_group_events(1, &e); h = h * 31 + l[lid % ${count}]; a += l[(lid + 1) % ${count}]; ${BARRIER} }\n`;
};

/** Neighbours exchange values. */
const exchange: Form = (w, { indent }) =>
  `${indent}{ uint v = ${varying(w)}; ${publish('uint')} b ^= (uint)kept[(lid + ${w.chance.integer(1, 9)}) % LS]; ${BARRIER} }\n`;

// ---- sub-groups

/** Runs `code` for all work-items that come under a condition, which `came` tells. */
function amongThose(w: Draft, { indent }: Place, type: Type, code: string): string {
  const condition = w.chance.with(0.3) ? '1' : divergent(w);
  const start = `${indent}{ ${type} v = ${typed(w, type)}; uint c = ${condition}; ${publish(type)} came[lid] = c != 0; ${BARRIER}`;
  return `${start} ${condition === '1' ? '' : 'if (c) '}{ ${code} } ${BARRIER} }\n`;
}

/** For each work-item `s` of the own sub-group that has come. */
const ofThose = (code: string) =>
  `for (uint s = 0; s < LS; s++) if (sid[s] == sid[lid] && came[s]) { ${code} }`;

const subGroupReduction: Form = (w, place) => {
  const { chance } = w;
  const type = chance.pick(TYPES);
  const { name, join, identity } = chance.pick(isFloat(type) ? ARITHMETIC : [...ARITHMETIC, ...LOGIC]);
  const [kind, which] = chance.pick([
    ['reduce', ''],
    ['scan_inclusive', 'if (sli[s] <= sli[lid]) '],
    ['scan_exclusive', 'if (sli[s] < sli[lid]) '],
  ] as const);
  const joined = ofThose(`${which}m = ${join('m', from64(type, 'kept[s]'), type)};`);
  return amongThose(
    w,
    place,
    type,
    `${type} m = ${identity(type)}; ${joined} ${type} r = sub_group_non_uniform_${kind}_${name}(v); bad += m != r; h = h * 31 + (m == r);`,
  );
};

const ballot: Form = (w, place) => {
  const check = w.chance.pick([
    'm += (kept[s] & 1); } bad += m != sub_group_ballot_bit_count(g);',
    'if (sli[s] <= sli[lid]) m += (kept[s] & 1); } bad += m != sub_group_ballot_inclusive_scan(g);',
    'if (sli[s] < sli[lid]) m += (kept[s] & 1); } bad += m != sub_group_ballot_exclusive_scan(g);',
    'm ^= 1; bad += (int)(kept[s] & 1) != (sub_group_ballot_bit_extract(g, sli[s]) != 0); }',
    'm++; } if (v & 1) bad += !sub_group_inverse_ballot(g); else bad += sub_group_inverse_ballot(g) != 0;',
    'if ((kept[s] & 1) && (m == 0 || sli[s] + 1 < m)) m = sli[s] + 1; } if (m) bad += m - 1 != sub_group_ballot_find_lsb(g);',
    'if ((kept[s] & 1) && sli[s] + 1 > m) m = sli[s] + 1; } if (m) bad += m - 1 != sub_group_ballot_find_msb(g);',
  ]);
  const loop = 'for (uint s = 0; s < LS; s++) if (sid[s] == sid[lid] && came[s]) {';
  return amongThose(
    w,
    place,
    'uint',
    `uint m = 0; uint4 g = sub_group_ballot(v & 1); ${loop} ${check} h = h * 31 + (v & 1);`,
  );
};

const subGroupVote: Form = (w, place) => {
  const [name, start, join] = w.chance.pick([
    ['any', '0', 'm || (kept[s] & 1)'],
    ['all', '1', 'm && (kept[s] & 1)'],
    ['all_equal', '1', 'm && kept[s] == kept[lid]'],
  ] as const);
  const argument = name === 'all_equal' ? 'v' : '(int)(v & 1)';
  return amongThose(
    w,
    place,
    'uint',
    `int m = ${start}; ${ofThose(`m = ${join};`)} bad += m != (sub_group_non_uniform_${name}(${argument}) != 0);`,
  );
};

const first: Form = (w, place) => {
  const type = w.chance.pick(TYPES);
  const lowest = `uint f = lid; ${ofThose('if (sli[s] < sli[f]) f = s;')}`;
  return amongThose(
    w,
    place,
    type,
    w.chance.pick([
      `${lowest} bad += (sub_group_elect() != 0) != (f == lid);`,
      `${lowest} ${type} r = sub_group_broadcast_first(v), m = ${from64(type, 'kept[f]')}; bad += r != m;`,
      `${lowest} ${type} r = sub_group_shuffle(v, sli[f]), m = ${from64(type, 'kept[f]')}; bad += r != m;`,
      `${lowest} ${type} r = sub_group_non_uniform_broadcast(v, sli[f]), m = ${from64(type, 'kept[f]')}; bad += r != m;`,
    ]),
  );
};

const shuffle: Form = (w, place) => {
  const { chance } = w;
  const type = chance.pick(TYPES);
  const by = chance.integer(0, 5);
  const [target, value] = chance.pick([
    [`sli[lid] ^ ${by}`, `sub_group_shuffle_xor(v, ${by})`],
    [`sli[lid] - ${by}`, `sub_group_shuffle_up(v, ${by})`],
    [`sli[lid] + ${by}`, `sub_group_shuffle_down(v, ${by})`],
    [`(sli[lid] * ${by} + (a & 3)) & 7`, `sub_group_shuffle(v, (sli[lid] * ${by} + (a & 3)) & 7)`],
    [`(sli[lid] + ${by}) % get_max_sub_group_size()`, `sub_group_rotate(v, ${by})`],
  ] as const);
  return amongThose(
    w,
    place,
    type,
    `${type} r = ${value}; uint t = ${target}; ${ofThose(`if (sli[s] == t) bad += r != ${from64(type, 'kept[s]')};`)}`,
  );
};

/** Parts of a sub-group, of a constant size, as far as a sub-group has such parts. */
const clustered: Form = (w, place) => {
  const { chance } = w;
  const size = chance.pick([1, 2, 4, 8, 16]);
  const own = `sli[s] / ${size} == sli[lid] / ${size}`;
  const when = (code: string) => (size === 1 ? code : `if (get_max_sub_group_size() >= ${size}) { ${code} }`);
  if (chance.with(0.3)) {
    const type = chance.pick(TYPES);
    const by = chance.integer(0, 20);
    return amongThose(
      w,
      place,
      type,
      when(
        `${type} r = sub_group_clustered_rotate(v, ${by}, ${size}); uint t = (sli[lid] & ~${size - 1}u) | ((sli[lid] + ${by}) & ${size - 1}); ${ofThose(`if (sli[s] == t) bad += r != ${from64(type, 'kept[s]')};`)}`,
      ),
    );
  }
  if (chance.with(0.3)) {
    const { name, start, join } = chance.pick(LOGICAL);
    return amongThose(
      w,
      place,
      'uint',
      when(
        `uint m = ${start}; ${ofThose(`if (${own}) m = ${join};`)} bad += m != (sub_group_clustered_reduce_logical_${name}((int)(v & 2), ${size}) != 0);`,
      ),
    );
  }
  const type = chance.pick(TYPES);
  const { name, join, identity } = chance.pick(isFloat(type) ? ARITHMETIC : [...ARITHMETIC, ...LOGIC]);
  const joined = ofThose(`if (${own}) m = ${join('m', from64(type, 'kept[s]'), type)};`);
  return amongThose(
    w,
    place,
    type,
    when(
      `${type} m = ${identity(type)}; ${joined} bad += m != sub_group_clustered_reduce_${name}(v, ${size});`,
    ),
  );
};

/** Of the bit of the value 2. */
const LOGICAL = [
  { name: 'and', start: '1', join: 'm && (kept[s] & 2)' },
  { name: 'or', start: '0', join: 'm || (kept[s] & 2)' },
  { name: 'xor', start: '0', join: 'm ^ (uint)((kept[s] >> 1) & 1)' },
] as const;

const logical: Form = (w, place) => {
  const { name, start, join } = w.chance.pick(LOGICAL);
  const [kind, which] = w.chance.pick([
    ['reduce', ''],
    ['scan_inclusive', 'if (sli[s] <= sli[lid]) '],
    ['scan_exclusive', 'if (sli[s] < sli[lid]) '],
  ] as const);
  return amongThose(
    w,
    place,
    'uint',
    `uint m = ${start}; ${ofThose(`${which}m = ${join};`)} bad += m != (sub_group_non_uniform_${kind}_logical_${name}((int)(v & 2)) != 0);`,
  );
};

/** Ballots that work-items make up, whose bits after the largest sub-group do not count, and masks of neighbours. */
const madeUp: Form = (w, { indent }) => {
  const check = w.chance.pick([
    'bad += sub_group_ballot_bit_count(g) != popcount(own);',
    'bad += sub_group_ballot_inclusive_scan(g) != popcount(own & (me | (me - 1)));',
    'bad += sub_group_ballot_exclusive_scan(g) != popcount(own & (me - 1));',
    'if (own) bad += sub_group_ballot_find_lsb(g) != ctz(own);',
    'if (own) bad += sub_group_ballot_find_msb(g) != 31 - clz(own);',
    'bad += (sub_group_ballot_bit_extract(g, a % M) != 0) != ((g.x >> (a % M)) & 1);',
    'bad += any(get_sub_group_eq_mask() != (uint4)(me, 0, 0, 0));',
    'bad += any(get_sub_group_ge_mask() != (uint4)(~(me - 1) & all, 0, 0, 0));',
    'bad += any(get_sub_group_gt_mask() != (uint4)(~(me | (me - 1)) & all, 0, 0, 0));',
    'bad += any(get_sub_group_le_mask() != (uint4)(me | (me - 1), 0, 0, 0));',
    'bad += any(get_sub_group_lt_mask() != (uint4)(me - 1, 0, 0, 0));',
  ]);
  const condition = w.chance.with(0.5) ? `if (${divergent(w)}) ` : '';
  return `${indent}${condition}{ uint M = get_max_sub_group_size(), all = M >= 32 ? ~0u : (1u << M) - 1, me = 1u << get_sub_group_local_id(); uint4 g = (uint4)(${varying(w)}, ${varying(w)}, u, 7); uint own = g.x & all; ${check} }\n`;
};

const VECTORS = [2, 3, 4, 8, 16] as const;

/** Vectors from one work-item of those that have come. */
const vectorBroadcast: Form = (w, place) => {
  const { chance } = w;
  const type = chance.pick(INTEGERS);
  const count = chance.pick(VECTORS);
  const vector = (value: string) =>
    `(${type}${count})(${Array.from({ length: count }, (_, i) => `(${type})(${value} ^ ${i * 5})`).join(', ')})`;
  return amongThose(
    w,
    place,
    type,
    `uint f = lid; ${ofThose('if (sli[s] < sli[f]) f = s;')} ${type} z = ${from64(type, 'kept[f]')}; ${type}${count} m = ${vector('z')}, r = sub_group_non_uniform_broadcast(${vector('v')}, sli[f]); bad += any(m != r);`,
  );
};

/** For sub-groups that are whole: what one has, and votes. */
const wholeVote: Form = (w, { indent }) => {
  const { chance } = w;
  const type = chance.pick(TYPES);
  const at = `(u >> 2) % get_sub_group_size()`;
  const check = chance.pick([
    `uint f = 0; for (uint s = 0; s < LS; s++) if (sid[s] == sid[lid] && sli[s] == ${at}) f = s; ${type} m = ${from64(type, 'kept[f]')}, r = sub_group_broadcast(v, ${at}); bad += m != r;`,
    `int m = 0; for (uint s = 0; s < LS; s++) if (sid[s] == sid[lid]) m = m || ((uint)kept[s] & 3) == 1; bad += m != (sub_group_any(((uint)${as64(type, 'v')} & 3) == 1) != 0);`,
    `int m = 1; for (uint s = 0; s < LS; s++) if (sid[s] == sid[lid]) m = m && ((uint)kept[s] & 3) != 1; bad += m != (sub_group_all(((uint)${as64(type, 'v')} & 3) != 1) != 0);`,
  ]);
  return `${indent}{ ${type} v = ${typed(w, type)}; ${publish(type)} ${check} ${BARRIER} }\n`;
};

/** For sub-groups that are whole. */
const whole: Form = (w, { indent }) => {
  const { chance } = w;
  const type = chance.pick(['int', 'uint', 'long', 'ulong', 'float', 'double', 'half', ...INTEGERS] as const);
  const { name, join, identity } = chance.pick(ARITHMETIC);
  const [kind, which] = chance.pick([
    ['reduce', ''],
    ['scan_inclusive', ' && sli[s] <= sli[lid]'],
    ['scan_exclusive', ' && sli[s] < sli[lid]'],
  ] as const);
  return `${indent}{ ${type} v = ${typed(w, type)}, m = ${identity(type)}; ${publish(type)} for (uint s = 0; s < LS; s++) if (sid[s] == sid[lid]${which}) m = ${join('m', from64(type, 'kept[s]'), type)}; bad += m != sub_group_${kind}_${name}(v); ${BARRIER} }\n`;
};

// ---- control flow of the whole group

const branch: Form = (w, place) => `${place.indent}if (${uniform(w)} & 1) ${block(w, place)}`;
const alternative: Form = (w, place) => `${branch(w, place)}${place.indent}else ${block(w, place)}`;
const loop: Form = (w, place) => {
  const name = w.fresh('i');
  return `${place.indent}for (uint ${name} = 0; ${name} < ((${uniform(w)}) & 3); ${name}++) ${block(w, place)}`;
};
/** Work that only some do, before or after what all do. */
const own: Form = (w, { indent }) =>
  w.chance.pick([
    `${indent}if (${divergent(w)}) a = a * 3 + ${varying(w)};\n`,
    `${indent}for (uint i = 0; i < ((${varying(w)}) & 3); i++) b = b * 5 + a;\n`,
    `${indent}h = h * 31 + ${varying(w)};\n`,
  ]);
const untilVote: Form = (w, place) => {
  const name = w.fresh('t');
  return `${place.indent}{ uint ${name} = 0; do ${block(w, place)}${place.indent}while (${name}++ < 2 && work_group_any(${divergent(w)})); }\n`;
};

function block(w: Draft, place: Place): string {
  const inner = { indent: `${place.indent}  `, depth: place.depth + 1 };
  let text = '';
  for (let i = w.chance.integer(1, 2); i > 0; i--) text += statement(w, inner);
  return `{\n${text}${place.indent}}\n`;
}

const SIMPLE: readonly Form[] = [
  reduction, reduction, scan, scan, broadcast, vote, call, copy, exchange, own, subGroupReduction, subGroupReduction, subGroupReduction,
  ballot, ballot, subGroupVote, first, first, shuffle, shuffle, whole, clustered, clustered, clustered, logical, madeUp, madeUp, vectorBroadcast,
  wholeVote,
]; // biome-ignore format: a table
const ALL: readonly Form[] = [
  ...SIMPLE,
  branch,
  branch,
  alternative,
  alternative,
  loop,
  loop,
  loop,
  untilVote,
];

function statement(w: Draft, place: Place): string {
  w.budget--;
  return w.chance.pick(place.depth > 2 ? SIMPLE : ALL)(w, place);
}
