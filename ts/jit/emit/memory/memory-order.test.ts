// SPDX-License-Identifier: MIT
//
// Vectors of 32 bytes, in memory order: two structures, whose values may have instructions in common.
import { checkTiles, foreign, ints } from '../../../../tests/helpers/every-tile';

foreign('values of two structures, at every tile', () => {
  test.each([
    ['max((int8)(5, 3, 0, 6, 2, 3, 4, 6), x)'],
    ['max((int8)(5, 3, 0, 6, 3, 5, 6, 0), x)'],
    ['max((int8)(5, 3, 0, 6, 5, 3, 0, 6), x)'],
    ['((int8)(5, 3, 0, 6, 2, 3, 4, 6) - x)'],
    ['((int8)(n, 3, x, 6, 2, 3, x, n) - x)'],
    ['((int8)(x + 1, 2, 3, 4, 5, 6, x + 1, 8) * x)'],
    ['(max((int8)(5, 3, 0, 6, 2, 3, 4, 6), x) ^ max((int8)(1, 3, 9, 9, 8, 3, 9, 2), x))'],
  ])('%s', (value) => {
    checkTiles(
      `__kernel void k(__global const int8 *in, __global int8 *out, __global const int *places, int n) {
        int x = get_global_id(0);
        out[x ^ 14] = in[places[x]] + ${value};
      }`,
      'k',
      {
        global: [16],
        local: [16],
        args: [
          { buffer: ints(16 * 8, (i) => (i * 7919) % 61) },
          { buffer: ints(16 * 8, () => 0) },
          { buffer: ints(16, (i) => (i * 5) & 15) },
          { value: ints(1, () => 7) },
        ],
      },
    );
  });
});

foreign('components that change places, at every tile', () => {
  test.each([
    ['int4', 'out[x] = in[x].wzyx;'],
    ['int4', 'out[x] = out[x].yxwz + in[x];'],
    ['int4', 'int4 v = in[x], w = out[x]; out[x] = (v + w) * (int4)(v.x, w.y, v.z, w.w);'],
    ['int4', 'int4 v = in[x], w = out[x]; out[x] = (int4)(v.x, w.x, v.y, w.y);'],
    ['int4', 'int4 v = in[x], w = out[x], u = in[x ^ 3]; out[x] = (int4)(w.w, v.z, u.x, v.w) * n + u;'],
    ['int4', 'int4 v = in[x] * 3; out[x] = (int4)(v.w, n, 5, v.x) - v;'],
    ['int4', 'int4 v = in[x] + n, w = v * v.yzxw; out[x] = w.yxwz - w;'],
    ['int4', 'int4 v = in[x]; out[x] = v * v.w;'],
    ['int4', 'if (x < n) out[x] = in[x].zyxw;'],
    ['int4', 'out[places[x]] = in[places[x]].yzwx + out[places[x]] * x;'],
    ['int4', 'out[x] = out[x].yxwz; out[x + 1 - 1] = out[x].zwxy + in[x];'],
    ['int4', 'for (int k = 0; k < (x & 3); k++) out[x] = out[x].wxyz + k;'],
    ['int4', 'int4 v = in[x]; out[x] = v < v.yzwx;'],
    ['int2', 'out[x] = in[x].yx + out[x] * in[x];'],
    ['long2', 'out[x] = in[x].yx + out[x];'],
    ['long2', 'long2 v = in[x], w = out[x]; out[x] = (long2)(w.y, v.x) * w + (long2)(v.y, n);'],
    ['int8', 'out[x].lo = in[x].hi.yxwz; out[x].hi = out[x].lo.wwyx;'],
  ])('%s: %s', (type, statement) => {
    checkTiles(
      `__kernel void k(__global const ${type} *in, __global ${type} *out, __global const int *places, int n) {
        int x = get_global_id(0); ${statement} }`,
      'k',
      {
        global: [24],
        local: [24],
        args: [
          { buffer: ints(24 * 8, (i) => ((i * 7919) % 61) - 30) },
          { buffer: ints(24 * 8, (i) => ((i * 5471) % 67) - 30) },
          { buffer: ints(24, (i) => (i * 5) % 24) },
          { value: ints(1, () => 19) },
        ],
      },
    );
  });
});

