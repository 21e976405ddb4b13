// SPDX-License-Identifier: MIT
//
// Switches, jumps and loops that no structured language would have: labels within loops, cases that fall through, ranges.
import { type Case, mix } from './case';

export const SWITCHES: readonly Case[] = [
  {
    name: 'device_of_duff',
    body: `uint n = in[g] % 23, h = 0, i = 0; if (n) { uint rounds = (n + 4) / 5;
      switch (n % 5) { case 0: do { h = h * 31 + in[i++]; case 4: h = h * 31 + in[i++]; case 3: h = h * 31 + in[i++]; case 2: h = h * 31 + in[i++];
        case 1: h = h * 31 + in[i++]; } while (--rounds); } } o[g] = h * 31 + i;`,
    global: 77,
    words: 77,
    reference(o, input) {
      for (let g = 0; g < 77; g++) {
        const n = input[g]! % 23;
        let h = 0;
        for (let i = 0; i < n; i++) h = mix(h, input[i]!);
        o[g] = mix(h, n);
      }
    },
  },
  {
    name: 'default_in_the_middle',
    body: `int h = 0; for (int k = 0; k < 9; k++) switch ((int)((in[g] >> (3 * k)) & 7)) { case 1: h += 1; case 2: h *= 3; break; default: h ^= 0x55; case 4: h += 7; break; case 6: continue; case 0: h--; } o[g] = h;`,
    global: 101,
    words: 101,
    reference(o, input) {
      for (let g = 0; g < 101; g++) {
        let h = 0;
        for (let k = 0; k < 9; k++) {
          const v = (input[g]! >>> (3 * k)) & 7;
          if (v === 1) h = Math.imul(h + 1, 3);
          else if (v === 2) h = Math.imul(h, 3);
          else if (v === 4) h = (h + 7) | 0;
          else if (v === 6) continue;
          else if (v === 0) h = (h - 1) | 0;
          else h = ((h ^ 0x55) + 7) | 0;
        }
        o[g] = h;
      }
    },
  },
  {
    name: 'wide_and_negative_cases',
    body: `long v = (long)(int)in[g] << (g % 33); uint h = 0; switch (v) { case -1: h = 1; break; case LONG_MIN: h = 2; break; case 0x7fffffffL << 32: h = 3; break; case 0xffffffffL: h = 4; break; case 0: h = 5; break; default: h = (uint)(v >> 7); }
      switch ((char)in[g + 1]) { case -128: h += 1000; break; case -1: h += 2000; break; case 127: h += 3000; break; case 0: h += 4000; }
      switch ((ushort)in[g]) { case 65535: h ^= 1u << 30; break; case 32768: h ^= 1u << 29; break; } o[g] = h;`,
    global: 67,
    words: 67,
    reference(o, input) {
      for (let g = 0; g < 67; g++) {
        const v = BigInt.asIntN(64, BigInt(input[g]! | 0) << BigInt(g % 33));
        const known = new Map([[-1n, 1], [-(1n << 63n), 2], [0x7fffffffn << 32n, 3], [0xffffffffn, 4], [0n, 5]]); // biome-ignore format: a table
        let h = known.get(v) ?? Number(BigInt.asUintN(32, v >> 7n));
        h += { '-128': 1000, '-1': 2000, '127': 3000, '0': 4000 }[String((input[g + 1]! << 24) >> 24)] ?? 0;
        const low = input[g]! & 0xffff;
        o[g] = h ^ (low === 65535 ? 1 << 30 : low === 32768 ? 1 << 29 : 0);
      }
    },
  },
  {
    name: 'switch_in_switch_in_loop',
    body: `uint h = g, n = 0; while (n++ < 12) { switch (h & 3) { case 0: switch (in[n] % 3) { case 0: h += in[g]; break; case 1: h = h * 31 + 1; goto next; default: h ^= n << 5; } h += 2; break;
        case 1: h >>= 1; if (h % 5 == 2) continue; case 2: { uint t = h; h = t * 3; if (t > 0x80000000u) goto done; } break; default: h += 0x1234567; }
      h ^= 0x100; next: h += 3; } done: o[g] = h * 31 + n;`,
    global: 90,
    words: 90,
    reference(o, input) {
      for (let g = 0; g < 90; g++) {
        let [h, n] = [g, 0];
        for (;;) {
          if (n++ >= 12) break;
          let after = true;
          const which = h & 3;
          if (which === 0) {
            const inner = input[n]! % 3;
            if (inner === 1) {
              h = mix(h, 1);
              after = false;
            } else {
              h = inner === 0 ? (h + input[g]!) >>> 0 : (h ^ (n << 5)) >>> 0;
              h = (h + 2) >>> 0;
            }
          } else if (which === 3) h = (h + 0x1234567) >>> 0;
          else {
            if (which === 1) {
              h >>>= 1;
              if (h % 5 === 2) continue;
            }
            const t = h;
            h = Math.imul(t, 3) >>> 0;
            if (t > 0x80000000) break;
          }
          if (after) h = (h ^ 0x100) >>> 0;
          h = (h + 3) >>> 0;
        }
        o[g] = mix(h, n);
      }
    },
  },
  {
    name: 'jumps_backwards',
    body: `uint a = in[g] | 1, b = in[g + 1] | 1, steps = 0;
      again: if (a == b) goto out; steps++; if (steps > 40) goto out; if (a > b) { a -= b; goto again; } b -= a; if (!(b & 1)) goto halve; goto again;
      halve: b >>= 1; if (!(b & 1)) goto halve; goto again; out: o[g] = a * 31 + b * 7 + steps;`,
    global: 70,
    words: 70,
    reference(o, input) {
      for (let g = 0; g < 70; g++) {
        let [a, b, steps] = [(input[g]! | 1) >>> 0, (input[g + 1]! | 1) >>> 0, 0];
        while (a !== b) {
          if (++steps > 40) break;
          if (a > b) a -= b;
          else for (b -= a; b % 2 === 0; ) b /= 2;
        }
        o[g] = Math.imul(a, 31) + Math.imul(b, 7) + steps;
      }
    },
  },
  {
    name: 'jump_into_a_loop',
    body: `uint h = 0, i = in[g] % 5; if (in[g + 1] & 1) goto inside; for (i = 0; i < 6; i++) { h = h * 31 + 5; inside: h = h * 31 + in[i + g]; if (h % 7 == 3) break; } o[g] = h * 31 + i;`,
    global: 61,
    words: 61,
    reference(o, input) {
      for (let g = 0; g < 61; g++) {
        let [h, i] = [0, input[g]! % 5];
        let jumps = (input[g + 1]! & 1) === 1;
        if (!jumps) i = 0;
        for (; jumps || i < 6; i++) {
          if (!jumps) h = mix(h, 5);
          jumps = false;
          h = mix(h, input[i + g]!);
          if (h % 7 === 3) break;
        }
        o[g] = mix(h, i);
      }
    },
  },
  {
    name: 'a_barrier_in_a_switch',
    body: `local uint t[24]; uint l = get_local_id(0), w = get_group_id(0), h = in[g]; t[l] = h;
      for (uint k = 0; k < 5; k++) switch ((in[w] >> k) & 3) { case 0: barrier(CLK_LOCAL_MEM_FENCE); h += t[(l + 1) % 24]; barrier(CLK_LOCAL_MEM_FENCE); case 1: t[l] = h; break;
        case 2: barrier(CLK_LOCAL_MEM_FENCE); h ^= t[23 - l]; barrier(CLK_LOCAL_MEM_FENCE); t[l] = h * 3; break; default: h++; } o[g] = h;`,
    global: 120,
    local: 24,
    words: 120,
    reference(o, input) {
      for (let w = 0; w < 5; w++) {
        const h = Uint32Array.from(input.subarray(24 * w, 24 * w + 24));
        const t = h.slice();
        for (let k = 0; k < 5; k++) {
          const v = (input[w]! >>> k) & 3;
          if (v === 0) {
            for (let l = 0; l < 24; l++) h[l]! += t[(l + 1) % 24]!;
            t.set(h);
          } else if (v === 1) t.set(h);
          else if (v === 2) {
            for (let l = 0; l < 24; l++) h[l]! ^= t[23 - l]!;
            for (let l = 0; l < 24; l++) t[l] = Math.imul(h[l]!, 3);
          } else for (let l = 0; l < 24; l++) h[l]!++;
        }
        o.set(h, 24 * w);
      }
    },
  },
  {
    name: 'returns_from_nests',
    before: `int seek(global uint *in, uint a, uint b) { for (int i = 0; i < 8; i++) { for (int j = 0; ; j++) { if (j > i) break; switch ((in[i] + j * a) % 11) { case 0: return i * 10 + j; case 3: if (b & 1) return -i; break; case 5: b >>= 1; continue; } do { if (b % 3 == 1) break; b--; if (b > 0xfffffff0u) return 99; } while (b % 5); } } return b; }`,
    body: 'o[g] = seek(in, in[g], in[g + 3]) + seek(in, g, g) * 1000;',
    global: 75,
    words: 75,
    reference(o, input) {
      const seek = (a: number, b: number): number => {
        for (let i = 0; i < 8; i++)
          for (let j = 0; j <= i; j++) {
            const v = ((input[i]! + Math.imul(j, a)) >>> 0) % 11;
            if (v === 0) return i * 10 + j;
            if (v === 3 && b & 1) return -i;
            if (v === 5) {
              b >>>= 1;
              continue;
            }
            do {
              if (b % 3 === 1) break;
              b = (b - 1) >>> 0;
              if (b > 0xfffffff0) return 99;
            } while (b % 5);
          }
        return b;
      };
      for (let g = 0; g < 75; g++) o[g] = seek(input[g]!, input[g + 3]!) + Math.imul(seek(g, g), 1000);
    },
  },
  {
    name: 'ladder_of_conditions',
    body: `uint v = in[g], h = v & 1 ? v & 2 ? v & 4 ? 1 : 2 : v & 8 ? 3 : 4 : v & 16 ? v & 32 ? 5 : 6 : (v >> 6) ? 7 : 8; h += (v > 5 && (v /= 3) > 7 || (v += 9) & 1) ? v : ~v; h = (h++, h * 3, h ^ v); o[g] = h + (v ? !v : !!v) * 4 + (v == 9 || !(v < 100 && v > 10));`,
    global: 99,
    words: 99,
    reference(o, input) {
      for (let g = 0; g < 99; g++) {
        let v = input[g]!;
        let h =
          v & 1 ? (v & 2 ? (v & 4 ? 1 : 2) : v & 8 ? 3 : 4) : v & 16 ? (v & 32 ? 5 : 6) : v >>> 6 ? 7 : 8;
        let truth = false;
        if (v > 5) {
          v = Math.trunc(v / 3);
          truth = v > 7;
        }
        if (!truth) {
          v = (v + 9) >>> 0;
          truth = (v & 1) === 1;
        }
        h += truth ? v : ~v >>> 0;
        h = ((h + 1) >>> 0) ^ v;
        o[g] = h + Number(v === 9 || !(v < 100 && v > 10));
      }
    },
  },
];
