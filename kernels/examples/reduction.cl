// SPDX-License-Identifier: MIT
// Sums of each work-group's part of an array, by a tree in local memory.
kernel void reduction(global const float *restrict in, global float *restrict sums, local float *scratch, uint count) {
  uint id = get_local_id(0);
  float sum = 0;
  for (uint i = get_global_id(0); i < count; i += get_global_size(0)) sum += in[i];
  scratch[id] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
    if (id < half_size) scratch[id] += scratch[id + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (id == 0) sums[get_group_id(0)] = scratch[0];
}
