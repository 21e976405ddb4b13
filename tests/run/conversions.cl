// SPDX-License-Identifier: MIT
// Explicit conversions with rounding and saturation, reinterpretation, halves in memory.

// run: rounding global=4
// arg: float[4] = 1.5 2.5 -1.5 -2.5
// arg: int[4] = zero -> 2 2 -2 -2
// arg: int[4] = zero -> 1 2 -1 -2
// arg: int[4] = zero -> 2 3 -1 -2
// arg: int[4] = zero -> 1 2 -2 -3
kernel void rounding(global const float *in, global int *rte, global int *rtz, global int *rtp, global int *rtn) {
  size_t i = get_global_id(0);
  rte[i] = convert_int_rte(in[i]);
  rtz[i] = (int)in[i];
  rtp[i] = convert_int_rtp(in[i]);
  rtn[i] = convert_int_rtn(in[i]);
}

// run: saturating global=4
// arg: float[4] = 1e10 -1e10 nan 300
// arg: int[4] = zero -> 2147483647 -2147483648 0 300
// arg: uchar[4] = zero -> 255 0 0 255
// arg: char[4] = zero -> 127 -128 0 127
// except: rusticl: converts NaN to the least integer
kernel void saturating(global const float *in, global int *i32, global uchar *u8, global char *i8) {
  size_t i = get_global_id(0);
  i32[i] = convert_int_sat(in[i]);
  u8[i] = convert_uchar_sat(in[i]);
  i8[i] = convert_char_sat(in[i]);
}

// run: inexact
// arg: float[4] = zero -> 16777216 16777218 16777216 4294967296
kernel void inexact(global float *out) {
  out[0] = convert_float_rte(16777217);
  out[1] = convert_float_rtp(16777217);
  out[2] = convert_float_rtz(16777217);
  out[3] = 4294967295u;
}

// run: reinterpreted
// arg: uint[4] = zero -> 0x3f800000 0x00020001 0xff 0xbf800000
kernel void reinterpreted(global uint *out) {
  out[0] = as_uint(1.0f);
  out[1] = as_uint((ushort2)(1, 2));
  out[2] = as_uchar((char)-1);
  out[3] = as_uint4((float4)(-1)).w;
}

// run: halves global=4
// arg: ushort[4] = 0x3c00 0xc000 0x7c00 0x0001
// arg: float[4] = zero -> 1 -2 inf 5.9604644775390625e-8
// arg: ushort[4] = zero -> 0x3c00 0xc000 0x7c00 0x0001
kernel void halves(global const half *in, global float *out, global half *back) {
  size_t i = get_global_id(0);
  out[i] = vload_half(i, in);
  vstore_half_rtz(out[i], i, back);
}
