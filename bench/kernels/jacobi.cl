// SPDX-License-Identifier: MIT
// One Jacobi sweep of the heat equation over the inner points of a cube.
kernel void jacobi(global const float *restrict in, global float *restrict out, int nx, int ny, int nz) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1) return;
  int i = (z * ny + y) * nx + x;
  out[i] = (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - nx * ny] + in[i + nx * ny]) * (1.0f / 6.0f);
}
