// SPDX-License-Identifier: MIT
//
// log, log2, log10, log1p.
//
// x = 2^e m with m in [2/3, 4/3) for float and [sqrt(1/2), sqrt(2)) for double; f = m - 1 is exact. For float
// log(1 + f) = f - f^2/2 + f^3 P(f); for double by s = f / (2 + f), which halves the polynomial. Subnormals are scaled
// up first. Errors: below 1.5 ulp.
#include "math.h"

/** (log(1 + f) - f + f^2/2) / f^3, for f in [-1/3, 1/3]; relative error of the logarithm 2^-27.5. */
static inline float log_tail_f32(float f) {
  return 0x1.555506p-2f +
         f * (-0x1.ffff76p-3f +
              f * (0x1.99d056p-3f +
                   f * (-0x1.55863ap-3f + f * (0x1.1ed468p-3f + f * (-0x1.f59a02p-4f + f * (0x1.1e74cep-3f + f * -0x1.029070p-3f))))));
}

/** The results for arguments that are not positive and finite. */
static inline float log_special_f32(float x, float y) {
  y = x == INF_F32 ? x : y;
  y = x < 0.0f ? NAN_F32 : y;
  y = x == 0.0f ? -INF_F32 : y;
  return x != x ? x : y;
}
static inline double log_special_f64(double x, double y) {
  y = x == INF_F64 ? x : y;
  y = x < 0.0 ? NAN_F64 : y;
  y = x == 0.0 ? -INF_F64 : y;
  return x != x ? x : y;
}

float __anycl_log_f32(float x) {
  bool tiny = x < 0x1.0p-126f;
  int bits = as_int(tiny ? x * 0x1.0p23f : x) - 0x3f2aaaab;
  float e = (float)((bits >> 23) - (tiny ? 23 : 0));
  float f = as_float((bits & 0x7fffff) + 0x3f2aaaab) - 1.0f;
  float z = f * f;
  float y = f * z * log_tail_f32(f) + e * -0x1.bd0106p-13f;
  y = (y - 0.5f * z) + f + e * 0x1.63p-1f;
  return log_special_f32(x, y);
}

/** log of a number in two floats, times 1 / log(base) in two parts. */
static inline float log_base_f32(float x, float c, float c_low, float e_high, float e_low) {
  bool tiny = x < 0x1.0p-126f;
  int bits = as_int(tiny ? x * 0x1.0p23f : x) - 0x3f2aaaab;
  float e = (float)((bits >> 23) - (tiny ? 23 : 0));
  float f = as_float((bits & 0x7fffff) + 0x3f2aaaab) - 1.0f;
  float z = f * f;
  float tail = f * z * log_tail_f32(f) - 0.5f * z;
  // f + tail, of which the upper part has few bits: its product with c is exact.
  float high = upper_f32(f + tail);
  float low = (f - high) + tail;
  float y = (high * c_low + low * (c + c_low) + e * e_low) + high * c + e * e_high;
  return log_special_f32(x, y);
}
float __anycl_log2_f32(float x) { return log_base_f32(x, 0x1.714p+0f, 0x1.47652cp-12f, 1.0f, 0.0f); }
float __anycl_log10_f32(float x) { return log_base_f32(x, 0x1.bc8p-2f, 0x1.bd8a94p-13f, 0x1.344p-2f, 0x1.3509f8p-18f); }

float __anycl_log1p_f32(float x) {
  // u = 1 + x, rounded; the rounding error is added again: log(1+x) = log(u) + lost / u.
  float u = 1.0f + x;
  float lost = x > 1.0f ? 1.0f - (u - x) : x - (u - 1.0f);
  int bits = as_int(u) - 0x3f2aaaab;
  int k = bits >> 23;
  float e = (float)k;
  float f = as_float((bits & 0x7fffff) + 0x3f2aaaab) - 1.0f;
  // Where u is 1 + x exactly without scaling, f is x.
  f = k == 0 ? x : f;
  lost = k == 0 ? 0.0f : lost / u;
  float z = f * f;
  float y = f * z * log_tail_f32(f) + (e * -0x1.bd0106p-13f + lost);
  y = (y - 0.5f * z) + f + e * 0x1.63p-1f;
  y = x == INF_F32 ? x : y;
  y = x < -1.0f ? NAN_F32 : y;
  y = x == -1.0f ? -INF_F32 : y;
  return x == 0.0f || x != x ? x : y;
}

