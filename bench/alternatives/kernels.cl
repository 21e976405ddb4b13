// SPDX-License-Identifier: MIT
// The workloads of bench/alternatives for what runs OpenCL C. kernels.wgsl and gpu-js.mjs have the same.

kernel void triad(global float *a, global const float *b, global const float *c, float s) {
  size_t i = get_global_id(0);
  a[i] = b[i] + s * c[i];
}

kernel void mandelbrot(global int *out, int width) {
  int x = get_global_id(0), y = get_global_id(1);
  float re = x * (3.0f / width) - 2.0f, im = y * (3.0f / width) - 1.5f;
  float u = 0, v = 0;
  int n = 0;
  while (n < 256 && u * u + v * v < 4) {
    float t = u * u - v * v + re;
    v = 2 * u * v + im;
    u = t;
    n++;
  }
  out[y * width + x] = n;
}

kernel void matmul(global float *c, global const float *a, global const float *b, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
