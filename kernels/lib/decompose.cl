// SPDX-License-Identifier: MIT
//
// frexp, ilogb, ldexp, logb, modf, nextafter, round; fmod, remainder, remquo. All are exact or correctly rounded.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#include "math.h"

/** Splits a positive finite x into a significand in [1, 2) and an exponent: bits without the exponent field. */
#define NORMALIZE_F32(x)                                       \
  int magnitude = as_int(x) & 0x7fffffff;                      \
  bool subnormal = magnitude < 0x00800000;                     \
  int scaled = subnormal ? as_int(as_float(magnitude) * 0x1.0p24f) : magnitude; \
  int exponent = (scaled >> 23) - 127 - (subnormal ? 24 : 0);
#define NORMALIZE_F64(x)                                       \
  long magnitude = as_long(x) & 0x7fffffffffffffffl;           \
  bool subnormal = magnitude < 0x0010000000000000l;            \
  long scaled = subnormal ? as_long(as_double(magnitude) * 0x1.0p54) : magnitude; \
  int exponent = (int)(scaled >> 52) - 1023 - (subnormal ? 54 : 0);

float __anycl_frexp_f32(float x, __private int *e) {
  NORMALIZE_F32(x)
  bool special = magnitude == 0 || magnitude >= 0x7f800000;
  *e = special ? 0 : exponent + 1;
  float y = as_float((scaled & 0x007fffff) | 0x3f000000 | (as_int(x) & 0x80000000));
  return special ? x : y;
}
double __anycl_frexp_f64(double x, __private int *e) {
  NORMALIZE_F64(x)
  bool special = magnitude == 0 || magnitude >= 0x7ff0000000000000l;
  *e = special ? 0 : exponent + 1;
  double y = as_double((scaled & 0x000fffffffffffffl) | 0x3fe0000000000000l | (as_long(x) & 0x8000000000000000l));
  return special ? x : y;
}

int __anycl_ilogb_f32(float x) {
  NORMALIZE_F32(x)
  int y = magnitude >= 0x7f800000 ? 0x7fffffff : exponent;
  return magnitude == 0 ? (int)0x80000000 : y;
}
int __anycl_ilogb_f64(double x) {
  NORMALIZE_F64(x)
  int y = magnitude >= 0x7ff0000000000000l ? 0x7fffffff : exponent;
  return magnitude == 0 ? (int)0x80000000 : y;
}
float __anycl_logb_f32(float x) {
  NORMALIZE_F32(x)
  float y = magnitude >= 0x7f800000 ? x * x : (float)exponent;
  return magnitude == 0 ? -INF_F32 : y;
}
double __anycl_logb_f64(double x) {
  NORMALIZE_F64(x)
  double y = magnitude >= 0x7ff0000000000000l ? x * x : (double)exponent;
  return magnitude == 0 ? -INF_F64 : y;
}

/** Sets the new exponent. For a subnormal result it is 40 too high, and a product rounds. */
float __anycl_ldexp_f32(float x, int n) {
  NORMALIZE_F32(x)
  int e = exponent + min(max(n, -1000), 1000);
  bool low = e < -126;
  int field = min(max(low ? e + 40 : e, -126), 127) + 127;
  float y = as_float((scaled & 0x007fffff) | field << 23);
  y = low ? y * 0x1.0p-40f : y;
  y = e > 127 ? INF_F32 : y;
  y = e < -150 ? 0.0f : y;
  y = magnitude == 0 || magnitude >= 0x7f800000 ? x : y;
  return copysign(y, x);
}
double __anycl_ldexp_f64(double x, int n) {
  NORMALIZE_F64(x)
  int e = exponent + min(max(n, -5000), 5000);
  bool low = e < -1022;
  int field = min(max(low ? e + 80 : e, -1022), 1023) + 1023;
  double y = as_double((scaled & 0x000fffffffffffffl) | (long)field << 52);
  y = low ? y * 0x1.0p-80 : y;
  y = e > 1023 ? INF_F64 : y;
  y = e < -1075 ? 0.0 : y;
  y = magnitude == 0 || magnitude >= 0x7ff0000000000000l ? x : y;
  return copysign(y, x);
}

float __anycl_modf_f32(float x, __private float *whole) {
  float t = trunc(x);
  *whole = t;
  float y = fabs(x) == INF_F32 ? 0.0f : x - t;
  return copysign(y, x);
}
double __anycl_modf_f64(double x, __private double *whole) {
  double t = trunc(x);
  *whole = t;
  double y = fabs(x) == INF_F64 ? 0.0 : x - t;
  return copysign(y, x);
}

float __anycl_nextafter_f32(float x, float y) {
  int i = as_int(x);
  // The step towards y increases the magnitude if y is farther from 0.
  bool away = (x < y) == (i >= 0);
  int j = i + (away ? 1 : -1);
  j = x == 0.0f ? (as_int(y) & (int)0x80000000) | 1 : j;
  float z = x == y ? y : as_float(j);
  return x != x || y != y ? NAN_F32 : z;
}
double __anycl_nextafter_f64(double x, double y) {
  long i = as_long(x);
  bool away = (x < y) == (i >= 0);
  long j = i + (away ? 1 : -1);
  j = x == 0.0 ? (as_long(y) & (long)0x8000000000000000ul) | 1 : j;
  double z = x == y ? y : as_double(j);
  return x != x || y != y ? NAN_F64 : z;
}

