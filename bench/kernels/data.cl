// SPDX-License-Identifier: MIT
// Data processing: tables, texts and pixels.

// For each query, the first place in a sorted table that is not below it.
kernel void lower_bound(global const int *restrict keys, global const int *restrict queries, global int *restrict out, int n) {
  int i = get_global_id(0), v = queries[i], lo = 0, hi = n;
  while (lo < hi) {
    int m = (lo + hi) >> 1;
    if (keys[m] < v) lo = m + 1;
    else hi = m;
  }
  out[i] = lo;
}

// Each row of a matrix, brought to mean 0 and variance 1.
kernel void layernorm(global const float *restrict in, global float *restrict out, int w) {
  int y = get_global_id(0);
  float sum = 0, squares = 0;
  for (int x = 0; x < w; x++) {
    float v = in[y * w + x];
    sum += v; squares += v * v;
  }
  float mean = sum / w, scale = rsqrt(squares / w - mean * mean + 1e-5f);
  for (int x = 0; x < w; x++) out[y * w + x] = (in[y * w + x] - mean) * scale;
}

// The largest element's place in each row.
kernel void row_argmax(global const float *restrict in, global int *restrict out, int w) {
  int y = get_global_id(0), at = 0;
  float most = -INFINITY;
  for (int x = 0; x < w; x++) {
    float v = in[y * w + x];
    if (v > most) { most = v; at = x; }
  }
  out[y] = at;
}

// How many words start in each 128 characters.
kernel void count_words(global const char *restrict text, global int *restrict out, int n) {
  int i = get_global_id(0), count = 0, inside = 0;
  for (int k = i * 128; k < i * 128 + 128 && k < n; k++) {
    int letter = text[k] > ' ';
    if (letter && !inside) count++;
    inside = letter;
  }
  out[i] = count;
}

// Without local memory.
kernel void transpose_plain(global const float *restrict in, global float *restrict out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  out[x * h + y] = in[y * w + x];
}

// Pixels of three bytes.
kernel void rgb_gray(global const uchar *restrict in, global uchar *restrict out) {
  int i = get_global_id(0);
  out[i] = (77 * in[3 * i] + 150 * in[3 * i + 1] + 29 * in[3 * i + 2] + 128) >> 8;
}

// Pixels of three bytes as the input of neural networks: plane by plane, centred at 0.
kernel void rgb_planes(global const uchar *restrict in, global float *restrict out, int n) {
  int i = get_global_id(0);
  out[i] = (in[3 * i] / 255.0f - 0.485f) / 0.229f;
  out[n + i] = (in[3 * i + 1] / 255.0f - 0.456f) / 0.224f;
  out[2 * n + i] = (in[3 * i + 2] / 255.0f - 0.406f) / 0.225f;
}

// A hash of each 32 bytes.
kernel void fnv(global const uchar *restrict in, global ulong *restrict out) {
  int i = get_global_id(0);
  ulong h = 0xcbf29ce484222325UL;
  for (int k = 0; k < 32; k++) { h ^= in[i * 32 + k]; h *= 0x100000001b3UL; }
  out[i] = h;
}

// x counts rows, as in programs that were loops over i and j.
kernel void by_columns(global const float *a, global const float *b, global float *out, int n) {
  int i = get_global_id(0), j = get_global_id(1);
  out[i * n + j] = 2 * a[i * n + j] + b[i * n + j];
}

// The Mandelbrot set in double precision.
kernel void mandelbrot_double(global uint *out) {
  double cx = get_global_id(0) / 170.0 - 2.1, cy = (get_global_id(1) - 256.0) / 170.0, x = 0, y = 0;
  uint i = 0;
  for (; i < 100 && x * x + y * y <= 4; i++) { double t = x * x - y * y + cx; y = 2 * x * y + cy; x = t; }
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = i;
}

// Square roots by Newton's method, until convergence.
kernel void roots(global const double *in, global double *out) {
  double a = in[get_global_id(0)], x = a;
  for (int i = 0; i < 60; i++) { double next = 0.5 * (x + a / x); if (fabs(next - x) < 1e-12) break; x = next; }
  out[get_global_id(0)] = x;
}

// Powers by Montgomery products, which need all 64 bits of 32-bit products.
kernel void montgomery(global const uint *in, global uint *out) {
  uint n = 0xfffffffb, inverse = 858993459u, a = in[get_global_id(0)], r = a;
  for (int i = 0; i < 64; i++) {
    ulong product = (ulong)r * a, multiple = (ulong)((uint)product * inverse) * n;
    uint high = product >> 32, less = multiple >> 32;
    r = high >= less ? high - less : high - less + n;
  }
  out[get_global_id(0)] = r;
}

// A filter whose groups fetch their input with an asynchronous copy.
kernel void fetched(global const float *in, global float *out) {
  local float tile[130];
  size_t first = get_group_id(0) * 128;
  event_t e = async_work_group_copy(tile, in + first, 130, 0);
  wait_group_events(1, &e);
  int l = get_local_id(0);
  out[first + l] = 0.25f * tile[l] + 0.5f * tile[l + 1] + 0.25f * tile[l + 2];
}

// Four numbers in each line of 24 bytes.
kernel void fields(global const uchar *text, global int *out) {
  int id = get_global_id(0), at = id * 24;
  for (int field = 0; field < 4; field++) {
    int v = 0;
    bool negative = false;
    for (; at < id * 24 + 24; at++) {
      uchar c = text[at];
      if (c == ',') { at++; break; }
      if (c == '-') negative = true;
      else if (c >= '0' && c <= '9') v = v * 10 + (c - '0');
    }
    out[id * 4 + field] = negative ? -v : v;
  }
}
