// SPDX-License-Identifier: MIT
//
// Pointers that work-items choose: into private, local or global memory, in arrays and structures, and into vectors.
import { type Case, mix } from './case';

export const POINTERS: readonly Case[] = [
  {
    name: 'memory_of_three_kinds',
    before:
      'int sum(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) { s = s * 7 + p[i]; p[i] += i; } return s; }',
    body: `local int s[16 * 4]; int own[4]; uint l = get_local_id(0);
      for (int i = 0; i < 4; i++) { s[l * 4 + i] = in[g] + i; own[i] = in[g + i]; o[64 + g * 4 + i] = i * g; }
      int *p = g % 3 == 0 ? own : g % 3 == 1 ? (int *)&s[l * 4] : (int *)&o[64 + g * 4];
      int r = sum(p, 4); if (g & 1) { p[g & 3] = 99; p++; }
      o[g] = r * 5 + p[1] + p[2] + own[0] + own[3] * 3 + s[l * 4 + 1] * 7;`,
    global: 64,
    local: 16,
    words: 320,
    reference(o, input) {
      for (let g = 0; g < 64; g++) {
        const own = Int32Array.from({ length: 5 }, (_, i) => input[g + i]!);
        const shared = Int32Array.from({ length: 5 }, (_, i) => input[g]! + i);
        const theirs = Int32Array.from({ length: 5 }, (_, i) => i * g);
        const p = [own, shared, theirs][g % 3]!;
        let r = 0;
        for (let i = 0; i < 4; i++) {
          r = Math.imul(r, 7) + p[i]!;
          p[i]! += i;
        }
        if (g & 1) p[g & 3] = 99;
        const at = g & 1;
        o[g] =
          Math.imul(r, 5) +
          p[at + 1]! +
          p[at + 2]! +
          own[0]! +
          Math.imul(own[3]!, 3) +
          Math.imul(shared[1]!, 7);
        for (let i = 0; i < 4; i++) o[64 + g * 4 + i] = theirs[i]!;
      }
    },
  },
  {
    name: 'pointers_to_pointers',
    before: 'void point(int **p, int *q) { *p = q; }',
    body: `int a[4] = { 1, 2, 3, 4 }, b[4] = { 10, 20, 30, 40 }; int *p[3] = { a, b, a + 2 };
      point(&p[in[g] % 3], (g & 1) ? b + 1 : a + 1); *p[g % 3] += 100; p[(g + 1) % 3][1] -= 7;
      int **q = &p[1]; if (g & 4) q--; **q ^= 0x55; q[1]++;
      uint h = 0; for (int i = 0; i < 4; i++) { h = h * 31 + a[i]; h = h * 31 + b[i]; } o[g] = h + *q[1];`,
    global: 64,
    words: 64,
    reference(o, input) {
      for (let g = 0; g < 64; g++) {
        // a, then b.
        const m = [1, 2, 3, 4, 10, 20, 30, 40];
        const p = [0, 4, 2];
        p[input[g]! % 3] = g & 1 ? 5 : 1;
        m[p[g % 3]!]! += 100;
        m[p[(g + 1) % 3]! + 1]! -= 7;
        const q = g & 4 ? 0 : 1;
        m[p[q]!]! ^= 0x55;
        p[q + 1]!++;
        let h = 0;
        for (let i = 0; i < 4; i++) h = mix(mix(h, m[i]!), m[4 + i]!);
        o[g] = h + m[p[q + 1]!]!;
      }
    },
  },
  {
    name: 'differences_and_comparisons',
    body: `int a[8]; for (int i = 0; i < 8; i++) a[i] = i * g; int *p = a + in[g] % 8, *q = &a[in[g + 1] % 8]; ptrdiff_t d = p - q;
      uint h = (d & 0xff) | (p < q) << 8 | (p <= q) << 9 | (p == q) << 10 | !p << 11 | (p && q) << 12; h ^= ((char *)q - (char *)p) << 16; p -= d; h += (p == q) * 3;
      int *e = a + 8; for (int *t = a; t < e; t += 1 + (g & 1)) h += *t; for (int *t = e; t-- > a;) h = h * 31 + *t; o[g] = h;`,
    global: 64,
    words: 64,
    reference(o, input) {
      for (let g = 0; g < 64; g++) {
        const [p, q] = [input[g]! % 8, input[g + 1]! % 8];
        let h =
          ((p - q) & 0xff) |
          (Number(p < q) << 8) |
          (Number(p <= q) << 9) |
          (Number(p === q) << 10) |
          (1 << 12);
        h = ((h ^ ((q - p) << 18)) + 3) >>> 0;
        for (let t = 0; t < 8; t += 1 + (g & 1)) h = (h + t * g) >>> 0;
        for (let t = 7; t >= 0; t--) h = mix(h, t * g);
        o[g] = h;
      }
    },
  },
  {
    name: 'one_memory_as_several_types',
    body: `uint a[40]; for (int i = 0; i < 40; i++) a[i] = in[g + i]; uint *p = a + g % 5, *q = a + in[g] % 6;
      for (int i = 0; i < 30; i++) p[i] = q[i] * 3 + p[i + 1]; uchar *c = (uchar *)a; for (int i = 0; i < 100; i++) c[i + g % 9] = c[i] + i;
      ((ushort2 *)a)[in[g + 1] % 40].y += 7; uint h = 0; for (int i = 0; i < 40; i++) h = h * 31 + a[i]; o[g] = h;`,
    global: 64,
    words: 64,
    reference(o, input) {
      for (let g = 0; g < 64; g++) {
        const a = input.slice(g, g + 40);
        const [p, q] = [g % 5, input[g]! % 6];
        for (let i = 0; i < 30; i++) a[p + i] = Math.imul(a[q + i]!, 3) + a[p + i + 1]!;
        const c = new Uint8Array(a.buffer);
        for (let i = 0; i < 100; i++) c[i + (g % 9)] = c[i]! + i;
        new Uint16Array(a.buffer)[(input[g + 1]! % 40) * 2 + 1]! += 7;
        o[g] = a.reduce(mix, 0);
      }
    },
  },
  {
    name: 'components_of_vectors',
    body: `int8 v = (int8)(in[g], 1, 2, 3, 4, 5, 6, g); int *p = (int *)&v; p[in[g] & 7] += 100; int4 *q = (int4 *)&v; q[1].yx = q[0].zw;
      v.odd = v.even + 1; v.hi.lo.x = 7; v.s7 ^= v.s0; v.lo = v.lo.wzyx; v.s31 = v.s13; uint h = 0; for (int i = 0; i < 8; i++) h = h * 31 + p[i]; o[g] = h;`,
    global: 64,
    words: 64,
    reference(o, input) {
      for (let g = 0; g < 64; g++) {
        const v = Int32Array.of(input[g]!, 1, 2, 3, 4, 5, 6, g);
        v[input[g]! & 7]! += 100;
        [v[5], v[4]] = [v[2]!, v[3]!];
        for (let i = 0; i < 8; i += 2) v[i + 1] = v[i]! + 1;
        v[4] = 7;
        v[7]! ^= v[0]!;
        v.subarray(0, 4).reverse();
        [v[3], v[1]] = [v[1]!, v[3]!];
        o[g] = v.reduce(mix, 0);
      }
    },
  },
];
