// SPDX-License-Identifier: MIT
// Atomics on halves, in global and in local memory; in memory they are checked bit by bit.
// options: -cl-std=CL3.0
// requires: cl_khr_fp16 cl_ext_float_atomics __opencl_c_ext_fp16_global_atomic_add __opencl_c_ext_fp16_local_atomic_min_max
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// 0.5 + 120, min(100, 0), max(-100, 15), 10 - 120: as bits.
// run: arithmetic global=16
// arg: ushort[4] = 0x3800 0x5640 0xd640 0x4900 -> 0x5788 0x0000 0x4b80 0xd6e0
kernel void arithmetic(volatile global atomic_half *p) {
  half i = get_global_id(0);
  atomic_fetch_add_explicit(p, i, memory_order_relaxed, memory_scope_device);
  atomic_fetch_min_explicit(p + 1, i, memory_order_relaxed, memory_scope_device);
  atomic_fetch_max_explicit(p + 2, i, memory_order_relaxed, memory_scope_device);
  atomic_fetch_sub_explicit(p + 3, i, memory_order_relaxed, memory_scope_device);
}

// Each neighbour of an odd element has its own half of a word; every old value is one of the partial sums.
// run: neighbours global=64 local=8
// arg: ushort[4] = zero -> 0x4c00 0x4c00 0x4c00 0x4c00
// arg: int[1] = zero -> 64
kernel void neighbours(volatile global atomic_half *p, global int *below) {
  half old = atomic_fetch_add_explicit(p + get_global_id(0) % 4, (half)1, memory_order_seq_cst, memory_scope_device);
  if (old >= 0 && old < 16) atomic_inc(below);
}

// run: exchanges
// arg: ushort[3] = 0x3c00 0x7e00 0 -> 0x4000 0x3c00 0x7e00
kernel void exchanges(volatile global atomic_half *p) {
  half one = atomic_exchange(p, (half)2);
  half nan = atomic_load_explicit(p + 1, memory_order_relaxed, memory_scope_device);
  atomic_store_explicit(p + 1, one, memory_order_relaxed, memory_scope_device);
  atomic_store(p + 2, nan);
}

// run: in_local global=32 local=16
// arg: ushort[2] = zero -> 0x5780 0x5780
kernel void in_local(global half *sums) {
  local atomic_half sum;
  if (get_local_id(0) == 0) atomic_store(&sum, (half)0);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_fetch_add_explicit(&sum, (half)get_local_id(0), memory_order_relaxed, memory_scope_work_group);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) sums[get_group_id(0)] = atomic_load(&sum);
}

// A NaN stays the same but for its quiet bit, as with floats.
// run: payloads
// arg: ushort[2] = 0xfc01 0x3c00 -> 0xfe01 0xffff
// arg: ushort[1] = 0xffff
kernel void payloads(volatile global atomic_half *p, global half *nan) {
  atomic_fetch_add_explicit(p, (half)1, memory_order_relaxed, memory_scope_device);
  atomic_fetch_add_explicit(p + 1, *nan, memory_order_relaxed, memory_scope_device);
}
