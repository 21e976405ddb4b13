// SPDX-License-Identifier: MIT
// Doubles.
// requires: cl_khr_fp64

// run: arithmetic global=2
// arg: double[2] = 0.1 1e300
// arg: double[2] = zero -> 0.30000000000000004 inf
// arg: long[2] = zero -> 1 9223372036854775807
kernel void arithmetic(global const double *in, global double *out, global long *rounded) {
  size_t i = get_global_id(0);
  out[i] = i == 0 ? in[0] + 0.2 : in[1] * in[1];
  rounded[i] = convert_long_sat_rtp(in[i]);
}

// run: narrowed
// arg: float[2] = zero -> 0.10000000149011612 inf
kernel void narrowed(global float *out) {
  double tenth = 0.1, huge = 1e300;
  out[0] = tenth;
  out[1] = huge;
}
