// SPDX-License-Identifier: MIT
// global=6,6,1 local=3,3,1
// The region after the barrier reaches the second loop from that loop's end and, by the jump back, from outside of it.
kernel void fuzz(global const uint *in, global const float *fin, global ulong *out, global uint *slots,
 global uchar *bytes, global ushort *shorts, global float *floats, global uint *counters,
 global uint *same, global uint *again, local uint *loc, uint n, int k) {
  const uint x = get_global_id(1) * get_global_size(0) + get_global_id(0), LS = get_local_size(0) * get_local_size(1), lid = get_local_id(1) * get_local_size(0) + get_local_id(0);
  uint s = in[x & 63];
  int left = 4;
top:
  if ((left & 1) == 0) {
    for (int i = 0; i < (int)(in[1] & 3) + 1; i++) {
      barrier(CLK_LOCAL_MEM_FENCE);
      loc[lid] = s;
      barrier(CLK_LOCAL_MEM_FENCE);
      s += loc[(lid + 1) % LS];
    }
  }
  for (int i = 0; i < (int)(x & 7); i += 2) s = s * 5 + in[i];
  if (--left > 0) goto top;
  out[x] = s;
}
