// SPDX-License-Identifier: MIT
// Matrix products c = a * b of n by n, row after row: plainly, and by tiles that a work-group shares.
#define TILE 16

kernel void matmul(global const float *restrict a, global const float *restrict b, global float *restrict c, int n) {
  int column = get_global_id(0);
  int row = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void matmul_tiled(global const float *restrict a, global const float *restrict b, global float *restrict c, int n) {
  local float tile_a[TILE][TILE];
  local float tile_b[TILE][TILE];
  int x = get_local_id(0);
  int y = get_local_id(1);
  int column = get_global_id(0);
  int row = get_global_id(1);
  float sum = 0;
  for (int t = 0; t < n; t += TILE) {
    tile_a[y][x] = a[row * n + t + x];
    tile_b[y][x] = b[(t + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; k++) sum += tile_a[y][k] * tile_b[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
