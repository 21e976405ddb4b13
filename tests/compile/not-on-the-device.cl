// SPDX-License-Identifier: MIT
// options: -cl-std=CL3.0
// What the compiler lowers and the software device does not claim.
kernel void samples(read_only image2d_msaa_t in, global float *out) {
  out[0] = read_imagef(in, (int2)(0), 1).x + get_image_num_samples(in);
}
