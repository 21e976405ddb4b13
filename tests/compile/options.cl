// SPDX-License-Identifier: MIT
// options: -cl-std=CL1.2 -cl-fast-relaxed-math -cl-denorms-are-zero -g
// spirv-version: 1.4
#pragma OPENCL FP_CONTRACT OFF
__attribute__((reqd_work_group_size(8, 4, 1), vec_type_hint(float4)))
kernel void modes(global float *a) {
  local float shared[32];
  shared[get_local_id(0)] = a[0];
  a[1] = a[0] * a[2] + sqrt(a[3]) / shared[3];
}
