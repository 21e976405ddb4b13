// SPDX-License-Identifier: MIT
//
// Work-groups and sub-groups together, and atomic operations: of all types, in groups that are not full. Sub-groups' sizes are the
// device's choice, so kernels compare their functions with loops over local memory.
import type { Case } from './case';

const COUNT = 53;
const GROUP = 24;
const groupsOf = (count: number, size: number) =>
  Array.from({ length: Math.ceil(count / size) }, (_, w) => ({
    from: w * size,
    to: Math.min((w + 1) * size, count),
  }));

/** Types of collective functions: how a kernel makes a value of a word, and the same in JavaScript as a number or a bigint. */
const INTEGERS = {
  int: (v: number) => BigInt(v | 0),
  uint: (v: number) => BigInt(v),
  long: (v: number) => BigInt(v | 0) << 17n,
  ulong: (v: number) => BigInt(v) << 31n,
} as const;
const MAKE = {
  int: '(int)in[g]',
  uint: 'in[g]',
  long: '((long)(int)in[g] << 17)',
  ulong: '((ulong)in[g] << 31)',
};
const LIMITS = {
  int: [-(1n << 31n), (1n << 31n) - 1n], uint: [0n, (1n << 32n) - 1n], long: [-(1n << 63n), (1n << 63n) - 1n], ulong: [0n, (1n << 64n) - 1n],
} as const; // biome-ignore format: a table
type IntegerName = keyof typeof INTEGERS;

const OPERATIONS = {
  add: (a: bigint, b: bigint) => a + b,
  min: (a: bigint, b: bigint) => (a < b ? a : b),
  max: (a: bigint, b: bigint) => (a > b ? a : b),
} as const;
const identity = (op: keyof typeof OPERATIONS, type: IntegerName) =>
  op === 'add' ? 0n : LIMITS[type][op === 'min' ? 1 : 0];

const put = (o: Uint32Array, at: number, v: bigint) =>
  o.set([Number(v & 0xffffffffn), Number((v >> 32n) & 0xffffffffn)], at);

/** Reductions and scans of a type over work-groups, the last of which is not full. */
const workGroups = (type: IntegerName): Case => ({
  name: `work_groups_of_${type}`,
  body: `${type} v = ${MAKE[type]}; global ulong *q = (global ulong *)o + 10 * g;
    ${Object.keys(OPERATIONS)
      .map(
        (op, k) =>
          `q[${3 * k}] = work_group_reduce_${op}(v); q[${3 * k + 1}] = work_group_scan_inclusive_${op}(v); q[${3 * k + 2}] = work_group_scan_exclusive_${op}(v);`,
      )
      .join(' ')}
    q[9] = work_group_broadcast(v, get_group_id(0) % get_local_size(0));`,
  global: COUNT,
  local: GROUP,
  words: 20 * COUNT,
  reference(o, input) {
    for (const [w, { from, to }] of groupsOf(COUNT, GROUP).entries()) {
      const values = Array.from(input.subarray(from, to), INTEGERS[type]);
      const wrap = (v: bigint) =>
        type.endsWith('int') ? (type === 'int' ? BigInt.asIntN(32, v) : BigInt.asUintN(32, v)) : v;
      (Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[]).forEach((op, k) => {
        let sum = identity(op, type);
        values.forEach((v, l) => {
          put(o, 20 * (from + l) + 6 * k + 4, sum);
          sum = wrap(OPERATIONS[op](sum, v));
          put(o, 20 * (from + l) + 6 * k + 2, sum);
        });
        for (let g = from; g < to; g++) put(o, 20 * g + 6 * k, sum);
      });
      for (let g = from; g < to; g++) put(o, 20 * g + 18, values[w % values.length]!);
    }
  },
});

/** The same of constants. The count of zeros brings passes that simplify the kernel after it was divided at its group functions. */
const OF_CONSTANTS: Case = {
  name: 'work_groups_of_constants',
  body: `global uint *q = o + 6 * g; q[0] = work_group_reduce_add(3); q[1] = work_group_scan_inclusive_add(2); q[2] = work_group_scan_exclusive_max(5);
    q[3] = work_group_broadcast(7, 1); q[4] = work_group_any(1) + work_group_all(0); q[5] = ctz((ulong)in[g] << 9 | 1ul << 50);`,
  global: COUNT,
  local: GROUP,
  words: 6 * COUNT,
  reference(o, input) {
    for (const { from, to } of groupsOf(COUNT, GROUP))
      for (let g = from; g < to; g++) {
        const place = g - from;
        const bits = (BigInt(input[g]!) << 9n) | (1n << 50n);
        const zeros = (bits & -bits).toString(2).length - 1;
        const before = place === 0 ? 0x8000_0000 : 5;
        o.set([3 * (to - from), 2 * (place + 1), before, 7, 1, zeros], 6 * g);
      }
  },
};

