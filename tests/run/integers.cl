// SPDX-License-Identifier: MIT
// Integer arithmetic: promotion, wrapping, shifts modulo the width, saturation, division towards zero.
// options: -cl-std=CL3.0

// run: promotion
// arg: int[6] = zero -> 400 -56 200 -1 1 255
kernel void promotion(global int *out) {
  uchar a = 200, b = 200;
  out[0] = a + b;
  out[1] = (char)a;
  out[2] = (uchar)(char)a;
  out[3] = (char)-1 >> 7;
  out[4] = (uchar)~0 == 255;
  out[5] = (uchar)(a + 55);
}

// run: wrapping global=4
// arg: uint[4] = 0 1 0x7fffffff 0xffffffff
// arg: uint[4] = zero -> 0xffffffff 0 0x7ffffffe 0xfffffffe
// arg: ulong[4] = zero -> 0 1 0x3fffffff00000001 0xfffffffe00000001
kernel void wrapping(global const uint *in, global uint *less, global ulong *square) {
  size_t i = get_global_id(0);
  less[i] = in[i] - 1u;
  square[i] = (ulong)in[i] * in[i];
}

// Shift amounts count modulo the width of the promoted left operand.
// run: shifts global=4
// arg: int[4] = 0 31 33 -1
// arg: int[4] = zero -> 1 -2147483648 2 -2147483648
// arg: long[4] = zero -> -8 -1 -1 -1
kernel void shifts(global const int *by, global int *left, global long *right) {
  size_t i = get_global_id(0);
  left[i] = 1 << by[i];
  right[i] = -8L >> by[i];
}

// run: division global=4
// arg: int[4] = 7 -7 7 -7
// arg: int[4] = 2 2 -2 -2
// arg: int[8] = zero -> 3 1 -3 -1 -3 1 3 -1
kernel void division(global const int *a, global const int *b, global int *out) {
  size_t i = get_global_id(0);
  out[2 * i] = a[i] / b[i];
  out[2 * i + 1] = a[i] % b[i];
}

// run: saturation
// arg: int[8] = zero -> 127 -128 255 0 2147483647 -2147483648 100 -1
// except: rusticl: wraps where it should saturate 8 bits
kernel void saturation(global int *out) {
  out[0] = add_sat((char)100, (char)100);
  out[1] = sub_sat((char)-100, (char)100);
  out[2] = add_sat((uchar)200, (uchar)100);
  out[3] = sub_sat((uchar)1, (uchar)2);
  out[4] = mad_sat(0x7fffffff, 2, 1);
  out[5] = mad_sat((int)0x80000000, 2, -1);
  out[6] = convert_uchar_sat(100.5f);
  out[7] = mul_hi(-2, 0x40000000);
}

// run: bits
// arg: uint[8] = zero -> 28 0 32 5 0x67812345 0x0000ff00 3 31
kernel void bits(global uint *out) {
  out[0] = clz(15);
  out[1] = ctz(1);
  out[2] = clz(0);
  out[3] = popcount((uint)0x8f);
  out[4] = rotate(0x12345678u, 20u);
  out[5] = upsample((ushort)0, (ushort)0xff00);
  out[6] = hadd(3u, 4u);
  out[7] = abs_diff(-1, 30);
}

// Amounts are taken modulo the width, also those that no double holds.
// run: huge_amounts global=16 local=16
// arg: ulong[16] = 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
// arg: ulong[5] = zero -> 0x2000000000000000 0x2000000000000000 0x8000000000000000 0x2 0x4000000000000000
kernel void huge_amounts(global const ulong *in, global ulong *out) {
  ulong x = in[get_global_id(0)];
  ulong a = rotate(x, 0x7fffffff0000003dUL);
  ulong b = rotate(x, 0x002000000000003dUL);
  ulong c = x << 0x7fffffffffffffffUL;
  ulong d = x << 0x0020000000000001UL;
  ulong e = rotate(x, (0x0020000000000000UL + 63) * 1) >> (0x0020000000000001UL);
  if (get_global_id(0) == 0) {
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
    out[4] = e;
  }
}
