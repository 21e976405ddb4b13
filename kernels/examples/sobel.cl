// SPDX-License-Identifier: MIT
// Edges of a photograph: the Sobel operator on the brightness of RGBA pixels, borders repeated.
int brightness(uchar4 pixel) { return (pixel.x * 77 + pixel.y * 151 + pixel.z * 28) >> 8; }

kernel void sobel(global const uchar4 *restrict in, global uchar4 *restrict out, int width, int height) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x >= width || y >= height) return;
  int left = max(x - 1, 0), right = min(x + 1, width - 1);
  int up = max(y - 1, 0) * width, here = y * width, down = min(y + 1, height - 1) * width;
  int a = brightness(in[up + left]), b = brightness(in[up + x]), c = brightness(in[up + right]);
  int d = brightness(in[here + left]), f = brightness(in[here + right]);
  int g = brightness(in[down + left]), h = brightness(in[down + x]), i = brightness(in[down + right]);
  int dx = (c + 2 * f + i) - (a + 2 * d + g);
  int dy = (g + 2 * h + i) - (a + 2 * b + c);
  uchar edge = convert_uchar_sat(abs(dx) + abs(dy));
  out[here + x] = (uchar4)(edge, edge, edge, 255);
}
