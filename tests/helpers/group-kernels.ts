// SPDX-License-Identifier: MIT
//
// Kernels over whole work-groups that several tests run.

/** Sums the floats of each group in a tree; ten lines. */
export const GROUP_SUMS = `\
kernel void sums(global const float *in, global float *out, local float *t) {
  int l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
    if (l < half_size) t[l] += t[l + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = t[0];
}`;
