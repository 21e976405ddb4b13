// SPDX-License-Identifier: MIT
//
// Sub-groups on the software device against a model: which work-items are one for every shape of work-group, what they
// do together, also where only some of them take part.

import { openSync, type Session } from '../../ts';
import { subGroupSizeFor } from '../../ts/base/kernel-abi';

/** A sub-group of the model: the numbers of its work-items, in the order of their local ids. */
interface SubGroup {
  readonly id: number;
  readonly items: readonly number[];
  /** Sub-groups in its work-group, and in a whole one. */
  readonly count: number;
  readonly enqueued: number;
  readonly most: number;
}

type Sizes = readonly [number, number];

function subGroups(global: Sizes, local: Sizes, required: number | undefined): SubGroup[] {
  const width = subGroupSizeFor(required ? { requiredSubGroupSize: required } : {}, local);
  const all: SubGroup[] = [];
  const enqueued = Math.ceil(local[0] / width) * local[1];
  for (let y0 = 0; y0 < global[1]; y0 += local[1])
    for (let x0 = 0; x0 < global[0]; x0 += local[0]) {
      const [x1, y1] = [Math.min(x0 + local[0], global[0]), Math.min(y0 + local[1], global[1])];
      const count = Math.ceil((x1 - x0) / width) * (y1 - y0);
      let id = 0;
      for (let y = y0; y < y1; y++)
        for (let x = x0; x < x1; x += width) {
          const items = Array.from({ length: Math.min(width, x1 - x) }, (_, i) => y * global[0] + x + i);
          all.push({ id: id++, items, count, enqueued, most: width });
        }
    }
  return all;
}

let cl: Session;
beforeAll(() => {
  cl = openSync({ device: 'software' });
});
afterAll(() => cl.close());

const noise = (seed: number) => {
  let s = seed;
  return () => {
    s = (Math.imul(s, 1664525) + 1013904223) | 0;
    return s >>> 8;
  };
};

/** Groups of all shapes: of whole sub-groups, with a smaller last one, of several rows, with a smaller last group. */
const SHAPES: readonly (readonly [global: Sizes, local: Sizes])[] = [
  [
    [64, 1],
    [64, 1],
  ],
  [
    [128, 1],
    [32, 1],
  ],
  [
    [42, 1],
    [42, 1],
  ],
  [
    [3, 1],
    [3, 1],
  ],
  [
    [1, 1],
    [1, 1],
  ],
  [
    [100, 1],
    [64, 1],
  ],
  [
    [32, 8],
    [32, 4],
  ],
  [
    [44, 6],
    [32, 4],
  ],
  [
    [8, 8],
    [4, 4],
  ],
  [
    [20, 6],
    [10, 2],
  ],
];
const REQUIRED = [undefined, 4, 8, 16, 32];

/** The result of a work-item, from its sub-group and its place in it. */
type Expected = (group: SubGroup, lane: number, values: readonly number[]) => number | undefined;

interface Operation {
  /** Of `v`, this work-item's number, `l`, its place, and `n`, how many there are; `r` is the result. */
  readonly code: string;
  readonly expected: Expected;
  /** The work-items that execute it; the others keep -1. */
  readonly takesPart?: (value: number, lane: number) => boolean;
}

const sum = (values: readonly number[]) => values.reduce((a, b) => (a + b) | 0, 0);