/** A kernel that counts where its sub-groups' functions differ from loops: `CHECK(function, start, step)` for sums over lanes. */
const subGroups = (name: string, type: string, make: string, checks: string, before = ''): Case => ({
  name,
  before: `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
    #define LANES(first, last) for (uint k = (first); k < (last); k++)
    ${before}`,
  body: `local ${type} t[${GROUP}]; uint wrong = 0, lane = get_sub_group_local_id(), size = get_sub_group_size(), base = get_sub_group_id() * get_max_sub_group_size(); ${type} v = ${make};
    t[base + lane] = v; barrier(CLK_LOCAL_MEM_FENCE); local ${type} *s = t + base; ${checks} o[g] = wrong;`,
  global: COUNT,
  local: GROUP,
  words: COUNT,
  reference() {},
});

const fold = (call: string, type: string, start: string, step: string, first: string, last: string) =>
  `{ ${type} h = ${start}; LANES(${first}, ${last}) { ${type} x = s[k]; h = ${step}; } if (${call} != h) wrong++; }`;
const scans = (prefix: string, type: string, op: string, start: string, step: string) =>
  ['reduce', 'scan_inclusive', 'scan_exclusive']
    .map((kind) =>
      fold(
        `${prefix}_${kind}_${op}(v)`,
        type,
        start,
        step,
        '0',
        kind === 'reduce' ? 'size' : kind === 'scan_inclusive' ? 'lane + 1' : 'lane',
      ),
    )
    .join('\n');

const EXTENDED: readonly (readonly [string, string])[] = [
  ['and', 'h & x'], ['or', 'h | x'], ['xor', 'h ^ x'], ['mul', 'h * x'], ['add', 'h + x'], ['min', 'min(h, x)'], ['max', 'max(h, x)'],
]; // biome-ignore format: a table
const START: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  uchar: { min: '255', max: '0', and: '255', mul: '1' },
  short: { min: 'SHRT_MAX', max: 'SHRT_MIN', and: '-1', mul: '1' },
  int: { min: 'INT_MAX', max: 'INT_MIN', and: '-1', mul: '1' },
  ulong: { min: 'ULONG_MAX', max: '0', and: 'ULONG_MAX', mul: '1' },
};

