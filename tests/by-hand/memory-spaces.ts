// SPDX-License-Identifier: MIT
//
// Program-scope variables, constant tables, generic pointers, asynchronous copies, structures in memory.
import { type Case, mix } from './case';

export const MEMORY_SPACES: readonly Case[] = [
  {
    name: 'program_scope_variables',
    before: `typedef struct { short a; long b; char c[5]; int3 v; } S;
      global int counter = 5; global S table[3] = {{1, 2, {3, 4}, (int3)(5, 6, 7)}, {.b = -9, .v = (int3)8}, {.c = "abcd"}}; global S *global middle = &table[1]; global int *global end = &counter + 1;
      constant S fixed[2] = {{.a = -3}, {7, 1L << 40, {9}, {10, 11, 12}}}; constant char text[] = "x\\0y" "z\\x41\\102"; constant char *constant names[3] = {"one", "two" "three", text + 4}; constant int *constant where = (constant int *)&fixed[1].v;
      global ulong wide[4] = {[2] = 0x123456789abcdefUL, 5}; global float reals[] = {1.5f, -0.0f, 0x1p-149f};
      int bump(int by) { static global int kept = 100; return atomic_add(&kept, by); }`,
    body: `if (g == 0) { uint h = counter; h = h * 31 + (uint)(end - &counter); h = h * 31 + (uint)middle->b + middle->v.z; h = h * 31 + (uint)(table + 1 == middle) + table[0].c[1] + table[2].c[3] + table[2].c[4] + table[0].v.y;
        h = h * 31 + (uint)(fixed[1].b >> 36) + fixed[0].a + fixed[1].c[0]; h = h * 31 + sizeof(text) + text[3] + text[5]; h = h * 31 + names[1][5] + names[2][0] + names[0][2]; h = h * 31 + where[1]; h = h * 31 + (uint)(wide[2] >> 20) + (uint)wide[3] + (uint)wide[0]; h = h * 31 + as_uint(reals[1]) + as_uint(reals[2]) + sizeof(reals) + sizeof(S); counter += 3; middle->b++; o[0] = h; }
      uint at = bump(2); o[1 + (at - 100) / 2] = at;`,
    global: 13,
    words: 14,
    reference(o) {
      const wide = Number((0x123456789abcdefn >> 20n) & 0xffffffffn);
      o[0] = [1, -9 + 8, 1 + 4 + 100 + 0 + 6, 16 - 3 + 9, 7 + 0x7a + 66, 114 + 65 + 101, 11, wide + 5, 0x80000000 + 1 + 12 + 48].reduce(mix, 5); // biome-ignore format: as the kernel
      for (let g = 0; g < 13; g++) o[1 + g] = 100 + 2 * g;
    },
  },
  {
    name: 'generic_pointers',
    before: `uint kind(void *p) { return (to_global(p) != 0) * 1 + (to_local(p) != 0) * 2 + (to_private(p) != 0) * 4 + (get_fence(p) == CLK_GLOBAL_MEM_FENCE) * 8 + (get_fence(p) == CLK_LOCAL_MEM_FENCE) * 16; }
      uint sum(const uint *p, uint n, uint step) { uint h = 0; for (uint i = 0; i < n; i++, p += step) h = h * 31 + *p; return h; }
      uint *pick(uint *a, uint *b, uint *c, uint k) { return k == 0 ? a : k == 1 ? b : c; }`,
    body: `local uint t[48], apart[12]; uint l = get_local_id(0), mine[6]; apart[l] = in[g]; for (uint k = 0; k < 4; k++) t[4 * l + k] = in[g] + k; for (uint k = 0; k < 6; k++) mine[k] = in[g + k] * 3; barrier(CLK_LOCAL_MEM_FENCE);
      uint *p = pick(in + g, t + l, mine, in[g] % 3); uint h = sum(p, 3, 2) ^ kind(p); uint *all[3] = {mine + 1, apart + l, o + 2 * g}; *all[2] = 7; *pick(all[0], all[1], all[2], in[g + 1] % 3) = h; uint n = *all[0] * 5 + *all[1] * 3 + *all[2]; o[2 * g + 1] = h * 31 + n + (p - pick(p, p, p, 0)) + (kind(all[in[g + 2] % 3]) << 7);`,
    global: 60,
    local: 12,
    words: 120,
    reference(o, input) {
      const kinds = [9, 18, 4];
      for (let w = 0; w < 5; w++) {
        const t = Uint32Array.from({ length: 48 }, (_, i) => input[12 * w + (i >> 2)]! + (i & 3));
        for (let l = 0; l < 12; l++) {
          const g = 12 * w + l;
          const mine = Uint32Array.from({ length: 6 }, (_, k) => Math.imul(input[g + k]!, 3));
          const which = input[g]! % 3;
          const from = [input.subarray(g), t.subarray(l), mine][which]!;
          const h = ([from[0]!, from[2]!, from[4]!].reduce(mix, 0) ^ kinds[which]!) >>> 0;
          const all = [mine[1]!, input[g]!, 7];
          all[input[g + 1]! % 3] = h;
          o[2 * g] = all[2]!;
          o[2 * g + 1] =
            mix(h, (Math.imul(all[0]!, 5) + Math.imul(all[1]!, 3) + all[2]!) >>> 0) +
            ([4, 18, 9][input[g + 2]! % 3]! << 7);
        }
      }
    },
  },
  {
    name: 'copies_with_strides',
    body: `local uint a[40]; local ushort3 b[10]; local uint2 c[20]; uint w = get_group_id(0), l = get_local_id(0); for (uint k = l; k < 40; k += 10) a[k] = 1;
      barrier(CLK_LOCAL_MEM_FENCE); event_t e = async_work_group_strided_copy(a, in + w, 13, 5, 0); e = async_work_group_copy(c, (global uint2 *)in + 3 * w, 19, e); event_t f = async_work_group_copy(b, (global ushort3 *)in + w, 9, 0); event_t both[2] = {e, f}; wait_group_events(2, both);
      a[13 + l] = c[2 * l % 19].y * 3 + b[l % 9].z; barrier(CLK_LOCAL_MEM_FENCE); e = async_work_group_strided_copy(o + 80 * w, a, 23, 3, 0); prefetch(in, 64); wait_group_events(1, &e); if (l == 3) o[80 * w + 70] = a[30];`,
    global: 30,
    local: 10,
    words: 240,
    reference(o, input) {
      const halves = new Uint16Array(input.buffer);
      for (let w = 0; w < 3; w++) {
        for (let k = 0; k < 13; k++) o[80 * w + 3 * k] = input[w + 5 * k]!;
        for (let l = 0; l < 10; l++)
          o[80 * w + 3 * (13 + l)] =
            Math.imul(input[2 * (3 * w + ((2 * l) % 19)) + 1]!, 3) + halves[4 * (w + (l % 9)) + 2]!;
        o[80 * w + 70] = 1;
      }
    },
  },
  {
    name: 'structures_in_memory',
    before: `typedef struct __attribute__((packed)) { uchar a; uint b; ushort c[3]; } P; typedef struct { P p[2]; uchar t; ulong u; } Q; typedef union { Q q; uint w[10]; float4 f[2]; } U; typedef struct __attribute__((aligned(32))) { uint x; } A;
      Q swapped(Q q) { P t = q.p[0]; q.p[0] = q.p[1]; q.p[1] = t; q.u = ~q.u; return q; } void fill(U *u, uint s) { for (int i = 0; i < 10; i++) u->w[i] = s * (i + 1); }`,
    body: `U u, v; fill(&u, in[g]); fill(&v, in[g + 1]); local Q shared[8]; global Q *out = (global Q *)(o + 12 * g); Q *any = &v.q; shared[get_local_id(0)] = swapped(u.q); barrier(CLK_LOCAL_MEM_FENCE);
      Q q = shared[(get_local_id(0) + 3) % get_local_size(0)]; q.t = u.q.t; any->p[1].c[2] ^= 0xff; *out = g % 3 ? q : *any; P *p = &out->p[g & 1]; p->b += p->c[1]; o[12 * g + 10] = sizeof(Q) + sizeof(U) * 100 + sizeof(A) * 10000; o[12 * g + 11] = __alignof__(P) + __builtin_offsetof(Q, u) * 10 + __builtin_offsetof(P, c) * 1000;`,
    global: 40,
    local: 8,
    words: 480,
    reference(o, input) {
      const filled = (s: number) =>
        new Uint8Array(Uint32Array.from({ length: 10 }, (_, i) => Math.imul(s, i + 1)).buffer);
      for (let g = 0; g < 40; g++) {
        const other = filled(input[(g & ~7) + (((g & 7) + 3) % 8)]!);
        const first = other.slice(0, 11);
        other.copyWithin(0, 11, 22);
        other.set(first, 11);
        for (let i = 24; i < 32; i++) other[i]! ^= 0xff;
        const q = filled(input[g + 1]!);
        q[11 + 5 + 4]! ^= 0xff;
        if (g % 3) {
          q.set(other);
          q[22] = filled(input[g]!)[22]!;
        }
        const view = new DataView(q.buffer);
        const at = 11 * (g & 1);
        view.setUint32(at + 1, view.getUint32(at + 1, true) + view.getUint16(at + 7, true), true);
        const out = new Uint8Array(o.buffer, 48 * g, 32);
        out.set(q.subarray(0, 32));
        o[12 * g + 10] = 32 + 48 * 100 + 32 * 10000;
        o[12 * g + 11] = 1 + 240 + 5000;
      }
    },
  },
  {
    name: 'tables_of_pointers',
    before:
      'constant uint a[] = {1, 2, 3}, b[] = {40, 50}, c[] = {600}; constant uint *constant rows[] = {a, b, c, a + 1}; constant uint lengths[] = {3, 2, 1, 2}; typedef struct { constant uint *p; uint n; } R; constant R pairs[2] = {{b, 2}, {a, 3}};',
    body: 'uint h = 0; constant uint *r = rows[in[g] & 3]; for (uint i = 0; i < lengths[in[g] & 3]; i++) h = h * 31 + r[i]; R p = pairs[g & 1]; for (uint i = 0; i < p.n; i++) h = h * 31 + p.p[i]; o[g] = h;',
    global: 53,
    words: 53,
    reference(o, input) {
      const rows = [[1, 2, 3], [40, 50], [600], [2, 3]]; // biome-ignore format: a table
      for (let g = 0; g < 53; g++) o[g] = [...rows[input[g]! & 3]!, ...rows[1 - (g & 1)]!].reduce(mix, 0);
    },
  },
  {
    name: 'private_arrays_and_offsets',
    body: `uchar bytes[40]; for (int i = 0; i < 40; i++) bytes[i] = (uchar)(in[g] >> (i % 25)) + i; uint n = in[g + 1] % 30; ushort s = *(ushort *)(bytes + (n & ~1u)); uint u = *(uint *)(bytes + (n & ~3u)); ulong l = *(ulong *)(bytes + (n & ~7u)); *(uint2 *)(bytes + (n & 24)) = (uint2)(u, s); uint h = s; for (int i = 0; i < 40; i++) h = h * 31 + bytes[i];
      int grid[3][4][2]; for (int i = 0; i < 24; i++) (&grid[0][0][0])[i] = i * g; int (*row)[2] = grid[n % 3]; o[g - 7] = h + (uint)(l >> 11) + row[n & 3][n & 1] + (uint)get_global_offset(0);`,
    global: 45,
    offset: 7,
    words: 45,
    reference(o, input) {
      for (let g = 7; g < 52; g++) {
        const bytes = Uint8Array.from({ length: 40 }, (_, i) => (input[g]! >>> (i % 25)) + i);
        const view = new DataView(bytes.buffer);
        const n = input[g + 1]! % 30;
        const [s, u, l] = [
          view.getUint16(n & ~1, true),
          view.getUint32(n & ~3, true),
          view.getBigUint64(n & ~7, true),
        ];
        view.setUint32(n & 24, u, true);
        view.setUint32((n & 24) + 4, s, true);
        const element = 8 * (n % 3) + 2 * (n & 3) + (n & 1);
        o[g - 7] = [...bytes].reduce(mix, s) + Number((l >> 11n) & 0xffffffffn) + element * g + 7;
      }
    },
  },
  {
    name: 'memory_of_groups_in_three_dimensions',
    body: `local uint t[3][2][4]; size_t x = get_local_id(0), y = get_local_id(1), z = get_local_id(2); uint at = (get_global_id(2) - 2) * 60 + (get_global_id(1) - 5) * 12 + get_global_id(0) - 1; t[z][y][x] = in[at]; barrier(CLK_LOCAL_MEM_FENCE);
      uint nx = get_local_size(0), ny = get_local_size(1), nz = get_local_size(2); o[at] = t[nz - 1 - z][ny - 1 - y][nx - 1 - x] * 31 + get_local_linear_id() + get_group_id(1) * 100 + get_enqueued_local_size(1) * 1000 + ny * 10000 + get_num_groups(1) * 100000 + get_global_linear_id() * 1000000;`,
    global: [12, 5, 6],
    local: [4, 2, 3],
    offset: [1, 5, 2],
    words: 360,
    reference(o, input) {
      for (let at = 0; at < 360; at++) {
        const [x, y, z] = [at % 12, Math.trunc(at / 12) % 5, Math.trunc(at / 60)];
        const ny = y < 4 ? 2 : 1;
        const mirrored = [x - (x % 4) + 3 - (x % 4), y < 4 ? y ^ 1 : y, z - (z % 3) + 2 - (z % 3)] as const;
        const linear = (x % 4) + 4 * (y % 2) + 4 * ny * (z % 3);
        const value = input[mirrored[0] + 12 * mirrored[1] + 60 * mirrored[2]]!;
        o[at] = mix(value, linear + Math.trunc(y / 2) * 100 + 2000 + ny * 10000 + 300000 + at * 1000000);
      }
    },
  },
];
