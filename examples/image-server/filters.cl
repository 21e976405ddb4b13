// SPDX-License-Identifier: MIT
// What the server does with images: each work-item makes one pixel of the result.

constant sampler_t BLEND = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
constant sampler_t EXACT = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

// The mean of up to 4 x 4 blended samples, so that small pictures of large ones do not flicker.
kernel void resize(read_only image2d_t from, write_only image2d_t to) {
  int2 place = (int2)(get_global_id(0), get_global_id(1));
  float2 size = convert_float2(get_image_dim(to));
  int2 samples = clamp(convert_int2_rtp(convert_float2(get_image_dim(from)) / size), 1, 4);
  float4 sum = 0;
  for (int y = 0; y < samples.y; y++)
    for (int x = 0; x < samples.x; x++) {
      float2 part = (convert_float2((int2)(x, y)) + 0.5f) / convert_float2(samples);
      sum += read_imagef(from, BLEND, (convert_float2(place) + part) / size);
    }
  write_imagef(to, place, sum / (samples.x * samples.y));
}

kernel void grey(read_only image2d_t from, write_only image2d_t to) {
  int2 place = (int2)(get_global_id(0), get_global_id(1));
  float4 p = read_imagef(from, EXACT, place);
  float light = dot(p.xyz, (float3)(0.2126f, 0.7152f, 0.0722f));
  write_imagef(to, place, (float4)(light, light, light, p.w));
}

kernel void sharpen(read_only image2d_t from, write_only image2d_t to) {
  int2 place = (int2)(get_global_id(0), get_global_id(1));
  float4 middle = read_imagef(from, EXACT, place);
  float4 around = read_imagef(from, EXACT, place + (int2)(1, 0)) + read_imagef(from, EXACT, place - (int2)(1, 0)) +
                  read_imagef(from, EXACT, place + (int2)(0, 1)) + read_imagef(from, EXACT, place - (int2)(0, 1));
  float4 sharp = clamp(middle + 0.5f * (middle - around / 4), 0.0f, 1.0f);
  write_imagef(to, place, (float4)(sharp.xyz, middle.w));
}
