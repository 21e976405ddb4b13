// SPDX-License-Identifier: MIT
// saxpy over numbers stored in half precision, computed in single.
kernel void half_saxpy(float a, global const half *restrict x, global half *restrict y) {
  size_t i = get_global_id(0);
  vstore_half(a * vload_half(i, x) + vload_half(i, y), i, y);
}
