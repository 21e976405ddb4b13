// SPDX-License-Identifier: MIT
// Halves as numbers; in memory they are checked bit by bit.
// requires: cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// 1 + 2^-11 is rounded to even, 65504 * 2 overflows, 2^-24 is the least denormal number.
// run: arithmetic
// arg: ushort[4] = 0x3c00 0x1000 0x7bff 0x0001
// arg: ushort[4] = zero -> 0x3c00 0x7c00 0x0002 0x3800
kernel void arithmetic(global const half *in, global half *out) {
  out[0] = in[0] + in[1];
  out[1] = in[2] * 2;
  out[2] = in[3] + in[3];
  out[3] = in[0] / 2;
}

// run: vectors
// arg: ushort[4] = zero -> 0x3c00 0x4000 0x4200 0x4400
kernel void vectors(global half4 *out) {
  half4 v = (half4)(4, 3, 2, 1);
  *out = v.wzyx;
}