const SUB_GROUPS: readonly Case[] = [
  ...Object.entries(START).map(([type, starts]) =>
    subGroups(`sub_groups_of_${type}`, type, `(${type})(in[g] * 0x10001ul)`, EXTENDED.map(([op, step]) => scans(['add', 'min', 'max'].includes(op) ? 'sub_group' : 'sub_group_non_uniform', type, op, `(${type})${starts[op] ?? '0'}`, `(${type})(${step})`)).join('\n')),
  ),
  ...['float', 'double', 'half'].map((type) =>
    subGroups(`sub_groups_of_${type}`, type, `(${type})(in[g] & 31)`, [['add', '0', 'h + x'], ['min', 'INFINITY', 'min(h, x)'], ['max', '-INFINITY', 'max(h, x)']].map(([op, start, step]) => scans('sub_group', type, op!, `(${type})${start}`, step!)).join('\n')),
  ),
  subGroups('sub_groups_shuffle', 'uint', 'in[g]', `uint at = in[g + 1] % size;
    if (sub_group_shuffle(v, at) != s[at]) wrong++; if (sub_group_broadcast(v, size - 1) != s[size - 1]) wrong++; if (sub_group_broadcast_first(v) != s[0]) wrong++;
    uint x = sub_group_shuffle_xor(v, 1); if ((lane ^ 1) < size && x != s[lane ^ 1]) wrong++; uint u = sub_group_shuffle_up(v, 2); if (lane >= 2 && u != s[lane - 2]) wrong++; uint d = sub_group_shuffle_down(v, 3); if (lane + 3 < size && d != s[lane + 3]) wrong++;
    if (size == get_max_sub_group_size() && sub_group_rotate(v, 5) != s[(lane + 5) % size]) wrong++; if (sub_group_non_uniform_broadcast(v, 1 % size) != s[1 % size]) wrong++;`),
  subGroups('sub_groups_shuffle_halves_and_longs', 'ulong', '((ulong)in[g] << 32 | in[g + 1])', `uint at = (lane * 3 + 1) % size; if (sub_group_shuffle(v, at) != s[at]) wrong++; if (as_double(v) == as_double(v) && as_ulong(sub_group_shuffle(as_double(v), at)) != s[at] && as_double(s[at]) == as_double(s[at])) wrong++;
    ushort r = sub_group_shuffle((ushort)v, at); if (r != (ushort)s[at]) wrong++; char c = sub_group_shuffle((char)v, at); if (c != (char)s[at]) wrong++;`),
  subGroups('sub_groups_vote', 'uint', 'in[g]', `uint4 b = sub_group_ballot(v & 1); uint n = 0, low = 0; LANES(0, size) { n += s[k] & 1; if (k < lane) low += s[k] & 1; if (((s[k] & 1) != 0) != ((b.x >> k) & 1)) wrong++; }
    if (sub_group_ballot_bit_count(b) != n) wrong++; if (sub_group_ballot_exclusive_scan(b) != low) wrong++; if (sub_group_ballot_inclusive_scan(b) != low + (v & 1)) wrong++; if (sub_group_inverse_ballot(b) != (int)(v & 1)) wrong++;
    if (sub_group_any(v & 1) != (n > 0)) wrong++; if (sub_group_all(v & 1) != (n == size)) wrong++; if (sub_group_non_uniform_any(v & 1) != (n > 0)) wrong++; if (n && sub_group_ballot_find_lsb(b) != ctz(b.x)) wrong++; if (n && sub_group_ballot_find_msb(b) != 31 - clz(b.x)) wrong++;
    bool equal = true; LANES(0, size) if ((s[k] & 3) != (v & 3)) equal = false; bool all; { bool first = true; LANES(1, size) if ((s[k] & 3) != (s[0] & 3)) first = false; all = first; } if (sub_group_non_uniform_all_equal(v & 3) != all) wrong++; (void)equal;`),
  subGroups('sub_groups_diverge', 'uint', 'in[g]', `if (v & 1) { uint h = 0, first = 99; LANES(0, size) if (s[k] & 1) { h += s[k]; if (first == 99) first = k; } if (sub_group_non_uniform_reduce_add(v) != h) wrong++; if (sub_group_elect() != (lane == first)) wrong++; if (sub_group_broadcast_first(v) != s[first]) wrong++; }
    else { uint h = 0; LANES(0, lane) if (!(s[k] & 1)) h = max(h, s[k]); if (sub_group_non_uniform_scan_exclusive_max(v) != h) wrong++; }
    for (uint i = 0; i < (v & 7); i++) { uint n = 0; LANES(0, size) n += (s[k] & 7) > i; if (sub_group_non_uniform_reduce_add(1u) != n) wrong++; }`),
  subGroups('sub_groups_in_clusters', 'uint', 'in[g]', `if (size == get_max_sub_group_size()) { uint from = lane & ~3u, h = 0, m = 0; LANES(from, from + 4) { h += s[k]; m = max(m, s[k]); } if (sub_group_clustered_reduce_add(v, 4) != h) wrong++; if (sub_group_clustered_reduce_max(v, 4) != m) wrong++; from = lane & ~1u; if (sub_group_clustered_reduce_xor(v, 2) != (s[from] ^ s[from + 1])) wrong++; if (sub_group_clustered_rotate(v, 1, 4) != s[(lane & ~3u) + ((lane + 1) & 3)]) wrong++; }`),
]; // biome-ignore format: one function a line