const OPERATIONS: Readonly<Record<string, Operation>> = {
  size: { code: 'r = get_sub_group_size();', expected: (g) => g.items.length },
  'greatest size': { code: 'r = get_max_sub_group_size();', expected: (g) => g.most },
  count: { code: 'r = get_num_sub_groups();', expected: (g) => g.count },
  'count of a whole group': { code: 'r = get_enqueued_num_sub_groups();', expected: (g) => g.enqueued },
  id: { code: 'r = get_sub_group_id();', expected: (g) => g.id },
  'local id': { code: 'r = get_sub_group_local_id();', expected: (_, lane) => lane },
  add: { code: 'r = sub_group_reduce_add(v);', expected: (_, __, values) => sum(values) },
  'add of floats': {
    code: 'r = (int)sub_group_reduce_add((float)v);',
    expected: (_, __, values) => sum(values),
  },
  'add of longs': {
    code: 'long wide = sub_group_reduce_add((long)v << 32); r = (int)(wide >> 32);',
    expected: (_, __, values) => sum(values),
  },
  'add of doubles': {
    code: 'r = (int)sub_group_scan_inclusive_add((double)v);',
    expected: (_, lane, values) => sum(values.slice(0, lane + 1)),
  },
  'least short': {
    code: 'r = sub_group_reduce_min((short)v);',
    expected: (_, __, values) => Math.min(...values.map((v) => (v << 16) >> 16)),
  },
  'greatest byte before': {
    code: 'r = sub_group_scan_exclusive_max((uchar)v);',
    expected: (_, lane, values) => Math.max(0, ...values.slice(0, lane).map((v) => v & 255)),
  },
  'sum of halves': {
    code: 'r = (int)sub_group_scan_inclusive_add((half)(v & 7));',
    expected: (_, lane, values) => sum(values.slice(0, lane + 1).map((v) => v & 7)),
  },
  'broadcast of the last': {
    code: 'r = sub_group_broadcast(v, n - 1);',
    expected: (_, __, values) => values.at(-1),
  },
  'broadcast of the first': {
    code: 'r = (int)(sub_group_broadcast((ulong)v << 20, 0) >> 20);',
    expected: (_, __, values) => values[0],
  },
  all: { code: 'r = sub_group_all(v & 7);', expected: (_, __, values) => +values.every((v) => v & 7) },
  any: {
    code: 'r = sub_group_any((v & 15) == 3);',
    expected: (_, __, values) => +values.some((v) => (v & 15) === 3),
  },
  'the mirrored one': {
    code: 'r = sub_group_shuffle(v, n - 1 - l);',
    expected: (_, lane, values) => values[values.length - 1 - lane],
  },
  'the mirrored double': {
    code: 'r = (int)sub_group_shuffle((double)v, n - 1 - l);',
    expected: (_, lane, values) => values[values.length - 1 - lane],
  },
  'the next but one': {
    code: 'r = sub_group_shuffle_down(v, 2);',
    expected: (_, lane, values) => values[lane + 2],
  },
  'the one before': {
    code: 'r = sub_group_shuffle_up((short)v, 1);',
    expected: (_, lane, values) => (lane > 0 ? (values[lane - 1]! << 16) >> 16 : undefined),
  },
  'the other of a pair': {
    code: 'r = sub_group_shuffle_xor((long)v, 1);',
    expected: (_, lane, values) => values[lane ^ 1],
  },
  'across the halves': {
    code: 'r = sub_group_shuffle_xor(v, get_max_sub_group_size() / 2);',
    expected: (g, lane, values) => values[lane ^ (g.most / 2)],
  },
  'going round': {
    code: 'r = sub_group_rotate(v, 3);',
    expected: (g, lane, values) => values[(lane + 3) % g.most],
  },
  'going round in fours': {
    code: 'r = sub_group_clustered_rotate(v, 1, 4);',
    expected: (_, lane, values) => values[(lane & ~3) | ((lane + 1) & 3)],
  },
  'sum of pairs': {
    code: 'r = sub_group_clustered_reduce_add(v, 2);',
    expected: (g, lane, values) => (g.most === 1 ? values[0] : sum(values.slice(lane & ~1, (lane & ~1) + 2))),
  },
  ballot: {
    code: 'r = sub_group_ballot(v & 1).x;',
    expected: (_, __, values) => sum(values.map((v, i) => (v & 1) << i)),
  },
  'count before': {
    code: 'r = sub_group_ballot_exclusive_scan(sub_group_ballot(v & 1));',
    expected: (_, lane, values) => sum(values.slice(0, lane).map((v) => v & 1)),
  },
  'bits of no work-item': {
    code: 'uint4 all = (uint4)(~0u << (l & 1), ~0u, ~0u, ~0u); r = sub_group_ballot_bit_count(all) * 100 + sub_group_ballot_find_msb(all);',
    expected: (g, lane) => (g.most - (lane & 1)) * 100 + (g.most - 1),
  },
  'an elected one of some': {
    code: 'if (v & 2) r = sub_group_elect();',
    takesPart: (v) => (v & 2) !== 0,
    expected: (_, lane, values) => +(values.findIndex((v) => v & 2) === lane),
  },
  'a sum of some': {
    code: 'if (v % 3) r = sub_group_non_uniform_reduce_add(v); else if (l < 2) r = sub_group_non_uniform_reduce_max(v);',
    takesPart: (v, lane) => v % 3 !== 0 || lane < 2,
    expected: (_, lane, values) => {
      const mine = values.filter((v, i) => (values[lane]! % 3 ? v % 3 !== 0 : v % 3 === 0 && i < 2));
      return values[lane]! % 3 ? sum(mine) : Math.max(...mine);
    },
  },
  'scans while some go on': {
    code: 'r = 0; for (int i = 0; i < (v & 3); i++) r += sub_group_non_uniform_scan_inclusive_add(v & 15);',
    expected: (_, lane, values) => {
      let all = 0;
      for (let i = 0; i < (values[lane]! & 3); i++)
        all += sum(
          values
            .slice(0, lane + 1)
            .filter((v) => i < (v & 3))
            .map((v) => v & 15),
        );
      return all;
    },
  },
  'a first one of some': {
    code: 'if (v & 4) r = sub_group_broadcast_first(v);',
    takesPart: (v) => (v & 4) !== 0,
    expected: (_, __, values) => values.find((v) => v & 4),
  },
  'whether some are equal': {
    code: 'if (l > 0 || n == 1) r = sub_group_non_uniform_all_equal(v & 1);',
    takesPart: (_, lane) => lane > 0,
    expected: (_, __, values) => +values.slice(1).every((v) => (v & 1) === (values[1]! & 1)),
  },
  'through local memory': {
    code: 't[get_local_linear_id()] = v; sub_group_barrier(CLK_LOCAL_MEM_FENCE); r = t[get_local_linear_id() + (l & 1 ? -1 : l + 1 < n ? 1 : 0)];',
    expected: (_, lane, values) => values[lane & 1 ? lane - 1 : Math.min(lane + 1, values.length - 1)],
  },
};
const NAMES = Object.keys(OPERATIONS);

