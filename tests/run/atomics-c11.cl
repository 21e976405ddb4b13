// SPDX-License-Identifier: MIT
// The atomics of OpenCL C 2.0 and later: orders, scopes, the compare-and-exchange loop, flags.
// options: -cl-std=CL3.0
// requires: __opencl_c_atomic_order_seq_cst __opencl_c_atomic_scope_device

// run: sum global=64 local=16
// arg: int[2] = zero -> 2016 64
kernel void sum(global atomic_int *p) {
  atomic_fetch_add_explicit(p, (int)get_global_id(0), memory_order_relaxed, memory_scope_device);
  atomic_fetch_add(p + 1, 1);
}

// run: product global=10
// arg: uint[1] = 1 -> 1024
kernel void product(global atomic_uint *p) {
  uint old = atomic_load(p);
  while (!atomic_compare_exchange_weak(p, &old, old * 2)) ;
}

// run: strong
// arg: int[1] = 5 -> 7
// arg: int[3] = zero -> 1 0 7
kernel void strong(global atomic_int *p, global int *out) {
  int expected = 5;
  out[0] = atomic_compare_exchange_strong(p, &expected, 7);
  out[1] = atomic_compare_exchange_strong(p, &expected, 9);
  out[2] = expected;
}

// run: lock global=32 local=8
// arg: int[1] = zero
// arg: int[1] = zero -> 4
kernel void lock(global atomic_flag *flag, global int *entries) {
  if (get_local_id(0) == 0) {
    while (atomic_flag_test_and_set_explicit(flag, memory_order_acquire, memory_scope_device)) ;
    ++*entries;
    atomic_flag_clear_explicit(flag, memory_order_release, memory_scope_device);
  }
}
