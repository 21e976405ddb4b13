// SPDX-License-Identifier: MIT
//
// sinh, cosh, tanh, asinh, acosh, atanh.
//
// sinh and cosh by e^|x|, tanh by e^x - 1, in two numbers and scaled so that it overflows only where the result does; the
// inverses by the logarithm of a sum in two numbers, atanh by that of a quotient. Float's tanh is computed in double. Errors:
// below 1 ulp.
#include "math.h"
#include "exponential.h"
#include "logarithm.h"

/** e^x / 4 in two numbers, for 0 <= x <= 90. */
static inline float quarter_exp_f32(float x, float *low) {
  float shifted = x * 0x1.715476p+0f + SHIFT_F32;
  float n = shifted - SHIFT_F32;
  float high = x - n * 0x1.63p-1f;
  float small = n * -0x1.bd0106p-13f;
  float r = high - small;
  float q = high + (r * r * exp_tail_f32(r) - small);
  float y = 1.0f + q;
  float scale = power_of_two_f32(shifted, -2);
  *low = scale * ((1.0f - y) + q);
  return scale * y;
}

float __anycl_sinh_f32(float x) {
  float magnitude = fabs(x);
  float z = x * x;
  float near = magnitude + magnitude * z * (0x1.55559ap-3f + z * (0x1.10f6fap-7f + z * 0x1.ab5438p-13f));
  float low;
  float e = quarter_exp_f32(at_most_f32(magnitude, 89.5f), &low);
  // low also changes the reciprocal.
  float g = 0.25f / e;
  float y = magnitude < 0.7f ? near : 2.0f * (e + (low * (1.0f + g * g) - 0.25f * g));
  return copysign(y, x);
}
float __anycl_cosh_f32(float x) {
  float low;
  float e = quarter_exp_f32(at_most_f32(fabs(x), 89.5f), &low);
  return 2.0f * (e + (low + 0.0625f / e));
}
/** e^r - 1 for |r| <= ln 2 / 2; relative error 2^-31. */
static inline double expm1_in_double(double r) {
  return r + r * r * (0x1.000000281070bp-1 + r * (0x1.555555000fc15p-3 + r * (0x1.5554adabee7e5p-5 + r * (0x1.11117258a0fc1p-7 + r * (0x1.6d7496222144ap-10 + r * 0x1.a0517475b57fep-13)))));
}
float __anycl_tanh_f32(float x) {
  double twice = 2.0 * (double)at_most_f32(fabs(x), 10.0f);
  double shifted = twice * 0x1.71547652b82fep+0 + SHIFT_F64;
  double scale = power_of_two_f64(shifted, 0);
  double e = scale * expm1_in_double(twice - (shifted - SHIFT_F64) * 0x1.62e42fefa39efp-1) + (scale - 1.0);
  return copysign((float)(e / (e + 2.0)), x);
}
float __anycl_asinh_f32(float x) {
  float a = fabs(x);
  float upper = upper_f32(a);
  float z = a * a;
  float z_low = (upper * upper - z) + (a - upper) * (a + upper);
  // sqrt(1 + z) - 1 = z / d, and what the roundings of z and d cost
  float root = sqrt(1.0f + z);
  float d = 1.0f + root;
  float part = z / d;
  float part_low = (z_low - part * ((root - d) + 1.0f)) * about_inverse_f32(d);
  // Large numbers as log(a) + log(2).
  bool large = a > 0x1.0p30f;
  float w = large ? a : a + part;
  int e;
  float lost, inverse;
  float f = split_1p_f32(w, &e, &lost, &inverse);
  float w_low = large ? 0.0f : ((a - w) + part) + part_low;
  float y = log_joined_f32(f, (float)(e + (large ? 1 : 0)), (lost + w_low) * inverse);
  y = a < INF_F32 ? y : a;
  return a < 0x1.0p-13f ? x : copysign(y, x);
}
float __anycl_acosh_f32(float x) {
  // x^2 - 1 = 2 t + t^2 and its root, each in two numbers
  float t = x - 1.0f;
  float square = t * t;
  float p = 2.0f * t + square;
  float p_low = (2.0f * t - p) + square;
  float root = sqrt(p);
  float upper = upper_f32(root);
  float rest = (p - upper * upper) - (root - upper) * (root + upper);
  float root_low = 0.5f * (rest + (t > 2.0f ? 0.0f : p_low)) * about_inverse_f32(root);
  bool large = x > 0x1.0p30f;
  float w = large ? x : t + root;
  int e;
  float lost, inverse;
  float f = split_1p_f32(w, &e, &lost, &inverse);
  float w_low = large ? 0.0f : ((root - w) + t) + root_low;
  float y = log_joined_f32(f, (float)(e + (large ? 1 : 0)), (lost + w_low) * inverse);
  y = x < INF_F32 ? y : x;
  return x >= 1.0f ? y : NAN_F32;
}