function source(required: number | undefined): string {
  const attribute = required ? `__attribute__((intel_reqd_sub_group_size(${required})))` : '';
  const kernels = NAMES.map(
    (name, i) => `
    ${attribute} kernel void k${i}(global const int *in, global int *out) {
      local int t[1024]; t[get_local_linear_id()] = 0;
      size_t g = get_global_id(1) * get_global_size(0) + get_global_id(0);
      int v = in[g], r = -1; uint l = get_sub_group_local_id(), n = get_sub_group_size();
      ${OPERATIONS[name]!.code}
      out[g] = r; }`,
  );
  return `#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n${kernels.join('')}`;
}

describe.each(REQUIRED)('a required size of %s', (required) => {
  const fitting = SHAPES.filter(
    ([, local]) =>
      !required || subGroupSizeFor(required ? { requiredSubGroupSize: required } : {}, local) === required,
  );
  test('each operation in work-groups of each shape', async () => {
    const { kernels } = await cl.build(source(required), '-cl-std=CL3.0');
    const next = noise(7);
    for (const [global, local] of fitting) {
      const items = global[0] * global[1];
      const input = Int32Array.from({ length: items }, () => next() & 0xfff);
      const [from, to] = [cl.buffer(input), cl.buffer(Int32Array, items)];
      const groups = subGroups(global, local, required);
      for (const [i, name] of NAMES.entries()) {
        await kernels[`k${i}`]!.run({ global: [...global], local: [...local] }, from, to);
        const got = await to.read();
        const { expected, takesPart } = OPERATIONS[name]!;
        const [mine, model]: number[][] = [[], []];
        for (const group of groups) {
          const values = group.items.map((item) => input[item]!);
          group.items.forEach((item, lane) => {
            const part = takesPart?.(values[lane]!, lane) ?? true;
            const want = part
              ? expected(group, lane, values)
              : name === 'whether some are equal'
                ? undefined
                : -1;
            if (want === undefined) return;
            mine!.push(got[item]!);
            model!.push(want);
          });
        }
        expect([name, global, local, mine]).toEqual([name, global, local, model]);
      }
    }
  }, 120_000);
});

