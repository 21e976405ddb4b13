// SPDX-License-Identifier: MIT
// Atomics on 64 bits and on floating-point numbers.
// options: -cl-std=CL3.0
// requires: cl_khr_int64_base_atomics cl_khr_int64_extended_atomics cl_ext_float_atomics __opencl_c_ext_fp32_global_atomic_add

// run: long_ones global=32
// arg: long[4] = 0x100000000 0 -1 0 -> 4294967328 31 0 4294967295
kernel void long_ones(volatile global long *p) {
  long i = get_global_id(0);
  atom_add(p, 1L);
  atom_max(p + 1, i);
  atom_min(p + 1, 1L << 40);
  atom_and(p + 2, i == 3 ? 0L : -1L);
  atom_or(p + 3, 1L << i);
}

// run: floats global=16
// arg: float[3] = 0.5 100 -100 -> 120.5 0 15
// except: Portable Computing Language: 5.0 never ends atomic_fetch_max on floats
kernel void floats(volatile global atomic_float *p) {
  float i = get_global_id(0);
  atomic_fetch_add_explicit(p, i, memory_order_relaxed, memory_scope_device);
  atomic_fetch_min_explicit(p + 1, i, memory_order_relaxed, memory_scope_device);
  atomic_fetch_max_explicit(p + 2, i, memory_order_relaxed, memory_scope_device);
}
