// SPDX-License-Identifier: MIT
//
// Arithmetic compiled at every tile size against the interpreter, bit by bit.
import { checkTiles as check, floats, foreign, ints, noise } from '../../../../tests/helpers/every-tile';
import { halfBits, halfValue } from '../../../base/half';

foreign('compiled arithmetic', () => {
  test('products of numbers of 16 bits', () => {
    const n = 64;
    const edges = [-32768, 32767, -1, 0, 1, 255, -128, 127];
    const number = (i: number) => (i < 16 ? edges[i & 7]! : Math.floor(noise(i) * 65536) - 32768);
    check(
      `__kernel void k(__global int *out, __global const short *a, __global const short *b, __global const char *c,
                       __global const uchar *d, int n) {
         int i = get_global_id(0), sum = 0;
         out[i] = a[i] * b[i];
         out[i + 64] = a[i] * a[i];
         out[i + 128] = a[i] * c[i] - d[i] * c[i];
         out[i + 192] = c[i] * c[63 - i] + d[i] * 77 + d[i] * -300;
         for (int k = 0; k < n; k++) sum += a[(i + k) & 63] * b[k] + c[k] * d[i];
         out[i + 256] = sum;
         out[i + 320] = (a[i] >> 3) * (d[i] + 1) * 5;
         out[i + 384] = (short)(i * 1000 + n) * (short)(n * 3000) * (n > 2 ? b[i] : c[i]);
         if (a[i] > 0) out[i + 448] = b[i] * a[63 - i];
       }`,
      'k',
      {
        global: [n],
        local: [n],
        args: [
          { buffer: new Int32Array(512) },
          { buffer: Int16Array.from({ length: n }, (_, i) => number(i)) },
          { buffer: Int16Array.from({ length: n }, (_, i) => number((i * 7) % n)) },
          { buffer: Int8Array.from({ length: n }, (_, i) => (i < 8 ? edges[i]! : noise(i) * 256)) },
          { buffer: Uint8Array.from({ length: n }, (_, i) => (i < 8 ? 255 - i : noise(i + 5) * 256)) },
          { value: ints(1, () => 13) },
        ],
      },
    );
  });

  test('fmin and fmax with NaN on either side, and stores of some lanes', () => {
    check(
      `typedef struct { float a, b, c, d; } Four;
       __kernel void k(__global float *out, __global const float *in, __global Four *four) {
         int i = get_global_id(0); float x = in[i], y = in[i + 1], most = -1e30f, least = x;
         for (int j = 0; j < 5; j++) { most = fmax(most, in[i + j]); least = fmin(in[i + j], least); }
         out[8 * i] = fmin(fmax(x, 0.25f), 0.75f);
         out[8 * i + 1] = fmax(x, y); out[8 * i + 2] = fmin(x, y);
         out[8 * i + 3] = most; out[8 * i + 4] = least;
         if (y > 0.4f) out[8 * i + 5 + (i & 1)] = y;
         if (y > 0.3f) { Four f = {x, y, most, least}; four[i] = f; }
         if (y > 0.6f && (i & 3)) four[i].c = 2;
       }`,
      'k',
      {
        global: [37],
        local: [37],
        args: [
          { buffer: ints(37 * 8, () => -1) },
          { buffer: floats(42, (i) => (i % 5 === 3 ? Number.NaN : noise(i))) },
          { buffer: ints(37 * 4, () => -1) },
        ],
      },
    );
  });

  test('narrow and wide integers', () => {
    check(
      `__kernel void k(__global uchar *a, __global short *b, __global long *c, __global const int *in) {
         int i = get_global_id(0);
         int v = in[i];
         a[i] = (uchar)(a[i] * 3 + v) >> 1;
         b[i] = (short)(b[i] / (short)(v | 1)) - (short)(b[i] % (short)(v - 50));
         c[i] = c[i] * v + ((long)v << (i & 63)) - (c[i] >> 3) / (v - 3) + (c[i] > v ? 5L : (long)-v);
       }`,
      'k',
      {
        global: [40],
        local: [20],
        args: [
          { buffer: new Uint8Array(40).map((_, i) => i * 37) },
          { buffer: new Int16Array(40).map((_, i) => i * 1237) },
          { buffer: new BigInt64Array(40).map((_, i) => BigInt(i) * 123456789123n) },
          { buffer: ints(40, (i) => Math.floor(noise(i) * 200) - 100) },
        ],
      },
    );
  });

  test('upper halves of 64-bit products', () => {
    const n = 64;
    const edges = [0n, 1n, -1n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 63n - 1n, -(2n ** 63n)];
    const number = (i: number) =>
      BigInt(Math.floor(noise(i) * 2 ** 32)) * 2n ** 32n + BigInt(Math.floor(noise(i + n) * 2 ** 32));
    check(
      `__kernel void k(__global ulong *out, __global const ulong *in, uint few) {
         int i = get_global_id(0);
         ulong a = in[i & 63], b = in[i >> 3 & 63];
         long sa = a, sb = b;
         __global ulong *o = out + i * 8;
         o[0] = mul_hi(a, b); o[1] = mul_hi(sa, sb);
         o[2] = mul_hi(a, b >> 32) + mul_hi((ulong)few, b); o[3] = mul_hi(sa, (long)(b & 0xffffffff));
         o[4] = mul_hi(a, 0x9e3779b97f4a7c15ul); o[5] = mul_hi(sa, 0x1e3779b97f4a7c15l);
         o[6] = mul_hi(sa, -5l); o[7] = mul_hi(1000003ul, a);
       }`,
      'k',
      {
        global: [512],
        local: [64],
        args: [
          { buffer: new BigUint64Array(512 * 8) },
          {
            buffer: BigInt64Array.from({ length: n }, (_, i) =>
              i < 8 ? edges[i]! : BigInt.asIntN(64, number(i)),
            ),
          },
          { value: ints(1, () => -7) },
        ],
      },
    );
  });

  test('integer arithmetic at its edges', () => {
    check(
      `__kernel void k(__global int *out, __global const int *in) {
         int i = get_global_id(0);
         int a = in[i], b = in[(i * 7 + 3) & 31];
         uint ua = a, ub = b;
         __global int *o = out + i * 16;
         o[0] = b ? a / b : 0; o[1] = ub ? ua % ub : 0; o[2] = add_sat(a, b); o[3] = sub_sat(ua, ub);
         o[4] = mul_hi(a, b); o[5] = mul_hi(ua, ub); o[6] = clz(a); o[7] = popcount(a);
         o[8] = rotate(a, 8); o[9] = rotate(a, b); o[10] = rhadd(a, b); o[11] = hadd(ua, ub);
         o[12] = min(a, b) + max(ua, ub); o[13] = abs(a); o[14] = a >> (b & 31); o[15] = ua >> (ub & 31);
       }`,
      'k',
      {
        global: [32],
        local: [32],
        args: [
          { buffer: ints(512, () => 0) },
          {
            buffer: ints(32, (i) =>
              i < 8
                ? [0, -1, 1, 2 ** 31 - 1, -(2 ** 31), 255, -256, 65535][i]!
                : Math.floor((noise(i) - 0.5) * 2 ** 32),
            ),
          },
        ],
      },
    );
  });

  test.each(['char', 'uchar', 'short', 'ushort', 'int', 'uint'])(
    'leading zeros of %s beside every power of two',
    (type) => {
      const items = 33 * 4;
      const powers = ints(
        items,
        (i) => (i < 128 ? 1 << (i >> 2) : 0) + [-1, 0, 1, 0x55555555 >> (31 - (i >> 2))][i & 3]!,
      );
      check(
        `kernel void k(global int *out, global const int *in) { int i = get_global_id(0); out[i] = clz((${type})in[i]); }`,
        'k',
        { global: [items], local: [items], args: [{ buffer: ints(items, () => 0) }, { buffer: powers }] },
      );
    },
  );

  test.each(['char', 'uchar', 'short', 'ushort', 'int', 'uint', 'long', 'ulong'])(
    'shifts of %s by amounts of their own',
    (type) => {
      const items = 64;
      check(
        `kernel void k(global ${type} *out, global const ${type} *in) {
           int i = get_global_id(0);
           ${type} a = in[i], n = (${type})(in[(i * 5 + 1) & 63] ^ i), w = sizeof(${type}) * 8 - 1;
           global ${type} *o = out + i * 6;
           o[0] = a << (n & w); o[1] = a >> (n & w); o[2] = rotate(a, n); o[3] = (${type})1 << (n & w);
           o[4] = a >> (i & w); o[5] = a << (w - (i & w));
         }`,
        'k',
        {
          global: [items],
          local: [items],
          args: [
            { buffer: new Uint8Array(items * 6 * 8) },
            {
              buffer: Uint8Array.from({ length: items * 8 }, (_, i) => (i < 16 ? -(i & 8) : noise(i) * 256)),
            },
          ],
        },
      );
    },
  );

  test('unsigned division by a common divisor', () => {
    check(
      `__kernel void k(__global uint *out, __global const uint *in, uint d) {
         int i = get_global_id(0);
         out[2 * i] = in[i] / d;
         out[2 * i + 1] = in[i] % d;
         out[64 + i] = in[i] / 0x80000001u + in[i] % 10 + (in[i] + 1) / (d - d);
       }`,
      'k',
      {
        global: [32],
        local: [32],
        args: [
          { buffer: ints(96, () => 0) },
          {
            buffer: ints(32, (i) =>
              i < 8 ? [0, -1, 1, 2 ** 31 - 1, -(2 ** 31), 7, 14, -2][i]! : i * 143165576,
            ),
          },
          { value: new Int32Array([7]) },
        ],
      },
    );
  });

  test.each([
    0,
    1,
    -1,
    2,
    -2,
    3,
    7,
    -10,
    49,
    -98,
    103,
    641,
    65537,
    2 ** 30,
    2 ** 30 + 1,
    2 ** 31 - 1,
    2 - 2 ** 31,
    -(2 ** 31),
  ])('signed division by %i', (divisor) => {
    const near = [0, 1, -1, 2 ** 31 - 1, -(2 ** 31), 1 - 2 ** 31, 2 ** 30, -65537];
    const multiple = (i: number) => Math.trunc(2 ** 31 / (divisor || 1) / (1 + (i >> 3))) * divisor;
    check(
      `__kernel void k(__global int *out, __global short *narrow, __global const int *in, int d) {
         int i = get_global_id(0);
         out[2 * i] = in[i] / d;
         out[2 * i + 1] = in[i] % d;
         narrow[i] = (short)in[i] / (short)d - (short)((short)(in[i] >> 16) % (short)d);
       }`,
      'k',
      {
        global: [64],
        local: [32],
        args: [
          { buffer: ints(128, () => 0) },
          { buffer: new Int16Array(64) },
          { buffer: ints(64, (i) => (i < 8 ? near[i]! : multiple(i) + (i % 3) - 1)) },
          { value: new Int32Array([divisor]) },
        ],
      },
    );
  });

  test('half and double precision', () => {
    check(
      `#pragma OPENCL EXTENSION cl_khr_fp64 : enable
       __kernel void k(__global half *h, __global double *d, __global const float *in) {
         int i = get_global_id(0);
         vstore_half(vload_half(i, h) * in[i] + 1.0f, i, h);
         double s = d[i];
         for (int j = 0; j < (i & 3); j++) s = s * 1.5 + in[(i + j) & 31];
         d[i] = s > 2.0 ? s * s + 1.0 : convert_double(convert_int(s * 100.0)) ;
       }`,
      'k',
      {
        global: [32],
        local: [32],
        args: [
          { buffer: new Uint16Array(32).map((_, i) => 0x3c00 + i * 77) },
          { buffer: new Float64Array(32).map((_, i) => i / 7) },
          { buffer: floats(32, noise) },
        ],
      },
    );
  });

  test('every half becomes a float, and floats around each boundary become halves', () => {
    const halves = Uint16Array.from({ length: 65536 }, (_, i) => i);
    const floats = Uint32Array.from(halves, (h) => {
      const special = (h & 0x7c00) === 0x7c00;
      const sign = (h & 0x8000) << 16;
      if (special) return sign | 0x7f800000 | ((h & 0x3ff) << 13) | (h & 0x3ff ? 0x400000 : 0);
      return new Uint32Array(Float32Array.of(halfValue(h)).buffer)[0]!;
    });
    check(
      `__kernel void k(__global const half *h, __global float *f) {
         int i = get_global_id(0);
         f[i] = vload_half(i, h);
       }`,
      'k',
      { global: [65536], local: [64], args: [{ buffer: halves }, { buffer: new Uint32Array(65536) }] },
      [halves, floats],
      [2],
    );
    const around = new Uint32Array(65536);
    for (let h = 0; h < 0x7c00; h++) {
      // Between this half and the next one.
      const next = h === 0x7bff ? 65536 : halfValue(h + 1);
      const middle = new Uint32Array(Float32Array.of((halfValue(h) + next) / 2).buffer)[0]!;
      around[2 * h] = middle - 1 + (h % 3);
      around[2 * h + 1] = (middle | 0x80000000) + 1 - (h % 3);
    }
    around.set(
      [0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001, 0x7fffffff, 1, 0x80000001, 0x7f7fffff],
      2 * 0x7c00,
    );
    const rounded = Uint16Array.from(new Float32Array(around.buffer), (x, i) =>
      Number.isNaN(x) ? 0x7e00 | ((around[i]! >>> 16) & 0x8000) : halfBits(x),
    );
    check(
      `__kernel void k(__global half *h, __global const float *f) {
         int i = get_global_id(0);
         vstore_half(f[i], i, h);
         if (i % 16 < 8) vstore_half(f[i], 65535 - i, h + 65536);
       }`,
      'k',
      {
        global: [65536],
        local: [64],
        args: [{ buffer: new Uint16Array(131072) }, { buffer: around }],
      },
      [
        Uint16Array.from({ length: 131072 }, (_, i) => {
          const back = 131071 - i;
          return i < 65536 ? rounded[i]! : back % 16 < 8 ? rounded[back]! : 0;
        }),
        around,
      ],
      [2],
    );
  });
});
