// SPDX-License-Identifier: MIT
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void nbody_double(global const double4 *restrict position, global double4 *restrict acceleration, int count) {
  int i = get_global_id(0);
  double4 me = position[i];
  double3 force = (double3)(0);
  for (int j = 0; j < count; j++) {
    double4 other = position[j];
    double3 d = other.xyz - me.xyz;
    double r2 = dot(d, d) + 1e-6;
    double inverse = 1.0 / sqrt(r2);
    force += d * (other.w * inverse * inverse * inverse);
  }
  acceleration[i] = (double4)(force, 0);
}
