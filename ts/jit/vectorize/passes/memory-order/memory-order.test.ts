// SPDX-License-Identifier: MIT
import { optimizedWithSignature } from '../../../../../tests/helpers/optimized-kernel';
import { Divergence } from '../../../analyses/divergence';
import { Op } from '../../../ir/ir';
import { accessInMemoryOrder } from './memory-order';

/** The components of the accesses that are made in memory order, in the order of the code: of loads, and of stores. */
function found(body: string, p = 'float4'): { loads: number[]; stores: number[] } {
  const text = `typedef struct { float x, y, z, m; } Particle;
    kernel void k(global ${p} *p, global const float4 *q, global const half *h, float s, int n) {
      int i = get_global_id(0); ${body} }`;
  return accesses(optimizedWithSignature(text));
}

function accesses({ func, signature }: ReturnType<typeof optimizedWithSignature>): {
  loads: number[];
  stores: number[];
} {
  accessInMemoryOrder(func, signature, new Divergence(func), () => false);
  const all = func.blocks.flatMap((b) => b.insts.filter((i) => i.facts.memoryOrder !== undefined));
  const components = (op: Op) => all.filter((i) => i.op === op).map((i) => i.facts.memoryOrder!);
  return { loads: components(Op.Load), stores: components(Op.Store) };
}

const four = { loads: [0, 1, 2, 3], stores: [0, 1, 2, 3] };
const none = { loads: [], stores: [] };

test('components that are computed alike are accessed in memory order, one after another', () => {
  expect(found('p[i] = q[i] * s;')).toEqual(four);
  // The number of each structure is brought into memory order.
  expect(found('p[i] = q[i] * (float)i;')).toEqual(four);
  expect(found('if (i < n) p[i] = fmax(q[i], s) - 1;')).toEqual(four);
  expect(found('p[i] = q[i] + s * p[i];')).toEqual({ loads: [0, 0, 1, 1, 2, 2, 3, 3], stores: [0, 1, 2, 3] });
  expect(found('vstore4(vload_half4(i, h), i, p);', 'float')).toEqual(four);
  expect(found('p[i] = *(global const Particle *)(q + i);', 'Particle')).toEqual(four);
});

test('vectors within larger structures', () => {
  const twice = { loads: [0, 0, 1, 1, 2, 2, 3, 3], stores: [0, 1, 2, 3] };
  expect(found('p[i] = q[i * 2];')).toEqual(four);
  expect(found('p[2 * i] += p[2 * i + 1] * s;')).toEqual(twice);
  expect(found('p[i].lo += p[i].hi * s;', 'float8')).toEqual(twice);
  expect(found('p[3 * i + 1] += p[3 * i + 2] * s;')).toEqual(twice);
  expect(found('p[i].lo = p[i].hi.yxzw * s;', 'float8')).toEqual(four);
  expect(found('vstore4(vload4(0, p + 5 * i) * s, 0, p + 5 * i);', 'float')).toEqual(none);
});

test('components that are computed in another way, or not at all, are computed alike and replaced', () => {
  const two = { loads: [0, 0, 1, 1, 2, 2, 3, 3], stores: [0, 1, 2, 3] };
  expect(found('p[i] = q[i] * (float4)(s, s, s, 1);')).toEqual(four);
  expect(found('float4 v = q[i]; p[i] = (float4)(v.xyz * s + v.yzx, v.w);')).toEqual(four);
  expect(found('float4 v = q[i]; p[i] = (float4)(v.xy * s, -v.zw);')).toEqual(four);
  // Of a vector of which a component is not read, all are loaded.
  expect(found('p[i] = (float4)(p[i].xyz + q[i].xyz * s, 1);')).toEqual(two);
  expect(found('p[i] = (float4)(q[i].xy, q[i + n].zw);')).toEqual(two);
  expect(found('p[i] = q[i].yxxz;')).toEqual(four);
  // Not a division of integers, nor for one component of four.
  expect(found('int4 v = as_int4(q[i]); p[i] = as_float4((int4)(v.xyz / (n | 1), v.w));')).toEqual(none);
  expect(found('float4 v = q[i]; p[i] = (float4)(v.x * s, v.y + s, v.z - v.x / s, fmax(v.w, s));')).toEqual(
    none,
  );
});

test('what one vector leaves out is taken from another one that has it', () => {
  const body = `float4 v = q[i] * s, w = p[i + n];
    p[i] = v; p[i + n] = (float4)(v.x < 0 ? -w.x : w.x, v.y < 0 ? -w.y : w.y, v.z < 0 ? -w.z : w.z, w.w);`;
  expect(found(body).stores.toSorted()).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
});

test('what is loaded in addition is not what the source reads', () => {
  const { func, signature } = optimizedWithSignature(
    'kernel void k(global float4 *p, float s) { int i = get_global_id(0); p[i] = (float4)(p[i].xyz * s, 1); }',
  );
  accessInMemoryOrder(func, signature, new Divergence(func), () => false);
  const loads = func.blocks.flatMap((block) => block.insts.filter((i) => i.op === Op.Load));
  expect(loads.map(({ facts }) => facts.speculative === true)).toEqual([false, false, false, true]);
});

