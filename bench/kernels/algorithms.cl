// SPDX-License-Identifier: MIT
// Filters, codecs, linear algebra and searches in their plain forms (bench/workloads).
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// Bilateral filter, 5 by 5.
kernel void bilateral(global const float *restrict in, global float *restrict out, int w, int h, float sharp) {
  int x = get_global_id(0), y = get_global_id(1);
  float middle = in[y * w + x], sum = 0, weights = 0;
  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++) {
      float v = in[clamp(y + dy, 0, h - 1) * w + clamp(x + dx, 0, w - 1)], d = v - middle;
      float weight = exp(-(dx * dx + dy * dy) * 0.1f - d * d * sharp);
      sum += weight * v; weights += weight;
    }
  out[y * w + x] = sum / weights;
}

// Box filter of a column by a running sum.
kernel void running_box(global const float *restrict in, global float *restrict out, int w, int h, int radius) {
  int x = get_global_id(0);
  float sum = 0;
  for (int y = 0; y < radius; y++) sum += in[y * w + x];
  for (int y = 0; y < h; y++) {
    if (y + radius < h) sum += in[(y + radius) * w + x];
    if (y - radius - 1 >= 0) sum -= in[(y - radius - 1) * w + x];
    out[y * w + x] = sum;
  }
}

kernel void hsv(global const uchar4 *restrict in, global float4 *restrict out) {
  int i = get_global_id(0);
  float4 p = convert_float4(in[i]) / 255.0f;
  float most = fmax(p.x, fmax(p.y, p.z)), least = fmin(p.x, fmin(p.y, p.z)), d = most - least, hue = 0;
  if (d > 0) {
    if (most == p.x) hue = fmod((p.y - p.z) / d + 6, 6);
    else if (most == p.y) hue = (p.z - p.x) / d + 2;
    else hue = (p.x - p.y) / d + 4;
  }
  out[i] = (float4)(hue * 60, most > 0 ? d / most : 0, most, p.w);
}

// CRC-32 of each 64 bytes, by a table.
kernel void crc32(global const uchar *restrict in, constant uint *table, global uint *restrict out) {
  int id = get_global_id(0);
  uint crc = 0xffffffffu;
  for (int i = 0; i < 64; i++) crc = table[(crc ^ in[id * 64 + i]) & 0xff] ^ (crc >> 8);
  out[id] = ~crc;
}

kernel void base64(global const uchar *restrict in, constant uchar *digits, global uchar4 *restrict out) {
  int i = get_global_id(0);
  uint bits = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2];
  out[i] = (uchar4)(digits[bits >> 18], digits[bits >> 12 & 63], digits[bits >> 6 & 63], digits[bits & 63]);
}

float corner(int x, int y, float dx, float dy) {
  uint h = (uint)x * 374761393u + (uint)y * 668265263u;
  h = (h ^ (h >> 13)) * 1274126177u; h ^= h >> 16;
  return (h & 1 ? dx : -dx) + (h & 2 ? dy : -dy);
}

// Four octaves of gradient noise.
kernel void perlin(global float *restrict out, int w, float scale) {
  int px = get_global_id(0), py = get_global_id(1);
  float sum = 0, amplitude = 1, x = px * scale, y = py * scale;
  for (int octave = 0; octave < 4; octave++) {
    float fx = floor(x), fy = floor(y), dx = x - fx, dy = y - fy;
    int ix = (int)fx, iy = (int)fy;
    float u = dx * dx * dx * (dx * (dx * 6 - 15) + 10), v = dy * dy * dy * (dy * (dy * 6 - 15) + 10);
    float top = mix(corner(ix, iy, dx, dy), corner(ix + 1, iy, dx - 1, dy), u);
    float bottom = mix(corner(ix, iy + 1, dx, dy - 1), corner(ix + 1, iy + 1, dx - 1, dy - 1), u);
    sum += amplitude * mix(top, bottom, v);
    x *= 2; y *= 2; amplitude *= 0.5f;
  }
  out[py * w + px] = sum;
}

// One step of an LU decomposition: updates the matrix after row and column k.
kernel void lu_step(global float *a, int n, int k) {
  int x = get_global_id(0) + k + 1, y = get_global_id(1) + k + 1;
  if (x < n && y < n) a[y * n + x] -= a[y * n + k] / a[k * n + k] * a[k * n + x];
}

// Moves the small numbers of each group to its front, the others to its back.
kernel void partition(global const int *restrict in, global int *restrict out, int pivot, global int *sizes) {
  local int low, high;
  int l = get_local_id(0), n = get_local_size(0), base = get_group_id(0) * n;
  if (l == 0) { low = 0; high = 0; }
  barrier(CLK_LOCAL_MEM_FENCE);
  int v = in[base + l];
  int at = v < pivot ? atomic_inc(&low) : n - 1 - atomic_inc(&high);
  out[base + at] = v < pivot ? 1 : 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) sizes[get_group_id(0)] = low;
}

