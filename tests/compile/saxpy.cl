// SPDX-License-Identifier: MIT
// target: spir
kernel void saxpy(global float *restrict y, const global float *x, float a, uint n) {
  size_t i = get_global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
}
