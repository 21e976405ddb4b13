// SPDX-License-Identifier: MIT
// vloadn and vstoren at any alignment of the element, halves with every rounding.

// run: offsets
// arg: float[8] = range
// arg: float[8] = zero -> 0 1 2 3 0 5 6 7
kernel void offsets(global const float *in, global float *out) {
  vstore3(vload3(0, in + 1), 0, out + 1);
  vstore2(vload4(0, in + 3).zw, 1, out + 3);
  out[7] = vload2(3, in).y;
}

// 1 + 2^-11 is between two halves.
// run: rounded
// arg: float[1] = 1.00048828125
// arg: ushort[4] = zero -> 0x3c00 0x3c00 0x3c01 0x3c00
kernel void rounded(global const float *in, global half *out) {
  vstore_half_rte(in[0], 0, out);
  vstore_half_rtz(in[0], 1, out);
  vstore_half_rtp(in[0], 2, out);
  vstore_half_rtn(in[0], 3, out);
}

// vloada_half3 counts in fours, vload_half3 in threes.
// run: aligned
// arg: ushort[8] = 0x3c00 0x4000 0x4200 0x4400 0x4500 0x4600 0x4700 0x4800
// arg: float[4] = zero -> 4 6 5 7
kernel void aligned(global const half *in, global float *out) {
  float3 packed = vload_half3(1, in), spread = vloada_half3(1, in);
  out[0] = packed.x;
  out[1] = packed.z;
  out[2] = spread.x;
  out[3] = spread.z;
}
