// SPDX-License-Identifier: MIT
// What arrays do, by hand: kernels for elements of 32 bits and for few threads, which work through a run of memory each. `n` is a multiple of 16.

// Sums of each run, and of the runs' sums.
kernel void sum_runs(global const float *restrict in, global float *restrict sums, uint n, uint run) {
  const uint from = get_group_id(0) * run, to = min(from + run, n);
  float16 sum = 0;
  for (uint r = from; r < to; r += 16) sum += vload16(0, in + r);
  const float8 half_sum = sum.lo + sum.hi;
  const float4 quarter = half_sum.lo + half_sum.hi;
  sums[get_group_id(0)] = quarter.x + quarter.y + quarter.z + quarter.w;
}

kernel void sum_few(global float *restrict sums, uint count) {
  float sum = 0;
  for (uint r = 0; r < count; r++) sum += sums[r];
  sums[0] = sum;
}

kernel void dot_runs(
  global const float *restrict a, global const float *restrict b, global float *restrict sums, uint n, uint run) {
  const uint from = get_group_id(0) * run, to = min(from + run, n);
  float16 sum = 0;
  for (uint r = from; r < to; r += 16) sum += vload16(0, a + r) * vload16(0, b + r);
  const float8 half_sum = sum.lo + sum.hi;
  const float4 quarter = half_sum.lo + half_sum.hi;
  sums[get_group_id(0)] = quarter.x + quarter.y + quarter.z + quarter.w;
}

kernel void math(global float *restrict out, global const float *restrict x) {
  const size_t i = get_global_id(0);
  out[i] = sin(x[i]) * exp(x[i]) + sqrt(x[i]);
}

// Scans: totals of runs, the totals before each run, each run from there.
kernel void scan_totals(global const int *restrict in, global int *restrict totals, uint n, uint run) {
  const uint from = get_group_id(0) * run, to = min(from + run, n);
  int16 sum = 0;
  for (uint r = from; r < to; r += 16) sum += vload16(0, in + r);
  const int8 half_sum = sum.lo + sum.hi;
  const int4 quarter = half_sum.lo + half_sum.hi;
  totals[get_group_id(0)] = quarter.x + quarter.y + quarter.z + quarter.w;
}

kernel void scan_few(global int *restrict totals, uint count) {
  int sum = 0;
  for (uint r = 0; r < count; r++) {
    const int own = totals[r];
    totals[r] = sum;
    sum += own;
  }
}

kernel void scan_runs(
  global const int *restrict in, global int *restrict out, global const int *restrict totals, uint n, uint run) {
  const uint from = get_group_id(0) * run, to = min(from + run, n);
  int sum = totals[get_group_id(0)];
  for (uint r = from; r < to; r += 4) {
    const int4 own = vload4(0, in + r);
    const int two = own.x + own.y;
    vstore4(sum + (int4)(own.x, two, two + own.z, two + own.z + own.w), 0, out + r);
    sum += two + own.z + own.w;
  }
}

// Radix sorts by digits of 8 bits: how often each digit is in each run, then each run's elements to where their digits begin.
kernel void digit_counts(
  global const uint *restrict keys, global uint *restrict counts, uint n, uint run, uint shift, uint flip) {
  uint count[512];
  for (uint d = 0; d < 512; d++) count[d] = 0;
  const uint from = get_group_id(0) * run, to = min(from + run, n);
  for (uint r = from; r < to; r += 4) {
    const uint4 digit = (vload4(0, keys + r) ^ flip) >> shift & 255;
    count[digit.x]++;
    count[256 + digit.y]++;
    count[digit.z]++;
    count[256 + digit.w]++;
  }
  for (uint d = 0; d < 256; d++) counts[d * get_num_groups(0) + get_group_id(0)] = count[d] + count[256 + d];
}

kernel void move_keys(
  global const uint *restrict keys, global uint *restrict out, global const uint *restrict starts, uint n, uint run,
  uint shift, uint flip) {
  uint next[256];
  for (uint d = 0; d < 256; d++) next[d] = starts[d * get_num_groups(0) + get_group_id(0)];
  const uint from = get_group_id(0) * run, to = min(from + run, n);
  for (uint r = from; r < to; r += 4) {
    const uint4 key = vload4(0, keys + r), digit = (key ^ flip) >> shift & 255;
    out[next[digit.x]++] = key.x;
    out[next[digit.y]++] = key.y;
    out[next[digit.z]++] = key.z;
    out[next[digit.w]++] = key.w;
  }
}

