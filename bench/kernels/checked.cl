// SPDX-License-Identifier: MIT
// Kernels that checked runs check access by access: no launch proof says that they have no fault, and their groups differ.

// Keeps the values below a limit, in order, in each group: a prefix sum with two halves of local memory in turns, then a scatter.
kernel void compact_turns(global const int *data, global int *out, global int *counts, int limit, local int *turns) {
  int lid = get_local_id(0), size = get_local_size(0), group = get_group_id(0) * size;
  int value = data[get_global_id(0)];
  int keeps = value < limit;
  local int *from = turns, *to = turns + size;
  from[lid] = keeps;
  for (int step = 1; step < size; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    to[lid] = from[lid] + (lid >= step ? from[lid - step] : 0);
    local int *other = from;
    from = to;
    to = other;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (keeps) out[group + from[lid] - 1] = value;
  if (lid == size - 1) counts[get_group_id(0)] = from[lid];
}

// Counts in local memory at indexes from memory.
kernel void atomics_local(global const uint *data, global uint *counts, local uint *bins, uint count) {
  uint lid = get_local_id(0), size = get_local_size(0);
  for (uint i = lid; i < count; i += size) bins[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&bins[data[get_global_id(0)] % count]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = lid; i < count; i += size)
    if (bins[i] != 0) atomic_add(&counts[i], bins[i]);
}

kernel void scatter_by(global const float *data, global const int *order, global float *out) {
  int i = get_global_id(0);
  out[order[i]] = data[i] * 2.0f;
}

// An odd-even sort of each group's elements.
kernel void odd_even(global int *data, local int *own) {
  int lid = get_local_id(0), size = get_local_size(0);
  own[lid] = data[get_global_id(0)];
  for (int round = 0; round < size; round++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int other = lid + 1;
    if ((lid & 1) == (round & 1) && other < size && own[lid] > own[other]) {
      int value = own[lid];
      own[lid] = own[other];
      own[other] = value;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = own[lid];
}

// A step of Floyd-Warshall that writes all elements: what it reads of the step's row and column is written meanwhile, a true race.
kernel void floyd_all(global int *d, int n, int k) {
  int x = get_global_id(0), y = get_global_id(1);
  d[y * n + x] = min(d[y * n + x], d[y * n + k] + d[k * n + x]);
}

// One level of a breadth-first search; volatile reads count as atomic ones.
kernel void search_level(global const int *first, global const int *edges, volatile global int *levels, global int *changed, int level) {
  int node = get_global_id(0);
  if (levels[node] != level) return;
  for (int at = first[node]; at < first[node + 1]; at++)
    if (atomic_cmpxchg(&levels[edges[at]], -1, level + 1) == -1) atomic_inc(changed);
}
