// SPDX-License-Identifier: MIT
// global=6,6,1 local=3,3,1
// The regions after the barriers start inside the outer loop and reach its inner loops again on later iterations, as copies.
kernel void fuzz(global const uint *in, global const float *fin, global ulong *out, global uint *slots,
 global uchar *bytes, global ushort *shorts, global float *floats, global uint *counters,
 global uint *same, global uint *again, local uint *loc, uint n, int k) {
  const uint x = get_global_id(1) * get_global_size(0) + get_global_id(0), LS = get_local_size(0) * get_local_size(1), lid = get_local_id(1) * get_local_size(0) + get_local_id(0);
  uint s = in[x & 63];
  int fuel = 20;
  for (int a = 0; a < 11 && fuel-- > 0; a++) {
again:
    for (int b = 0; b < (int)(in[1] & 3) && fuel-- > 0; b++)
      for (int c = 0; c < (int)(x & 7); c += 2) s = s * 3 + 1;
    if (get_num_groups(1) > 1) {
inner:
      barrier(CLK_LOCAL_MEM_FENCE);
      loc[lid] = s;
      barrier(CLK_LOCAL_MEM_FENCE);
      s += loc[(lid + 1) % LS];
      if (fuel-- > 0 && n == 5) goto inner;
    } else {
      barrier(CLK_LOCAL_MEM_FENCE);
      loc[lid] = s;
      barrier(CLK_LOCAL_MEM_FENCE);
      s += loc[(lid + 1) % LS];
    }
    if (fuel-- > 0 && (fuel & 1)) goto again;
  }
  out[x] = s;
}
