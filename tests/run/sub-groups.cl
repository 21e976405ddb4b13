// SPDX-License-Identifier: MIT
// Sub-groups, whatever their size.
// options: -cl-std=CL3.0
// requires: cl_khr_subgroups cl_khr_subgroup_shuffle cl_khr_subgroup_ballot
#pragma OPENCL EXTENSION cl_khr_subgroups : enable

// run: totals global=32 local=32
// arg: int[32] = range
// arg: int[3] = 0 0 -1 -> 496 32 31
kernel void totals(global const int *in, volatile global int *out) {
  int v = in[get_global_id(0)];
  int sum = sub_group_reduce_add(v), most = sub_group_reduce_max(v);
  if (get_sub_group_local_id() == 0) {
    atomic_add(out, sum);
    atomic_add(out + 1, (int)get_sub_group_size());
    atomic_max(out + 2, most);
  }
}

// run: agree global=32 local=32
// arg: int[1] = zero -> 0
kernel void agree(volatile global int *wrong) {
  uint l = get_sub_group_local_id(), n = get_sub_group_size();
  if (sub_group_scan_exclusive_add(1) != l) atomic_inc(wrong);
  if (sub_group_scan_inclusive_max((int)l) != l) atomic_inc(wrong);
  if (sub_group_broadcast(l, 0) != 0) atomic_inc(wrong);
  if (!sub_group_all(1) || sub_group_any(0)) atomic_inc(wrong);
  if (sub_group_shuffle(l, n - 1 - l) != n - 1 - l) atomic_inc(wrong);
  if (sub_group_shuffle_xor(l, n / 2) != (l ^ n / 2)) atomic_inc(wrong);
  if (sub_group_ballot_bit_count(sub_group_ballot(l & 1)) != n / 2) atomic_inc(wrong);
}