// Viterbi: the score of the best path through eight states, a sequence for each work-item.
kernel void viterbi(global const uchar *restrict seen, constant float *move, constant float *emit, global float *restrict out, int length) {
  int id = get_global_id(0);
  float score[8], next[8];
  for (int s = 0; s < 8; s++) score[s] = emit[s * 4 + (seen[id * length] & 3)];
  for (int t = 1; t < length; t++) {
    int symbol = seen[id * length + t] & 3;
    for (int s = 0; s < 8; s++) {
      float best = -INFINITY;
      for (int r = 0; r < 8; r++) best = fmax(best, score[r] + move[r * 8 + s]);
      next[s] = best + emit[s * 4 + symbol];
    }
    for (int s = 0; s < 8; s++) score[s] = next[s];
  }
  float best = score[0];
  for (int s = 1; s < 8; s++) best = fmax(best, score[s]);
  out[id] = best;
}

kernel void dot4(global const float4 *restrict a, global const float4 *restrict b, global float *restrict out, int n, local float *sums) {
  int l = get_local_id(0);
  float sum = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += dot(a[i], b[i]);
  sums[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = get_local_size(0) / 2; s > 0; s /= 2) { if (l < s) sums[l] += sums[l + s]; barrier(CLK_LOCAL_MEM_FENCE); }
  if (l == 0) out[get_group_id(0)] = sums[0];
}

kernel void transform(global const float4 *restrict in, global float4 *restrict out, float16 m) {
  int i = get_global_id(0);
  float4 v = in[i];
  out[i] = (float4)(dot(m.s0123, v), dot(m.s4567, v), dot(m.s89ab, v), dot(m.scdef, v));
}

kernel void image_resize(read_only image2d_t in, write_only image2d_t out, float step) {
  const sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, at, read_imagef(in, linear, (convert_float2(at) + 0.5f) * step));
}

// One pass of a radix sort: counts and positions of 4-bit digits in each group's part.
kernel void radix_count(global const uint *restrict keys, global uint *restrict counts, int shift, int each) {
  local uint bins[16];
  int l = get_local_id(0), base = get_group_id(0) * each;
  if (l < 16) bins[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = l; i < each; i += get_local_size(0)) atomic_inc(&bins[keys[base + i] >> shift & 15]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16) counts[l * get_num_groups(0) + get_group_id(0)] = bins[l];
}

// Blocks of 8 by 8 through local memory, rows and then columns.
kernel void dct8(global const float *restrict in, global float *restrict out, constant float *cosines, int w) {
  local float block[64], rows[64];
  int x = get_local_id(0), y = get_local_id(1), i = get_global_id(1) * w + get_global_id(0);
  block[y * 8 + x] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int k = 0; k < 8; k++) sum += block[y * 8 + k] * cosines[x * 8 + k];
  rows[y * 8 + x] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum = 0;
  for (int k = 0; k < 8; k++) sum += rows[k * 8 + x] * cosines[y * 8 + k];
  out[i] = sum;
}

kernel void squares(global const double *restrict in, global double *restrict out, int n) {
  double sum = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += in[i] * in[i];
  out[get_global_id(0)] = sum;
}

// The Hamming distance to each of 16 words.
kernel void hamming(global const uint *restrict in, global const uint *restrict queries, global uint *restrict out) {
  int i = get_global_id(0);
  uint v = in[i], least = 32;
  for (int q = 0; q < 16; q++) least = min(least, popcount(v ^ queries[q]));
  out[i] = least;
}

// Whether 64 bytes for each work-item are UTF-8, except for characters that are cut off at the ends.
kernel void utf8(global const uchar *restrict in, global int *restrict out) {
  int id = get_global_id(0), expected = 0, points = 0, bad = 0;
  for (int i = 0; i < 64; i++) {
    uchar c = in[id * 64 + i];
    if (expected > 0) { if ((c & 0xc0) == 0x80) { expected--; continue; } bad++; expected = 0; }
    if (c < 0x80) points++;
    else if ((c & 0xe0) == 0xc0) { expected = 1; points++; }
    else if ((c & 0xf0) == 0xe0) { expected = 2; points++; }
    else if ((c & 0xf8) == 0xf0) { expected = 3; points++; }
    else bad++;
  }
  out[id] = points << 8 | bad;
}

