// SPDX-License-Identifier: MIT
// Common, geometric, relational and integer built-ins where the result is exact.

// run: common
// arg: float[8] = zero -> 2 5 0.5 180 1 -1 0.5 3
kernel void common(global float *out) {
  out[0] = clamp(1.0f, 2.0f, 3.0f);
  out[1] = max(5.0f, -1.0f);
  out[2] = mix(0.0f, 1.0f, 0.5f);
  out[3] = round(degrees(M_PI_F));
  out[4] = step(1.0f, 1.0f);
  out[5] = sign(-3.0f);
  out[6] = smoothstep(0.0f, 2.0f, 1.0f);
  out[7] = min((float2)(3, 4), 9.0f).x;
}

// run: geometric
// arg: float4[1] = zero -> 0 0 1 0
// arg: float[4] = zero -> 32 5 5 1
kernel void geometric(global float4 *product, global float *out) {
  *product = cross((float4)(1, 0, 0, 9), (float4)(0, 1, 0, 9));
  out[0] = dot((float3)(1, 2, 3), (float3)(4, 5, 6));
  out[1] = length((float2)(3, 4));
  out[2] = distance((float2)(1, 1), (float2)(4, 5));
  out[3] = normalize((float2)(0, 7)).y;
}

// A scalar answers 1, a vector -1.
// run: relational
// arg: float = nan
// arg: int[8] = zero -> 1 -1 0 1 -1 1 0 0x0f0f
kernel void relational(float nan, global int *out) {
  out[0] = isnan(nan);
  out[1] = isnan((float2)(nan, 1)).x;
  out[2] = isless(nan, 1.0f);
  out[3] = isunordered(nan, 1.0f);
  out[4] = signbit((float2)(-0.0f, 1)).x;
  out[5] = isinf(-INFINITY);
  out[6] = isequal(nan, nan);
  out[7] = bitselect(0x0000, 0xffff, 0x0f0f);
}

// run: split
// arg: float[6] = zero -> 0.25 3 0.75 2 0.5 -8
kernel void split(global float *out) {
  float whole;
  int exponent;
  out[0] = modf(3.25f, &whole);
  out[1] = whole;
  out[2] = frexp(3.0f, &exponent);
  out[3] = exponent;
  out[4] = fract(-1.5f, &whole);
  out[5] = ldexp(-1.0f, 3);
}

// run: not_contracted
// arg: float[4] = 1.000244140625 1.000244140625 -1.00048828125 7 -> 1.000244140625 1.000244140625 -1.00048828125 0
static float sum(float a, float b, float c) { return a * b + c; }
kernel void not_contracted(global float *p) {
#pragma OPENCL FP_CONTRACT OFF
  // In one step it would be 2^-24.
  p[3] = p[0] * p[1] + p[2];
  // Here either is right.
  if (sum(p[0], p[1], p[2]) > 1.0f) p[3] = 1.0f;
}

// A NaN that is computed while compiling is positive, negation changes its sign, and a NaN that is given by its bits keeps them.
constant float nans[2] = {0.0f / 0.0f, -(0.0f / 0.0f)};

// run: signs_of_nans
// arg: float = 1
// arg: int[6] = zero -> 0 1 0 1 -1 0
// arg: uint[4] = zero -> 0xffabcdef 0x7fc00001 0xffffffff 0xffc00000
kernel void signs_of_nans(float one, global int *out, global uint *bits) {
  float4 v = (float4)(one, NAN, -NAN, 0.0f / 0.0f);
  out[0] = signbit(NAN);
  out[1] = signbit(-NAN);
  out[2] = signbit(v).y;
  out[3] = copysign(one, -NAN) == -1.0f;
  out[4] = signbit(v).z;
  out[5] = signbit(v).w + signbit(INFINITY - INFINITY);
  global float *kept = (global float *)bits;
  kept[0] = as_float(0xffabcdef);
  kept[1] = one > 0 ? as_float(0x7fc00001) : NAN;
  vstore2((float2)(as_float(0xffffffff), nans[1]), 1, kept);
}
