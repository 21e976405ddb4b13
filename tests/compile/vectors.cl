// SPDX-License-Identifier: MIT
// Swizzles on both sides, literals, splats, conversions and comparisons.
kernel void vectors(global float4 *f, global int4 *i, global char3 *c) {
  float4 a = f[0], b = (float4)(1, a.x, a.yz);
  a.xw = b.yz;
  a.even *= 2;
  f[1].x = b.s3;
  f[2] = a.wzyx + (float4)(a.lo, b.hi) * 3;
  f[3] = a > b ? a : b;
  i[0] = a == b && i[1];
  i[2] = convert_int4_sat_rte(a) << i[3];
  i[4] = as_int4(a) ^ !i[5];
  i[6][i[7].x & 3] = 1;
  float8 wide = (float8)(a, b);
  f[5] = wide.s7301 * vload4(1, (global float *)f);
  c[1] = c[0].zyx + (char3)(1, 2, 3);
}