/** Positions and velocities in places that are one vector apart. */
const BOUNCE = `int4 p = out[2 * x] + out[2 * x + 1] * n, v = out[2 * x + 1];
  if (p.x < 0 || p.x > 40) v.x = -v.x;
  if (p.y < 0 || p.y > 40) v.y = -v.y;
  if (p.z < 0 || p.z > 40) v.z = -v.z;
  out[2 * x] = p; out[2 * x + 1] = v;`;

foreign('components that are computed as well and replaced, at every tile', () => {
  test.each([
    ['int4', 'int4 v = in[x]; out[x] = (int4)(v.xyz * n, v.w);'],
    ['int4', 'out[x] = (int4)(out[x].xyz + in[x].xyz * n, 1);'],
    ['int4', 'out[x] = (int4)(out[x].yzw + in[x].xyz * n, x);'],
    ['int4', 'out[x] = (int4)(in[x].xy, out[x].zw);'],
    ['int4', 'int4 v = in[x], w = out[x]; out[x] = (int4)(v.xy * w.yx, -v.zw) + (int4)(w.x, v.yzw);'],
    ['int4', 'int4 v = in[x]; out[x] = (int4)(v.xyz * v.yzx - v.zxy, v.w * v.w);'],
    // Two components are the same, as would be what another one is computed of.
    ['int4', 'int4 v = in[x]; v.s30 = v.s11; out[x] = min(v, 3);'],
    ['int4', 'int4 v = in[x]; v.s21 = v.s00; out[x] = (v ^ n) * 3 + in[x];'],
    // A component of one vector, by which another one changes, is left out there.
    ['int4', BOUNCE],
    ['int4', `if (places[x] & 1) { ${BOUNCE} }`],
    ['int4', 'int4 v = out[x]; if (v.x > 0) v.x = -v.x; if (v.y > 0) v.y = -v.y; v.z ^= n; out[x] = v;'],
    [
      'int4',
      'int4 v = out[x]; __global int *o = (__global int *)(out + x); o[3] = n; v.xyz *= v.w; o[0] = v.x; o[1] = v.y; o[2] = v.z;',
    ],
    ['int4', 'int4 v = in[places[x]]; out[places[x]] = (int4)(max(v.xyz, n) ^ x, v.x);'],
    ['int4', 'int4 v = in[x]; if (v.x > n) out[x] = (int4)(out[x].xyz - v.xyz, 7);'],
    ['int4', 'if (x < n) out[x] = (int4)(out[x].xyz - in[x].xyz, x);'],
    ['int4', 'for (int k = 0; k < (x & 3); k++) out[x] = (int4)(out[x].xyz * 3 + k, out[x].w);'],
    ['int2', 'out[x] = (int2)(in[x].x, -in[x].y) * n;'],
    ['int4', 'int2 v = ((__global const int2 *)in)[x]; out[x] = (int4)(v.x * n, v.y * n, 1, v.x);'],
    ['int4', 'int2 v = ((__global const int2 *)in)[x]; out[x] = (int4)(v * n, v.yx ^ n);'],
    ['long2', 'out[x] = (long2)(in[x].x * out[x].x, in[x].y - out[x].x);'],
    [
      'int8',
      'out[x].lo = (int4)(in[x].lo.xyz + in[x].hi.xyz, 1); out[x].hi = (int4)(in[x].s4, -in[x].hi.yzw);',
    ],
  ])('%s: %s', (type, statement) => {
    checkTiles(
      `__kernel void k(__global const ${type} *in, __global ${type} *out, __global const int *places, int n) {
        int x = get_global_id(0); ${statement} }`,
      'k',
      {
        global: [24],
        local: [24],
        args: [
          { buffer: ints(24 * 8, (i) => ((i * 7919) % 61) - 30) },
          { buffer: ints(24 * 8, (i) => ((i * 5471) % 67) - 30) },
          { buffer: ints(24, (i) => (i * 5) % 24) },
          { value: ints(1, () => 19) },
        ],
      },
    );
  });
});

