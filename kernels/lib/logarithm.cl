// SPDX-License-Identifier: MIT
//
// log, log2, log10, log1p.
//
// logarithm.h has the method. Subnormals are scaled up first. Errors: below 0.9 ulp.
#include "math.h"
#include "logarithm.h"

/** The results for arguments that are not positive and finite. */
static inline float log_special_f32(float x, float y) {
  y = x < INF_F32 ? y : x;
  return x > 0.0f ? y : x == 0.0f ? -INF_F32 : NAN_F32;
}
static inline double log_special_f64(double x, double y) {
  y = x < INF_F64 ? y : x;
  return x > 0.0 ? y : x == 0.0 ? -INF_F64 : NAN_F64;
}

/** The same split for subnormal numbers as well. */
static inline float split_any_f32(float x, float *e) {
  int k;
  bool tiny = x < 0x1.0p-126f;
  float f = split_f32(tiny ? x * 0x1.0p23f : x, &k);
  *e = (float)(k - (tiny ? 23 : 0));
  return f;
}
static inline double split_any_f64(double x, double *e) {
  int k;
  bool tiny = x < 0x1.0p-1022;
  double f = split_f64(tiny ? x * 0x1.0p52 : x, &k);
  *e = (double)(k - (tiny ? 52 : 0));
  return f;
}

float __anycl_log_f32(float x) {
  float e;
  float f = split_any_f32(x, &e);
  float z = f * f;
  float y = f * z * log_tail_f32(f) + e * -0x1.bd0106p-13f;
  y = (y - 0.5f * z) + f + e * 0x1.63p-1f;
  return log_special_f32(x, y);
}

/** log of a number in two floats, times 1 / log(base) in two parts. */
static inline float log_base_f32(float x, float c, float c_low, float e_high, float e_low) {
  float e;
  float f = split_any_f32(x, &e);
  float z = f * f;
  float tail = f * z * log_tail_f32(f) - 0.5f * z;
  // f + tail, of which the upper part has few bits: its product with c is exact.
  float high = upper_f32(f + tail);
  float low = (f - high) + tail;
  float y = high * c;
  float rest = high * c_low + low * (c + c_low) + e * e_low;
  // e and high * c in two floats: they may cancel.
  float sum = e * e_high + y;
  rest += (e * e_high - sum) + y;
  return log_special_f32(x, sum + rest);
}
float __anycl_log2_f32(float x) { return log_base_f32(x, 0x1.714p+0f, 0x1.47652cp-12f, 1.0f, 0.0f); }
float __anycl_log10_f32(float x) { return log_base_f32(x, 0x1.bc8p-2f, 0x1.bd8a94p-13f, 0x1.344p-2f, 0x1.3509f8p-18f); }

float __anycl_log1p_f32(float x) {
  int e;
  float lost, inverse;
  float f = split_1p_f32(x, &e, &lost, &inverse);
  float y = log_joined_f32(f, (float)e, lost * inverse);
  y = x < INF_F32 ? y : x;
  y = x > -1.0f ? y : x == -1.0f ? -INF_F32 : NAN_F32;
  return x == 0.0f ? x : y;
}

double __anycl_log_f64(double x) {
  double e;
  double f = split_any_f64(x, &e);
  double half_square = 0.5 * f * f;
  double y = e * 0x1.62e42feep-1 - ((half_square - (log_correction_f64(f, half_square) + e * 0x1.a39ef35793c76p-33)) - f);
  return log_special_f64(x, y);
}

static inline double log_base_f64(double x, double c, double c_low, double e_high, double e_low) {
  double e;
  double f = split_any_f64(x, &e);
  double half_square = 0.5 * f * f;
  double high = upper_f64(f - half_square);
  double low = (f - high) - half_square + log_correction_f64(f, half_square);
  double y = high * c;
  double rest = high * c_low + low * (c + c_low) + e * e_low;
  double sum = e * e_high + y;
  rest += (e * e_high - sum) + y;
  return log_special_f64(x, sum + rest);
}
double __anycl_log2_f64(double x) { return log_base_f64(x, 0x1.715476p+0, 0x1.4ae0bf85ddf44p-26, 1.0, 0.0); }
double __anycl_log10_f64(double x) { return log_base_f64(x, 0x1.bcb7b1p-2, 0x1.49b9438ca9aaep-28, 0x1.34413508p-2, 0x1.f79fef311f12bp-34); }

double __anycl_log1p_f64(double x) {
  int e;
  double lost, inverse;
  double f = split_1p_f64(x, &e, &lost, &inverse);
  double y = log_joined_f64(f, (double)e, lost * inverse);
  y = x < INF_F64 ? y : x;
  y = x > -1.0 ? y : x == -1.0 ? -INF_F64 : NAN_F64;
  return x == 0.0 ? x : y;
}

float __anycl_native_log2_f32(float x) {
  int e;
  float f = split_f32(x, &e);
  float z = f * f;
  float y = f - 0.5f * z + f * z * log_tail_f32(f);
  y = (float)e + y * 0x1.715476p+0f;
  return log_special_f32(x, y);
}
float __anycl_native_log_f32(float x) { return __anycl_native_log2_f32(x) * 0x1.62e430p-1f; }
float __anycl_native_log10_f32(float x) { return __anycl_native_log2_f32(x) * 0x1.344136p-2f; }
float __anycl_half_log2_f32(float x) { return __anycl_log2_f32(x); }
float __anycl_half_log_f32(float x) { return __anycl_log_f32(x); }
float __anycl_half_log10_f32(float x) { return __anycl_log10_f32(x); }
