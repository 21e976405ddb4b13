// SPDX-License-Identifier: MIT
// The atomics of OpenCL C 1.x, in global and local memory.

// run: count global=64 local=16
// arg: int[6] = 0 0 100 0 -1 0 -> 64 -64 0 63 0 127
kernel void count(volatile global int *p) {
  int i = get_global_id(0);
  atomic_inc(p);
  atomic_dec(p + 1);
  atomic_min(p + 2, i);
  atomic_max(p + 3, i);
  atomic_and(p + 4, i == 0 ? 0 : -1);
  atomic_or(p + 5, i | 64);
}

// run: exchange
// arg: int[4] = 1 2 3 4 -> 10 20 3 40
// arg: int[4] = zero -> 1 2 3 4
kernel void exchange(volatile global int *p, global int *old) {
  old[0] = atomic_xchg(p, 10);
  old[1] = atomic_cmpxchg(p + 1, 2, 20);
  old[2] = atomic_cmpxchg(p + 2, 9, 30);
  old[3] = atomic_add(p + 3, 36);
}

// run: histogram global=32 local=8
// arg: uint[4] = zero -> 8 8 8 8
kernel void histogram(global uint *out) {
  local uint bins[4];
  int l = get_local_id(0);
  if (l < 4) bins[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&bins[get_global_id(0) % 4]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 4) atomic_add(&out[l], bins[l]);
}

// A ticket for each work-item: the old values are all different.
// run: tickets global=32
// arg: uint[1] = zero -> 32
// arg: uint[1] = zero -> 0xffffffff
kernel void tickets(volatile global uint *next, volatile global uint *seen) {
  uint ticket = atomic_inc(next);
  atomic_xor(seen, 1u << ticket);
}