foreign('a number of a structure that all components are computed with, at every tile', () => {
  test.each([
    ['int4', 'int4 v = in[x]; out[x] = v + out[x] * (n - v.w);'],
    ['int4', 'int4 v = in[x]; out[x] = v * ((v.x ^ n) * 3 - v.y);'],
    ['int4', 'int4 v = in[x]; int s = n - v.w; out[x] = (int4)(v.xyz * s, s);'],
    ['int4', 'int4 v = in[x]; int s = n - v.w; out[x] = v * s + (s << v.x);'],
    ['int4', 'int4 v = in[x]; int s = n - v.w; if (s > 0) out[x] = v * s;'],
    ['int8', 'int4 v = in[x].lo; int s = n ^ v.y; out[x].lo = v * s; out[x].hi = v - s;'],
    ['int4', 'int4 v = in[x]; int s = n ^ v.y; out[x].xyz = v.xyz * s; if (x < n) out[x].w = s;'],
    [
      'int4',
      'int s = in[x].x - n; for (int k = 0; k < (x & 3); k++) { int4 v = out[x]; out[x] = v * (s - v.z); }',
    ],
    ['int2', 'int2 v = in[x]; out[x] = v * (n - v.y);'],
    ['int8', 'int8 v = in[x]; int s = n - v.s5; out[x] = v * s;'],
  ])('%s: %s', (type, statement) => {
    checkTiles(
      `__kernel void k(__global const ${type} *in, __global ${type} *out, __global const int *places, int n) {
        int x = get_global_id(0); ${statement} }`,
      'k',
      {
        global: [24],
        local: [24],
        args: [
          { buffer: ints(24 * 8, (i) => ((i * 7919) % 61) - 30) },
          { buffer: ints(24 * 8, (i) => ((i * 5471) % 67) - 30) },
          { buffer: ints(24, (i) => (i * 5) % 24) },
          { value: ints(1, () => 19) },
        ],
      },
    );
  });
});

foreign('vectors that are stored in part, at every tile', () => {
  test.each([
    ['int4', 'out[x].xyz = in[x].xyz;'],
    ['int4', 'out[x].xyz += in[x].yzx * n;'],
    ['int4', 'out[x].yzw = in[x].wzy * out[x].xyz;'],
    ['int4', 'out[x].xy = in[x].zw - out[x].yx;'],
    ['int4', 'out[x].zw = in[x].zw * n;'],
    ['int4', 'out[x].xyw = in[x].xyw * n;'],
    ['int4', 'if (x < n) out[x].xyz = in[x].xyz * x;'],
    ['int4', 'if (in[x].x > 0) out[x].xyz -= in[x].xyz;'],
    ['int4', 'out[places[x]].xyz = in[places[x]].xyz ^ n;'],
    ['int4', 'out[x].xyz = in[x].xyz * 3; out[x].w = out[x].x;'],
    ['int4', 'for (int k = 0; k < (x & 3); k++) { out[x].xyz = out[x].xyz * 3 + k; out[x].w += k; }'],
    ['int4', 'out[x].xyz = in[x].xyz * 3; out[x].yzw += in[x].xyz;'],
    ['int8', 'out[x].lo.xyz = in[x].hi.xyz + n; out[x].hi.yzw = out[x].lo.xyz;'],
    ['int8', 'out[x].s012 = in[x].s456; out[x].s56 = in[x].s01 * n;'],
    ['int3', 'out[x] = in[x] * n;'],
    ['int3', 'out[x] += in[x].zxy * out[x].yzx - in[x].yzx * out[x].zxy;'],
    ['int3', 'for (int k = 0; k < 5; k++) out[x] = out[x].yzx * 3 + in[x];'],
  ])('%s: %s', (type, statement) => {
    checkTiles(
      `__kernel void k(__global const ${type} *in, __global ${type} *out, __global const int *places, int n) {
        int x = get_global_id(0); ${statement} }`,
      'k',
      {
        global: [24],
        local: [24],
        args: [
          { buffer: ints(24 * 8, (i) => ((i * 7919) % 61) - 30) },
          { buffer: ints(24 * 8, (i) => ((i * 5471) % 67) - 30) },
          { buffer: ints(24, (i) => (i * 5) % 24) },
          { value: ints(1, () => 19) },
        ],
      },
    );
  });
});

