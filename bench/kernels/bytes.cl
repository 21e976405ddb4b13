// SPDX-License-Identifier: MIT
// Images and signals of 8- and 16-bit numbers (bench/workloads).

// One image over another, by the upper one's alpha.
kernel void blend(global const uchar4 *restrict over, global const uchar4 *restrict under, global uchar4 *restrict out) {
  int i = get_global_id(0);
  float4 a = convert_float4(over[i]), b = convert_float4(under[i]);
  out[i] = convert_uchar4_sat_rte(a * (a.w / 255.0f) + b * (1.0f - a.w / 255.0f));
}

// The same with integers, component by component.
kernel void blend_int(global const uchar4 *restrict over, global const uchar4 *restrict under, global uchar4 *restrict out) {
  int i = get_global_id(0);
  ushort4 a = convert_ushort4(over[i]), b = convert_ushort4(under[i]);
  ushort alpha = a.w;
  ushort4 sum = a * alpha + b * (ushort)(255 - alpha) + (ushort)128;
  out[i] = convert_uchar4((sum + (sum >> (ushort)8)) >> (ushort)8);
}

kernel void gray(global const uchar4 *restrict in, global uchar *restrict out) {
  int i = get_global_id(0);
  uchar4 p = in[i];
  out[i] = (77 * p.x + 150 * p.y + 29 * p.z + 128) >> 8;
}

kernel void threshold(global const uchar *restrict in, global uchar *restrict out, uchar limit) {
  int i = get_global_id(0);
  out[i] = in[i] > limit ? 255 : 0;
}

// Sum of absolute differences, saturating, and halving addition, as in motion compensation.
kernel void compensate(global const uchar *restrict a, global const uchar *restrict b, global uchar *restrict out) {
  int i = get_global_id(0);
  uchar d = abs_diff(a[i], b[i]);
  out[i] = add_sat(rhadd(a[i], b[i]), (uchar)(d >> 2));
}

// 3 by 3 mean by tiles of local memory with a frame around them, groups of 16 by 16.
kernel void box(global const uchar *restrict in, global uchar *restrict out, int w, int h) {
  local uchar tile[18][20];
  int lx = get_local_id(0), ly = get_local_id(1), x0 = get_group_id(0) * 16, y0 = get_group_id(1) * 16;
  for (int i = ly * 16 + lx; i < 18 * 18; i += 256) {
    int tx = i % 18, ty = i / 18;
    tile[ty][tx] = in[clamp(y0 + ty - 1, 0, h - 1) * w + clamp(x0 + tx - 1, 0, w - 1)];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int dy = 0; dy < 3; dy++) for (int dx = 0; dx < 3; dx++) sum += tile[ly + dy][lx + dx];
  out[(y0 + ly) * w + x0 + lx] = (sum + 4) / 9;
}

// Twice as large, by bilinear interpolation.
kernel void resize(global const uchar4 *restrict in, global uchar4 *restrict out, int w, int h, float step) {
  int x = get_global_id(0), y = get_global_id(1);
  float fx = (x + 0.5f) * step - 0.5f, fy = (y + 0.5f) * step - 0.5f;
  int ix = (int)floor(fx), iy = (int)floor(fy);
  float ax = fx - ix, ay = fy - iy;
  int x0 = clamp(ix, 0, w - 1), x1 = clamp(ix + 1, 0, w - 1), y0 = clamp(iy, 0, h - 1), y1 = clamp(iy + 1, 0, h - 1);
  float4 top = mix(convert_float4(in[y0 * w + x0]), convert_float4(in[y0 * w + x1]), ax);
  float4 bottom = mix(convert_float4(in[y1 * w + x0]), convert_float4(in[y1 * w + x1]), ax);
  out[y * get_global_size(0) + x] = convert_uchar4_sat_rte(mix(top, bottom, ay));
}

// Planes of brightness and colour to pixels.
kernel void yuv(global const uchar *restrict luma, global const uchar2 *restrict chroma, global uchar4 *restrict out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  int l = 298 * (luma[y * w + x] - 16);
  uchar2 c = chroma[(y / 2) * (w / 2) + x / 2];
  int u = c.x - 128, v = c.y - 128;
  int4 p = (int4)(l + 409 * v + 128, l - 100 * u - 208 * v + 128, l + 516 * u + 128, 255 << 8) >> 8;
  out[y * w + x] = convert_uchar4_sat(p);
}

// Best of 64 displacements of an 8 by 8 block, by the sum of absolute differences.
kernel void motion(global const uchar *restrict now, global const uchar *restrict before, global int *restrict out, int w) {
  int bx = get_global_id(0), by = get_global_id(1), best = 1 << 30;
  for (int d = 0; d < 64; d++) {
    uint sum = 0;
    for (int y = 0; y < 8; y++)
      for (int x = 0; x < 8; x++)
        sum += abs_diff(now[(by * 8 + y) * w + bx * 8 + x], before[(by * 8 + y + d / 8) * w + bx * 8 + x + d % 8]);
    best = min(best, (int)(sum << 6 | d));
  }
  out[by * get_global_size(0) + bx] = best;
}

kernel void fir16(global const short *restrict in, constant short *taps, global short *restrict out, int n) {
  int i = get_global_id(0), sum = 0;
  for (int k = 0; k < n; k++) sum += in[i + k] * taps[k];
  out[i] = convert_short_sat((sum + 16384) >> 15);
}

kernel void gemm8(global const char *restrict a, global const char *restrict b, global int *restrict c, int n) {
  int x = get_global_id(0), y = get_global_id(1), sum = 0;
  for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
