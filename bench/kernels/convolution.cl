// SPDX-License-Identifier: MIT
kernel void convolution(global const float *restrict in, global float *restrict out, constant float *weights,
                        int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int dy = -2; dy <= 2; dy++) {
    int row = clamp(y + dy, 0, height - 1) * width;
    for (int dx = -2; dx <= 2; dx++) sum += in[row + clamp(x + dx, 0, width - 1)] * weights[(dy + 2) * 5 + dx + 2];
  }
  out[y * width + x] = sum;
}