/**
 * (1 + a) / (1 - a) = 2^k (1 + s) / (1 - s): s as a quotient of sums in two numbers, and k by the difference of the bits,
 * which is nearly that of the logarithms; |s| <= 0.201.
 */
float __anycl_atanh_f32(float x) {
  float a = fabs(x);
  float more = 1.0f + a;
  float less = 1.0f - a;
  float more_low = (1.0f - more) + a;
  float less_low = (1.0f - less) - a;
  int bits = as_int(more) - as_int(less) + 0x00400000;
  float k = (float)(bits >> 23);
  float c = as_float((bits & 0x7f800000) + 0x3f800000);
  less *= c;
  less_low *= c;
  float d = more + less;
  float d_low = ((more - d) + less) + (more_low + less_low);
  float s_low;
  float s_high = quotient_f32(more - less, more_low - less_low, d, d_low, &s_low);
  float s = s_high + s_low;
  float z = s * s;
  float tail = s * z * (0x1.5555b8p-2f + z * (0x1.9927eap-3f + z * 0x1.3723p-3f));
  float first = k * 0x1.62e4p-2f;
  float sum = first + s_high;
  float y = sum + (((first - sum) + s_high) + (s_low + (tail + k * 0x1.7f7d1cp-21f)));
  y = a < 1.0f ? y : a == 1.0f ? INF_F32 : NAN_F32;
  return copysign(y, x);
}

