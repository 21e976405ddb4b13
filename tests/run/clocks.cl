// SPDX-License-Identifier: MIT
// Clocks never go back, and their two forms are of one clock.
// options: -cl-std=CL3.0
// requires: cl_khr_kernel_clock __opencl_c_kernel_clock_scope_device __opencl_c_kernel_clock_scope_work_group __opencl_c_kernel_clock_scope_sub_group
#pragma OPENCL EXTENSION cl_khr_kernel_clock : enable

ulong joined(uint2 hilo) { return (ulong)hilo.y << 32 | hilo.x; }

// run: order global=37 local=8
// arg: int[1] = zero -> 37
kernel void order(global int *right) {
  ulong device = clock_read_device();
  ulong group = clock_read_work_group();
  ulong sub_group = clock_read_sub_group();
  int ok = device <= joined(clock_read_hilo_device());
  ok |= (group <= joined(clock_read_hilo_work_group())) << 1;
  ok |= (sub_group <= joined(clock_read_hilo_sub_group())) << 2;
  if (ok == 7) atomic_inc(right);
}

// Time passes in a loop, whichever work-items go through it; across a barrier as well.
// run: passing global=64 local=16
// arg: int[1] = zero -> 64
kernel void passing(global int *right) {
  ulong start = clock_read_device();
  uint x = get_global_id(0);
  for (uint i = 0; i < 100 + get_local_id(0) * 10; i++) x = x * 1664525 + 1013904223;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (clock_read_device() > start || x == 1) atomic_inc(right);
}
