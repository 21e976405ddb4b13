// SPDX-License-Identifier: MIT
//
// Integers at the limits of their types: 64 bits, divisions by constants and in loops, promotions, saturation.
import type { Case } from './case';

const MASK = (1n << 64n) - 1n;
const long = (v: bigint) => BigInt.asIntN(64, v);
const ulong = (v: bigint) => v & MASK;
const clampTo = (v: bigint, least: bigint, most: bigint) => (v < least ? least : v > most ? most : v);

/** The two words of h, after h = h * 31 + v for each value. */
function store(o: Uint32Array, at: number, values: readonly bigint[]): void {
  const h = values.reduce((sum, v) => ulong(sum * 31n + v), 0n);
  o.set([Number(h & 0xffffffffn), Number(h >> 32n)], at);
}
const HASH = 'ulong h = 0;\n#define H(x) h = h * 31 + (ulong)(x);\n';
const STORE = 'o[2 * g] = (uint)h; o[2 * g + 1] = (uint)(h >> 32);\n#undef H\n';

export const INTEGERS: readonly Case[] = [
  {
    name: 'functions_of_64_bits',
    body: `${HASH} ulong a = (ulong)in[g] << 32 | in[g + 1], b = (ulong)in[g + 7] << 32 | in[3 * g]; long x = a, y = b;
      H(mul_hi(a, b)) H(mul_hi(x, y)) H(mad_sat(a >> 35, b >> 33, a)) H(mad_sat(x >> 40, y >> 40, x)) H(rotate(a, b)) H(clz(a)) H(ctz(a)) H(popcount(a))
      H(abs(x)) H(abs_diff(x, y)) H(hadd(x, y)) H(rhadd(a, b)) H(add_sat(x, y)) H(sub_sat(a, b)) H(sub_sat(x, y)) H(upsample(in[g], in[g + 1]))
      H(a << (b & 63)) H(a >> b) H(x >> (int)g) H(x < y) H(a > b) ${STORE}`,
    global: 128,
    words: 256,
    reference(o, input) {
      for (let g = 0; g < 128; g++) {
        const word = (i: number) => BigInt(input[i]!);
        const [a, b] = [(word(g) << 32n) | word(g + 1), (word(g + 7) << 32n) | word(3 * g)];
        const [x, y] = [long(a), long(b)];
        const [LEAST, MOST] = [-(1n << 63n), (1n << 63n) - 1n];
        const magnitude = (v: bigint) => (v < 0n ? -v : v);
        const bits = a.toString(2).padStart(64, '0');
        const turn = b & 63n;
        store(o, 2 * g, [
          (a * b) >> 64n, (x * y) >> 64n, clampTo((a >> 35n) * (b >> 33n) + a, 0n, MASK), clampTo((x >> 40n) * (y >> 40n) + x, LEAST, MOST),
          ulong((a << turn) | (a >> (64n - turn))), BigInt(`${bits}1`.indexOf('1')), BigInt(64 - `1${bits}`.lastIndexOf('1')), BigInt(bits.replaceAll('0', '').length),
          magnitude(x), magnitude(x - y), (x + y) >> 1n, (a + b + 1n) >> 1n, clampTo(x + y, LEAST, MOST), clampTo(a - b, 0n, MASK), clampTo(x - y, LEAST, MOST), a,
          a << turn, a >> turn, x >> BigInt(g & 63), BigInt(x < y), BigInt(a > b),
        ]); // biome-ignore format: as the kernel
      }
    },
  },
  {
    name: 'division_by_constants',
    body: `${HASH} ulong a = (ulong)in[g] << 32 | in[g + 1]; long x = a; int i = in[g]; uint u = in[g]; short s = in[g]; uchar c = in[g];
      H(x / 3) H(x % -7) H(x / 1000000007L) H(x / -16) H(x % LONG_MIN) H(a / 7) H(a % 0x100000001UL) H(a / 0xffffffffffffffffUL)
      H(i / 3) H(i / -10) H(i % 7) H(i / INT_MIN) H(i / 641) H(i % 16) H(u / 7) H(u % 10) H(u / 0xffffffffu) H(u / 28) H(s / -5) H(s % 7) H(c / 10) H((c + 127) / 255) ${STORE}`,
    global: 128,
    words: 256,
    reference(o, input) {
      for (let g = 0; g < 128; g++) {
        const a = (BigInt(input[g]!) << 32n) | BigInt(input[g + 1]!);
        const [x, u] = [long(a), BigInt(input[g]!)];
        const [i, s, c] = [BigInt.asIntN(32, u), BigInt.asIntN(16, u), u & 0xffn];
        store(o, 2 * g, [
          x / 3n, x % -7n, x / 1000000007n, x / -16n, x % -(1n << 63n), a / 7n, a % 0x100000001n, a / MASK,
          i / 3n, i / -10n, i % 7n, i / -(1n << 31n), i / 641n, i % 16n, u / 7n, u % 10n, u / 0xffffffffn, u / 28n, s / -5n, s % 7n, c / 10n, (c + 127n) / 255n,
        ]); // biome-ignore format: as the kernel
      }
    },
  },
  {
    name: 'division_in_loops',
    body: `uint h = 0; for (uint i = 1; i < 40; i++) { h = h * 31 + in[g] / i; h = h * 31 + in[g] % i; h += (i * 77) / 7 + i % 3 + (i + g) / 5; }
      for (int i = -20; i < 20; i++) { h = h * 31 + i / 3 + i % 3 * 7 + (i + (int)g) / 6 + (i - 3) % 4 + (i >> 1); h ^= (uint)i / 3; h += (uint)i % 7; } o[g] = h;`,
    global: 64,
    words: 64,
    reference(o, input) {
      for (let g = 0; g < 64; g++) {
        const n = input[g]!;
        let h = 0;
        for (let i = 1; i < 40; i++) {
          h = (Math.imul(h, 31) + Math.trunc(n / i)) >>> 0;
          h = (Math.imul(h, 31) + (n % i)) >>> 0;
          h += i * 11 + (i % 3) + Math.trunc((i + g) / 5);
        }
        for (let i = -20; i < 20; i++) {
          h =
            Math.imul(h, 31) +
            Math.trunc(i / 3) +
            (i % 3) * 7 +
            Math.trunc((i + g) / 6) +
            ((i - 3) % 4) +
            (i >> 1);
          h = (h ^ Math.trunc((i >>> 0) / 3)) + ((i >>> 0) % 7);
        }
        o[g] = h;
      }
    },
  },
  {
    name: 'promotions_of_bytes',
    body: `${HASH} char a = in[g], b = in[g + 1]; uchar c = in[g + 2], d = in[g + 3];
      H(a + b) H(a * c) H((uchar)(c << 4)) H((char)(a * b)) H(~c) H(-c) H(a < c) H((uint)a > c) H(mul_hi(a, b)) H(add_sat(a, b)) H(sub_sat(c, d)) H(rotate(c, d)) H(clz(c)) H(abs_diff(a, b)) H(rhadd(c, d)) H(upsample(a, c))
      a += c; H(a) c -= d; H(c) c++; H(c) a >>= 1; H(a) a = -a; H(a) d <<= 3; H(d) ${STORE}`,
    global: 128,
    words: 256,
    reference(o, input) {
      for (let g = 0; g < 128; g++) {
        const [char, uchar] = [(v: bigint) => BigInt.asIntN(8, v), (v: bigint) => v & 0xffn];
        const [a, b, c, d] = [
          char(BigInt(input[g]!)),
          char(BigInt(input[g + 1]!)),
          uchar(BigInt(input[g + 2]!)),
          uchar(BigInt(input[g + 3]!)),
        ];
        const turn = d & 7n;
        const sum = char(a + c);
        const rest = uchar(c - d);
        store(o, 2 * g, [
          a + b, a * c, uchar(c << 4n), char(a * b), ~c, -c, BigInt(a < c), BigInt(BigInt.asUintN(32, a) > c), char((a * b) >> 8n), clampTo(a + b, -128n, 127n), clampTo(c - d, 0n, 255n),
          uchar((c << turn) | (c >> (8n - turn))), BigInt(Math.clz32(Number(c)) - 24), a < b ? b - a : a - b, (c + d + 1n) >> 1n, (a << 8n) | c,
          sum, rest, uchar(rest + 1n), sum >> 1n, char(-(sum >> 1n)), uchar(d << 3n),
        ]); // biome-ignore format: as the kernel
      }
    },
  },
  {
    // Products of ints as OpenCV computes them: beyond the limits, the nearest limit (6.2.3.3), not the bits that x86 gives.
    name: 'saturated_products',
    body: `int a = in[g], b = in[g + 1]; o[g] = convert_int_sat_rte((double)a * (double)b); o[64 + g] = convert_int_sat_rte((double)a * 0.5);
      o[128 + g] = convert_uint_sat_rtz((double)a * 3); o[192 + g] = convert_char_sat((double)a * 1e-7); o[256 + g] = convert_uchar_sat(a); o[320 + g] = convert_short_sat_rtn((double)b / 100000);`,
    global: 64,
    words: 384,
    reference(o, input) {
      const even = (v: number) => {
        const down = Math.floor(v);
        return v - down < 0.5 || (v - down === 0.5 && down % 2 === 0) ? down : down + 1;
      };
      const clamp = (v: number, least: number, most: number) => Math.min(Math.max(v, least), most);
      for (let g = 0; g < 64; g++) {
        const [a, b] = [input[g]! | 0, input[g + 1]! | 0];
        o[g] = clamp(even(a * b), -(2 ** 31), 2 ** 31 - 1);
        o[64 + g] = even(a * 0.5);
        o[128 + g] = clamp(a * 3, 0, 2 ** 32 - 1);
        o[192 + g] = clamp(Math.trunc(a * 1e-7), -128, 127);
        o[256 + g] = clamp(a, 0, 255);
        o[320 + g] = clamp(Math.floor(b / 100000), -32768, 32767);
      }
    },
  },
];
