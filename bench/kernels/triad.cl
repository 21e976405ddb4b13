// SPDX-License-Identifier: MIT
kernel void triad(global float *restrict a, global const float *restrict b, global const float *restrict c, float s) {
  size_t i = get_global_id(0);
  a[i] = b[i] + s * c[i];
}
