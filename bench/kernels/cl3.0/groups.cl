// SPDX-License-Identifier: MIT
// Work-group and sub-group functions (bench/workloads).

// Mean and variance of rows by the functions of whole groups.
kernel void layernorm(global const float *restrict in, global float *restrict out, int columns) {
  global const float *row = in + get_group_id(0) * columns;
  float sum = 0, squares = 0;
  for (int i = get_local_id(0); i < columns; i += get_local_size(0)) { sum += row[i]; squares += row[i] * row[i]; }
  float mean = work_group_reduce_add(sum) / columns;
  float scale = rsqrt(work_group_reduce_add(squares) / columns - mean * mean + 1e-5f);
  for (int i = get_local_id(0); i < columns; i += get_local_size(0))
    out[get_group_id(0) * columns + i] = (row[i] - mean) * scale;
}

// Stream compaction within each group.
kernel void compact(global const int *restrict in, global int *restrict out, global int *restrict counts) {
  int i = get_global_id(0), v = in[i], keep = v % 3 == 0;
  int at = work_group_scan_exclusive_add(keep);
  if (keep) out[get_group_id(0) * get_local_size(0) + at] = v;
  if (get_local_id(0) == get_local_size(0) - 1) counts[get_group_id(0)] = at + keep;
}

// The same as layernorm's mean, first within sub-groups.
kernel void subgroups(global const float *restrict in, global float *restrict out, int columns) {
  local float parts[64];
  global const float *row = in + get_group_id(0) * columns;
  float sum = 0;
  for (int i = get_local_id(0); i < columns; i += get_local_size(0)) sum += row[i];
  sum = sub_group_reduce_add(sum);
  if (get_sub_group_local_id() == 0) parts[get_sub_group_id()] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum = 0;
  for (uint i = 0; i < get_num_sub_groups(); i++) sum += parts[i];
  for (int i = get_local_id(0); i < columns; i += get_local_size(0)) out[get_group_id(0) * columns + i] = row[i] / sum;
}
