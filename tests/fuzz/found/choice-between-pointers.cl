// SPDX-License-Identifier: MIT
// global=64,2,1 local=32,1,1
// A branch without a block on either side became a choice, and if-conversion said that it had changed nothing.
kernel void fuzz(global const uint *in, global const float *fin, global ulong *out, global uint *slots,
                 global uchar *bytes, global ushort *shorts, global float *floats, global uint *counters,
                 global uint *same, global uint *again, local uint *loc, uint n, int k) {
  const int y = get_global_id(1) - get_global_offset(1);
  const int x = y * get_global_size(0) + get_global_id(0) - get_global_offset(0);
  const int lx = get_local_id(0), N = get_global_size(0) * get_global_size(1);
  global const uchar *s = (global const uchar *)in;
  global long *p = (global long *)out;
  global long *q = (global long *)slots;
  // statements
  int v0 = (uint)lx ^ s[1 & 127];
  global long *w4 = fin[1 & 255] < 1.5f ? q + x * 1 + 0 - 1 : p + 1 * N + N - 1 - x; *w4 = (long)(uint)v0;
  for (uint i5 = 0; i5 < (int)n; ++i5) {
    for (int i6 = 0; i6 < (int)n; i6 += 2) {
      global long *w7 = x ? p + i5 * N + N - 1 - x : q + x * 1 + 0 - 1; *w7 = 1;
    }
  }
}

