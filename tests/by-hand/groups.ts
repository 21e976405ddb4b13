// SPDX-License-Identifier: MIT
//
// Work-items of a group together: barriers in loops, switches and functions, groups of any size, local memory.
import type { Case } from './case';

export const GROUPS: readonly Case[] = [
  {
    name: 'barriers_in_a_function_in_loops',
    before: `void phase(local uint *s, uint l, uint k) { barrier(CLK_LOCAL_MEM_FENCE); uint t = s[(l + k) & 31]; barrier(CLK_LOCAL_MEM_FENCE); s[l] = t * 3 + s[l] + k; }`,
    body: `local uint s[32]; uint l = get_local_id(0), n = in[get_group_id(0)] % 6 + 2, skipped = 0; s[l] = in[g];
      for (uint i = 0; i < n; i++) {
        if (i == get_group_id(0)) { skipped++; continue; }
        phase(s, l, i);
        if (i & 1) for (uint j = 0; j < 3; j++) { if (j == 2 && n > 4) break; phase(s, l, j + 5); if (s[l] & 1) s[l] += j; }
        while (l < 3 && s[l] > 0x70000000u) s[l] >>= 1;
      }
      barrier(CLK_LOCAL_MEM_FENCE); o[g] = s[31 - l] + skipped;`,
    global: 128,
    local: 32,
    words: 128,
    reference(o, input) {
      for (let group = 0; group < 4; group++) {
        let s = input.slice(group * 32, group * 32 + 32);
        const phase = (k: number) => {
          s = s.map((v, l) => Math.imul(s[(l + k) & 31]!, 3) + v + k);
        };
        const n = (input[group]! % 6) + 2;
        for (let i = 0; i < n; i++) {
          if (i === group) continue;
          phase(i);
          for (let j = 0; i & 1 && j < (n > 4 ? 2 : 3); j++) {
            phase(j + 5);
            s = s.map((v) => (v & 1 ? v + j : v));
          }
          s = s.map((v, l) => {
            let small = v;
            while (l < 3 && small > 0x70000000) small >>>= 1;
            return small;
          });
        }
        for (let l = 0; l < 32; l++) o[group * 32 + l] = s[31 - l]! + Number(group < n);
      }
    },
  },
  {
    name: 'barriers_in_a_switch',
    body: `local uint s[16]; uint l = get_local_id(0), sum = 0; s[l] = in[g];
      switch (get_group_id(0)) {
        case 0: barrier(CLK_LOCAL_MEM_FENCE); sum += s[l ^ 1];
        case 1: barrier(CLK_LOCAL_MEM_FENCE); sum = sum * 3 + s[15 - l]; break;
        case 2: for (int i = 0; i < 3; i++) { barrier(CLK_LOCAL_MEM_FENCE); sum ^= s[(l + i) & 15]; barrier(CLK_LOCAL_MEM_FENCE); s[l] += sum; }
        default: sum++;
      }
      o[g] = sum;`,
    global: 64,
    local: 16,
    words: 64,
    reference(o, input) {
      for (let group = 0; group < 4; group++) {
        let s = input.slice(group * 16, group * 16 + 16);
        let sum = new Uint32Array(16);
        if (group === 0) sum = sum.map((_, l) => s[l ^ 1]!);
        if (group <= 1) sum = sum.map((v, l) => Math.imul(v, 3) + s[15 - l]!);
        for (let i = 0; group === 2 && i < 3; i++) {
          sum = sum.map((v, l) => v ^ s[(l + i) & 15]!);
          s = s.map((v, l) => v + sum[l]!);
        }
        if (group >= 2) sum = sum.map((v) => v + 1);
        o.set(sum, group * 16);
      }
    },
  },
  {
    name: 'a_last_group_of_six',
    body: `uint l = get_local_id(0), n = get_local_size(0); local uint s[32]; s[l] = in[g]; barrier(CLK_LOCAL_MEM_FENCE);
      uint r = s[(l + 1) % n]; barrier(CLK_LOCAL_MEM_FENCE); s[n - 1 - l] = r; barrier(CLK_LOCAL_MEM_FENCE);
      o[g] = s[l] + n * 1000 + get_enqueued_local_size(0) + get_num_groups(0) * 7 + work_group_reduce_add(1u) + work_group_scan_exclusive_add(g);`,
    global: 70,
    local: 32,
    words: 70,
    reference(o, input) {
      for (let g = 0; g < 70; g++) {
        const first = g & ~31;
        const n = Math.min(32, 70 - first);
        const l = g - first;
        let scan = 0;
        for (let i = first; i < g; i++) scan += i;
        o[g] = input[first + ((n - 1 - l + 1) % n)]! + n * 1001 + 32 + 21 + scan;
      }
    },
  },
  {
    name: 'groups_of_one',
    body: `local uint s[4]; s[g & 3] = in[g]; barrier(CLK_LOCAL_MEM_FENCE); uint r = s[g & 3];
      for (uint i = 0; i < g % 5; i++) { barrier(CLK_LOCAL_MEM_FENCE); s[g & 3] = r * 3 + i; barrier(CLK_LOCAL_MEM_FENCE); r ^= s[g & 3]; }
      o[g] = r + work_group_reduce_add(g) + work_group_scan_exclusive_add(5u);`,
    global: 37,
    local: 1,
    words: 37,
    reference(o, input) {
      for (let g = 0; g < 37; g++) {
        let r = input[g]!;
        for (let i = 0; i < g % 5; i++) r ^= Math.imul(r, 3) + i;
        o[g] = r + g;
      }
    },
  },
  {
    name: 'tickets_and_a_walk',
    body: `local uint next; local uint s[64], seen[64]; uint l = get_local_id(0); if (l == 0) next = 0; seen[l] = 0;
      uint v = in[l]; for (uint i = 0; i < (in[l] & 63); i++) v = v * 1664525 + 1013904223; s[l] = v; barrier(CLK_LOCAL_MEM_FENCE);
      if (in[l] & 1) { uint k = atomic_inc(&next); seen[k]++; }
      uint k = l; for (int i = 0; i < 10; i++) k = s[k & 63]; if (l & 1) for (uint i = l; i; i &= i - 1) k ^= s[i];
      barrier(CLK_LOCAL_MEM_FENCE); s[63 - l] = k; barrier(CLK_LOCAL_MEM_FENCE); o[l] = s[l] + k; o[64 + l] = seen[l] + next * 100;`,
    global: 64,
    local: 64,
    words: 128,
    reference(o, input) {
      const s = Uint32Array.from({ length: 64 }, (_, l) => {
        let v = input[l]!;
        for (let i = 0; i < (input[l]! & 63); i++) v = (Math.imul(v, 1664525) + 1013904223) >>> 0;
        return v;
      });
      const tickets = input.slice(0, 64).filter((v) => v & 1).length;
      const ends = s.map((_, l) => {
        let k = l;
        for (let i = 0; i < 10; i++) k = s[k & 63]!;
        for (let i = l; l & 1 && i; i &= i - 1) k = (k ^ s[i]!) >>> 0;
        return k;
      });
      for (let l = 0; l < 64; l++) {
        o[l] = ends[63 - l]! + ends[l]!;
        o[64 + l] = Number(l < tickets) + tickets * 100;
      }
    },
  },
];
