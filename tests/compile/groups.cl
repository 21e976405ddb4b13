// SPDX-License-Identifier: MIT
// options: -cl-std=CL3.0
kernel void sub_groups(global int *out, global uint4 *bits) {
  int l = get_sub_group_local_id();
  out[0] = sub_group_reduce_add(l) + sub_group_scan_exclusive_max(l) + sub_group_broadcast(l, 0);
  bits[0] = sub_group_ballot(l & 1);
  out[1] = sub_group_ballot_find_msb(bits[0]) + sub_group_inverse_ballot(bits[1]);
  out[2] = sub_group_clustered_reduce_add(l, 4) + sub_group_clustered_reduce_logical_and(l, 2);
  out[3] = sub_group_non_uniform_reduce_mul(l) + sub_group_non_uniform_scan_inclusive_xor(l);
  out[4] = sub_group_elect() + sub_group_non_uniform_all_equal(l);
  out[5] = sub_group_rotate(l, 1) + sub_group_clustered_rotate(l, 1, 2);
  out[6] = sub_group_shuffle(l, 0) + sub_group_shuffle_xor(l, 1);
  out[7] = sub_group_shuffle_up(l, 1) + sub_group_shuffle_down(l, 1);
  bits[2] = sub_group_broadcast(bits[3], 0);
  sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
}
kernel void work_groups(global int *out) {
  int l = get_local_id(0);
  out[0] = work_group_all(l) + work_group_any(l) + work_group_broadcast(l, 1);
  out[1] = work_group_reduce_add(l) + work_group_scan_inclusive_min(l);
  out[2] = work_group_reduce_mul(l) + work_group_scan_exclusive_xor(l) + work_group_reduce_logical_and(l);
}
kernel void pipes(read_only pipe int in, write_only pipe int to, global int *out) {
  int v;
  if (read_pipe(in, &v) == 0) write_pipe(to, &v);
  reserve_id_t r = work_group_reserve_write_pipe(to, 1);
  if (is_valid_reserve_id(r)) write_pipe(to, r, 0, &v);
  work_group_commit_write_pipe(to, r);
  out[0] = get_pipe_num_packets(in) + get_pipe_max_packets(to);
}
