// SPDX-License-Identifier: MIT
//
// pow, pown, powr, rootn, cbrt, hypot.
//
// x^y = 2^(y log2 x), the logarithm carried in two numbers: half a significand first, so that its product with the upper
// half of y is exact, then the rest. Errors: pow of floats below 7 ulp, of doubles below 1.3; cbrt and hypot below 1.3.
#include "math.h"

/** (log(1 + f) - f + f^2/2) / f^3, for f in [-1/3, 1/3]. */
static inline float log_tail(float f) {
  return 0x1.555556p-2f +
         f * (-0x1.ffff00p-3f +
              f * (0x1.99985ep-3f +
                   f * (-0x1.559b7ep-3f +
                        f * (0x1.24d97ep-3f +
                             f * (-0x1.f34806p-4f + f * (0x1.baec1cp-4f + f * (-0x1.079daap-3f + f * 0x1.e2723ap-4f)))))));
}

/** x^(y_high + y_low) for positive finite x and |y| below 2^60; y_high has 12 bits. */
static inline float pow_core_f32(float x, float y_high, float y_low) {
  bool tiny = x < 0x1.0p-126f;
  int bits = as_int(tiny ? x * 0x1.0p23f : x) - 0x3f2aaaab;
  float e = (float)((bits >> 23) - (tiny ? 23 : 0));
  float f = as_float((bits & 0x7fffff) + 0x3f2aaaab) - 1.0f;
  // log(1 + f) = a + low, f^2/2 being exact in its upper part.
  float upper = upper_f32(f);
  float square = 0.5f * upper * upper;
  float a = f - square;
  float low = ((f - a) - square) + (f * f * f * log_tail(f) - 0.5f * (f + upper) * (f - upper));
  // times 1 / ln 2
  float a_high = upper_f32(a + low);
  float a_low = (a - a_high) + low;
  float p = a_high * 0x1.714p+0f;
  float p_low = a_high * 0x1.47652cp-12f + a_low * 0x1.715476p+0f;
  float s = e + p;
  float s_low = p_low + ((e - s) + p);
  float high = upper_f32(s + s_low);
  float rest = (s - high) + s_low;
  // times y
  float w = y_high * high;
  float w_low = y_low * high + (y_high + y_low) * rest;
  float shifted = w + w_low + SHIFT_F32;
  float n = shifted - SHIFT_F32;
  float r = (w - n) + w_low;
  float z = 1.0f + r * (0x1.62e432p-1f +
                        r * (0x1.ebfbe6p-3f +
                             r * (0x1.c6ada6p-5f + r * (0x1.3b21c6p-7f + r * (0x1.5fc0a2p-10f + r * 0x1.4bbacap-13f)))));
  z = scale_f32(z, shifted);
  z = n > 128.5f ? INF_F32 : z;
  return n < -151.5f ? 0.0f : z;
}

/** x^y for an |x| of 0 or infinity. */
static inline float pow_ends_f32(float magnitude, bool inverse, float y) {
  y = magnitude == 0.0f ? (inverse ? INF_F32 : 0.0f) : y;
  return magnitude == INF_F32 ? (inverse ? 0.0f : INF_F32) : y;
}

float __anycl_pow_f32(float x, float y) {
  float magnitude = fabs(x);
  float bounded = at_most_f32(at_least_f32(y, -0x1.0p60f), 0x1.0p60f);
  float high = upper_f32(bounded);
  float z = pow_core_f32(magnitude, high, bounded - high);
  z = pow_ends_f32(magnitude, y < 0.0f, z);
  bool whole = trunc(y) == y;
  bool odd = whole && fabs(y) < 0x1.0p24f && ((int)bounded & 1) != 0;
  z = odd ? copysign(z, x) : z;
  z = x < 0.0f && !whole && magnitude < INF_F32 ? NAN_F32 : z;
  z = x != x || y != y ? NAN_F32 : z;
  return x == 1.0f || y == 0.0f ? 1.0f : z;
}

float __anycl_powr_f32(float x, float y) {
  float bounded = at_most_f32(at_least_f32(y, -0x1.0p60f), 0x1.0p60f);
  float high = upper_f32(bounded);
  float z = pow_core_f32(x, high, bounded - high);
  z = pow_ends_f32(x, y < 0.0f, z);
  bool wrong = x < 0.0f || (y == 0.0f && (x == 0.0f || x == INF_F32)) || (x == 1.0f && fabs(y) == INF_F32);
  return wrong || x != x || y != y ? NAN_F32 : z;
}

float __anycl_pown_f32(float x, int n) {
  float magnitude = fabs(x);
  float high = upper_f32((float)n);
  float low = high >= 0x1.0p31f ? -1.0f : (float)(n - (int)high);
  float z = pow_core_f32(magnitude, high, low);
  z = pow_ends_f32(magnitude, n < 0, z);
  z = (n & 1) ? copysign(z, x) : z;
  z = x != x ? x : z;
  return n == 0 ? 1.0f : z;
}

