// SPDX-License-Identifier: MIT
// Collective functions of work-groups.
// options: -cl-std=CL3.0
// requires: __opencl_c_work_group_collective_functions

// run: reduce global=8 local=4
// arg: int[8] = 1 2 3 4 5 6 7 8 -> 10 10 10 10 26 26 26 26
kernel void reduce(global int *data) {
  size_t i = get_global_id(0);
  data[i] = work_group_reduce_add(data[i]);
}

// run: scans global=8 local=4
// arg: int[8] = 1 2 3 4 5 6 7 8
// arg: int[8] = zero -> 1 3 6 10 5 11 18 26
// arg: int[8] = zero -> 0 1 3 6 0 5 11 18
// arg: float[8] = zero -> 1 2 3 4 5 6 7 8
kernel void scans(global const int *in, global int *inclusive, global int *exclusive, global float *most) {
  size_t i = get_global_id(0);
  inclusive[i] = work_group_scan_inclusive_add(in[i]);
  exclusive[i] = work_group_scan_exclusive_add(in[i]);
  most[i] = work_group_scan_inclusive_max((float)in[i]);
}

// run: in_a_loop global=4 local=4
// arg: int[4] = zero -> 6 6 6 6
kernel void in_a_loop(global int *out) {
  int sum = 0;
  for (uint from = 0; from < get_local_size(0); from++)
    sum += work_group_broadcast((int)get_local_id(0), from);
  out[get_global_id(0)] = work_group_any(sum == 0) ? -1 : sum;
}

// The whole group leaves a loop at one iteration, which the compiler cannot know, with a live-out that is uniform.
// run: leaves_a_loop global=16 local=16
// arg: int[16] = zero
// arg: int[16] = zero -> 504025 504026 504027 504028 504029 504030 504031 504032 504033 504034 504035 504036 504037 504038 504039 504040
kernel void leaves_a_loop(global const int *zeros, global int *out) {
  int i = get_local_id(0), next = i + 1, sum;
  do {
    sum = work_group_reduce_add(next);
    next++;
  } while (sum + zeros[i] < 500);
  out[i] = 1000 * sum + next;
}

// The indices are uniform, which the compiler cannot know.
// run: broadcast_read_index global=16,2 local=8,2
// arg: int[32] = 5 5 5 5 5 5 5 5 6 6 6 6 6 6 6 6 5 5 5 5 5 5 5 5 6 6 6 6 6 6 6 6
// arg: int[32] = zero -> 121 121 121 121 121 121 121 121 114 114 114 114 114 114 114 114 121 121 121 121 121 121 121 121 114 114 114 114 114 114 114 114
kernel void broadcast_read_index(global const int *in, global int *out) {
  size_t i = get_global_id(1) * 16 + get_global_id(0);
  out[i] = work_group_broadcast((int)i + 100, in[i], in[i] & 1);
}

// run: broadcast_of_floats global=8 local=4
// arg: float[8] = 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5
// arg: float[8] = zero -> 3.5 3.5 3.5 3.5 5.5 5.5 5.5 5.5
kernel void broadcast_of_floats(global const float *in, global float *out) {
  size_t i = get_global_id(0);
  out[i] = work_group_broadcast(in[i], get_group_id(0) ? 1 : 3);
}