/** Sums by sub-groups, then of the sub-groups' sums, compared with the work-group's own sum. */
const STAGES = `
kernel void stages(global const int *in, global int *sums, global int *places) {
  local int parts[1024];
  size_t g = get_global_id(0);
  int v = in[g];
  int sum = sub_group_reduce_add(v);
  if (get_sub_group_local_id() == 0) parts[get_sub_group_id()] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  int own = work_group_scan_exclusive_add(v) - sub_group_scan_exclusive_add(v);
  int before = 0;
  for (uint i = 0; i < get_sub_group_id(); i++) before += parts[i];
  int total = 0;
  for (uint i = 0; i < get_num_sub_groups(); i++) total += parts[i];
  places[g] = own == before ? work_group_broadcast(v, get_local_size(0) - 1) : -1;
  if (work_group_any(total != work_group_reduce_add(v))) total = -1;
  if (get_local_id(0) == 0) sums[get_group_id(0)] = total;
}`;

test.each([
  [64, 64],
  [42, 42],
  [7, 7],
  [300, 128],
  [1000, 90],
])('sums of %i numbers by groups of %i, beside those of work-groups', async (global, local) => {
  const { kernels } = await cl.build(STAGES, '-cl-std=CL3.0');
  const input = Int32Array.from({ length: global }, (_, i) => (i * 7919) % 1009);
  const groups = Array.from({ length: Math.ceil(global / local) }, (_, i) =>
    input.subarray(i * local, (i + 1) * local),
  );
  const [sums, places] = [cl.buffer(Int32Array, groups.length), cl.buffer(Int32Array, global)];
  await kernels.stages!.run({ global, local }, cl.buffer(input), sums, places);
  expect([...(await sums.read())]).toEqual(groups.map((group) => sum([...group])));
  expect([...(await places.read())]).toEqual(groups.flatMap((group) => [...group.fill(group.at(-1)!)]));
});

test('blocks and shuffles of cl_intel_subgroups', async () => {
  const { kernels } = await cl.build(
    `__attribute__((intel_reqd_sub_group_size(16))) kernel void k(global uint *in, global uint *out) {
      size_t at = (get_global_id(0) / 16) * 32;
      uint2 v = intel_sub_group_block_read2(in + at);
      uint near = intel_sub_group_shuffle_down(v.x, v.y, 3);
      uint far = intel_sub_group_shuffle_up(v.x, v.y, 5);
      intel_sub_group_block_write2(out + at, (uint2)(near, far));
    }`,
    '-cl-std=CL3.0',
  );
  const input = Uint32Array.from({ length: 64 }, (_, i) => i * i);
  const out = cl.buffer(Uint32Array, 64);
  await kernels.k!.run({ global: 32, local: 32 }, cl.buffer(input), out);
  const expected = [0, 32].flatMap((at) => {
    const both = [...input.subarray(at, at + 32)];
    return [...both.slice(3, 19), ...both.slice(11, 27)];
  });
  expect([...(await out.read())]).toEqual(expected);
});

