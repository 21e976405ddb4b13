// SPDX-License-Identifier: MIT
//
// exp, exp2, exp10, expm1.
//
// x = n ln 2 + r with |r| <= ln 2 / 2, subtracted in two parts of which the smaller is added again at the end, so that r
// is as good as exact; a minimax polynomial for e^r; then times 2^n in two steps, so that subnormal results are rounded
// once. NaN runs through the arithmetic; arguments are limited to where results still change. Errors: below 1 ulp.
#include "math.h"
#include "exponential.h"

float __anycl_exp_f32(float x) {
  x = at_most_f32(at_least_f32(x, -104.0f), 89.0f);
  float shifted = x * 0x1.715476p+0f + SHIFT_F32;
  float n = shifted - SHIFT_F32;
  float high = x - n * 0x1.63p-1f;
  float low = n * -0x1.bd0106p-13f;
  float r = high - low;
  return scale_f32(1.0f + (high + (r * r * exp_tail_f32(r) - low)), shifted);
}

// Half of r (here) and twice r (below) are exact, which leaves only a small part of the exponent to rounding.
float __anycl_exp2_f32(float x) {
  x = at_most_f32(at_least_f32(x, -151.0f), 128.0f);
  float shifted = x + SHIFT_F32;
  float r = x - (shifted - SHIFT_F32);
  float p = 0x1.8b90c2p-3f +
            r * (0x1.ebfbdcp-3f + r * (0x1.c6af10p-5f + r * (0x1.3b2d9ap-7f + r * (0x1.5f2fe8p-10f + r * 0x1.41b9e2p-13f))));
  return scale_f32(1.0f + (0.5f * r + r * p), shifted);
}

float __anycl_exp10_f32(float x) {
  x = at_most_f32(at_least_f32(x, -45.5f), 38.6f);
  float shifted = x * 0x1.a934f0p+1f + SHIFT_F32;
  float n = shifted - SHIFT_F32;
  float high = x - n * 0x1.344p-2f;
  float low = n * 0x1.3509f8p-18f;
  float r = high - low;
  float p = 0x1.35d8e2p-2f +
            r * (0x1.53524ap+1f + r * (0x1.046f76p+1f + r * (0x1.2bd9c6p+0f + r * (0x1.157daap-1f + r * 0x1.a6927ap-3f))));
  return scale_f32(1.0f + (2.0f * high + (r * p - 2.0f * low)), shifted);
}

/** (2^n - 1) + 2^n (e^r - 1), its first two terms in two numbers, all of it halved so that 2^n is in range. */
float __anycl_expm1_f32(float x) {
  float b = at_most_f32(at_least_f32(x, -18.0f), 89.0f);
  float shifted = b * 0x1.715476p+0f + SHIFT_F32;
  float n = shifted - SHIFT_F32;
  float high = b - n * 0x1.63p-1f;
  float low = n * -0x1.bd0106p-13f;
  float r = high - low;
  float tail = 0x1.555554p-3f + r * (0x1.5554f0p-5f + r * (0x1.11130ap-7f + r * (0x1.6d43c2p-10f + r * 0x1.9e04d6p-13f)));
  float square = r * r;
  // The half of the square is exact but for the square's rounding: with 1/2 in the polynomial the error is 1.005 ulp near 0.374.
  float rest = 0.5f * square + (square * r * tail - low);
  float scale = power_of_two_f32(shifted, -1);
  float first = scale - 0.5f;
  float second = scale * high;
  float sum = first + second;
  float lost = ((scale - first) - 0.5f) + ((first - sum) + second);
  float y = 2.0f * (sum + (lost + scale * rest));
  return fabs(x) < 0x1.0p-30f ? x : y;
}

double __anycl_exp_f64(double x) {
  x = at_most_f64(at_least_f64(x, -746.0), 710.0);
  double shifted = x * 0x1.71547652b82fep+0 + SHIFT_F64;
  double n = shifted - SHIFT_F64;
  double high = x - n * 0x1.62e42feep-1;
  double low = n * 0x1.a39ef35793c76p-33;
  double r = high - low;
  return scale_f64(1.0 + (high + (r * r * exp_tail_f64(r) - low)), shifted);
}

double __anycl_exp2_f64(double x) {
  x = at_most_f64(at_least_f64(x, -1076.0), 1024.0);
  double shifted = x + SHIFT_F64;
  double f = x - (shifted - SHIFT_F64);
  // f ln 2 as a sum of two: the product's rounding matters.
  double f1 = upper_f64(f);
  double high = f1 * 0x1.62e42f8p-1;
  double low = f1 * 0x1.be8e7bcd5e4f2p-27 + (f - f1) * 0x1.62e42fefa39efp-1;
  double r = high + low;
  return scale_f64(1.0 + (high + (low + r * r * exp_tail_f64(r))), shifted);
}

double __anycl_exp10_f64(double x) {
  x = at_most_f64(at_least_f64(x, -324.5), 308.5);
  double shifted = x * 0x1.a934f0979a371p+1 + SHIFT_F64;
  double n = shifted - SHIFT_F64;
  double rest = x - n * 0x1.34413508p-2;
  double small = n * 0x1.f79fef311f12bp-34;
  double f1 = upper_f64(rest - small);
  double high = f1 * 0x1.26bb1b8p+1;
  double low = f1 * 0x1.daaa8ac16ea57p-26 + ((rest - f1) - small) * 0x1.26bb1bbb55516p+1;
  double r = high + low;
  return scale_f64(1.0 + (high + (low + r * r * exp_tail_f64(r))), shifted);
}

double __anycl_expm1_f64(double x) {
  double low;
  double quarter = quarter_expm1_f64(exp_parts_f64(at_most_f64(at_least_f64(x, -40.0), 710.0)), &low);
  return fabs(x) < 0x1.0p-60 ? x : 4.0 * quarter;
}

// A shorter version: subnormal results may be inaccurate, and an error of 2^-22 is enough.
float __anycl_native_exp2_f32(float x) {
  x = at_most_f32(at_least_f32(x, -126.0f), 128.0f);
  float shifted = x + SHIFT_F32;
  float r = x - (shifted - SHIFT_F32);
  float y = 1.0f + r * (0x1.62e430p-1f + r * (0x1.ebfbe6p-3f + r * (0x1.c6ada6p-5f + r * (0x1.3b21c6p-7f + r * 0x1.5fc0a2p-10f))));
  return y * power_of_two_f32(shifted, 0);
}
float __anycl_native_exp_f32(float x) { return __anycl_native_exp2_f32(x * 0x1.715476p+0f); }
float __anycl_native_exp10_f32(float x) { return __anycl_native_exp2_f32(x * 0x1.a934f0p+1f); }
float __anycl_half_exp2_f32(float x) { return __anycl_exp2_f32(x); }
float __anycl_half_exp_f32(float x) { return __anycl_exp_f32(x); }
float __anycl_half_exp10_f32(float x) { return __anycl_exp10_f32(x); }