float __anycl_rootn_f32(float x, int n) {
  float magnitude = fabs(x);
  float divisor = (float)n;
  float high = upper_f32(1.0f / divisor);
  float low = (1.0f - high * divisor) / divisor;
  float z = pow_core_f32(magnitude, high, low);
  z = pow_ends_f32(magnitude, n < 0, z);
  z = (n & 1) ? copysign(z, x) : z;
  z = x < 0.0f && (n & 1) == 0 ? NAN_F32 : z;
  return n == 0 || x != x ? NAN_F32 : z;
}

/** From a guess by the exponent, two steps of Halley's; the last one from a short number whose cube is exact. */
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

float __anycl_hypot_f32(float x, float y) {
  float a = fabs(x);
  float b = fabs(y);
  // Scaled by the larger one's exponent, the sum of squares neither overflows nor vanishes.
  int e = max(as_int(a), as_int(b)) & 0x7f800000;
  e = min(max(e, 0x00800000), 0x7e800000);
  float scale = as_float(0x7f000000 - e);
  a *= scale;
  b *= scale;
  float h = sqrt(a * a + b * b) * as_float(e);
  return fabs(x) == INF_F32 || fabs(y) == INF_F32 ? INF_F32 : h;
}

// ---- double

static inline double pow_core_f64(double x, double y_high, double y_low) {
  bool tiny = x < 0x1.0p-1022;
  long bits = as_long(tiny ? x * 0x1.0p52 : x) - 0x3fe6a09e667f3bcdl;
  double e = (double)((int)(bits >> 52) - (tiny ? 52 : 0));
  double f = as_double((bits & 0xfffffffffffffl) + 0x3fe6a09e667f3bcdl) - 1.0;
  // s = f / (2 + f) = s_high + s_low
  double d = 2.0 + f;
  double d_low = (2.0 - d) + f;
  double s = f / d;
  double s_high = upper_f64(s);
  double d_upper = upper_f64(d);
  double s_low = ((f - s_high * d_upper) - s_high * ((d - d_upper) + d_low)) / d;
  // log(1 + f) = 2 s + 2/3 s^3 + s^5 (...), the first two terms in two doubles
  double z = s * s;
  double square = s_high * s_high;
  double square_high = upper_f64(square);
  double square_low = (square - square_high) + (s_high + s) * s_low;
  double cube = s_high * square_high;
  double cube_high = upper_f64(cube);
  double cube_low = (cube - cube_high) + (s_high * square_low + s_low * z);
  double tail = s * z * z * (0x1.9999999999b65p-2 + z * (0x1.2492492451e93p-2 + z * (0x1.c71c723573392p-3 + z * (0x1.745ce72d6fba4p-3 + z * (0x1.3b1f67dd6b0e4p-3 + z * (0x1.0f74b287c67a7p-3 + z * 0x1.0eaa996ee9894p-3))))));
  double third = cube_high * 0x1.555555p-1;
  double third_low = cube_high * 0x1.5555555555555p-27 + cube_low * 0x1.5555555555555p-1 + tail;
  double first = 2.0 * s_high;
  double a = first + third;
  double low = ((first - a) + third) + (2.0 * s_low + third_low);
  // times 1 / ln 2
  double a_high = upper_f64(a + low);
  double a_low = (a - a_high) + low;
  double p = a_high * 0x1.715476p+0;
  double p_low = a_high * 0x1.4ae0bf85ddf44p-26 + a_low * 0x1.71547652b82fep+0;
  double sum = e + p;
  double sum_low = p_low + ((e - sum) + p);
  double high = upper_f64(sum + sum_low);
  double rest = (sum - high) + sum_low;
  // times y
  double w = y_high * high;
  double w_low = y_low * high + (y_high + y_low) * rest;
  double shifted = w + w_low + SHIFT_F64;
  double n = shifted - SHIFT_F64;
  double r = ((w - n) + w_low) * 0x1.62e42fefa39efp-1;
  double q = r * r;
  double even = 0x1.0p-1 + q * (0x1.5555555555556p-5 + q * (0x1.6c16c16c15f2ep-10 + q * (0x1.a01a01a8981f9p-16 + q * (0x1.27e4d68fd8e3cp-22 + q * 0x1.1f7bda4a05655p-29))));
  double odd = 0x1.555555555555cp-3 + q * (0x1.111111110e97cp-7 + q * (0x1.a01a01b48ab27p-13 + q * (0x1.71ddedac6e45bp-19 + q * 0x1.af6febd748903p-26)));
  double v = scale_f64(1.0 + (r + q * (even + r * odd)), shifted);
  v = n > 1024.5 ? INF_F64 : v;
  return n < -1076.5 ? 0.0 : v;
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
  bool odd = whole && fabs(y) < 0x1.0p53 && 2.0 * trunc(0.5 * y) != y;
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

double __anycl_hypot_f64(double x, double y) {
  double a = fabs(x);
  double b = fabs(y);
  long e = max(as_long(a), as_long(b)) & 0x7ff0000000000000l;
  e = min(max(e, 0x0010000000000000l), 0x7fd0000000000000l);
  double scale = as_double(0x7fe0000000000000l - e);
  a *= scale;
  b *= scale;
  double h = sqrt(a * a + b * b) * as_double(e);
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