const ATOMICS: Case = {
  name: 'atomics_of_all_kinds',
  before: `#define ALL(T, p, v) atomic_fetch_add((volatile T *)(p), v); atomic_fetch_sub((volatile T *)((p) + 1), v); atomic_fetch_or((volatile T *)((p) + 2), v); atomic_fetch_and((volatile T *)((p) + 3), v); atomic_fetch_xor((volatile T *)((p) + 4), v); atomic_fetch_min((volatile T *)((p) + 5), v); atomic_fetch_max((volatile T *)((p) + 6), v);
      `,
  body: `local uint lu[7]; local long ll[7]; uint l = get_local_id(0); if (l < 7) { lu[l] = l == 3 || l == 5 ? ~0u : 0; ll[l] = l == 3 ? -1L : l == 5 ? LONG_MAX : l == 6 ? LONG_MIN : 0; } barrier(CLK_LOCAL_MEM_FENCE);
      uint u = in[g]; long x = ((long)(int)in[g] << 20) ^ in[g + 1]; ALL(local atomic_uint, lu, u) ALL(local atomic_long, ll, x) barrier(CLK_LOCAL_MEM_FENCE);
      if (l < 7) { uint w = get_group_id(0); o[64 * w + l] = lu[l]; ((global long *)o)[32 * w + 8 + l] = ll[l]; }
      atomic_add(&o[400], u); atomic_sub(&o[401], u); atomic_inc(&o[402]); atomic_dec(&o[403]); atomic_max(&o[404], u); atomic_max((volatile global int *)&o[405], (int)u); atomic_xor(&o[406], u); atomic_or(&o[407], u & 0x0f0f0f0f);
      atom_add((volatile global ulong *)o + 204, (ulong)x); atom_max((volatile global ulong *)o + 205, (ulong)x);
      float f = atomic_fetch_add((volatile global atomic_float *)(o + 412), (float)(u & 15)); (void)f; atomic_fetch_max((volatile global atomic_float *)(o + 413), (float)(u >> 8)); atomic_fetch_add((volatile global atomic_double *)(o + 414), (double)(u >> 1));`,
  global: 75,
  local: 25,
  words: 420,
  reference(o, input) {
    const mask = (1n << 64n) - 1n;
    const u = input.subarray(0, 75);
    const x = Array.from(u, (v, g) => BigInt.asIntN(64, (BigInt(v | 0) << 20n) ^ BigInt(input[g + 1]!)));
    for (let w = 0; w < 3; w++) {
      const [a, b] = [Array.from(u.subarray(25 * w, 25 * w + 25), BigInt), x.slice(25 * w, 25 * w + 25)];
      const put64 = (at: number, v: bigint) => put(o, at, v & mask);
      const fold = (list: bigint[], start: bigint, f: (p: bigint, q: bigint) => bigint) =>
        list.reduce(f, start);
      const least = (p: bigint, q: bigint) => (q < p ? q : p);
      const most = (p: bigint, q: bigint) => (q > p ? q : p);
      const all = (list: bigint[], top: bigint, bottom: bigint) => [
          fold(list, 0n, (p, q) => p + q), fold(list, 0n, (p, q) => p - q), fold(list, 0n, (p, q) => p | q), fold(list, -1n, (p, q) => p & q),
          fold(list, 0n, (p, q) => p ^ q), fold(list, top, least), fold(list, bottom, most),
        ]; // biome-ignore format: as the kernel
      all(a, 0xffffffffn, 0n).forEach((v, k) => {
        o[64 * w + k] = Number(BigInt.asUintN(32, v));
      });
      all(b, (1n << 63n) - 1n, -(1n << 63n)).forEach((v, k) => {
        put64(64 * w + 16 + 2 * k, v);
      });
    }
    const sum = u.reduce((p, q) => (p + q) >>> 0, 0);
    o.set(
      [
        sum,
        -sum >>> 0,
        75,
        -75 >>> 0,
        Math.max(...u),
        Math.max(0, ...new Int32Array(u.slice().buffer)),
        u.reduce((p, q) => p ^ q, 0) >>> 0,
        u.reduce((p, q) => p | (q & 0x0f0f0f0f), 0),
      ],
      400,
    );
    put(o, 408, x.reduce((p, q) => p + q, 0n) & mask);
    put(
      o,
      410,
      x.map((v) => v & mask).reduce((p, q) => (q > p ? q : p)),
    );
    const floats = new Float32Array(o.buffer);
    floats[412] = u.reduce((p, q) => p + (q & 15), 0);
    floats[413] = Math.max(...u.map((v) => v >>> 8).map(Math.fround));
    new Float64Array(o.buffer)[207] = u.reduce((p, q) => p + (q >>> 1), 0);
  },
};

export const COLLECTIVES: readonly Case[] = [
  ...(Object.keys(INTEGERS) as IntegerName[]).map(workGroups),
  OF_CONSTANTS,
  ...SUB_GROUPS,
  ATOMICS,
];
