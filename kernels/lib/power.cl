// SPDX-License-Identifier: MIT
//
// pow, pown, powr, rootn, cbrt, rsqrt, hypot.
//
// x^y = 2^(y log2 x): of floats in double, of doubles with the logarithm in two numbers (power.h). Errors: below 1 ulp, of
// floats and of cbrt below 0.6.
#include "math.h"
#include "power.h"

/** (log(1 + f) - f + f^2/2) / f^3, for f in [-1/3, 1/3]. */
static inline float log_tail(float f) {
  return 0x1.555556p-2f +
         f * (-0x1.ffff00p-3f +
              f * (0x1.99985ep-3f +
                   f * (-0x1.559b7ep-3f +
                        f * (0x1.24d97ep-3f +
                             f * (-0x1.f34806p-4f + f * (0x1.baec1cp-4f + f * (-0x1.079daap-3f + f * 0x1.e2723ap-4f)))))));
}

/**
 * x^y for a positive x and |y| below 2^60, in double: the logarithm by s = f / (2 + f), as in logarithm.h. The logarithm of 0 and of
 * infinity is so large that the result is 0 or infinity.
 */
static inline float pow_core_f32(float x, double y) {
  bool tiny = x < 0x1.0p-126f;
  int bits = as_int(tiny ? x * 0x1.0p23f : x) - 0x3f3504f3;
  float k = (float)((bits >> 23) - (tiny ? 23 : 0));
  k = x == 0.0f ? -INF_F32 : k;
  k = x == INF_F32 ? INF_F32 : k;
  double f = (double)(as_float((bits & 0x7fffff) + 0x3f3504f3) - 1.0f);
  double s = f / (2.0 + f);
  double z = s * s;
  double l = (double)k + s * (0x1.71547652bee21p+1 + z * (0x1.ec709d1291827p-1 + z * (0x1.2777801a0664ap-1 + z * (0x1.a58d70a122191p-2 + z * 0x1.5cea22b6a94bap-2))));
  double w = at_most_f64(at_least_f64(l * y, -200.0), 200.0);
  double shifted = w + SHIFT_F64;
  double r = w - (shifted - SHIFT_F64);
  double v = 1.0 + r * (0x1.62e430c916e9ap-1 + r * (0x1.ebfbdcef64f60p-3 + r * (0x1.c6aed29eaad00p-5 + r * (0x1.3b2cc78ab9ca7p-7 + r * (0x1.5f46a0f37d787p-10 + r * 0x1.42565529ecbd7p-13)))));
  return (float)(v * power_of_two_f64(shifted, 0));
}

float __anycl_pow_f32(float x, float y) {
  float bounded = at_most_f32(at_least_f32(y, -0x1.0p60f), 0x1.0p60f);
  float z = pow_core_f32(fabs(x), (double)bounded);
  bool whole = trunc(y) == y;
  bool odd = whole && trunc(0.5f * y) != 0.5f * y;
  z = odd ? copysign(z, x) : z;
  z = x < 0.0f && x > -INF_F32 && !whole ? NAN_F32 : z;
  z = x != x || y != y ? NAN_F32 : z;
  return x == 1.0f || y == 0.0f ? 1.0f : z;
}

float __anycl_powr_f32(float x, float y) {
  float bounded = at_most_f32(at_least_f32(y, -0x1.0p60f), 0x1.0p60f);
  float z = pow_core_f32(x, (double)bounded);
  bool wrong = x < 0.0f || (y == 0.0f && (x == 0.0f || x == INF_F32)) || (x == 1.0f && fabs(y) == INF_F32);
  return wrong || x != x || y != y ? NAN_F32 : z;
}

float __anycl_pown_f32(float x, int n) {
  float z = pow_core_f32(fabs(x), (double)n);
  z = (n & 1) ? copysign(z, x) : z;
  z = x != x ? x : z;
  return n == 0 ? 1.0f : z;
}

float __anycl_rootn_f32(float x, int n) {
  float z = pow_core_f32(fabs(x), 1.0 / (double)n);
  z = (n & 1) ? copysign(z, x) : z;
  z = x < 0.0f && (n & 1) == 0 ? NAN_F32 : z;
  return n == 0 || x != x ? NAN_F32 : z;
}

