// SPDX-License-Identifier: MIT
//
// Structures and unions: by value, returned, nested, in arrays; lists and tables of pointers.
import { type Case, mix } from './case';

const int8 = (v: number) => (v << 24) >> 24;
const int16 = (v: number) => (v << 16) >> 16;

export const AGGREGATES: readonly Case[] = [
  {
    name: 'nested_by_value',
    before: `typedef struct { int a; char b; short c; } S; typedef struct { S s[2]; union { uint u; uchar b[4]; } un; } N;
      S make(int x) { S s = { x, (char)(x * 3), (short)(x * 7) }; return s; }
      N nest(S a, S b, uint u) { N r; r.s[0] = a; r.s[1] = b; r.un.u = u; return r; }
      N turn(N n, uint k) { for (uint i = 0; i < k; i++) { S t = n.s[0]; n.s[0] = n.s[1]; n.s[1] = t; n.un.b[i & 3] ^= (uchar)(i * 17); } return n; }`,
    body: `N n = turn(nest(make(in[g]), make(in[g + 1]), in[g + 2]), g % 7), m = turn(n, 3);
      o[g] = n.s[0].a; o[64 + g] = n.s[1].b; o[128 + g] = n.s[0].c; o[192 + g] = m.un.u; o[256 + g] = m.s[1].a + sizeof(N);`,
    global: 64,
    words: 320,
    reference(o, input) {
      for (let g = 0; g < 64; g++) {
        const [x, y] = [input[g]!, input[g + 1]!];
        const at = (turns: number, i: number) => ((turns + i) % 2 === 0 ? x : y);
        const k = g % 7;
        const u = new Uint8Array(Uint32Array.of(input[g + 2]!).buffer);
        for (let i = 0; i < k; i++) u[i & 3]! ^= i * 17;
        for (let i = 0; i < 3; i++) u[i & 3]! ^= i * 17;
        o[g] = at(k, 0);
        o[64 + g] = int8(Math.imul(at(k, 1), 3));
        o[128 + g] = int16(Math.imul(at(k, 0), 7));
        o[192 + g] = new Uint32Array(u.buffer)[0]!;
        o[256 + g] = at(k + 3, 1) + 20;
      }
    },
  },
  {
    name: 'packed_members',
    before: 'typedef struct __attribute__((packed)) { char t; ulong l; short s; int3 v; } P;',
    body: `P p[3]; for (uint i = 0; i < 3; i++) { p[i].t = in[g] >> i; p[i].l = (ulong)in[g + i] << 13 | i; p[i].s = in[g + 1] >> (i + 3); p[i].v = (int3)(in[g], in[g + i], i); }
      P q = p[in[g] % 3]; p[in[g] % 3] = p[in[g + 1] % 3]; p[in[g + 1] % 3] = q;
      uint h = sizeof(P); for (uint i = 0; i < 3; i++) { h = h * 31 + p[i].t; h = h * 31 + (uint)(p[i].l >> 7); h = h * 31 + p[i].s; h = h * 31 + p[i].v.y + p[i].v.z; } o[g] = h;`,
    global: 64,
    words: 64,
    reference(o, input) {
      for (let g = 0; g < 64; g++) {
        const p = [0, 1, 2].map((i) => [
          int8(input[g]! >>> i),
          Number(BigInt.asUintN(32, ((BigInt(input[g + i]!) << 13n) | BigInt(i)) >> 7n)),
          int16(input[g + 1]! >>> (i + 3)),
          input[g + i]! + i,
        ]);
        const [a, b] = [input[g]! % 3, input[g + 1]! % 3];
        [p[a], p[b]] = [p[b]!, p[a]!];
        o[g] = p.flat().reduce(mix, 27);
      }
    },
  },
  {
    name: 'unions_of_sizes',
    before:
      'typedef union { ulong l; uint2 i; ushort4 s; uchar8 c; struct { uint lo, hi; } w; } U; U swap(U u) { U r; r.w.lo = u.w.hi; r.w.hi = u.w.lo; return r; }',
    body: `U u; u.i = (uint2)(in[g], in[g + 1]); if (g & 1) u = swap(u); ((uchar *)&u)[in[g] & 7] = 0x5a; U v = (g & 2) ? u : swap(u);
      v.s.s3 += u.s.s0; v.w.lo -= v.w.hi; o[g] = v.i.x; o[64 + g] = v.i.y; o[128 + g] = u.c.s7 | u.s.s1 << 8;`,
    global: 64,
    words: 192,
    reference(o, input) {
      for (let g = 0; g < 64; g++) {
        const u = Uint32Array.of(input[g]!, input[g + 1]!);
        if (g & 1) u.reverse();
        const bytes = new Uint8Array(u.buffer);
        bytes[input[g]! & 7] = 0x5a;
        const v = g & 2 ? u.slice() : u.slice().reverse();
        const halves = new Uint16Array(u.buffer);
        new Uint16Array(v.buffer)[3]! += halves[0]!;
        v[0]! -= v[1]!;
        o[g] = v[0]!;
        o[64 + g] = v[1]!;
        o[128 + g] = bytes[7]! | (halves[1]! << 8);
      }
    },
  },
  {
    name: 'list_with_odd_ones_taken_out',
    before: 'typedef struct L { int v; struct L *next; } L;',
    body: `L n[8]; for (uint i = 0; i < 8; i++) { n[i].v = in[g + i] & 0xff; n[i].next = i < 7 ? &n[i + 1] : 0; }
      L *head = 0, *c = n; while (c) { L *t = c->next; c->next = head; head = c; c = t; }
      L **at = &head; while (*at) { if ((*at)->v & 1) *at = (*at)->next; else at = &(*at)->next; }
      uint h = 1; for (c = head; c; c = c->next) h = h * 31 + c->v; o[g] = h;`,
    global: 64,
    words: 64,
    reference(o, input) {
      for (let g = 0; g < 64; g++) {
        const list = Array.from(input.slice(g, g + 8), (v) => v & 0xff).reverse();
        o[g] = list.filter((v) => v % 2 === 0).reduce(mix, 1);
      }
    },
  },
  {
    name: 'tables_of_pointers',
    before: `typedef struct { int a; char b; short c; } S; constant S rows[4] = { { 1, 2, 3 }, { .c = -1 }, { -5, 'x' }, { .b = 7, .a = 9 } };
      constant struct { int n; constant S *p; } parts[2] = { { 2, rows + 2 }, { 3, &rows[1] } };`,
    body: 'int r = 0; for (int i = 0; i < parts[g & 1].n; i++) { constant S *p = parts[g & 1].p + i; r = r * 100 + p->a + p->b + p->c; } S c = rows[in[g] & 3]; o[g] = r ^ (c.a << 8) ^ c.c;',
    global: 64,
    words: 64,
    reference(o, input) {
      const rows = [[1, 2, 3], [0, 0, -1], [-5, 120, 0], [9, 7, 0]] as const; // biome-ignore format: a table
      for (let g = 0; g < 64; g++) {
        const part = g & 1 ? rows.slice(1, 4) : rows.slice(2, 4);
        const r = part.reduce((sum, row) => sum * 100 + row[0] + row[1] + row[2], 0);
        const [a, , c] = rows[input[g]! & 3]!;
        o[g] = r ^ (a << 8) ^ c;
      }
    },
  },
];
