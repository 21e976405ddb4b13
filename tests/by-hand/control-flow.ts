// SPDX-License-Identifier: MIT
//
// Jumps, loops and switches in which neighbouring work-items go different ways.
import { type Case, mix } from './case';

export const CONTROL_FLOW: readonly Case[] = [
  {
    name: 'cases_of_long_ranges',
    body: `int n = (int)in[g] >> (g % 16);
      uint r = 0;
      switch (n) {
        case 7: r = 1; break;
        case 0x4E00 ... 0x9FFF: r = 2; break;
        case -50000 ... -2: r = 3;
        case 8: r += 4; break;
        default: r = 5; break;
        case 0xA000 ... 0x7fffffff: r = 6;
      }
      switch (((ulong)in[g] << 32 | g) - 5) {
        case 0x80000000UL ... 0xffffffffffffffffUL: r += 10; break;
        case 3: r += 20;
      }
      o[g] = r;`,
    global: 256,
    words: 256,
    reference(o, input) {
      for (let g = 0; g < 256; g++) {
        const n = (input[g]! | 0) >> (g % 16);
        let r = 5;
        if (n === 7) r = 1;
        else if (n >= 0xa000) r = 6;
        else if (n >= 0x4e00) r = 2;
        else if (n >= -50000 && n <= -2) r = 7;
        else if (n === 8) r = 4;
        const wide = BigInt.asUintN(64, ((BigInt(input[g]!) << 32n) | BigInt(g)) - 5n);
        o[g] = r + (wide >= 0x80000000n ? 10 : wide === 3n ? 20 : 0);
      }
    },
  },
  {
    name: 'cases_that_fall_through',
    body: `uint r = 0;
      for (uint i = 0; i < 20; i++)
        switch ((in[g] + i * in[i]) % 13) {
          case 0: r += 1;
          case 1: r ^= 0x11; break;
          case 2 ... 4: r = r * 3 + i; if (r & 1) break;
          case 5: r++; continue;
          default: r -= i; if (r % 5 == 0) { o[g] = r; return; }
          case 6: r ^= r << 3; break;
        }
      o[g] = ~r;`,
    global: 64,
    words: 64,
    reference(o, input) {
      for (let g = 0; g < 64; g++) {
        let r = 0;
        let done = false;
        for (let i = 0; i < 20 && !done; i++) {
          const n = ((input[g]! + Math.imul(i, input[i]!)) >>> 0) % 13;
          if (n <= 1) {
            if (n === 0) r = (r + 1) >>> 0;
            r ^= 0x11;
          } else if (n <= 4) {
            r = (Math.imul(r, 3) + i) >>> 0;
            if ((r & 1) === 0) r++;
          } else if (n === 5) r++;
          else {
            if (n !== 6) {
              r = (r - i) >>> 0;
              if (r % 5 === 0) {
                o[g] = r;
                done = true;
              }
            }
            r ^= r << 3;
          }
          r >>>= 0;
        }
        if (!done) o[g] = ~r;
      }
    },
  },
  {
    name: 'duffs_device',
    body: `uint n = in[g] % 37 + 1, k = 0, h = 0, c = (n + 3) / 4;
      switch (n % 4) {
        case 0: do { h = h * 31 + in[k++];
        case 3: h = h * 31 + in[k++];
        case 2: h = h * 31 + in[k++];
        case 1: h = h * 31 + in[k++];
        } while (--c > 0);
      }
      o[g] = h ^ k;`,
    global: 64,
    words: 64,
    reference(o, input) {
      for (let g = 0; g < 64; g++) {
        const n = (input[g]! % 37) + 1;
        o[g] = input.slice(0, n).reduce(mix, 0) ^ n;
      }
    },
  },
  {
    name: 'loops_with_three_entries',
    body: `uint x = in[g] & 0xff, s = 0, steps = 0;
      if (x & 1) goto b;
      a: s += x; x = (x * 5 + 1) & 0xff; if (++steps > 50) goto e; if (x & 2) goto c;
      b: s ^= x << 3; x = (x * 3 + 7) & 0xff; if (++steps > 50) goto e; if (x & 4) goto a;
      c: s -= x; x = (x + 11) & 0xff; if (++steps > 50) goto e; if (x & 8) goto b; if (x & 16) goto a; if (x & 32) goto c;
      e: o[g] = s * 100 + steps;`,
    global: 64,
    words: 64,
    reference(o, input) {
      for (let g = 0; g < 64; g++) {
        let x = input[g]! & 0xff;
        let s = 0;
        let steps = 0;
        for (let at = x & 1 ? 'b' : 'a'; at !== 'e'; ) {
          if (at === 'a') {
            s += x;
            x = (x * 5 + 1) & 0xff;
            at = x & 2 ? 'c' : 'b';
          } else if (at === 'b') {
            s ^= x << 3;
            x = (x * 3 + 7) & 0xff;
            at = x & 4 ? 'a' : 'c';
          } else {
            s -= x;
            x = (x + 11) & 0xff;
            at = x & 8 ? 'b' : x & 16 ? 'a' : x & 32 ? 'c' : 'e';
          }
          if (++steps > 50) at = 'e';
        }
        o[g] = Math.imul(s, 100) + steps;
      }
    },
  },
  {
    name: 'into_a_loop',
    body: `uint i = g % 5, h = 0;
      if (in[g] & 1) goto middle;
      for (i = 0; i < 10; i++) {
        h += i * 3;
        if (h % 7 == 3) goto done;
        middle: h = h * 2 + 1;
        for (uint j = 0; j < i; j++) { if (j == 4) goto next; h ^= j + in[j]; }
        next: ;
      }
      done: o[g] = h + i;`,
    global: 64,
    words: 64,
    reference(o, input) {
      for (let g = 0; g < 64; g++) {
        let h = 0;
        let i = input[g]! & 1 ? g % 5 : 0;
        for (let first = (input[g]! & 1) === 1; i < 10; i++, first = false) {
          if (!first) {
            h = (h + i * 3) >>> 0;
            if (h % 7 === 3) break;
          }
          h = (h * 2 + 1) >>> 0;
          for (let j = 0; j < i && j < 4; j++) h = (h ^ (j + input[j]!)) >>> 0;
        }
        o[g] = h + i;
      }
    },
  },
  {
    name: 'leaving_nested_loops',
    body: `uint h = 1;
      for (uint i = 0; i < in[g] % 9; i++) {
        uint j = 0;
        while (1) {
          if (++j > 6) break;
          if ((j ^ i) & 1) continue;
          do { h = h * 3 + j; if (h % 11 == 5) break; if (h % 13 == 2) { o[g] = h; return; } } while (h & 4);
          if (h % 17 == 1) goto outer;
        }
        h += 1000;
        outer: h ^= i;
      }
      o[g] = h + 1;`,
    global: 64,
    words: 64,
    reference(o, input) {
      const run = (rounds: number): number => {
        let h = 1;
        for (let i = 0; i < rounds; i++) {
          let left = false;
          for (let j = 1; j <= 6 && !left; j++) {
            if ((j ^ i) & 1) continue;
            do {
              h = (Math.imul(h, 3) + j) >>> 0;
              if (h % 11 === 5) break;
              if (h % 13 === 2) return h;
            } while (h & 4);
            left = h % 17 === 1;
          }
          if (!left) h = (h + 1000) >>> 0;
          h = (h ^ i) >>> 0;
        }
        return h + 1;
      };
      for (let g = 0; g < 64; g++) o[g] = run(input[g]! % 9);
    },
  },
  {
    name: 'counters_that_wrap',
    body: `uint h = 0;
      for (uchar c = 250 + g % 4; c != 5; c++) h = h * 31 + c;
      for (ushort s = 65530; s > 10 || s < 3; s++) h = h * 31 + s;
      for (uint i = 0xfffffff0u; i > 100; i += 7 + (g & 3)) h = h * 31 + i;
      for (uint i = 20; i >= 20 - g % 20 && i <= 20; i--) h = h * 31 + i;
      for (ulong i = in[g] % 7; i != (ulong)-1; i--) h = h * 31 + (uint)i;
      o[g] = h;`,
    global: 64,
    words: 64,
    reference(o, input) {
      for (let g = 0; g < 64; g++) {
        let h = 0;
        for (let c = 250 + (g % 4); c !== 5; c = (c + 1) & 0xff) h = mix(h, c);
        for (let s = 65530; s > 10 || s < 3; s = (s + 1) & 0xffff) h = mix(h, s);
        for (let i = 0xfffffff0; i > 100; i = (i + 7 + (g & 3)) >>> 0) h = mix(h, i);
        for (let i = 20; i >= 20 - (g % 20) && i <= 20; i = (i - 1) >>> 0) h = mix(h, i);
        for (let i = input[g]! % 7; i >= 0; i--) h = mix(h, i);
        o[g] = h;
      }
    },
  },
  {
    name: 'effects_of_short_circuits',
    before: 'int see(uint *p, uint v, uint r) { *p = *p * 10 + v; return r != 0; }',
    body: `uint t = 0, u = in[g];
      int a = (see(&t, 1, u & 1) && see(&t, 2, u & 2)) || (see(&t, 3, u & 4) && !see(&t, 4, u & 8));
      uint b = u & 16 ? see(&t, 5, 3) : u & 32 ? (see(&t, 6, 1), 9) : see(&t, 8, u & 64) ? t++ : --t;
      o[g] = t * 2 + a; o[64 + g] = b;`,
    global: 64,
    words: 128,
    reference(o, input) {
      for (let g = 0; g < 64; g++) {
        const u = input[g]!;
        let t = 0;
        const see = (v: number, r: number) => {
          t = (t * 10 + v) >>> 0;
          return r !== 0;
        };
        const a = (see(1, u & 1) && see(2, u & 2)) || (see(3, u & 4) && !see(4, u & 8));
        let b: number;
        if (u & 16) b = Number(see(5, 3));
        else if (u & 32) {
          see(6, 1);
          b = 9;
        } else b = see(8, u & 64) ? t++ : --t;
        o[g] = t * 2 + Number(a);
        o[64 + g] = b;
      }
    },
  },
];
