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

// Steps of the usual sequence overflow, lose the product's error, or lose a zero's sign.
// run: fused global=9
// arg: ulong[9] = 0x7fe1ccf385ebc8a0 0x7f423a516e82d9ba 0x7e70000001000000 0x1f70000001000000 0x9a70000001000000 0x1a70000000000000 0x7e37e43c8800759c 0x8000000000000000 0x1e38000000000000
// arg: ulong[9] = 0x4024000000000000 0x3e10000001000000 0x3ff0000001000000 0x1f70000001000000 0x1a70000000000000 0x2250000000000000 0x7e37e43c8800759c 0x4014000000000000 0x1e88000000000000
// arg: ulong[9] = 0xffe1ccf385ebc8a0 0xfc2485ce9e7a065f 0xfe70000002000000 0x0000000000000000 0x0000000000000000 0x8000000000000001 0xfff0000000000000 0x8000000000000000 0x0008000000000000
// arg: ulong[9] = zero -> 0x7ff0000000000000 0x7d623a50274994e9 0x7af0000000000000 0x0000000400000080 0x8000000000000000 0x0000000000000000 0xfff0000000000000 0x8000000000000000 0x0008000000000001
kernel void fused(global const ulong *a, global const ulong *b, global const ulong *c, global ulong *out) {
  size_t i = get_global_id(0);
  out[i] = as_ulong(fma(as_double(a[i]), as_double(b[i]), as_double(c[i])));
}
