// SPDX-License-Identifier: MIT
// Inclusive prefix sums of each work-group's block (Hillis and Steele), and the blocks' totals.
kernel void scan(global const int *restrict in, global int *restrict out, global int *restrict totals, local int *temp) {
  int id = get_local_id(0), n = get_local_size(0);
  int from = 0, to = n;
  temp[id] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int offset = 1; offset < n; offset *= 2) {
    temp[to + id] = id >= offset ? temp[from + id] + temp[from + id - offset] : temp[from + id];
    int swap = from;
    from = to;
    to = swap;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = temp[from + id];
  if (id == n - 1) totals[get_group_id(0)] = temp[from + id];
}