/** Two steps of Halley's method from a guess by the exponent; the second starts from a short number whose cube is exact. */
float __anycl_cbrt_f32(float x) {
  float magnitude = fabs(x);
  bool tiny = magnitude < 0x1.0p-100f;
  float a = tiny ? magnitude * 0x1.0p48f : magnitude;
  float t = as_float(as_uint(a) / 3 + 0x2a514067u);
  float q = t / a * t * t;
  t = t * ((q + 2.0f) / (2.0f * q + 1.0f));
  q = t / a * t * t;
  t = t * ((q + 2.0f) / (2.0f * q + 1.0f));
  float s = as_float(as_uint(t) & 0xffff0000u);
  t = s + (a - s * s * s) / (s * s + s * t + t * t);
  t = tiny ? t * 0x1.0p-16f : t;
  return x == 0.0f || !(magnitude < INF_F32) ? x : copysign(t, x);
}

/** In double, the squares are exact and in range. */
float __anycl_hypot_f32(float x, float y) {
  double a = (double)x;
  double b = (double)y;
  float h = (float)sqrt(a * a + b * b);
  return fabs(x) == INF_F32 || fabs(y) == INF_F32 ? INF_F32 : h;
}

// ---- double

/** x^(y_high + y_low) for a positive finite x; y_high has half a significand. */
static inline double pow_core_f64(double x, double y_high, double y_low) {
  Log2Parts l = log2_parts_f64(x);
  double w = y_high * l.high;
  Exp2Parts e = exp2_parts_f64(w, y_low * l.high + (y_high + y_low) * l.low);
  double v = scale_f64(1.0 + (e.high + e.tail), e.shifted);
  v = w > 1025.0 ? INF_F64 : v;
  return w < -1077.0 ? 0.0 : v;
}

static inline double pow_ends_f64(double magnitude, bool inverse, double y) {
  y = magnitude == 0.0 ? (inverse ? INF_F64 : 0.0) : y;
  return magnitude == INF_F64 ? (inverse ? 0.0 : INF_F64) : y;
}

double __anycl_pow_f64(double x, double y) {
  double magnitude = fabs(x);
  double bounded = at_most_f64(at_least_f64(y, -0x1.0p100), 0x1.0p100);
  double high = upper_f64(bounded);
  double z = pow_core_f64(magnitude, high, bounded - high);
  z = pow_ends_f64(magnitude, y < 0.0, z);
  bool whole = trunc(y) == y;
  bool odd = whole && trunc(0.5 * y) != 0.5 * y;
  z = odd ? copysign(z, x) : z;
  z = x < 0.0 && !whole && magnitude < INF_F64 ? NAN_F64 : z;
  z = x != x || y != y ? NAN_F64 : z;
  return x == 1.0 || y == 0.0 ? 1.0 : z;
}

double __anycl_powr_f64(double x, double y) {
  double bounded = at_most_f64(at_least_f64(y, -0x1.0p100), 0x1.0p100);
  double high = upper_f64(bounded);
  double z = pow_core_f64(x, high, bounded - high);
  z = pow_ends_f64(x, y < 0.0, z);
  bool wrong = x < 0.0 || (y == 0.0 && (x == 0.0 || x == INF_F64)) || (x == 1.0 && fabs(y) == INF_F64);
  return wrong || x != x || y != y ? NAN_F64 : z;
}

double __anycl_pown_f64(double x, int n) {
  double magnitude = fabs(x);
  double y = (double)n;
  double high = upper_f64(y);
  double z = pow_core_f64(magnitude, high, y - high);
  z = pow_ends_f64(magnitude, n < 0, z);
  z = (n & 1) ? copysign(z, x) : z;
  z = x != x ? x : z;
  return n == 0 ? 1.0 : z;
}

