// SPDX-License-Identifier: MIT
//
// exp, exp2, exp10, expm1.
//
// x = n ln 2 + r with |r| <= ln 2 / 2, subtracted in two parts so that r is exact but for its last rounding; a minimax polynomial
// for e^r; then times 2^n in two steps, so that subnormal results are rounded once. NaN propagates through the arithmetic;
// results out of range are selected at the end. Errors: below 1.2 ulp, expm1 below 2.1.
#include "math.h"

/** e^r - 1 - r, divided by r^2; |r| <= 0.347; relative error of e^r 2^-28. */
static inline float exp_tail_f32(float r) {
  return 0x1.fffffcp-2f +
         r * (0x1.55548cp-3f + r * (0x1.5558b8p-5f + r * (0x1.123d52p-7f + r * 0x1.6a32a6p-10f)));
}

/** The same for doubles; relative error of e^r 2^-63. */
static inline double exp_tail_f64(double r) {
  double z = r * r;
  double low = (0x1.0p-1 + r * 0x1.555555555555cp-3) + z * (0x1.5555555555556p-5 + r * 0x1.111111110e97cp-7);
  double middle =
      (0x1.6c16c16c15f2ep-10 + r * 0x1.a01a01b48ab27p-13) + z * (0x1.a01a01a8981f9p-16 + r * 0x1.71ddedac6e45bp-19);
  double high = 0x1.27e4d68fd8e3cp-22 + r * 0x1.af6febd748903p-26 + z * 0x1.1f7bda4a05655p-29;
  return low + z * z * (middle + z * z * high);
}

float __anycl_exp_f32(float x) {
  float n = rint(x * 0x1.715476p+0f);
  float r = (x - n * 0x1.63p-1f) - n * -0x1.bd0106p-13f;
  float y = scale_f32(1.0f + (r + r * r * exp_tail_f32(r)), (int)n);
  y = x > 88.8f ? INF_F32 : y;
  return x < -104.0f ? 0.0f : y;
}

float __anycl_exp2_f32(float x) {
  float n = rint(x);
  float r = x - n;
  float y = 1.0f + r * (0x1.62e432p-1f +
                        r * (0x1.ebfbe6p-3f +
                             r * (0x1.c6ada6p-5f + r * (0x1.3b21c6p-7f + r * (0x1.5fc0a2p-10f + r * 0x1.4bbacap-13f)))));
  y = scale_f32(y, (int)n);
  y = x >= 128.0f ? INF_F32 : y;
  return x < -150.0f ? 0.0f : y;
}

float __anycl_exp10_f32(float x) {
  float n = rint(x * 0x1.a934f0p+1f);
  float r = (x - n * 0x1.344p-2f) - n * 0x1.3509f8p-18f;
  float y = 1.0f + r * (0x1.26bb1cp+1f +
                        r * (0x1.53524cp+1f +
                             r * (0x1.046fa2p+1f + r * (0x1.2bd718p+0f + r * (0x1.156ad6p-1f + r * 0x1.a9fa94p-3f)))));
  y = scale_f32(y, (int)n);
  y = x > 38.6f ? INF_F32 : y;
  return x < -45.2f ? 0.0f : y;
}

/** 2^n (e^r - 1) + (2^n - 1): exact where n is 0. */
float __anycl_expm1_f32(float x) {
  float n = rint(x * 0x1.715476p+0f);
  float r = (x - n * 0x1.63p-1f) - n * -0x1.bd0106p-13f;
  float tail = 0.5f + r * (0x1.5554aap-3f + r * (0x1.555538p-5f + r * (0x1.122c54p-7f + r * 0x1.6cd752p-10f)));
  float e = r + r * r * tail;
  int k = (int)n;
  // For large n, 2^n alone may overflow where the result does not.
  int first = k >> 1;
  float a = as_float((first + 127) << 23);
  float b = as_float((k - first + 127) << 23);
  float y = k > 30 ? (1.0f + e) * a * b : (e * (a * b) + (a * b - 1.0f));
  y = n == 0.0f ? e : y;
  y = x > 88.8f ? INF_F32 : y;
  y = x < -18.0f ? -1.0f : y;
  return x == 0.0f ? x : y;
}

double __anycl_exp_f64(double x) {
  double n = rint(x * 0x1.71547652b82fep+0);
  double r = (x - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33;
  double y = scale_f64(1.0 + (r + r * r * exp_tail_f64(r)), (int)n);
  y = x > 709.8 ? INF_F64 : y;
  return x < -745.2 ? 0.0 : y;
}

double __anycl_exp2_f64(double x) {
  double n = rint(x);
  double f = x - n;
  // f ln 2 as a sum of two: the product's rounding matters.
  double f1 = upper_f64(f);
  double high = f1 * 0x1.62e42f8p-1;
  double low = f1 * 0x1.be8e7bcd5e4f2p-27 + (f - f1) * 0x1.62e42fefa39efp-1;
  double r = high + low;
  double y = scale_f64(1.0 + (high + (low + r * r * exp_tail_f64(r))), (int)n);
  y = x >= 1024.0 ? INF_F64 : y;
  return x < -1076.0 ? 0.0 : y;
}

double __anycl_exp10_f64(double x) {
  double n = rint(x * 0x1.a934f0979a371p+1);
  double f = (x - n * 0x1.34413508p-2) - n * 0x1.f79fef311f12bp-34;
  double f1 = upper_f64(f);
  double high = f1 * 0x1.26bb1b8p+1;
  double low = f1 * 0x1.daaa8ac16ea57p-26 + (f - f1) * 0x1.26bb1bbb55516p+1;
  double r = high + low;
  double y = scale_f64(1.0 + (high + (low + r * r * exp_tail_f64(r))), (int)n);
  y = x > 308.3 ? INF_F64 : y;
  return x < -324.0 ? 0.0 : y;
}

double __anycl_expm1_f64(double x) {
  double n = rint(x * 0x1.71547652b82fep+0);
  double r = (x - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33;
  double e = r + r * r * exp_tail_f64(r);
  int k = (int)n;
  int first = k >> 1;
  double a = as_double((long)(first + 1023) << 52);
  double b = as_double((long)(k - first + 1023) << 52);
  double y = k > 60 ? (1.0 + e) * a * b : (e * (a * b) + (a * b - 1.0));
  y = n == 0.0 ? e : y;
  y = x > 709.8 ? INF_F64 : y;
  y = x < -40.0 ? -1.0 : y;
  return x == 0.0 ? x : y;
}

// Half the work: subnormal results may be inaccurate, and an error of 2^-22 is enough.
float __anycl_native_exp2_f32(float x) {
  x = at_most_f32(at_least_f32(x, -126.0f), 128.0f);
  float n = rint(x);
  float r = x - n;
  float y = 1.0f + r * (0x1.62e430p-1f + r * (0x1.ebfbe6p-3f + r * (0x1.c6ada6p-5f + r * (0x1.3b21c6p-7f + r * 0x1.5fc0a2p-10f))));
  return y * as_float(((int)n + 127) << 23);
}
float __anycl_native_exp_f32(float x) { return __anycl_native_exp2_f32(x * 0x1.715476p+0f); }
float __anycl_native_exp10_f32(float x) { return __anycl_native_exp2_f32(x * 0x1.a934f0p+1f); }
float __anycl_half_exp2_f32(float x) { return __anycl_exp2_f32(x); }
float __anycl_half_exp_f32(float x) { return __anycl_exp_f32(x); }
float __anycl_half_exp10_f32(float x) { return __anycl_exp10_f32(x); }
