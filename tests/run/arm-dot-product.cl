// SPDX-License-Identifier: MIT
// Dot products of Arm's extensions: sums with an accumulator wrap, unless the name says that they saturate.
// requires: cl_arm_integer_dot_product_int8 cl_arm_integer_dot_product_accumulate_int8 cl_arm_integer_dot_product_accumulate_int16 cl_arm_integer_dot_product_accumulate_saturate_int8
#pragma OPENCL EXTENSION cl_arm_integer_dot_product_int8 : enable
#if !defined(cl_arm_integer_dot_product_accumulate_int8) || !defined(cl_arm_integer_dot_product_accumulate_int16)
#error "the extensions' macros are missing"
#endif

// run: bytes
// arg: int[6] = zero -> 115823 32524 115828 32519 -1 2147483647
// arg: uchar4 = 255 254 3 4
// arg: uchar4 = 200 255 7 8
// arg: char4 = -128 127 3 4
// arg: char4 = -128 127 -7 8
kernel void bytes(global int *out, uchar4 a, uchar4 b, char4 c, char4 d) {
  out[0] = arm_dot(a, b);
  out[1] = arm_dot(c, d);
  out[2] = arm_dot_acc(a, b, 5u);
  out[3] = arm_dot_acc(c, d, -5);
  out[4] = arm_dot_acc_sat(a, b, 0xfffffff0u);
  out[5] = arm_dot_acc_sat(c, d, 0x7ffffff0);
}

// run: shorts
// arg: int[2] = zero -> -262135 2147483641
// arg: ushort2 = 65535 65535
// arg: short2 = -32768 -32768
kernel void shorts(global int *out, ushort2 a, short2 b) {
  out[0] = arm_dot_acc(a, a, 7u);
  out[1] = arm_dot_acc(b, b, -7);
}
