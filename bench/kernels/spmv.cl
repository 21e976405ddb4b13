// SPDX-License-Identifier: MIT
// Sparse matrix times vector, compressed rows.
kernel void spmv(global const int *restrict starts, global const int *restrict columns, global const float *restrict values,
                 global const float *restrict x, global float *restrict y) {
  int row = get_global_id(0);
  float sum = 0;
  for (int k = starts[row]; k < starts[row + 1]; k++) sum += values[k] * x[columns[k]];
  y[row] = sum;
}
