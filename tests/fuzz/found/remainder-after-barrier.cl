// SPDX-License-Identifier: MIT
// global=6,6,1 local=3,3,1
// Remainders of ids after a barrier: blocks between which a region ends have to stay.
kernel void fuzz(global const uint *in, global const float *fin, global ulong *out, global uint *slots,
                 global uchar *bytes, global ushort *shorts, global float *floats, global uint *counters,
                 global uint *same, global uint *again, local uint *loc, uint n, int k) {
  const uint x = get_global_id(1) * get_global_size(0) + get_global_id(0);
  const uint LS = get_local_size(0) * get_local_size(1);
  const uint lid = get_local_id(1) * get_local_size(0) + get_local_id(0);
  uint s = in[x & 63];
  if (0) {
  } else {
    barrier(CLK_LOCAL_MEM_FENCE); loc[lid] = s; barrier(CLK_LOCAL_MEM_FENCE); s += loc[(lid + 1) % LS];
  }
  out[x] = s + 1 + 1;
}