// The same with an item beside each key: `items` or, in the first pass, the keys' places.
kernel void move_pairs(
  global const uint *restrict keys, global const uint *restrict items, global uint *restrict out,
  global uint *restrict moved, global const uint *restrict starts, uint n, uint run, uint shift, uint flip, uint places) {
  uint next[256];
  for (uint d = 0; d < 256; d++) next[d] = starts[d * get_num_groups(0) + get_group_id(0)];
  const uint from = get_group_id(0) * run, to = min(from + run, n);
  if (places)
    for (uint r = from; r < to; r++) {
      const uint key = keys[r], to_place = next[(key ^ flip) >> shift & 255]++;
      out[to_place] = key;
      moved[to_place] = r;
    }
  else
    for (uint r = from; r < to; r++) {
      const uint key = keys[r], to_place = next[(key ^ flip) >> shift & 255]++;
      out[to_place] = key;
      moved[to_place] = items[r];
    }
}

// Compaction of what is above a limit: how many of each run, then each run's to their places.
kernel void count_above(global const float *restrict in, global int *restrict totals, uint n, uint run, float limit) {
  const uint from = get_group_id(0) * run, to = min(from + run, n);
  int16 sum = 0;
  for (uint r = from; r < to; r += 16) sum -= vload16(0, in + r) > limit;
  const int8 half_sum = sum.lo + sum.hi;
  const int4 quarter = half_sum.lo + half_sum.hi;
  totals[get_group_id(0)] = quarter.x + quarter.y + quarter.z + quarter.w;
}

kernel void copy_above(
  global const float *restrict in, global float *restrict out, global const int *restrict starts, uint n, uint run,
  float limit, uint total) {
  const uint group = get_group_id(0), from = group * run, to = min(from + run, n);
  uint at = starts[group];
  const uint end = group + 1 < get_num_groups(0) ? starts[group + 1] : total;
  for (uint r = from; r < to && at < end; r++) {
    out[at] = in[r];
    at += in[r] > limit;
  }
}

// The distinct elements of a sorted array, in the same way.
kernel void count_first(global const uint *restrict in, global int *restrict totals, uint n, uint run) {
  const uint from = get_group_id(0) * run, to = min(from + run, n);
  int count = from == 0;
  for (uint r = max(from, 1u); r < to; r++) count += in[r] != in[r - 1];
  totals[get_group_id(0)] = count;
}

kernel void copy_first(
  global const uint *restrict in, global uint *restrict out, global const int *restrict starts, uint n, uint run,
  uint total) {
  const uint group = get_group_id(0), from = group * run, to = min(from + run, n);
  uint at = starts[group];
  const uint end = group + 1 < get_num_groups(0) ? starts[group + 1] : total;
  for (uint r = from; r < to && at < end; r++) {
    out[at] = in[r];
    at += r == 0 || in[r] != in[r - 1];
  }
}

// Counts of the values 0 to 255 of the lowest bytes.
kernel void count_bytes(global const uint *restrict in, global uint *restrict counts, uint n, uint run) {
  uint count[512];
  for (uint d = 0; d < 512; d++) count[d] = 0;
  const uint from = get_group_id(0) * run, to = min(from + run, n);
  for (uint r = from; r < to; r += 4) {
    const uint4 value = vload4(0, in + r) & 255;
    count[value.x]++;
    count[256 + value.y]++;
    count[value.z]++;
    count[256 + value.w]++;
  }
  for (uint d = 0; d < 256; d++) atomic_add(counts + d, count[d] + count[256 + d]);
}

// The product of two square matrices, `n` a multiple of 8: eight rows and four columns for each work-item.
kernel void product_rows(
  global const float *restrict a, global const float *restrict b, global float *restrict c, uint n) {
  const uint column = get_global_id(0) * 4, row = get_global_id(1) * 8;
  float4 sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0, sum4 = 0, sum5 = 0, sum6 = 0, sum7 = 0;
  for (uint k = 0; k < n; k++) {
    const float4 other = vload4(0, b + k * n + column);
    sum0 += a[row * n + k] * other;
    sum1 += a[(row + 1) * n + k] * other;
    sum2 += a[(row + 2) * n + k] * other;
    sum3 += a[(row + 3) * n + k] * other;
    sum4 += a[(row + 4) * n + k] * other;
    sum5 += a[(row + 5) * n + k] * other;
    sum6 += a[(row + 6) * n + k] * other;
    sum7 += a[(row + 7) * n + k] * other;
  }
  vstore4(sum0, 0, c + row * n + column);
  vstore4(sum1, 0, c + (row + 1) * n + column);
  vstore4(sum2, 0, c + (row + 2) * n + column);
  vstore4(sum3, 0, c + (row + 3) * n + column);
  vstore4(sum4, 0, c + (row + 4) * n + column);
  vstore4(sum5, 0, c + (row + 5) * n + column);
  vstore4(sum6, 0, c + (row + 6) * n + column);
  vstore4(sum7, 0, c + (row + 7) * n + column);
}
