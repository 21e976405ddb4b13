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

/**
 * Whether a magnitude (its upper word, of a double) is that of zero, a subnormal number, infinity or NaN. In one comparison: the sum
 * is negative from infinity on. The cases that this finds are branches, which no lane takes as a rule.
 */
static inline bool is_special_f32(int magnitude) { return (int)((uint)magnitude + 0x00800000u) < 0x01000000; }
static inline bool is_special_f64(int upper) { return (int)((uint)upper + 0x00100000u) < 0x00200000; }

/** Without a branch: it would save few instructions, and zeros are usual. */
float __anycl_frexp_f32(float x, __private int *e) {
  NORMALIZE_F32(x)
  bool special = magnitude == 0 || magnitude >= 0x7f800000;
  *e = special ? 0 : exponent + 1;
  float y = as_float((scaled & 0x007fffff) | 0x3f000000 | (as_int(x) & 0x80000000));
  return special ? x : y;
}
static inline double frexp_special_f64(double x, int *e) {
  NORMALIZE_F64(x)
  bool same = magnitude == 0 || magnitude >= 0x7ff0000000000000l;
  *e = same ? 0 : exponent + 1;
  double y = as_double((scaled & 0x000fffffffffffffl) | 0x3fe0000000000000l | (as_long(x) & 0x8000000000000000l));
  return same ? x : y;
}
double __anycl_frexp_f64(double x, __private int *e) {
  int upper = (int)(as_ulong(x) >> 32) & 0x7fffffff;
  // Zeros are more usual than other special numbers.
  bool zero = x == 0.0;
  int exponent = zero ? 0 : (upper >> 20) - 1022;
  double y = as_double((as_ulong(x) & 0x800ffffffffffffful) | 0x3fe0000000000000ul);
  y = zero ? x : y;
  if (!zero & is_special_f64(upper)) y = frexp_special_f64(x, &exponent);
  *e = exponent;
  return y;
}

static inline int ilogb_special_f32(float x) {
  NORMALIZE_F32(x)
  int y = magnitude >= 0x7f800000 ? 0x7fffffff : exponent;
  return magnitude == 0 ? (int)0x80000000 : y;
}
int __anycl_ilogb_f32(float x) {
  int magnitude = as_int(x) & 0x7fffffff;
  int y = (magnitude >> 23) - 127;
  if (is_special_f32(magnitude)) y = ilogb_special_f32(x);
  return y;
}
static inline int ilogb_special_f64(double x) {
  NORMALIZE_F64(x)
  int y = magnitude >= 0x7ff0000000000000l ? 0x7fffffff : exponent;
  return magnitude == 0 ? (int)0x80000000 : y;
}
int __anycl_ilogb_f64(double x) {
  int upper = (int)(as_ulong(x) >> 32) & 0x7fffffff;
  int y = (upper >> 20) - 1023;
  if (is_special_f64(upper)) y = ilogb_special_f64(x);
  return y;
}
static inline float logb_special_f32(float x) {
  NORMALIZE_F32(x)
  float y = magnitude >= 0x7f800000 ? x * x : (float)exponent;
  return magnitude == 0 ? -INF_F32 : y;
}
float __anycl_logb_f32(float x) {
  int magnitude = as_int(x) & 0x7fffffff;
  float y = (float)((magnitude >> 23) - 127);
  if (is_special_f32(magnitude)) y = logb_special_f32(x);
  return y;
}
static inline double logb_special_f64(double x) {
  NORMALIZE_F64(x)
  double y = magnitude >= 0x7ff0000000000000l ? x * x : (double)exponent;
  return magnitude == 0 ? -INF_F64 : y;
}
double __anycl_logb_f64(double x) {
  int upper = (int)(as_ulong(x) >> 32) & 0x7fffffff;
  double y = (double)((upper >> 20) - 1023);
  if (is_special_f64(upper)) y = logb_special_f64(x);
  return y;
}

/**
 * A power of two that is not a normal number, as three factors: the first two are the same, and 1 where the third is enough. A product
 * with the first that is inexact is so small that the third makes it zero, so the result is rounded once.
 */
static inline float ldexp_far_f32(float x, int n) {
  int bounded = min(max(n, -300), 300);
  int half_rest = (bounded - min(max(bounded, -126), 126)) >> 1;
  float factor = as_float((half_rest + 127) << 23);
  return x * factor * factor * as_float((bounded - 2 * half_rest + 127) << 23);
}
float __anycl_ldexp_f32(float x, int n) {
  float y = x * as_float((n + 127) << 23);
  if (n < -126 || n > 127) y = ldexp_far_f32(x, n);
  return y;
}
static inline double ldexp_far_f64(double x, int n) {
  int bounded = min(max(n, -2200), 2200);
  int half_rest = (bounded - min(max(bounded, -1022), 1022)) >> 1;
  double factor = as_double((ulong)(uint)(half_rest + 1023) << 52);
  return x * factor * factor * as_double((ulong)(uint)(bounded - 2 * half_rest + 1023) << 52);
}
double __anycl_ldexp_f64(double x, int n) {
  double y = x * as_double((ulong)(uint)(n + 1023) << 52);
  if (n < -1022 || n > 1023) y = ldexp_far_f64(x, n);
  return y;
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