/** log(1 + f) = f - (f^2/2 - s (f^2/2 + R)); this is s (f^2/2 + R). */
static inline double log_correction_f64(double f, double half_square) {
  double s = f / (2.0 + f);
  double z = s * s;
  double w = z * z;
  double odd = w * (0x1.999999997e37ep-2 + w * (0x1.c71c50b717f07p-3 + w * 0x1.399a04acd40d1p-3));
  double even = z * (0x1.5555555555597p-1 + w * (0x1.249249437b033p-2 + w * (0x1.746687edac2c4p-3 + w * 0x1.2f567c6991a7ap-3)));
  return s * (half_square + (odd + even));
}

double __anycl_log_f64(double x) {
  bool tiny = x < 0x1.0p-1022;
  long bits = as_long(tiny ? x * 0x1.0p52 : x) - 0x3fe6a09e667f3bcdl;
  double e = (double)((int)(bits >> 52) - (tiny ? 52 : 0));
  double f = as_double((bits & 0xfffffffffffffl) + 0x3fe6a09e667f3bcdl) - 1.0;
  double half_square = 0.5 * f * f;
  double y = e * 0x1.62e42feep-1 - ((half_square - (log_correction_f64(f, half_square) + e * 0x1.a39ef35793c76p-33)) - f);
  return log_special_f64(x, y);
}

static inline double log_base_f64(double x, double c, double c_low, double e_high, double e_low) {
  bool tiny = x < 0x1.0p-1022;
  long bits = as_long(tiny ? x * 0x1.0p52 : x) - 0x3fe6a09e667f3bcdl;
  double e = (double)((int)(bits >> 52) - (tiny ? 52 : 0));
  double f = as_double((bits & 0xfffffffffffffl) + 0x3fe6a09e667f3bcdl) - 1.0;
  double half_square = 0.5 * f * f;
  double high = upper_f64(f - half_square);
  double low = (f - high) - half_square + log_correction_f64(f, half_square);
  double y = high * c;
  double rest = high * c_low + low * (c + c_low) + e * e_low;
  // e and high * c in two doubles: they may cancel.
  double sum = e * e_high + y;
  rest += (e * e_high - sum) + y;
  return log_special_f64(x, sum + rest);
}
double __anycl_log2_f64(double x) { return log_base_f64(x, 0x1.715476p+0, 0x1.4ae0bf85ddf44p-26, 1.0, 0.0); }
double __anycl_log10_f64(double x) { return log_base_f64(x, 0x1.bcb7b1p-2, 0x1.49b9438ca9aaep-28, 0x1.34413508p-2, 0x1.f79fef311f12bp-34); }

double __anycl_log1p_f64(double x) {
  double u = 1.0 + x;
  double lost = x > 1.0 ? 1.0 - (u - x) : x - (u - 1.0);
  long bits = as_long(u) - 0x3fe6a09e667f3bcdl;
  int k = (int)(bits >> 52);
  double e = (double)k;
  double f = as_double((bits & 0xfffffffffffffl) + 0x3fe6a09e667f3bcdl) - 1.0;
  f = k == 0 ? x : f;
  lost = k == 0 ? 0.0 : lost / u;
  double half_square = 0.5 * f * f;
  double low = e * 0x1.a39ef35793c76p-33 + lost;
  double y = e * 0x1.62e42feep-1 - ((half_square - (log_correction_f64(f, half_square) + low)) - f);
  y = x == INF_F64 ? x : y;
  y = x < -1.0 ? NAN_F64 : y;
  y = x == -1.0 ? -INF_F64 : y;
  return x == 0.0 || x != x ? x : y;
}

float __anycl_native_log2_f32(float x) {
  int bits = as_int(x) - 0x3f2aaaab;
  float f = as_float((bits & 0x7fffff) + 0x3f2aaaab) - 1.0f;
  float z = f * f;
  float y = f - 0.5f * z + f * z * log_tail_f32(f);
  y = (float)(bits >> 23) + y * 0x1.715476p+0f;
  y = x == INF_F32 ? x : y;
  y = x < 0.0f ? NAN_F32 : y;
  return x == 0.0f ? -INF_F32 : y;
}
float __anycl_native_log_f32(float x) { return __anycl_native_log2_f32(x) * 0x1.62e430p-1f; }
float __anycl_native_log10_f32(float x) { return __anycl_native_log2_f32(x) * 0x1.344136p-2f; }
float __anycl_half_log2_f32(float x) { return __anycl_log2_f32(x); }
float __anycl_half_log_f32(float x) { return __anycl_log_f32(x); }
float __anycl_half_log10_f32(float x) { return __anycl_log10_f32(x); }
