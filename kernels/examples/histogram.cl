// SPDX-License-Identifier: MIT
// How often each byte occurs: counted in local memory by each work-group, then added up with global atomics.
kernel void histogram(global const uchar *restrict data, global uint *counts, uint length) {
  local uint bins[256];
  for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) bins[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < length; i += get_global_size(0)) atomic_inc(&bins[data[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) atomic_add(&counts[i], bins[i]);
}
