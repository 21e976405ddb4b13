// SPDX-License-Identifier: MIT
//
// Atomics compiled at every tile size against the interpreter, bit by bit.
import { checkTiles as check, foreign, ints, noise } from '../../../../tests/helpers/every-tile';

foreign('compiled atomics', () => {
  test('atomics whose results nobody uses, on places of their own and on one', () => {
    const n = 96;
    check(
      `__kernel void k(volatile __global uint *bins, volatile __global int *one, __global const int *x, int n) {
         int i = get_global_id(0) + 24 * get_global_id(1);
         if (i >= n) return;
         int v = x[i];
         atomic_add(&bins[v & 7], i + 1);
         if (v & 16) atomic_dec(&bins[8 + (v & 3)]);
         atomic_add(one, v);
         if (v & 1) atomic_sub(one, 3);
       }`,
      'k',
      {
        global: [24, 4],
        local: [8, 2],
        args: [
          { buffer: new Uint32Array(12).fill(5) },
          { buffer: ints(1, () => -7) },
          { buffer: ints(n, (i) => Math.floor(noise(i) * 1000)) },
          { value: ints(1, () => n - 5) },
        ],
      },
    );
    check(
      `__kernel void extremes(volatile __global int *least, volatile __global uint *most, volatile __global int *all,
                              volatile __global uint *any, volatile __global int *odd, __global const int *x) {
         int i = get_global_id(0) + 24 * get_global_id(1), v = x[i];
         if (v & 2) { atomic_min(least, v); atomic_min(&least[1 + (v & 3)], -v); }
         if (v % 3 == 0) atomic_max(most, v);
         atomic_max(&most[1 + (v & 3)], v * 0x9E3779B9u);
         atomic_and(all, v | 0xff0); atomic_and(&all[1 + (v & 1)], v);
         if (v & 8) atomic_or(any, v & 0x3f0);
         atomic_or(&any[1 + (v & 1)], 1 << (v & 31));
         if (v & 4) atomic_xor(odd, v * 77);
         atomic_xor(&odd[1 + (v & 1)], v);
       }`,
      'extremes',
      {
        global: [24, 4],
        local: [8, 2],
        args: [
          { buffer: ints(5, () => 900) },
          { buffer: new Uint32Array(5).fill(4) },
          { buffer: ints(3, () => -2) },
          { buffer: new Uint32Array(3).fill(1) },
          { buffer: ints(3, () => 123) },
          { buffer: ints(n, (i) => Math.floor(noise(i) * 4000) - 2000) },
        ],
      },
    );
  });

  test('results of atomics on one address: as if the work-items came one after the other', () => {
    const n = 96;
    const x = ints(n, (i) => Math.floor(noise(i) * 9));
    const total = x.reduce((sum, v) => sum + v + (v & 1 ? 1 : 0), 0);
    const taken = x.reduce((sum, v) => sum + (v > 3 ? 2 : 0), 0);
    // Exactly one work-item takes each place, in any order.
    check(
      `__kernel void k(volatile __global int *next, __global int *places, volatile __global int *left, __global int *given,
                       __global const int *x) {
         int i = get_global_id(0) + 24 * get_global_id(1), v = x[i];
         int from = atomic_add(next, v);
         for (int j = 0; j < v; j++) places[from + j] += 1;
         if (v & 1) places[atomic_inc(next)] += 1;
         if (v > 3) { int last = atomic_sub(left, 2); given[last - 1] += 1; given[last - 2] += 1; }
       }`,
      'k',
      {
        global: [24, 4],
        local: [8, 2],
        args: [
          { buffer: new Int32Array(1) },
          { buffer: new Int32Array(total + 1) },
          { buffer: ints(1, () => taken) },
          { buffer: new Int32Array(taken + 1) },
          { buffer: x },
        ],
      },
      [
        ints(1, () => total),
        ints(total + 1, (i) => (i < total ? 1 : 0)),
        new Int32Array(1),
        ints(taken + 1, (i) => (i < taken ? 1 : 0)),
        x,
      ],
    );
  });

  test('exchanges on one address: each value is found once', () => {
    for (const [type, exchange, at] of [
      ['int', 'atomic_xchg', new Int32Array(1)],
      ['float', 'atomic_xchg', new Float32Array(1)],
      ['long', 'atom_xchg', new BigInt64Array(1)],
    ] as const)
      for (const [condition, takesPart] of [
        ['1', () => true],
        ['i % 3 != 1', (i: number) => i % 3 !== 1],
      ] as const)
        check(
          `#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
           __kernel void k(volatile __global ${type} *at, __global int *found, volatile __global int *done) {
             int i = get_global_id(0) + 24 * get_global_id(1);
             if (${condition}) found[(int)${exchange}(at, (${type})(i + 1))] += 1;
             // The last value is found by the work-item that comes last.
             if (atomic_inc(done) == 95) found[(int)${exchange}(at, (${type})0)] += 1;
           }`,
          'k',
          {
            global: [24, 4],
            local: [8, 2],
            args: [{ buffer: at }, { buffer: new Int32Array(97) }, { buffer: new Int32Array(1) }],
          },
          [at, ints(97, (v) => (v === 0 || takesPart(v - 1) ? 1 : 0)), ints(1, () => 96)],
          [2],
        );
  });

  test('compare-and-exchange on one address: each number is taken once', () => {
    for (const [type, exchange, next, last] of [
      ['int', 'atomic_cmpxchg', new Int32Array(1), ints(1, () => 160)],
      ['long', 'atom_cmpxchg', new BigInt64Array(1), new BigInt64Array([160n])],
    ] as const)
      check(
        `#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
         __kernel void k(volatile __global ${type} *next, __global int *taken) {
           int i = get_global_id(0) + 24 * get_global_id(1);
           for (int n = i % 3 == 0 ? 3 : 1; n > 0; n--) {
             ${type} guess = 0, seen;
             while ((seen = ${exchange}(next, guess, guess + 1)) != guess) guess = seen;
             taken[(int)guess] += 1;
           }
         }`,
        'k',
        {
          global: [24, 4],
          local: [8, 2],
          args: [{ buffer: next }, { buffer: new Int32Array(161) }],
        },
        [last, ints(161, (i) => (i < 160 ? 1 : 0))],
        [2],
      );
  });

  test('bits of words that neighbours share, with and without results', () => {
    const n = 96;
    const x = ints(n, (i) => Math.floor(noise(i) * 1000));
    for (const [type, log2, prefix] of [
      ['uint', 5, 'atomic'],
      ['ulong', 6, 'atom'],
    ] as const)
      check(
        `#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
         __kernel void k(volatile __global ${type} *bits, volatile __global uint *set, volatile __local uint *own,
                         __global int *wrong, __global uint *counts, __global const int *x) {
           int i = get_global_id(0), l = get_local_id(0);
           ${type} bit = (${type})1 << (i & ${2 ** log2 - 1});
           own[l] = 0;
           barrier(CLK_LOCAL_MEM_FENCE);
           if (${prefix}_or(&bits[i >> ${log2}], bit) & bit) wrong[i] |= 1;
           if (!(${prefix}_xor(&bits[i >> ${log2}], bit) & bit)) wrong[i] |= 2;
           if (x[i] & 2 && ${prefix}_or(&bits[i >> ${log2}], bit) & bit) wrong[i] |= 4;
           if (x[i] & 1) atomic_or(&set[i >> 5], 1u << (i & 31));
           atomic_max(&counts[i / 8], x[i]);
           if (x[i] & 4) atomic_add(&own[l >> 4], x[i]);
           barrier(CLK_LOCAL_MEM_FENCE);
           counts[16 + i] = own[l >> 4];
         }`,
        'k',
        {
          global: [n],
          local: [48],
          args: [
            { buffer: new Uint32Array(4) },
            { buffer: new Uint32Array(3) },
            { local: 192 },
            { buffer: new Int32Array(n) },
            { buffer: new Uint32Array(16 + n) },
            { buffer: x },
          ],
        },
      );
  });

  test('atomics, local and global', () => {
    check(
      `__kernel void k(__global int *out, __global const int *in, __local int *bins) {
         int l = get_local_id(0);
         bins[l] = 0;
         barrier(CLK_LOCAL_MEM_FENCE);
         atomic_inc(&bins[in[get_global_id(0)] & 15]);
         atomic_max(&out[16], in[get_global_id(0)]);
         if (l & 1) atomic_xor(&out[17], in[get_global_id(0)]);
         barrier(CLK_LOCAL_MEM_FENCE);
         atomic_add(&out[l], bins[l]);
       }`,
      'k',
      {
        global: [64],
        local: [16],
        args: [
          { buffer: ints(20, () => 0) },
          { buffer: ints(64, (i) => Math.floor(noise(i) * 100000)) },
          { local: 64 },
        ],
      },
    );
  });
});