test('vectors that are stored in part', () => {
  const two = { loads: [0, 0, 1, 1, 2, 2, 3, 3], stores: [0, 1, 2, 3] };
  expect(found('p[i].xyz = q[i].xyz;')).toEqual(four);
  expect(found('p[i].xyz += q[i].zyx * s;')).toEqual(two);
  expect([...found('p[i].yzw = q[i].xyz * s;').stores].sort()).toEqual([0, 1, 2, 3]);
  expect(found('p[i] += q[i].xyz * s;', 'float3')).toEqual(two);
  expect(found('p[2 * i + 1].xy = -q[i].zw;')).toEqual(four);
  expect(found('p[i].xz = q[i].xz * s;')).toEqual(four);

  expect(found('p[i].y = q[i].x * s;')).toEqual(none);
});

test('what is added for vectors that are stored in part is removed before the pass runs again', () => {
  const { func, signature } = optimizedWithSignature(
    'kernel void k(global float3 *p, float s) { int i = get_global_id(0); p[i] = p[i].yxz * s; }',
  );
  const stored = () => {
    accessInMemoryOrder(func, signature, new Divergence(func), () => false);
    const stores = func.blocks.flatMap((block) => block.insts.filter((i) => i.op === Op.Store));
    return stores.map(({ facts }) => [facts.memoryOrder, facts.storedComponents]);
  };
  const once = stored();
  expect(once).toEqual([0, 1, 2, 3].map((k) => [k, 7]));
  expect(stored()).toEqual(once);
});

test('a number of a structure is computed for each component where it is cheap', () => {
  const two = { loads: [0, 0, 1, 1, 2, 2, 3, 3], stores: [0, 1, 2, 3] };
  expect(found('float4 v = q[i]; p[i] = v + p[i] * (1 - v.w);')).toEqual(two);
  expect(found('float4 v = q[i]; p[i] = v * (s - v.w) * fmax(1 - v.w, s);')).toEqual(four);
  // Others use it.
  expect(found('float4 v = q[i]; float t = 1 - v.w; p[i] = v + p[i] * t; p[i + n].x = t;')).toEqual(none);
});

test('components that change places are permuted, after all loads', () => {
  const two = { loads: [0, 0, 1, 1, 2, 2, 3, 3], stores: [0, 1, 2, 3] };
  expect(found('p[i] = q[i].wzyx;')).toEqual(four);
  for (const to of ['p', 'p + 1', 'q'])
    expect(order(`vstore4(vload4(i, p).wzyx * 2, i, ${to});`)).toBe('L0 L1 L2 L3 S0 S1 S2 S3');
  expect(found('p[i] = p[i] - p[i].yxwz;')).toEqual(four);
  expect(found('float4 v = q[i] * s; p[i] = v.yzxw * v + v.wwww;')).toEqual(four);
  // Of several structures, and with constants.
  expect(found('float4 v = p[i], w = q[i]; p[i] = (float4)(v.x, w.x, v.y, w.w) + v.zwyy - w.yyzz;')).toEqual(
    two,
  );
  expect(found('float4 v = q[i]; p[i] = v - (float4)(v.w, v.x, s, 1);')).toEqual(four);
});

test('the same places in several structures are permuted, too', () => {
  const code = permutations('float4 v = p[i], w = q[i]; p[i] = (v + w) * (float4)(v.x, w.y, v.z, w.w);');
  expect(code).toEqual(['afch', 'afch', 'afch', 'afch']);
});

test('not where others use a component, nor where it is not known what a store overwrites', () => {
  expect(found('float4 v = q[i]; p[i] = v * s; p[i + n].x = v.y;')).toEqual(none);
  expect(found('float4 v = q[i]; if (v.x > s) p[i] = v;')).toEqual(none);
  expect(found('p[i] = q[i]; p[i].x = s;')).not.toEqual(four);
});

test('not where stored structures overlap', () => {
  const stored = (second: string) =>
    found(
      `global double *r = p + i * 8; double2 v = vload2(0, r + 4), w = vload2(0, r + 6);
      vstore2(v * 2, 0, r); vstore2(w * 3, 0, r + ${second});`,
      'double',
    ).stores;
  expect(stored('2')).toEqual([0, 0, 1, 1]);
  expect(stored('1')).toEqual([]);
});

test('not where two structures share an instruction that has other operands for each', () => {
  const both = (constants: string) => {
    const body = `global const int8 *from = (global const int8 *)q; global int8 *to = (global int8 *)p;
      int j = (int)s * i ^ 3; to[j] = from[(int)q[i].x] + max((int8)(${constants}), i);`;
    return found(body).stores;
  };
  expect(both('5, 3, 0, 6, 2, 9, 4, 7')).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
  expect(both('5, 3, 0, 6, 5, 3, 0, 6')).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
  expect(both('5, 3, 0, 6, 2, 3, 4, 6')).toEqual([]);
});