test('the host is told the sizes that kernels see', async () => {
  const { kernels } = await cl.build(
    `kernel void free(global uint *out) { out[0] = get_max_sub_group_size(); out[1] = get_num_sub_groups(); }
     __attribute__((intel_reqd_sub_group_size(16))) kernel void sixteen(global uint *out) {
       out[0] = get_max_sub_group_size(); out[1] = get_num_sub_groups(); }`,
    '-cl-std=CL3.0',
  );
  for (const kernel of [kernels.free!, kernels.sixteen!])
    for (const local of [[64], [42], [5], [32, 2], [10, 2]]) {
      if (kernel === kernels.sixteen && local[1] && local[0]! % 16) continue;
      const out = cl.buffer(Uint32Array, 2);
      await kernel.run({ global: local, local }, out);
      expect([...(await out.read())]).toEqual([
        kernel.subGroupInfo('MAX_SUB_GROUP_SIZE_FOR_NDRANGE', local),
        kernel.subGroupInfo('SUB_GROUP_COUNT_FOR_NDRANGE', local),
      ]);
    }
  expect(kernels.sixteen!.subGroupInfo('COMPILE_SUB_GROUP_SIZE_INTEL')).toBe(16);
  expect(() => kernels.free!.subGroupInfo('SUB_GROUP_COUNT_FOR_NDRANGE')).toThrow(
    /CL_INVALID_VALUE.*local size/,
  );
  expect(cl.device.info('SUB_GROUP_SIZES_INTEL')).toEqual([4, 8, 16, 32]);
});

test('a required size that cannot be had is an error', async () => {
  await expect(
    cl.build('__attribute__((intel_reqd_sub_group_size(64))) kernel void k(void) {}', '-cl-std=CL3.0'),
  ).rejects.toThrow(/kernel 'k' asks for sub-groups of 64 work-items; the device has them of 4, 8, 16, 32/);
  const { kernels } = await cl.build(
    '__attribute__((intel_reqd_sub_group_size(16))) kernel void k(global int *p) { *p = get_sub_group_size(); }',
    '-cl-std=CL3.0',
  );
  const p = cl.buffer(Int32Array, 1);
  await expect(async () => kernels.k!.run({ global: [8, 8], local: [8, 8] }, p)).rejects.toThrow(
    /CL_INVALID_WORK_GROUP_SIZE.*multiple/,
  );
});

test.each([
  ['0u', 'a power of two, not 0'],
  ['3u', 'a power of two, not 3'],
  ['(uint)o[1]', 'must be constant'],
])('clusters of %s are refused, and are not our fault', async (size, why) => {
  const program = await cl.build(
    `kernel void k(global int *o) { o[0] = sub_group_clustered_reduce_add(o[2], ${size}); }
     kernel void r(global int *o) { o[0] = sub_group_clustered_rotate(o[2], 1, ${size}); }`,
  );
  for (const kernel of Object.values(program.kernels)) {
    const failed = await Promise.resolve()
      .then(() => kernel!.run({ global: 8, local: 8 }, cl.buffer(64)))
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({ message: expect.stringContaining(why) });
    expect(failed).not.toMatchObject({ message: expect.stringContaining('fault of anycl') });
  }
});

test('masks of the work-items from one on have the bits of the largest sub-group', async () => {
  const { kernels } = await cl.build(
    `kernel void k(global uint *o) {
       size_t x = get_global_id(0);
       vstore4(get_sub_group_ge_mask(), 2 * x, o);
       vstore4(get_sub_group_gt_mask(), 2 * x + 1, o);
     }`,
    '-cl-std=CL3.0',
  );
  // Of the last sub-group the second half is missing.
  const out = cl.buffer(Uint32Array, 8 * 12);
  await kernels.k!.run({ global: 12, local: 12 }, out);
  const most = kernels.k!.subGroupInfo('MAX_SUB_GROUP_SIZE_FOR_NDRANGE', [12]);
  const expected = Array.from({ length: 12 }, (_, x) => {
    const from = (2 ** most - 2 ** (x % most)) >>> 0;
    return [from, 0, 0, 0, (from - 2 ** (x % most)) >>> 0, 0, 0, 0];
  }).flat();
  expect(12 % most).not.toBe(0);
  expect([...(await out.read())]).toEqual(expected);
});
