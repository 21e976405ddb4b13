// SPDX-License-Identifier: MIT
// y = m * x with rows of float4.
kernel void matvec(global const float4 *restrict m, global const float4 *restrict x, global float *restrict y, int columns) {
  int row = get_global_id(0);
  float4 sum = (float4)(0);
  for (int k = 0; k < columns; k++) sum += m[row * columns + k] * x[k];
  y[row] = sum.x + sum.y + sum.z + sum.w;
}