double __anycl_rootn_f64(double x, int n) {
  double magnitude = fabs(x);
  double divisor = (double)n;
  double high = upper_f64(1.0 / divisor);
  double upper = upper_f64(divisor);
  double low = ((1.0 - high * upper) - high * (divisor - upper)) / divisor;
  double z = pow_core_f64(magnitude, high, low);
  z = pow_ends_f64(magnitude, n < 0, z);
  z = (n & 1) ? copysign(z, x) : z;
  z = x < 0.0 && (n & 1) == 0 ? NAN_F64 : z;
  return n == 0 || x != x ? NAN_F64 : z;
}

double __anycl_cbrt_f64(double x) {
  double magnitude = fabs(x);
  bool tiny = magnitude < 0x1.0p-900;
  double a = tiny ? magnitude * 0x1.0p162 : magnitude;
  double t = as_double(as_ulong(a) / 3 + 0x2a9f84fe36d22425ul);
  double q = t / a * t * t;
  t = t * ((q + 2.0) / (2.0 * q + 1.0));
  q = t / a * t * t;
  t = t * ((q + 2.0) / (2.0 * q + 1.0));
  // s^3 is exact; a - s^3 = (t - s)(s^2 + s t + t^2) for the root t.
  double s = as_double(as_ulong(t) & 0xfffffff000000000ul);
  t = s + (a - s * s * s) / (s * s + s * t + t * t);
  t = tiny ? t * 0x1.0p-54 : t;
  return x == 0.0 || !(magnitude < INF_F64) ? x : copysign(t, x);
}

/** Below 2^-1019, where the reciprocal is infinite, and of negative numbers. */
RARE static double rsqrt_small_f64(double x) {
  double y = sqrt(1.0 / (x * 0x1.0p512)) * 0x1.0p256;
  y = x == 0.0 ? copysign(INF_F64, x) : y;
  return x < 0.0 ? NAN_F64 : y;
}

/**
 * The root of the reciprocal: a root halves the error of a division, where a division keeps the error of a root. The factor keeps
 * reciprocals of large numbers normal. Floats take `1 / sqrt(x)`: this is 1.5 times as slow in a loop of little else.
 */
double __anycl_rsqrt_f64(double x) {
  double y = sqrt(0x1.0p4 / x) * 0x1.0p-2;
  if (as_long(x) < 0x0040000000000000l) y = rsqrt_small_f64(x);
  return y;
}

/** The squares in two parts, of which the larger ones are exact. */
double __anycl_hypot_f64(double x, double y) {
  double a = fabs(x);
  double b = fabs(y);
  // Scaled by the larger one's exponent, the sum of squares neither overflows nor vanishes.
  long e = max(as_long(a), as_long(b)) & 0x7ff0000000000000l;
  e = min(max(e, 0x0010000000000000l), 0x7fd0000000000000l);
  double scale = as_double(0x7fe0000000000000l - e);
  a *= scale;
  b *= scale;
  double a_upper = upper_f64(a);
  double b_upper = upper_f64(b);
  double p = a_upper * a_upper;
  double q = b_upper * b_upper;
  double low = (a - a_upper) * (a + a_upper) + (b - b_upper) * (b + b_upper);
  double h = sqrt(at_least_f64(p, q) + (at_most_f64(p, q) + low)) * as_double(e);
  return fabs(x) == INF_F64 || fabs(y) == INF_F64 ? INF_F64 : h;
}

float __anycl_half_powr_f32(float x, float y) { return __anycl_powr_f32(x, y); }

float __anycl_native_powr_f32(float x, float y) {
  int bits = as_int(x) - 0x3f2aaaab;
  float f = as_float((bits & 0x7fffff) + 0x3f2aaaab) - 1.0f;
  float z = f * f;
  float l = (float)(bits >> 23) + (f - 0.5f * z + f * z * log_tail(f)) * 0x1.715476p+0f;
  float w = at_most_f32(at_least_f32(l * y, -126.0f), 128.0f);
  float n = rint(w);
  float r = w - n;
  float v = 1.0f + r * (0x1.62e430p-1f + r * (0x1.ebfbe6p-3f + r * (0x1.c6ada6p-5f + r * (0x1.3b21c6p-7f + r * 0x1.5fc0a2p-10f))));
  v *= as_float(((int)n + 127) << 23);
  return x == 0.0f ? (y < 0.0f ? INF_F32 : 0.0f) : v;
}