/** e^x / 4 in two numbers. */
static inline double quarter_exp_f64(ExpParts p, double *low) {
  double q = p.high + p.tail;
  double sum = 1.0 + q;
  *low = p.scale * ((1.0 - sum) + q);
  return p.scale * sum;
}
double __anycl_sinh_f64(double x) {
  double magnitude = fabs(x);
  double z = x * x;
  double p = 0x1.5555555555555p-3 + z * (0x1.1111111111184p-7 + z * (0x1.a01a01a00d914p-13 + z * (0x1.71de3a5e8fab3p-19 + z * (0x1.ae64513409cdbp-26 + z * (0x1.61241513afb20p-33 + z * 0x1.b1635048711c5p-41)))));
  double near = magnitude + magnitude * z * p;
  double low;
  double e = quarter_exp_f64(exp_parts_f64(at_most_f64(magnitude, 710.5)), &low);
  // low also changes the reciprocal.
  double g = 0.25 / e;
  double y = magnitude < 0.9 ? near : 2.0 * (e + (low * (1.0 + g * g) - 0.25 * g));
  return copysign(y, x);
}
double __anycl_cosh_f64(double x) {
  double low;
  double e = quarter_exp_f64(exp_parts_f64(at_most_f64(fabs(x), 710.5)), &low);
  return 2.0 * (e + (low + 0.0625 / e));
}
double __anycl_tanh_f64(double x) {
  double low;
  double h = quarter_expm1_f64(exp_parts_f64(2.0 * at_most_f64(fabs(x), 22.0)), &low);
  // h / (h + 1/2)
  double more = at_least_f64(h, 0.5);
  double less = at_most_f64(h, 0.5);
  double d = more + less;
  double y_low;
  double y = quotient_f64(h, low, d, ((more - d) + less) + low, &y_low);
  return fabs(x) < 0x1.0p-30 ? x : copysign(y + y_low, x);
}
double __anycl_asinh_f64(double x) {
  double a = fabs(x);
  double upper = upper_f64(a);
  double z = a * a;
  double z_low = (upper * upper - z) + (a - upper) * (a + upper);
  // sqrt(1 + z) - 1 = z / d, and what the roundings of z and d cost
  double root = sqrt(1.0 + z);
  double d = 1.0 + root;
  double part = z / d;
  double part_low = (z_low - part * ((root - d) + 1.0)) * about_inverse_f64(d);
  // Large numbers as log(a) + log(2).
  bool large = a > 0x1.0p60;
  double w = large ? a : a + part;
  int e;
  double lost, inverse;
  double f = split_1p_f64(w, &e, &lost, &inverse);
  double w_low = large ? 0.0 : ((a - w) + part) + part_low;
  double y = log_joined_f64(f, (double)(e + (large ? 1 : 0)), (lost + w_low) * inverse);
  y = a < INF_F64 ? y : a;
  return a < 0x1.0p-28 ? x : copysign(y, x);
}
double __anycl_acosh_f64(double x) {
  // x^2 - 1 = 2 t + t^2 and its root, each in two numbers
  double t = x - 1.0;
  double square = t * t;
  double p = 2.0 * t + square;
  double p_low = (2.0 * t - p) + square;
  double root = sqrt(p);
  double upper = upper_f64(root);
  double rest = (p - upper * upper) - (root - upper) * (root + upper);
  double root_low = 0.5 * (rest + (t > 2.0 ? 0.0 : p_low)) * about_inverse_f64(root);
  bool large = x > 0x1.0p60;
  double w = large ? x : t + root;
  int e;
  double lost, inverse;
  double f = split_1p_f64(w, &e, &lost, &inverse);
  double w_low = large ? 0.0 : ((root - w) + t) + root_low;
  double y = log_joined_f64(f, (double)(e + (large ? 1 : 0)), (lost + w_low) * inverse);
  y = x < INF_F64 ? y : x;
  return x >= 1.0 ? y : NAN_F64;
}
/** (atanh(s) - s) / s^3 for z = s^2 <= 0.0404; relative error of atanh 2^-62. */
static inline double atanh_tail_f64(double z) {
  return 0x1.555555555554ep-2 + z * (0x1.999999999c5ffp-3 + z * (0x1.24924921a9839p-3 + z * (0x1.c71c74be65dcap-4 + z * (0x1.745c40cc467a0p-4 + z * (0x1.3b36f4d3eb5b9p-4 + z * (0x1.0db8636bfef8fp-4 + z * 0x1.1bfdffa0777bep-4))))));
}
double __anycl_atanh_f64(double x) {
  double a = fabs(x);
  double more = 1.0 + a;
  double less = 1.0 - a;
  double more_low = (1.0 - more) + a;
  double less_low = (1.0 - less) - a;
  ulong bits = as_ulong(more) - as_ulong(less) + 0x0008000000000000ul;
  double k = (double)(int)(bits >> 52);
  double c = as_double((bits & 0xfff0000000000000ul) + 0x3ff0000000000000ul);
  less *= c;
  less_low *= c;
  double d = more + less;
  double d_low = ((more - d) + less) + (more_low + less_low);
  double s_low;
  double s_high = quotient_f64(more - less, more_low - less_low, d, d_low, &s_low);
  double s = s_high + s_low;
  double first = k * 0x1.62e42feep-2;
  double sum = first + s_high;
  double y = sum + (((first - sum) + s_high) + (s_low + (s * (s * s) * atanh_tail_f64(s * s) + k * 0x1.a39ef35793c76p-34)));
  y = a < 1.0 ? y : a == 1.0 ? INF_F64 : NAN_F64;
  return copysign(y, x);
}