// Smith-Waterman alignment of pairs of 64 letters, a group for each pair, by antidiagonals.
kernel void align(global const uchar *restrict a, global const uchar *restrict b, global int *restrict out) {
  local int previous[65], current[65], older[65], best[64];
  int l = get_local_id(0), pair = get_group_id(0), most = 0;
  uchar mine = a[pair * 64 + l];
  previous[l + 1] = older[l + 1] = 0;
  if (l == 0) previous[0] = current[0] = older[0] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 0; d < 127; d++) {
    int j = d - l, score = 0;
    if (j >= 0 && j < 64) {
      score = older[l] + (mine == b[pair * 64 + j] ? 3 : -1);
      score = max(max(score, 0), max(previous[l] - 2, previous[l + 1] - 2));
      most = max(most, score);
    }
    current[l + 1] = score;
    barrier(CLK_LOCAL_MEM_FENCE);
    older[l + 1] = previous[l + 1];
    previous[l + 1] = current[l + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  best[l] = most;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 32; s > 0; s /= 2) { if (l < s) best[l] = max(best[l], best[l + s]); barrier(CLK_LOCAL_MEM_FENCE); }
  if (l == 0) out[pair] = best[0];
}

// Transposes squares of 32 by 32 bits.
kernel void bit_transpose(global const uint *restrict in, global uint *restrict out) {
  int id = get_global_id(0);
  uint v[32];
  for (int i = 0; i < 32; i++) v[i] = in[id * 32 + i];
  uint mask = 0x0000ffff;
  for (int j = 16; j != 0; j >>= 1, mask ^= mask << j)
    for (int k = 0; k < 32; k = (k + j + 1) & ~j) {
      uint t = (v[k] ^ (v[k + j] >> j)) & mask;
      v[k] ^= t; v[k + j] ^= t << j;
    }
  for (int i = 0; i < 32; i++) out[id * 32 + i] = v[i];
}

// Stream compaction in any order, with an atomic counter.
kernel void filter(global const float *restrict in, global float *restrict out, volatile global int *count, float limit) {
  int i = get_global_id(0);
  float v = in[i];
  if (v > limit) out[atomic_inc(count)] = v;
}

// The maximum, with one atomic for each element.
kernel void largest(global const int *restrict in, volatile global int *most) {
  atomic_max(most, in[get_global_id(0)]);
}

// Error diffusion along a row, a row for each work-item.
kernel void dither(global const uchar *restrict in, global uchar *restrict out, int w) {
  int y = get_global_id(0), error = 0;
  for (int x = 0; x < w; x++) {
    int v = in[y * w + x] + error;
    uchar bit = v > 127 ? 255 : 0;
    error = v - bit;
    out[y * w + x] = bit;
  }
}

// Primality by trial division.
kernel void primes(global uint *restrict out) {
  uint i = get_global_id(0) + 2, prime = 1;
  for (uint d = 2; d * d <= i; d++)
    if (i % d == 0) { prime = 0; break; }
  out[i - 2] = prime;
}

// Histograms of three channels, in global memory.
kernel void count_rgb(global const uchar4 *restrict in, global int *red, global int *green, global int *blue) {
  uchar4 p = in[get_global_id(0)];
  atomic_inc(&red[p.x]); atomic_inc(&green[p.y]); atomic_inc(&blue[p.z]);
}

// Colour grading with a table of 16 by 16 by 16 colours.
kernel void grade(global const float4 *restrict in, global const float4 *restrict table, global float4 *restrict out) {
  int i = get_global_id(0);
  float4 p = clamp(in[i] * 15.0f, 0.0f, 14.99f), f = p - floor(p);
  int at = ((int)p.z * 16 + (int)p.y) * 16 + (int)p.x;
  float4 a = mix(table[at], table[at + 1], f.x), b = mix(table[at + 16], table[at + 17], f.x);
  float4 c = mix(table[at + 256], table[at + 257], f.x), d = mix(table[at + 272], table[at + 273], f.x);
  out[i] = mix(mix(a, b, f.y), mix(c, d, f.y), f.z);
}

// Reverses the channels of pixels of three bytes.
kernel void swap_rgb(global const uchar *restrict in, global uchar *restrict out) {
  int i = get_global_id(0);
  out[3 * i] = in[3 * i + 2]; out[3 * i + 1] = in[3 * i + 1]; out[3 * i + 2] = in[3 * i];
}

// Median of 3 by 3, by sorting.
#define SORT(a, b) { uchar t = min(v[a], v[b]); v[b] = max(v[a], v[b]); v[a] = t; }
kernel void median9(global const uchar *restrict in, global uchar *restrict out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) { out[y * w + x] = 0; return; }
  uchar v[9];
  for (int j = 0; j < 3; j++) for (int i = 0; i < 3; i++) v[j * 3 + i] = in[(y + j - 1) * w + x + i - 1];
  SORT(1, 2) SORT(4, 5) SORT(7, 8) SORT(0, 1) SORT(3, 4) SORT(6, 7) SORT(1, 2) SORT(4, 5) SORT(7, 8) SORT(0, 3)
  SORT(5, 8) SORT(4, 7) SORT(3, 6) SORT(1, 4) SORT(2, 5) SORT(4, 7) SORT(4, 2) SORT(6, 4) SORT(4, 2)
  out[y * w + x] = v[4];
}
