// SPDX-License-Identifier: MIT
// Extended bit operations and integer dot products.
// options: -cl-std=CL3.0
// requires: cl_khr_extended_bit_ops cl_khr_integer_dot_product

// run: bit_fields
// arg: uint[5] = zero -> 0xffff00ff 0x0a 0xfffffffa 0x80000000 0x20
kernel void bit_fields(global uint *out) {
  out[0] = bitfield_insert(0xffffffffu, 0u, 8u, 8u);
  out[1] = bitfield_extract_unsigned(0xabcdu, 12u, 4u);
  out[2] = bitfield_extract_signed(0xabcdu, 12u, 4u);
  out[3] = bit_reverse(1u);
  out[4] = bit_reverse((uchar)4);
}

// run: dots
// arg: int[4] = zero -> 10 -10 2147483647 70
kernel void dots(global int *out) {
  out[0] = dot((uchar4)(1, 2, 3, 4), (uchar4)(1));
  out[1] = dot((char4)(1, -2, 3, -4), (uchar4)(5, 5, 5, 5));
  out[2] = dot_acc_sat((char4)(100), (char4)(100), 0x7fffffff);
  out[3] = dot_4x8packed_uu_uint(0x04030201u, 0x08070605u);
}
