// SPDX-License-Identifier: MIT
// Filters over images with samplers (bench/workloads).
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t linear = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

kernel void image_gauss(read_only image2d_t in, write_only image2d_t out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) sum += read_imagef(in, nearest, at + (int2)(dx, dy)) * ((2 - abs(dx)) * (2 - abs(dy)) / 16.0f);
  write_imagef(out, at, sum);
}

kernel void image_rotate(read_only image2d_t in, write_only image2d_t out, float s, float c) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float2 p = (float2)(at.x, at.y) / (float2)(get_image_width(out), get_image_height(out)) - 0.5f;
  write_imagef(out, at, read_imagef(in, linear, (float2)(c * p.x - s * p.y, s * p.x + c * p.y) + 0.5f));
}

kernel void image_invert(read_only image2d_t in, write_only image2d_t out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  uint4 p = read_imageui(in, at);
  write_imageui(out, at, (uint4)(255 - p.xyz, p.w));
}