foreign('vectors within larger structures, at every tile', () => {
  test.each([
    ['b[x].p += b[x].v * 3;'],
    ['Body t = b[x]; b[x].p = t.v; b[x].v = t.p;'],
    ['if (x < n) { b[x].p += b[x].v; b[x].q ^= b[x].p; }'],
    ['if (b[x].v.x > 0) b[x].p += b[x].v;'],
    ['b[x].q += b[x].p * b[x].v.y;'],
    ['for (int k = 0; k < (x & 3); k++) b[x].p = b[x].p * 3 + b[x].q;'],
  ])('%s', (statement) => {
    checkTiles(
      `typedef struct { int4 p, v, q; } Body;
      __kernel void k(__global Body *b, int n) { int x = get_global_id(0); ${statement} }`,
      'k',
      {
        global: [24],
        local: [24],
        args: [{ buffer: ints(24 * 12, (i) => ((i * 7919) % 61) - 30) }, { value: ints(1, () => 19) }],
      },
    );
  });
});

foreign('vectors that loops and branches pass on, at every tile', () => {
  test.each([
    ['int4 a = 0; for (int k = 0; k < n; k++) a += in[(x + k) & 15]; out[x] = a;'],
    [
      'int4 a = in[x], b = x; for (int k = 0; k < n; k++) { a += b; b = b * 3 + a; } out[x] = a; out[x] ^= b;',
    ],
    ['int4 a = in[x]; for (int k = 0; k < n; k++) if (k & n) a = a.yzwx + k; out[x] = a;'],
    [
      'int4 a = 0; for (int j = 0; j < n; j++) for (int k = 0; k < j; k++) a ^= in[(x + j * k) & 15]; out[x] = a - a.z;',
    ],
    ['int4 a = in[x]; if (n > 3) a = in[places[x]] - a; else a += n; out[x] = a;'],
    ['int4 a = 0; for (int k = 0; k < (x & 3); k++) a += in[(x + k) & 15]; out[x] = a;'],
    ['int4 a = in[x]; for (int k = 0; k < n; k++) { if (in[k].x > x) a *= 3; a += in[k]; } out[x] = a;'],
    // Components of two structures, each at its own place, before a loop.
    [
      'int4 s = 3, t = in[x ^ 3]; t.s23 = in[places[x]].s23; for (int k = 0; k < n; k++) s = in[x] + 10; out[x] = s; out[x] ^= t + 10;',
    ],
    ['int4 s = 3, t = in[x]; t.yw = in[places[x]].yw; for (int k = 0; k < n; k++) s += t; out[x] = s * t;'],
    [
      'int4 s = in[x], t; s.x = n; t = s.wzyx; for (int k = 0; k < n; k++) { s += t; t = s.yxwz; } out[x] = s;',
    ],
  ])('%s', (body) => {
    checkTiles(
      `__kernel void k(__global const int4 *in, __global int4 *out, __global const int *places, int n) {
        int x = get_global_id(0);
        ${body}
      }`,
      'k',
      {
        global: [16],
        local: [16],
        args: [
          { buffer: ints(16 * 4, (i) => (i * 7919) % 61) },
          { buffer: ints(16 * 4, (i) => i * i) },
          { buffer: ints(16, (i) => (i * 5) & 15) },
          { value: ints(1, () => 7) },
        ],
      },
    );
  });
});