/** For halves, which are passed as floats. */
float __anycl_nextafter_f16(float x, float y) {
  int i = (int)as_short((half)x);
  bool away = (x < y) == (i >= 0);
  int j = i + (away ? 1 : -1);
  j = x == 0.0f ? (as_int(y) < 0 ? 0x8001 : 1) : j;
  float z = x == y ? y : (float)as_half((short)j);
  return x != x || y != y ? NAN_F32 : z;
}

float __anycl_round_f32(float x) {
  float t = trunc(x);
  t = fabs(x - t) >= 0.5f ? t + copysign(1.0f, x) : t;
  return copysign(t, x);
}
double __anycl_round_f64(double x) {
  double t = trunc(x);
  t = fabs(x - t) >= 0.5 ? t + copysign(1.0, x) : t;
  return copysign(t, x);
}

// ---- remainders
//
// x is finite and y is neither 0 nor a NaN. All steps are exact.

/**
 * |x| mod |y|, and the quotient's lower bits. In doubles: a quotient below 2^29 differs from each integer that it does not reach by
 * more than its rounding, as a is a multiple of the last place of b; its product with b has 53 bits. From a larger one, 29 bits
 * are taken off at a time.
 */
static inline float divide_f32(float x, float y, uint *quotient) {
  double a = fabs((double)x);
  double b = fabs((double)y);
  double q = a / b;
  uint low = 0;
  while (q >= 0x1.0p29) {
    // Smaller by a rounding, so that the part is never above the quotient.
    double part = as_double(as_long(q * 0x1.fffffffffffffp-1) & (long)0xffffffffff000000ul);
    low += part < 0x1.0p36 ? (uint)(ulong)part : 0;
    a -= part * b;
    q = a / b;
  }
  q = trunc(q);
  *quotient = low + (uint)q;
  // 0 times an infinite y is a NaN.
  return (float)(q == 0.0 ? a : a - q * b);
}

/** The same by long division of the significands, as many bits a step as fit in 64. */
static inline double divide_f64(double x, double y, uint *quotient) {
  double a = fabs(x);
  double b = fabs(y);
  *quotient = 0;
  if (a < b) return a;
  long bits_a = as_long(a);
  long bits_b = as_long(b);
  int ea = max((int)(bits_a >> 52), 1);
  int eb = max((int)(bits_b >> 52), 1);
  ulong ma = (ulong)(bits_a & 0xfffffffffffffl) | (bits_a >= 0x10000000000000l ? 0x10000000000000ul : 0ul);
  ulong mb = (ulong)(bits_b & 0xfffffffffffffl) | (bits_b >= 0x10000000000000l ? 0x10000000000000ul : 0ul);
  ulong d = ma / mb;
  ulong r = ma - d * mb;
  uint q = (uint)d;
  for (int left = ea - eb; left > 0; left -= 11) {
    int step = min(left, 11);
    ulong t = r << step;
    d = t / mb;
    r = t - d * mb;
    q = (q << step) + (uint)d;
  }
  *quotient = q;
  return (double)r * as_double((long)max(eb - 52, 1) << 52) * (eb < 53 ? as_double((long)(1023 + eb - 53) << 52) : 1.0);
}

float __anycl_fmod_f32(float x, float y) {
  if (!(fabs(x) < INF_F32) || y == 0.0f || y != y) return NAN_F32;
  uint q;
  return copysign(divide_f32(x, y, &q), x);
}
double __anycl_fmod_f64(double x, double y) {
  if (!(fabs(x) < INF_F64) || y == 0.0 || y != y) return NAN_F64;
  uint q;
  return copysign(divide_f64(x, y, &q), x);
}

/** Rounds to the nearest multiple, ties to the even one. */
static inline float remainder_f32(float x, float y, int *quotient) {
  *quotient = 0;
  if (!(fabs(x) < INF_F32) || y == 0.0f || y != y) return NAN_F32;
  uint q;
  float r = divide_f32(x, y, &q);
  float b = fabs(y);
  bool up = r + r > b || (r + r == b && (q & 1) != 0);
  r = up ? r - b : r;
  q = (q + (up ? 1 : 0)) & 0x7f;
  *quotient = (as_int(x) ^ as_int(y)) < 0 ? -(int)q : (int)q;
  return r == 0.0f ? copysign(0.0f, x) : as_int(x) < 0 ? -r : r;
}
static inline double remainder_f64(double x, double y, int *quotient) {
  *quotient = 0;
  if (!(fabs(x) < INF_F64) || y == 0.0 || y != y) return NAN_F64;
  uint q;
  double r = divide_f64(x, y, &q);
  double b = fabs(y);
  bool up = r + r > b || (r + r == b && (q & 1) != 0);
  r = up ? r - b : r;
  q = (q + (up ? 1 : 0)) & 0x7f;
  *quotient = (as_long(x) ^ as_long(y)) < 0 ? -(int)q : (int)q;
  return r == 0.0 ? copysign(0.0, x) : as_long(x) < 0 ? -r : r;
}
float __anycl_remainder_f32(float x, float y) {
  int q;
  return remainder_f32(x, y, &q);
}
double __anycl_remainder_f64(double x, double y) {
  int q;
  return remainder_f64(x, y, &q);
}
float __anycl_remquo_f32(float x, float y, __private int *quotient) {
  int q;
  float r = remainder_f32(x, y, &q);
  *quotient = q;
  return r;
}
double __anycl_remquo_f64(double x, double y, __private int *quotient) {
  int q;
  double r = remainder_f64(x, y, &q);
  *quotient = q;
  return r;
}
