// SPDX-License-Identifier: MIT
// Iterations until a point of the complex plane escapes, as a colour. Near the border of the set a fused multiply-add
// would change the count: without it every device draws the same picture.
#pragma OPENCL FP_CONTRACT OFF

kernel void mandelbrot(global uchar4 *image, float left, float top, float step, int limit) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  float cr = left + x * step;
  float ci = top + y * step;
  float zr = 0, zi = 0;
  int n = 0;
  while (n < limit && zr * zr + zi * zi <= 4.0f) {
    float t = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = t;
    n++;
  }
  uchar shade = n == limit ? 0 : (uchar)(255 * n / limit);
  image[y * get_global_size(0) + x] = (uchar4)(shade, (uchar)(n * 7), (uchar)(n * 13), 255);
}
