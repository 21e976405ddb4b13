// SPDX-License-Identifier: MIT
//
// Vectors: shuffles, swizzles that overlap, loads and stores of three, selections by bits, reinterpretations.
import { type Case, mix } from './case';

const bytesOf = (input: Uint32Array, g: number, words: number) =>
  new Uint8Array(input.slice(g, g + words).buffer);
const shorts = (input: Uint32Array, g: number, words: number) =>
  new Uint16Array(input.slice(g, g + words).buffer);
const longs = (input: Uint32Array, g: number, words: number) =>
  new BigUint64Array(input.slice(g, g + words).buffer);

export const VECTORS: readonly Case[] = [
  {
    name: 'shuffles_of_bytes',
    body: `uchar16 a = as_uchar16(vload4(0, in + g)), m = as_uchar16(vload4(0, in + g + 9)); uchar8 b = shuffle(a, m.lo); uchar2 c = shuffle(b, m.s3f);
      uchar16 d = shuffle2(a, m, m); uchar4 e = shuffle2(a.s02, b.s57, m.s9abc); vstore4(as_uint4(d), 2 * g, o); vstore2(as_uint2(b), 4 * g + 2, o); o[8 * g + 6] = as_uint(e); o[8 * g + 7] = as_ushort(c);`,
    global: 93,
    words: 744,
    reference(o, input) {
      for (let g = 0; g < 93; g++) {
        const [a, m] = [bytesOf(input, g, 4), bytesOf(input, g + 9, 4)];
        const b = a.slice(0, 8).map((_, k) => a[m[k]! & 15]!);
        const both = [...a, ...m];
        const few = [a[0]!, a[2]!, b[5]!, b[7]!];
        const bytes = new Uint8Array(32);
        bytes.set(a.map((_, k) => both[m[k]! & 31]!));
        bytes.set(b, 16);
        bytes.set(
          [9, 10, 11, 12].map((k) => few[m[k]! & 3]!),
          24,
        );
        bytes.set([b[m[3]! & 7]!, b[m[15]! & 7]!], 28);
        o.set(new Uint32Array(bytes.buffer), 8 * g);
      }
    },
  },
  {
    name: 'shuffles_of_words_and_longs',
    body: `uint8 a = vload8(0, in + g), m = vload8(0, in + g + 5); ulong4 w = as_ulong4(a), n = as_ulong4(m); uint16 s = shuffle2(a, m, (uint16)(m, a)); ulong8 t = shuffle2(w, n, (ulong8)(n, w)); ushort2 u = shuffle2(as_ushort16(a), as_ushort16(m), as_ushort2(in[g]));
      uint h = 0; uint x[16]; vstore16(s, 0, x); for (int i = 0; i < 16; i++) h = h * 31 + x[i]; ulong y[8]; vstore8(t, 0, y); for (int i = 0; i < 8; i++) h = h * 31 + (uint)(y[i] >> 16); o[g] = h * 31 + as_uint(u);`,
    global: 71,
    words: 71,
    reference(o, input) {
      for (let g = 0; g < 71; g++) {
        const [a, m] = [[...input.slice(g, g + 8)], [...input.slice(g + 5, g + 13)]];
        const [w, n] = [[...longs(input, g, 8)], [...longs(input, g + 5, 8)]];
        const low = (v: bigint) => Number(BigInt.asUintN(32, v >> 16n));
        const s = [...m, ...a].map((k) => [...a, ...m][k & 15]!);
        const t = [...n, ...w].map((k) => low([...w, ...n][Number(k & 7n)]!));
        const all = [...shorts(input, g, 8), ...shorts(input, g + 5, 8)];
        const u = [input[g]! & 31, (input[g]! >>> 16) & 31].map((k) => all[k]!);
        o[g] = mix([...s, ...t].reduce(mix, 0), (u[0]! | (u[1]! << 16)) >>> 0);
      }
    },
  },
  {
    name: 'swizzles_that_overlap',
    body: `uint4 v = vload4(0, in + g); v.xy = v.yx; v.wzy = v.xyz; v.odd = v.even; v.hi += v.lo; v.s03 ^= v.s12; uint8 w = (uint8)(v, v.wzyx); w.s7531 = w.s0246; w.even = w.hi; w.lo.hi = w.odd.lo; uint3 t = w.s135; t.zx = t.xy; t.yz *= 3; uint h = 0;
      h = h * 31 + v.x; h = h * 31 + v.y; h = h * 31 + v.z; h = h * 31 + v.w; uint x[8]; vstore8(w, 0, x); for (int i = 0; i < 8; i++) h = h * 31 + x[i]; o[g] = (h * 31 + t.x) * 31 + t.y * 7 + t.z;`,
    global: 59,
    words: 59,
    reference(o, input) {
      for (let g = 0; g < 59; g++) {
        const v = input.slice(g, g + 4);
        const put = (a: Uint32Array, to: number[], values: number[]) =>
          to.forEach((k, i) => {
            a[k] = values[i]!;
          });
        const get = (a: Uint32Array, from: number[]) => from.map((k) => a[k]!);
        put(v, [0, 1], get(v, [1, 0]));
        put(v, [3, 2, 1], get(v, [0, 1, 2]));
        put(v, [1, 3], get(v, [0, 2]));
        put(v, [2, 3], [v[2]! + v[0]!, v[3]! + v[1]!]);
        put(v, [0, 3], [v[0]! ^ v[1]!, v[3]! ^ v[2]!]);
        const w = Uint32Array.of(...v, v[3]!, v[2]!, v[1]!, v[0]!);
        put(w, [7, 5, 3, 1], get(w, [0, 2, 4, 6]));
        put(w, [0, 2, 4, 6], get(w, [4, 5, 6, 7]));
        put(w, [2, 3], get(w, [1, 3]));
        const t = w.filter((_, k) => k === 1 || k === 3 || k === 5);
        put(t, [2, 0], get(t, [0, 1]));
        put(t, [1, 2], [Math.imul(t[1]!, 3), Math.imul(t[2]!, 3)]);
        const h = [...v, ...w].reduce(mix, 0);
        o[g] = Math.imul(mix(h, t[0]!), 31) + Math.imul(t[1]!, 7) + t[2]!;
      }
    },
  },
  {
    name: 'loads_and_stores_of_three',
    body: `uchar3 c = vload3(g, (global uchar *)in + 1); ushort3 s = vload3(g, (global ushort *)in + 3); ulong3 l = vload3(g, (global ulong *)in); float3 f = convert_float3(c); global uchar *q = (global uchar *)o;
      vstore3(c.zyx, g, q + 1); vstore3(convert_ushort3(f) + s, g, (global ushort *)(o + 100)); vstore3(l.yzx ^ convert_ulong3(s), g, (global ulong *)(o + 300)); private int3 p[3] = {(int3)1, (int3)(2, 3, 4), (int3)5}; p[g % 3].yz = p[(g + 1) % 3].xy; o[900 + g] = p[0].x + p[0].y * 3 + p[1].z * 5 + p[1].y * 11 + p[2].y * 7 + (uint)sizeof(p);`,
    global: 61,
    words: 1000,
    reference(o, input) {
      const [c, s, l] = [
        new Uint8Array(input.buffer),
        new Uint16Array(input.buffer),
        new BigUint64Array(input.buffer),
      ];
      const [oc, os, ol] = [
        new Uint8Array(o.buffer),
        new Uint16Array(o.buffer, 400),
        new BigUint64Array(o.buffer, 1200),
      ];
      for (let g = 0; g < 61; g++) {
        const at = 3 * g;
        for (let k = 0; k < 3; k++) {
          oc[1 + at + k] = c[1 + at + 2 - k]!;
          os[at + k] = c[1 + at + k]! + s[3 + at + k]!;
          ol[at + k] = l[at + ((k + 1) % 3)]! ^ BigInt(s[3 + at + k]!);
        }
        const p = [[1, 1, 1], [2, 3, 4], [5, 5, 5]]; // biome-ignore format: a table
        const from = p[(g + 1) % 3]!;
        [p[g % 3]![1], p[g % 3]![2]] = [from[0]!, from[1]!];
        o[900 + g] = p[0]![0]! + p[0]![1]! * 3 + p[1]![2]! * 5 + p[1]![1]! * 11 + p[2]![1]! * 7 + 48;
      }
    },
  },
  {
    name: 'selections_by_bits',
    body: `int4 a = as_int4(vload4(0, in + g)), b = as_int4(vload4(0, in + g + 4)); int4 less = a < b, same = a == b; char16 c = as_char16(a), d = as_char16(b); char16 r = select(c, d, c > d); short8 s = as_short8(a) >= as_short8(b);
      int4 x = bitselect(a, b, (int4)0x0f0f00ff), y = a && b, z = !a || less; int4 w = less ? a : b; long2 q = as_long2(a) < as_long2(b); int4 t = as_int4(r) ^ as_int4(s) ^ as_int4(q);
      uint h = any(less) + all(less) * 2 + any(same) * 4 + all(c > d) * 8; int v[24]; vstore4(x, 0, v); vstore4(y, 1, v); vstore4(z, 2, v); vstore4(w, 3, v); vstore4(t, 4, v); vstore4(-same, 5, v); for (int i = 0; i < 24; i++) h = h * 31 + v[i]; o[g] = h;`,
    global: 69,
    words: 69,
    reference(o, input) {
      for (let g = 0; g < 69; g++) {
        const [a, b] = [new Int32Array(input.slice(g, g + 4)), new Int32Array(input.slice(g + 4, g + 8))];
        const as = <T extends ArrayBufferView>(make: new (buffer: ArrayBufferLike) => T, v: Int32Array) =>
          new make(v.buffer);
        const [c, d] = [as(Int8Array, a), as(Int8Array, b)];
        const less = a.map((v, k) => -Number(v < b[k]!));
        const same = a.map((v, k) => Number(v === b[k]!));
        const r = c.map((v, k) => (v > d[k]! ? d[k]! : v));
        const s = as(Int16Array, a).map((v, k) => -Number(v >= as(Int16Array, b)[k]!));
        const q = as(BigInt64Array, a).map((v, k) => (v < as(BigInt64Array, b)[k]! ? -1n : 0n));
        const bits = [r, s, q].map((v) => new Int32Array(v.buffer));
        const t = a.map((_, k) => bits[0]![k]! ^ bits[1]![k]! ^ bits[2]![k]!);
        const x = a.map((v, k) => (v & ~0x0f0f00ff) | (b[k]! & 0x0f0f00ff));
        const y = a.map((v, k) => -Number(v !== 0 && b[k] !== 0));
        const z = a.map((v, k) => -Number(v === 0 || less[k] !== 0));
        const w = a.map((v, k) => (less[k] ? v : b[k]!));
        const all = less.every(Boolean);
        const start =
          Number(less.some(Boolean)) +
          2 * Number(all) +
          4 * Number(same.some(Boolean)) +
          8 * Number(c.every((v, k) => v > d[k]!));
        o[g] = [x, y, z, w, t, same].flatMap((v) => [...v]).reduce(mix, start);
      }
    },
  },
  {
    name: 'reinterpretations',
    body: `uint4 a = vload4(0, in + g); uchar16 b = as_uchar16(a.wzyx); double2 d = as_double2(b); ulong2 l = as_ulong2(d) + (ulong2)(1, 256); float4 f = as_float4(l); int3 t = as_int3(f); uint4 u = as_uint4(t); char3 c3 = as_char3(in[g]); uchar4 c4 = as_uchar4(c3); o[4 * g] = u.x; o[4 * g + 1] = u.y; o[4 * g + 2] = u.z; o[4 * g + 3] = c4.x | c4.y << 8 | c4.z << 16;`,
    global: 43,
    words: 172,
    reference(o, input) {
      for (let g = 0; g < 43; g++) {
        const l = new BigUint64Array(input.slice(g, g + 4).reverse().buffer);
        l[0]! += 1n;
        l[1]! += 256n;
        o.set(new Uint32Array(l.buffer).subarray(0, 3), 4 * g);
        o[4 * g + 3] = input[g]! & 0xffffff;
      }
    },
  },
  {
    name: 'vectors_by_address',
    before:
      'uint dig(const uint *p, int n) { uint h = 0; for (int i = 0; i < n; i++) h = h * 31 + p[i]; return h; } void turn(uint4 *v, int k) { for (int i = 0; i < k; i++) *v = (*v).yzwx; (*v).y += k; }',
    body: 'uint4 v[3] = {vload4(0, in + g), (uint4)(g, 1, 2, 3), (uint4)7}; turn(&v[g % 3], in[g] % 5); turn(v + 1, 2); uint h = dig((const uint *)v, 12); uint8 w = (uint8)(v[0], v[1]); uint *p = (uint *)&w; p[in[g] & 7] = 5; o[g] = h * 31 + w.s3 + w.s6 * 3 + ((uint *)&w)[g & 7] * 5;',
    global: 66,
    words: 66,
    reference(o, input) {
      for (let g = 0; g < 66; g++) {
        const v = Uint32Array.of(...input.slice(g, g + 4), g, 1, 2, 3, 7, 7, 7, 7);
        const turn = (at: number, k: number) => {
          const four = v.slice(4 * at, 4 * at + 4);
          for (let i = 0; i < 4; i++) v[4 * at + i] = four[(i + k) % 4]!;
          v[4 * at + 1]! += k;
        };
        turn(g % 3, input[g]! % 5);
        turn(1, 2);
        const h = [...v].reduce(mix, 0);
        v[input[g]! & 7] = 5;
        o[g] = Math.imul(h, 31) + v[3]! + Math.imul(v[6]!, 3) + Math.imul(v[g & 7]!, 5);
      }
    },
  },
  {
    name: 'widening_and_rounding_of_bytes',
    body: `uchar16 a = as_uchar16(vload4(0, in + g)), b = as_uchar16(vload4(0, in + g + 2)); char16 x = as_char16(a), y = as_char16(b); uchar16 r = rhadd(a, b) ^ hadd(a, b) ^ add_sat(a, b) ^ sub_sat(a, b) ^ abs_diff(a, b) ^ mul_hi(a, b) ^ mad_sat(a, b, a) ^ rotate(a, b) ^ clz(a) ^ popcount(b) ^ as_uchar16(add_sat(x, y) ^ sub_sat(x, y) ^ mul_hi(x, y) ^ hadd(x, y) ^ mad_sat(x, y, y)) ^ abs(x) ^ abs_diff(x, y) ^ (a << (b & (uchar)7)) ^ as_uchar16(x >> (y & (char)7)) ^ max(a, b) ^ as_uchar16(min(x, y)) ^ clamp(a, (uchar)9, (uchar)99); short16 u = upsample(x, b); vstore4(as_uint4(r), g, o); vstore8(as_uint8(u), g, o + 400);`,
    global: 97,
    words: 1176,
    reference(o, input) {
      const clamp = (v: number, least: number, most: number) => Math.min(Math.max(v, least), most);
      for (let g = 0; g < 97; g++) {
        const [a, b] = [bytesOf(input, g, 4), bytesOf(input, g + 2, 4)];
        const [x, y] = [new Int8Array(a.buffer), new Int8Array(b.buffer)];
        const signed = (f: (p: number, q: number) => number) => (k: number) => f(x[k]!, y[k]!);
        const unsigned = (f: (p: number, q: number) => number) => (k: number) => f(a[k]!, b[k]!);
        const parts = [
          unsigned((p, q) => (p + q + 1) >> 1), unsigned((p, q) => (p + q) >> 1), unsigned((p, q) => clamp(p + q, 0, 255)), unsigned((p, q) => clamp(p - q, 0, 255)),
          unsigned((p, q) => Math.abs(p - q)), unsigned((p, q) => (p * q) >> 8), unsigned((p, q) => clamp(p * q + p, 0, 255)), unsigned((p, q) => (p << (q & 7)) | (p >> (8 - (q & 7)))),
          unsigned((p) => Math.clz32(p) - 24), unsigned((_, q) => q.toString(2).replaceAll('0', '').length),
          signed((p, q) => clamp(p + q, -128, 127)), signed((p, q) => clamp(p - q, -128, 127)), signed((p, q) => (p * q) >> 8), signed((p, q) => (p + q) >> 1), signed((p, q) => clamp(p * q + q, -128, 127)),
          signed((p) => Math.abs(p)), signed((p, q) => Math.abs(p - q)), unsigned((p, q) => p << (q & 7)), signed((p, q) => p >> (q & 7)), unsigned(Math.max), signed(Math.min), unsigned((p) => clamp(p, 9, 99)),
        ]; // biome-ignore format: as the kernel
        const r = a.map((_, k) => parts.reduce((sum, f) => sum ^ f(k), 0));
        const u = Uint16Array.from(a, (v, k) => (v << 8) | b[k]!);
        o.set(new Uint32Array(r.buffer), 4 * g);
        o.set(new Uint32Array(u.buffer), 400 + 8 * g);
      }
    },
  },
];
