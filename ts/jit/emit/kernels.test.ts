// SPDX-License-Identifier: MIT
//
// Kernels compiled at every tile size against the interpreter, bit by bit: control flow, memory, groups.
import { checkTiles as check, floats, foreign, ints, noise } from '../../../tests/helpers/every-tile';

foreign('compiled kernels', () => {
  test('stores of some to what they have read', () => {
    const n = 64;
    const least = `d[i] = least;`;
    for (const body of [
      `int least = x[i]; if (least < d[i]) ${least}`,
      `int least = x[i], now = d[i]; if (now >= least) ; else ${least}`,
      `int least = x[i], now = d[i]; if (now & 1) d[i] = now / 4 - least;`,
      `int now = d[i]; d[i] = now + 1; if (now > x[i]) d[i] = now;`,
      // Not for NaNs: the bits of a product are the processor's choice.
      `float now = as_float(d[i]); if (x[i] > 4 & now <= 2) d[i] = as_int(now * 2);`,
    ])
      check(
        `__kernel void k(__global int *d, __global const int *restrict x) {
           int i = get_global_id(0) + 8 * get_global_id(1);
           ${body}
         }`,
        'k',
        {
          global: [8, 8],
          local: [8, 8],
          args: [
            { buffer: ints(n, (i) => Math.floor(noise(i) * 100) - 50) },
            { buffer: ints(n, (i) => Math.floor(noise(i + 99) * 100) - 50) },
          ],
        },
      );
  });

  test('contiguous access and a guard', () => {
    check(
      `__kernel void k(__global float *y, __global const float *x, float a, int n) {
         int i = get_global_id(0);
         if (i < n) y[i] = a * x[i] + y[i];
       }`,
      'k',
      {
        global: [64],
        local: [16],
        args: [
          { buffer: floats(64, (i) => i) },
          { buffer: floats(64, noise) },
          { value: new Float32Array([2.5]) },
          { value: new Int32Array([51]) },
        ],
      },
    );
  });

  test('rows that are not a multiple of the lanes, in three dimensions', () => {
    check(
      `__kernel void k(__global int *out) {
         int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
         out[(z * get_global_size(1) + y) * get_global_size(0) + x] = x + 100 * y + 10000 * z
           + get_local_id(0) * 7 + get_group_id(1) + get_local_size(0) * 1000000;
       }`,
      'k',
      { global: [23, 7, 3], local: [11, 5, 2], args: [{ buffer: ints(23 * 7 * 3, () => 0) }] },
    );
  });

  test('rows leave a loop at different times with a count that they agree on inside', () => {
    check(
      `__kernel void k(__global int *out, __global const float *limit) {
         int x = get_global_id(0), i = get_global_id(1) * get_global_size(0) + x;
         int n = 0, columns = 0; float z = 0;
         while (z < limit[i]) { z += 0.7f; n++; columns += x + 1; }
         out[2 * i] = n; out[2 * i + 1] = columns;
       }`,
      'k',
      {
        global: [24, 8],
        local: [12, 4],
        args: [{ buffer: ints(2 * 24 * 8, () => -1) }, { buffer: floats(24 * 8, (i) => noise(i) * 9) }],
      },
    );
  });

  test('rows leave a loop that all of a row leave together, and count on', () => {
    check(
      `__kernel void k(__global int *out, __global const int *in) {
         int x = get_global_id(0), y = get_global_id(1), i = y * get_global_size(0) + x;
         int n = y + 1, c = 0;
         while (n != 1 && c < 300) { n = (n & 1) ? 3 * n + 1 : n / 2; c++; }
         out[i] = c * 1000 + in[i];
       }`,
      'k',
      {
        global: [24, 8],
        local: [12, 4],
        args: [{ buffer: ints(24 * 8, () => -1) }, { buffer: ints(24 * 8, (i) => i) }],
      },
    );
  });

  test('several values leave loops inside of loops, by two ways, one of them for all at once', () => {
    check(
      `__kernel void k(__global int *out, __global const int *limit, int most) {
         int x = get_global_id(0), i = get_global_id(1) * get_global_size(0) + x;
         int n = 0, steps = 0, last = -1; float z = 1;
         for (int round = 0; round < 3; round++) {
           int c = x & 3;
           while (n < most && z < limit[i]) {
             z = z * 1.3f + c; n++; steps += 3; last = n ^ c;
             if ((steps & 15) == (limit[i] & 15)) break;
             c += 5;
           }
           last += c;
           if (z > 60) break;
           for (int j = 0; j < round + 2; j++) { steps -= j; z -= 0.5f; }
         }
         out[4 * i] = n; out[4 * i + 1] = steps; out[4 * i + 2] = last; out[4 * i + 3] = (int)z;
       }`,
      'k',
      {
        global: [24, 8],
        local: [12, 4],
        args: [
          { buffer: ints(4 * 24 * 8, () => -1) },
          { buffer: ints(24 * 8, (i) => noise(i) * 90) },
          { value: new Int32Array([17]) },
        ],
      },
    );
  });

  test('divergent loops keep what each lane had when it left', () => {
    check(
      `__kernel void k(__global int *out, __global const float *c, int most) {
         int i = get_global_id(0);
         float x = 0, y = 0; int n = 0;
         while (x * x + y * y < 4.0f && n < most) {
           float t = x * x - y * y + c[i];
           y = 2 * x * y + c[i + 37]; x = t; n++;
         }
         out[i] = n;
       }`,
      'k',
      {
        global: [37],
        local: [37],
        args: [
          { buffer: ints(37, () => -1) },
          { buffer: floats(74, (i) => noise(i) * 2 - 1.2) },
          { value: new Int32Array([50]) },
        ],
      },
    );
  });

  test('breaks, continues, returns and nested divergent loops', () => {
    check(
      `__kernel void k(__global int *out, __global const int *in) {
         int i = get_global_id(0);
         int acc = in[i];
         if (acc % 7 == 3) { out[i] = -5; return; }
         for (int a = 0; a < (acc & 15); a++) {
           if ((a * acc) % 5 == 2) continue;
           int b = 0;
           do {
             acc += in[(a + b) & 31];
             if (acc % 11 == 0) break;
             b++;
             if (acc > 500) { out[i] = acc + b; return; }
           } while (b < (acc & 7));
           if (acc % 13 == 4) break;
           acc ^= b << 2;
         }
         switch (acc % 10) {
           case 0: acc += 1; break;
           case 2: acc *= 3;
           case 3: acc -= 7; break;
           case 6: acc = in[acc & 31]; break;
           default: acc = ~acc;
         }
         out[i] = acc;
       }`,
      'k',
      {
        global: [64],
        local: [32],
        args: [{ buffer: ints(64, () => 0) }, { buffer: ints(64, (i) => Math.floor(noise(i) * 100)) }],
      },
    );
  });

  test('structs and float4: neighbouring components, gathers and scatters', () => {
    check(
      `struct P { float x, y, z; int tag; };
       __kernel void k(__global float4 *out, __global const float4 *in, __global struct P *p,
                       __global const int *index, __global float2 *two, __global float *three) {
         int i = get_global_id(0);
         float4 v = in[i], w = in[index[i]];
         struct P q = p[i];
         two[i] = two[i].yx + (float2)(v.x, w.w);
         float3 t = vload3(i, three);
         if (index[i] & 1) { out[i] = v * 2.0f + w.wzyx; p[index[i]].tag = i; }
         else vstore3(t.zxy + q.x, i, three);
         p[i].y = q.x + q.z;
       }`,
      'k',
      {
        global: [29],
        local: [29],
        args: [
          { buffer: floats(29 * 4, () => 0) },
          { buffer: floats(29 * 4, noise) },
          { buffer: floats(29 * 4, (i) => (i % 4 === 3 ? 0 : i)) },
          { buffer: ints(29, (i) => (i * 11) % 29) },
          { buffer: floats(58, (i) => i) },
          { buffer: floats(87, (i) => i) },
        ],
      },
    );
  });

  test('structures in memory order, of whole and of partial tiles', () => {
    check(
      `__kernel void k(__global float4 *four, __global const float4 *in, __global float *three, __global half *halves,
                       __global const half *more, __global uchar4 *pixels, __global const uchar4 *paint,
                       __global double2 *wide, __local float2 *tile, __global float2 *two, float s, int n) {
         int i = get_global_id(0);
         int l = get_local_id(0);
         tile[l] = two[i] * s;
         barrier(CLK_LOCAL_MEM_FENCE);
         if (i < n) {
           four[i] = fmax(in[i] * s, four[i] - 1.0f);
           two[i] = tile[l] + two[i];
         }
         if (i != 5) {
           vstore3(vload3(i, three) * s, i, three);
           pixels[i] = convert_uchar4((convert_ushort4(pixels[i]) * (ushort)3 + convert_ushort4(paint[i])) >> (ushort)2);
         }
         if (i & 1) vstore_half4(vload_half4(i, more) * s + vload_half4(i, halves), i, halves);
         else vstore_half8(vload_half8(i, more), i >> 1, halves + 4 * 4 * 32);
         wide[i] = wide[i] * 0.5 + convert_double2(two[i]);
       }`,
      'k',
      {
        global: [32],
        local: [32],
        args: [
          { buffer: floats(32 * 4, noise) },
          { buffer: floats(32 * 4, (i) => noise(i + 7)) },
          { buffer: floats(32 * 3, noise) },
          { buffer: new Uint16Array(32 * 4 * 8).map((_, i) => 0x3000 + ((i * 77) & 0xfff)) },
          { buffer: new Uint16Array(32 * 8).map((_, i) => 0x3400 + ((i * 91) & 0x7ff)) },
          { buffer: new Uint8Array(32 * 4).map((_, i) => i * 37) },
          { buffer: new Uint8Array(32 * 4).map((_, i) => i * 73) },
          { buffer: new Float64Array(32 * 2).map((_, i) => noise(i)) },
          { local: 32 * 8 },
          { buffer: floats(32 * 2, noise) },
          { value: Float32Array.of(1.5) },
          { value: Int32Array.of(21) },
        ],
      },
    );
  });

  test('indices that are contiguous only sometimes', () => {
    check(
      `__kernel void k(__global int *out, __global const int *in, int width, uint d) {
         int i = get_global_id(0);
         int sum = 0;
         for (int dx = -3; dx <= 3; dx++) sum = sum * 3 + in[clamp(i + dx, 0, width - 1)];
         uint left = (i / d) * d * 2 + (i & (d - 1));
         out[left] = sum + in[left];
         out[left + d] = in[left + d] - in[i ^ 3];
       }`,
      'k',
      {
        global: [64],
        local: [32],
        args: [
          { buffer: ints(128, () => 0) },
          { buffer: ints(128, (i) => Math.floor(noise(i) * 100000)) },
          { value: new Int32Array([53]) },
          { value: new Int32Array([8]) },
        ],
      },
      undefined,
      // llvm-spirv does not support clang's optimized form of this.
      [0],
    );
  });

  test('private arrays, indexed alike and each its own way', () => {
    check(
      `__kernel void k(__global int *out, __global const int *in) {
         int i = get_global_id(0);
         int t[16]; char s[8]; long w[4];
         for (int j = 0; j < 16; j++) t[j] = in[(i + j) & 31];
         for (int j = 0; j < 8; j++) s[j] = t[j] ^ j;
         for (int j = 0; j < 4; j++) w[j] = (long)t[j] * t[j + 1];
         int sum = 0;
         for (int j = 0; j < (i & 15); j++) { t[(t[j] + j) & 15] += s[(j + i) & 7]; sum += t[j] + (int)w[t[j] & 3]; }
         out[i] = sum;
       }`,
      'k',
      {
        global: [32],
        local: [16],
        args: [{ buffer: ints(32, () => 0) }, { buffer: ints(32, (i) => Math.floor(noise(i) * 1000)) }],
      },
    );
  });

  test('private arrays, indexed before and after a counter', () => {
    check(
      `__kernel void k(__global int *data) {
         int id = get_global_id(0); int v[16];
         for (int i = 0; i < 16; i++) v[i] = data[id * 16 + i];
         for (int i = 1; i < 16; i++) {
           int x = v[i], j = i;
           while (j > 0 && v[j - 1] > x) { v[j] = v[j - 1]; j--; }
           v[j] = x;
         }
         for (int i = 1; i < 15; i++) v[i - 1] ^= v[i + 1];
         for (int i = 0; i < 16; i++) data[id * 16 + i] = v[i];
       }`,
      'k',
      { global: [27], local: [27], args: [{ buffer: ints(16 * 27, (i) => noise(i) * 1000) }] },
    );
  });

  test('barriers: a reduction in local memory', () => {
    check(
      `__kernel void k(__global float *out, __global const float *in, __local float *s) {
         int l = get_local_id(0), g = get_global_id(0);
         float mine = in[g];
         s[l] = mine;
         barrier(CLK_LOCAL_MEM_FENCE);
         for (int h = get_local_size(0) / 2; h > 0; h >>= 1) {
           if (l < h) s[l] += s[l + h];
           barrier(CLK_LOCAL_MEM_FENCE);
         }
         out[g] = s[0] + mine;
       }`,
      'k',
      {
        global: [96],
        local: [32],
        args: [{ buffer: floats(96, () => 0) }, { buffer: floats(96, noise) }, { local: 128 }],
      },
    );
  });

  test('barriers: a tiled matrix product', () => {
    check(
      `__kernel void k(__global float *c, __global const float *a, __global const float *b, int n) {
         __local float as[8][8], bs[8][8];
         int x = get_local_id(0), y = get_local_id(1);
         int col = get_global_id(0), row = get_global_id(1);
         float sum = 0;
         for (int t = 0; t < n; t += 8) {
           as[y][x] = a[row * n + t + x]; bs[y][x] = b[(t + y) * n + col];
           barrier(CLK_LOCAL_MEM_FENCE);
           for (int k = 0; k < 8; k++) sum += as[y][k] * bs[k][x];
           barrier(CLK_LOCAL_MEM_FENCE);
         }
         c[row * n + col] = sum;
       }`,
      'k',
      {
        global: [16, 16],
        local: [8, 8],
        args: [
          { buffer: floats(256, () => 0) },
          { buffer: floats(256, noise) },
          { buffer: floats(256, (i) => noise(i + 999)) },
          { value: new Int32Array([16]) },
        ],
      },
    );
  });

  test('a two-dimensional product by rows', () => {
    check(
      `__kernel void k(__global float *c, __global const float *a, __global const float *b, int n) {
         int col = get_global_id(0), row = get_global_id(1);
         if (row >= n || col >= n) return;
         float sum = 0;
         for (int k = 0; k < n; k++) sum = fma(a[row * n + k], b[k * n + col], sum);
         c[row * n + col] = sum;
       }`,
      'k',
      {
        global: [32, 24],
        local: [16, 8],
        args: [
          { buffer: floats(32 * 24, () => 0) },
          { buffer: floats(32 * 32, noise) },
          { buffer: floats(32 * 32, (i) => noise(i + 999)) },
          { value: new Int32Array([22]) },
        ],
      },
    );
  });

  test('guards with tiles inside, outside and across', () => {
    for (const guard of [
      'x == 0 || y == 0 || x == n - 1 || y == 3',
      'x != 9 && x != 16 + y',
      '!(x < n - 5)',
      '(uint)x - 3u >= 17u && !(y == 2)',
      'x + 0x7ffffff0 < 0x7ffffffc',
      '(uint)x + 0xfffffff0u <= 0xfffffff7u',
      '20 - x > x || x == 30',
    ])
      check(
        `__kernel void k(__global int *out, __global const int *in, int n) {
           int x = get_global_id(0), y = get_global_id(1), sum = 0;
           if (${guard}) return;
           for (int i = 0; i <= in[x] % 5; i++) sum += in[(x + i) % n];
           for (int i = 0; i <= in[y] % 5; i++) sum ^= in[(x * 3 + i) % n];
           if (x > 7) out[y * n + x] = sum;
           else out[y * n + x] = -sum;
         }`,
        'k',
        {
          global: [32, 4],
          local: [32, 4],
          args: [
            { buffer: ints(128, (i) => i) },
            { buffer: ints(32, (i) => Math.floor(noise(i) * 1000)) },
            { value: Int32Array.of(32) },
          ],
        },
      );
  });

  test('operations of the whole group', () => {
    const input = ints(64, (i) => Math.floor(noise(i) * 1000));
    const low = floats(64, noise);
    const out = ints(64, (i) => {
      const first = i & ~31;
      const group = [...input.subarray(first, first + 32)];
      const upTo = group.slice(0, i - first);
      const sum = (list: number[]) => list.reduce((a, b) => a + b, 0);
      const most = Math.max(...group.slice(0, i - first + 1).map((v, l) => v ^ l));
      const any = group.some((v) => v > 990) ? 1 : 0;
      return sum(group) + sum(upTo) * 3 + most * 5 + (group[3]! + 3) * 7 + 31 * 11 + any * 13 + 17;
    });
    const lowest = floats(64, (i) => Math.min(...low.subarray(i & ~31, (i & ~31) + 32)));
    check(
      `__kernel void k(__global int *out, __global const int *in, __global float *f) {
         int i = get_global_id(0), l = get_local_id(0);
         int sum = work_group_reduce_add(in[i]);
         int before = work_group_scan_exclusive_add(in[i]);
         int most = work_group_scan_inclusive_max(in[i] ^ l);
         int third = work_group_broadcast(in[i] + l, 3);
         int id = work_group_reduce_max(l);
         int any = work_group_any(in[i] > 990), all = work_group_all(in[i] >= 0);
         f[i] = work_group_reduce_min(f[i]);
         out[i] = sum + before * 3 + most * 5 + third * 7 + id * 11 + any * 13 + all * 17;
       }`,
      'k',
      {
        global: [64],
        local: [32],
        args: [{ buffer: ints(64, () => 0) }, { buffer: input }, { buffer: low }],
      },
      [out, input, lowest],
    );
  });
});
