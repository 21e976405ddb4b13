// SPDX-License-Identifier: MIT
// options: -cl-std=CL2.0
constant sampler_t linear = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
kernel void images(read_only image2d_t in, read_write image2d_t both, write_only image3d_t out, sampler_t s) {
  const sampler_t nearest = CLK_FILTER_NEAREST;
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float2 uv = convert_float2(at) / (float2)(get_image_width(in), get_image_height(in));
  float4 sum = read_imagef(in, linear, uv) + read_imagef(in, nearest, at) + read_imagef(in, s, at) + read_imagef(both, at);
  write_imagef(both, at, sum);
  write_imagef(out, (int4)(at, 0, 0), sum);
}
kernel void levels(read_only image2d_t in, read_only image3d_t volume, sampler_t s, global float *to) {
  to[0] = read_imagef(in, s, (float2)(0), 1.0f).x;
  to[1] = read_imagef(volume, s, (float4)(0), (float4)(1, 2, 3, 0), (float4)(4, 5, 6, 0)).x;
  to[2] = get_image_num_mip_levels(in);
}
