// SPDX-License-Identifier: MIT
// clang's own functions, `__builtin_…`, which kernels written for it use.
// options: -cl-std=CL1.2

// run: bits
// arg: int[8] = 40 -1 0 1 -2147483648 7 -8 255
// arg: int[12] = zero -> 4 0 0 31 1 30 335544320 40 -1610612736 4 20 -1
// except: rusticl: 26.2 ends the process over llvm.smul.with.overflow, its translator says
kernel void bits(global const int *in, global int *out) {
  out[0] = __builtin_ffs(in[0]);
  out[1] = __builtin_ffs(in[2]);
  out[2] = __builtin_parity(in[0]);
  out[3] = __builtin_clrsb(in[1]);
  out[4] = __builtin_parity(in[5]);
  out[5] = __builtin_clrsb(in[3]);
  out[6] = __builtin_bitreverse32(in[0]);
  out[7] = __builtin_bitreverse32(0x14000000);
  out[8] = __builtin_rotateright32(in[0] >> 3, 3);
  out[9] = __builtin_popcount(0xf0);
  out[10] = __builtin_bitreverse8(in[0]);
  out[11] = __builtin_bitreverse64(-1L);
}

// run: overflows
// arg: int[2] = 2147483647 65536
// arg: int[10] = zero -> -2147483648 1 0 1 131072 0 1 1 0 0
// except: rusticl: 26.2 ends the process over llvm.smul.with.overflow, its translator says
kernel void overflows(global const int *in, global int *out) {
  out[1] = __builtin_add_overflow(in[0], 1, &out[0]);
  out[3] = __builtin_mul_overflow(in[1], in[1], &out[2]);
  out[5] = __builtin_smul_overflow(in[1], 2, &out[4]);
  uint u;
  out[6] = __builtin_usub_overflow((uint)in[1], 65537u, &u) & (u == 0xffffffffu);
  long l;
  out[7] = __builtin_mul_overflow(0x100000000L, 0x100000000L + in[1], &l);
  out[8] = __builtin_sub_overflow((long)in[0], 1L, &l);
  uchar c;
  out[9] = __builtin_add_overflow((uchar)in[1], 255, &c);
}

// run: vectors
// arg: int4 = 1 -2 3 -4
// arg: float4 = 1.5 -2.5 3.5 4.25
// arg: int[16] = zero -> 1 -4 3 2 2 -2 1 -2 3 4 3 -4 -2 4 1 3
// except: rusticl: its translator does not know all of them
kernel void vectors(int4 a, float4 f, global int *out) {
  vstore4(__builtin_shufflevector(a, __builtin_elementwise_abs(a), 0, 3, 2, 5), 0, out);
  int2 pair = __builtin_shufflevector(a, a, -1, 1);
  out[4] = __builtin_elementwise_max(pair.y, 2);
  out[5] = pair.y;
  int4 whole = __builtin_convertvector(f, int4);
  vstore4(whole, 0, out + 6);
  out[10] = __builtin_reduce_max(a);
  out[11] = __builtin_reduce_min(a);
  out[12] = __builtin_reduce_add(a);
  out[13] = (int)__builtin_elementwise_ceil(f.z);
  out[14] = __builtin_types_compatible_p(const int, int) + __builtin_types_compatible_p(int, uint);
  out[15] = __builtin_nontemporal_load(out + 2);
}
