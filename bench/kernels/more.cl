// SPDX-License-Identifier: MIT
// Small kernels of common kinds, beside the ones that the goals are measured with (bench/workloads).
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// Edges of an image of four bytes a pixel; its border is left black.
kernel void sobel4(global const uchar4 *restrict in, global uchar4 *restrict out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) { if (x < w && y < h) out[y * w + x] = (uchar4)(0, 0, 0, 255); return; }
  int i = y * w + x;
  int4 a = convert_int4(in[i - w - 1]), b = convert_int4(in[i - w]), c = convert_int4(in[i - w + 1]);
  int4 d = convert_int4(in[i - 1]), f = convert_int4(in[i + 1]);
  int4 g = convert_int4(in[i + w - 1]), k = convert_int4(in[i + w]), l = convert_int4(in[i + w + 1]);
  int4 gx = c + 2 * f + l - a - 2 * d - g, gy = g + 2 * k + l - a - 2 * b - c;
  float4 m = sqrt(convert_float4(gx * gx + gy * gy));
  uchar4 r = convert_uchar4_sat(m); r.w = 255;
  out[i] = r;
}

// By tiles in local memory, a column wider than they are.
kernel void transpose(global const float *restrict in, global float *restrict out, int w, int h, local float *tile) {
  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  tile[ly * 17 + lx] = in[y * w + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  int ox = get_group_id(1) * 16 + lx, oy = get_group_id(0) * 16 + ly;
  out[oy * h + ox] = tile[lx * 17 + ly];
}

// One step of all shortest paths, in place.
kernel void floyd(global int *d, int n, int k) {
  int x = get_global_id(0), y = get_global_id(1);
  int direct = d[y * n + x], through = d[y * n + k] + d[k * n + x];
  if (through < direct) d[y * n + x] = through;
}

// Distances of words of 16 letters from one word, a row of the table in private memory.
kernel void levenshtein(global const uchar *restrict words, global const uchar *restrict query, global int *out) {
  int id = get_global_id(0);
  uchar row[17];
  for (int j = 0; j <= 16; j++) row[j] = j;
  for (int i = 0; i < 16; i++) {
    uchar diag = row[0], c = words[id * 16 + i];
    row[0] = i + 1;
    for (int j = 0; j < 16; j++) {
      uchar t = min(min((uchar)(row[j + 1] + 1), (uchar)(row[j] + 1)), (uchar)(diag + (c != query[j])));
      diag = row[j + 1]; row[j + 1] = t;
    }
  }
  out[id] = row[16];
}

// One generation on a torus.
kernel void life(global const uchar *restrict in, global uchar *restrict out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  int l = (x + w - 1) % w, r = (x + 1) % w, u = (y + h - 1) % h, d = (y + 1) % h;
  int n = in[u * w + l] + in[u * w + x] + in[u * w + r] + in[y * w + l] + in[y * w + r] + in[d * w + l] + in[d * w + x] + in[d * w + r];
  out[y * w + x] = n == 3 || (n == 2 && in[y * w + x]);
}

// Sorts 16 numbers in a private array.
kernel void insertion(global int *data) {
  int id = get_global_id(0);
  int v[16];
  for (int i = 0; i < 16; i++) v[i] = data[id * 16 + i];
  for (int i = 1; i < 16; i++) { int x = v[i], j = i; while (j > 0 && v[j - 1] > x) { v[j] = v[j - 1]; j--; } v[j] = x; }
  for (int i = 0; i < 16; i++) data[id * 16 + i] = v[i];
}

// The four nearest of all points, kept sorted.
kernel void knn(global const float4 *restrict points, global const float4 *restrict queries, global int *out, int n) {
  int id = get_global_id(0);
  float4 q = queries[id];
  float best[4] = {1e9f, 1e9f, 1e9f, 1e9f}; int which[4] = {-1, -1, -1, -1};
  for (int i = 0; i < n; i++) {
    float4 d = points[i] - q; float r = dot(d, d); 
    if (r < best[3]) { int j = 3; while (j > 0 && best[j - 1] > r) { best[j] = best[j - 1]; which[j] = which[j - 1]; j--; } best[j] = r; which[j] = i; }
  }
  for (int j = 0; j < 4; j++) out[id * 4 + j] = which[j];
}

// The plain matrix product in double precision.
kernel void dgemm(global const double *restrict a, global const double *restrict b, global double *restrict c, int n) {
  int x = get_global_id(0), y = get_global_id(1); double s = 0;
  for (int k = 0; k < n; k++) s += a[y * n + k] * b[k * n + x];
  c[y * n + x] = s;
}

// Sum over maximum of segments of different lengths.
kernel void segmented(global const int *restrict offsets, global const float *restrict values, global float *out) {
  int id = get_global_id(0); float s = 0, m = -1e30f;
  for (int i = offsets[id]; i < offsets[id + 1]; i++) { s += values[i]; m = fmax(m, values[i]); }
  out[id] = s / m;
}

// Where keys belong in a sorted array.
kernel void binary_search(global const int *restrict sorted, global const int *restrict keys, global int *out, int n) {
  int id = get_global_id(0), key = keys[id], lo = 0, hi = n;
  while (lo < hi) { int mid = (lo + hi) / 2; if (sorted[mid] < key) lo = mid + 1; else hi = mid; }
  out[id] = lo;
}