/** The orders of the components that are permuted. */
function permutations(body: string): (string | undefined)[] {
  const { func, signature } = optimizedWithSignature(
    `kernel void k(global float4 *p, global const float4 *q) { int i = get_global_id(0); ${body} }`,
  );
  accessInMemoryOrder(func, signature, new Divergence(func), () => false);
  const all = func.blocks.flatMap((block) => block.insts.filter((i) => i.op === Op.PermuteComponents));
  return all.map(({ facts }) => facts.order);
}

/** Loads and stores in the order of the code. */
function order(body: string): string {
  const { func, signature } =
    optimizedWithSignature(`kernel void k(global float *p, global float *restrict q, int n) {
    int i = get_global_id(0); ${body} }`);
  accessInMemoryOrder(func, signature, new Divergence(func), () => false);
  const all = func.blocks.flatMap((block) => block.insts.filter((i) => i.facts.memoryOrder !== undefined));
  return all
    .filter(({ op }) => op === Op.Load || op === Op.Store)
    .map(({ op, facts }) => `${op === Op.Load ? 'L' : 'S'}${facts.memoryOrder}`)
    .join(' ');
}

test('stores stay after the loads that precede them where structures may overlap in part', () => {
  const kept = 'L0 L1 L2 L3 S0 S1 S2 S3';
  const mixed = 'L0 S0 L1 S1 L2 S2 L3 S3';
  // A single work-item may shift its own elements.
  expect(order('vstore4(vload4(i, p) * 2, i, p + 1);')).toBe(kept);
  expect(order('vstore4(vload4(i, p + n) * 2, i, p);')).toBe(kept);
  // A component of the doubles is of other work-items than one of the floats.
  expect(
    order(
      'float4 v = ((global float4 *)p)[i]; ((global double2 *)p)[i] = ((global double2 *)q)[i]; vstore4(v, i, q + 4);',
    ),
  ).not.toMatch(/S.*L/);
  expect(order('vstore4(vload4(i, p) * 2, i, p);')).toBe(mixed);
  expect(order('vstore4(vload4(i, p) * 2, i, q);')).toBe(mixed);
  expect(order('((global float4 *)p)[i + n] = ((global float4 *)p)[i] * 2;')).toBe(mixed);
  expect(order('vstore4(vload4(i, p) * 2, i, p + 1); vstore4(vload4(i, p + n) * 3, i, p + 2);')).toBe(
    `${kept} ${kept}`,
  );
});

test('vectors that loops and branches pass on', () => {
  const inLoop = 'for (int k = 0; k < 8; k++)';
  const sum = { loads: [0, 1, 2, 3], stores: [0, 1, 2, 3] };
  expect(found(`float4 a = 0; ${inLoop} a += q[i * 8 + k]; p[i] = a;`)).toEqual(sum);
  expect(found(`float4 a = 0; ${inLoop} a = fmax(a, q[i + k * n]) * s; p[i] = a;`)).toEqual(sum);
  // As many iterations as an argument says, in a loop of another one; also none.
  expect(
    found(
      'float4 a = 0; for (int j = 0; j < n; j++) for (int k = 0; k < j; k++) a += q[i + k * j]; p[i] = a;',
    ),
  ).toEqual(sum);
  // Under a condition of all work-items.
  expect(found(`float4 a = q[i]; ${inLoop} if (k & n) a *= a; p[i] = a;`)).toEqual(sum);
  // Two that need each other, of which one starts with a number that is not a vector.
  expect(
    found(`float4 a = q[i], b = i; ${inLoop} { a += b * s; b = b * s + a; } p[2 * i] = a; p[2 * i + 1] = b;`)
      .stores,
  ).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
  // A component of a sum is one of a vector in memory order, too.
  expect(found(`float4 a = 0; ${inLoop} a += q[i * 8 + k]; p[i] = a / a.w;`)).toEqual(sum);
});

test('vectors that only some work-items pass on are not in memory order', () => {
  expect(found('float4 a = 0; for (int k = 0; k < i; k++) a += q[i + k * n]; p[i] = a;')).toEqual(none);
  expect(
    found(
      'float4 a = q[i]; for (int k = 0; k < 8; k++) if (q[k + i].x > s) { a *= a; p[i + k * n].x = s; } p[i] = a;',
    ),
  ).toEqual(none);
  // A loop that needs a component as a number for itself.
  expect(
    found('float4 a = 0; for (int k = 0; k < 8; k++) a += q[i * 8 + k] * s; p[i] = a; p[i + n].x = a.y;'),
  ).toEqual(none);
  // Across a barrier.
  expect(
    found(
      'float4 a = 0; for (int k = 0; k < 8; k++) { a += q[i * 8 + k]; barrier(CLK_GLOBAL_MEM_FENCE); } p[i] = a;',
    ),
  ).toEqual(none);
});
