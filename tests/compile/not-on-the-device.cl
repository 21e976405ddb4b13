// SPDX-License-Identifier: MIT
// options: -cl-std=CL3.0
// What the compiler lowers and the software device does not claim.
kernel void levels(read_only image2d_t in, sampler_t s, global float *out) {
  out[0] = read_imagef(in, s, (float2)(0), 1.0f).x;
  out[1] = get_image_num_mip_levels(in);
}
kernel void samples(read_only image2d_msaa_t in, global float *out) {
  out[0] = read_imagef(in, (int2)(0), 1).x + get_image_num_samples(in);
}
kernel void local_arguments(global int *out) {
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),
                 ^(local void *p) { out[0] = *(local int *)p; }, 4);
}
kernel void markers(global int *out) {
  clk_event_t event = create_user_event();
  set_user_event_status(event, CL_COMPLETE);
  release_event(event);
  out[0] = get_kernel_work_group_size(^{});
}
