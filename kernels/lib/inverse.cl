// SPDX-License-Identifier: MIT
//
// asin, acos, atan, atan2 and their variants in units of pi.
//
// asin x = x + x z P(z) with z = x^2 up to 1/2, beyond through the half angle; atan by a polynomial on [0, 1] (float) or [0,
// tan(pi/8)] (double), larger arguments through their reciprocal. The quadrant is added exactly, in two parts of pi or, for the
// variants in units of pi, in fractions of 1. Errors: below 2.5 ulp, the variants below 3.
#include "math.h"

/** (asin(x) - x) / x^3 for z = x^2 <= 1/4 */
static inline float asin_tail_f32(float z) {
  return 0x1.5555cap-3f + z * (0x1.330162p-4f + z * (0x1.748b78p-5f + z * (0x1.8ba48ep-6f + z * 0x1.59dd6ap-5f)));
}
static inline double asin_tail_f64(double z) {
  return 0x1.5555555555578p-3 +
         z * (0x1.333333332df18p-4 +
              z * (0x1.6db6db722b46ep-5 +
                   z * (0x1.f1c71a8ba81b8p-6 +
                        z * (0x1.6e8bdfe557c57p-6 +
                             z * (0x1.1c49de17cc33bp-6 +
                                  z * (0x1.ca2142395c767p-7 +
                                       z * (0x1.75779e030c431p-7 +
                                            z * (0x1.618a5c1fab6cap-7 +
                                                 z * (0x1.e160d4d242196p-9 +
                                                      z * (0x1.65004faf116a9p-6 +
                                                           z * (-0x1.59f41e7c46114p-6 + z * 0x1.0be3a71b56fdap-5)))))))))));
}

/** (atan(x) - x) / x^3 for z = x^2 <= 1 */
static inline float atan_tail_f32(float z) {
  return -0x1.5554e6p-2f +
         z * (0x1.997aeap-3f +
              z * (-0x1.231bcap-3f +
                   z * (0x1.b56bc4p-4f + z * (-0x1.36862ap-4f + z * (0x1.64d822p-5f + z * (-0x1.0fbae2p-6f + z * 0x1.860274p-9f))))));
}
/** The same for z <= tan(pi/8)^2 */
static inline double atan_tail_f64(double z) {
  double w = z * z;
  double even = -0x1.555555555553bp-2 +
                w * (-0x1.249249228be9fp-3 +
                     w * (-0x1.745cf73b736a0p-4 + w * (-0x1.10ea558654891p-4 + w * (-0x1.9c7293ad81b03p-5 + w * -0x1.233a9be347df5p-6))));
  double odd = 0x1.9999999995376p-3 +
               w * (0x1.c71c70d83a331p-4 + w * (0x1.3b10faf517e81p-4 + w * (0x1.defa8316a8380p-5 + w * 0x1.36db772bb88b9p-5)));
  return even + z * odd;
}

/** For |x| <= 1: the small argument t of asin, and whether the result is pi/2 - 2 asin(t). */
#define HALF_ANGLE(T, ONE, HALF, x)       \
  T magnitude = fabs(x);                  \
  bool large = magnitude > HALF;          \
  T z = large ? HALF * (ONE - magnitude) : magnitude * magnitude; \
  T t = large ? sqrt(z) : magnitude;

float __anycl_asin_f32(float x) {
  HALF_ANGLE(float, 1.0f, 0.5f, x)
  float r = t + t * z * asin_tail_f32(z);
  r = large ? 0x1.921fb6p+0f - (2.0f * r + 0x1.777a5cp-25f) : r;
  return x == 0.0f ? x : copysign(r, x);
}
float __anycl_acos_f32(float x) {
  HALF_ANGLE(float, 1.0f, 0.5f, x)
  float tail = t * z * asin_tail_f32(z);
  float twice = 2.0f * (t + tail);
  float far = x < 0.0f ? 0x1.921fb6p+1f - (twice + 0x1.777a5cp-24f) : twice;
  // pi/2 - (x + tail)
  float near = 0x1.921fb6p+0f - (x + (copysign(tail, x) + 0x1.777a5cp-25f));
  return large ? far : near;
}
float __anycl_asinpi_f32(float x) {
  HALF_ANGLE(float, 1.0f, 0.5f, x)
  float r = t + t * z * asin_tail_f32(z);
  float upper = upper_f32(r);
  float turns = upper * 0x1.45ep-2f + (upper * 0x1.306dcap-14f + (r - upper) * 0x1.45f306p-2f);
  turns = large ? 0.5f - 2.0f * turns : turns;
  return x == 0.0f ? x : copysign(turns, x);
}
float __anycl_acospi_f32(float x) {
  HALF_ANGLE(float, 1.0f, 0.5f, x)
  float r = t + t * z * asin_tail_f32(z);
  float turns = r * 0x1.45f306p-2f;
  float far = x < 0.0f ? 1.0f - 2.0f * turns : 2.0f * turns;
  return large ? far : 0.5f - copysign(turns, x);
}

float __anycl_atan_f32(float x) {
  float magnitude = fabs(x);
  bool large = magnitude > 1.0f;
  float t = large ? 1.0f / magnitude : magnitude;
  float z = t * t;
  float r = t + t * z * atan_tail_f32(z);
  r = large ? 0x1.921fb6p+0f - (r + 0x1.777a5cp-25f) : r;
  return x == 0.0f ? x : copysign(r, x);
}
float __anycl_atanpi_f32(float x) {
  float magnitude = fabs(x);
  bool large = magnitude > 1.0f;
  float t = large ? 1.0f / magnitude : magnitude;
  float z = t * t;
  float r = t + t * z * atan_tail_f32(z);
  float upper = upper_f32(r);
  float turns = upper * 0x1.45ep-2f + (upper * 0x1.306dcap-14f + (r - upper) * 0x1.45f306p-2f);
  turns = large ? 0.5f - turns : turns;
  return x == 0.0f ? x : copysign(turns, x);
}

/** The ratio of the smaller to the larger magnitude, in [0, 1]. */
static inline float ratio_f32(float y, float x) {
  float a = fabs(y);
  float b = fabs(x);
  float small = a > b ? b : a;
  float large = a > b ? a : b;
  // Scaled to avoid overflow and double rounding of subnormal quotients.
  float t = small / large;
  t = small == 0.0f ? 0.0f : t;
  return a == INF_F32 && b == INF_F32 ? 1.0f : t;
}
float __anycl_atan2_f32(float y, float x) {
  float t = ratio_f32(y, x);
  float z = t * t;
  float r = t + t * z * atan_tail_f32(z);
  r = fabs(y) > fabs(x) ? 0x1.921fb6p+0f - (r + 0x1.777a5cp-25f) : r;
  r = as_int(x) < 0 ? 0x1.921fb6p+1f - (r + 0x1.777a5cp-24f) : r;
  r = copysign(r, y);
  return x != x || y != y ? NAN_F32 : r;
}
float __anycl_atan2pi_f32(float y, float x) {
  float t = ratio_f32(y, x);
  float z = t * t;
  float r = t + t * z * atan_tail_f32(z);
  float upper = upper_f32(r);
  float turns = upper * 0x1.45ep-2f + (upper * 0x1.306dcap-14f + (r - upper) * 0x1.45f306p-2f);
  turns = fabs(x) == fabs(y) && x != 0.0f ? 0.25f : turns;
  turns = fabs(y) > fabs(x) ? 0.5f - turns : turns;
  turns = as_int(x) < 0 ? 1.0f - turns : turns;
  turns = copysign(turns, y);
  return x != x || y != y ? NAN_F32 : turns;
}

// ---- double

#define PI_2 0x1.921fb54442d18p+0
#define PI_2_LOW 0x1.1a62633145c07p-54
#define PI 0x1.921fb54442d18p+1
#define PI_LOW 0x1.1a62633145c07p-53

/** r / pi, with the rounding error of the product corrected. */
static inline double over_pi(double r) {
  double upper = upper_f64(r);
  return upper * 0x1.45f3068p-2 + (upper * 0x1.727220a94fe14p-28 + (r - upper) * 0x1.45f306dc9c883p-2);
}

double __anycl_asin_f64(double x) {
  HALF_ANGLE(double, 1.0, 0.5, x)
  double r = t + t * z * asin_tail_f64(z);
  r = large ? PI_2 - (2.0 * r - PI_2_LOW) : r;
  return x == 0.0 ? x : copysign(r, x);
}
double __anycl_acos_f64(double x) {
  HALF_ANGLE(double, 1.0, 0.5, x)
  double tail = t * z * asin_tail_f64(z);
  double twice = 2.0 * (t + tail);
  double far = x < 0.0 ? PI - (twice - PI_LOW) : twice;
  double near = PI_2 - (x + (copysign(tail, x) - PI_2_LOW));
  return large ? far : near;
}
double __anycl_asinpi_f64(double x) {
  HALF_ANGLE(double, 1.0, 0.5, x)
  double turns = over_pi(t + t * z * asin_tail_f64(z));
  turns = large ? 0.5 - 2.0 * turns : turns;
  return x == 0.0 ? x : copysign(turns, x);
}
double __anycl_acospi_f64(double x) {
  HALF_ANGLE(double, 1.0, 0.5, x)
  double turns = over_pi(t + t * z * asin_tail_f64(z));
  double far = x < 0.0 ? 1.0 - 2.0 * turns : 2.0 * turns;
  return large ? far : 0.5 - copysign(turns, x);
}

/** atan t for t in [0, 1]; above tan(pi/8) it is pi/4 + atan((t - 1) / (t + 1)). `quarter` is pi/4 in the result's unit. */
static inline double atan_reduced(double t, bool *shifted) {
  *shifted = t > 0x1.a827999fcef32p-2;
  double s = *shifted ? (t - 1.0) / (t + 1.0) : t;
  double z = s * s;
  return s + s * z * atan_tail_f64(z);
}
static inline double atan_unit(double t) {
  bool shifted;
  double r = atan_reduced(t, &shifted);
  return shifted ? 0x1.921fb54442d18p-1 + (r + 0x1.1a62633145c07p-55) : r;
}
static inline double atanpi_unit(double t) {
  bool shifted;
  double r = over_pi(atan_reduced(t, &shifted));
  return shifted ? 0.25 + r : r;
}
double __anycl_atan_f64(double x) {
  double magnitude = fabs(x);
  bool large = magnitude > 1.0;
  double r = atan_unit(large ? 1.0 / magnitude : magnitude);
  r = large ? PI_2 - (r - PI_2_LOW) : r;
  return x == 0.0 ? x : copysign(r, x);
}
double __anycl_atanpi_f64(double x) {
  double magnitude = fabs(x);
  bool large = magnitude > 1.0;
  double turns = atanpi_unit(large ? 1.0 / magnitude : magnitude);
  turns = large ? 0.5 - turns : turns;
  return x == 0.0 ? x : copysign(turns, x);
}
static inline double ratio_f64(double y, double x) {
  double a = fabs(y);
  double b = fabs(x);
  double small = a > b ? b : a;
  double large = a > b ? a : b;
  double t = small / large;
  t = small == 0.0 ? 0.0 : t;
  return a == INF_F64 && b == INF_F64 ? 1.0 : t;
}
double __anycl_atan2_f64(double y, double x) {
  double r = atan_unit(ratio_f64(y, x));
  r = fabs(y) > fabs(x) ? PI_2 - (r - PI_2_LOW) : r;
  r = as_long(x) < 0 ? PI - (r - PI_LOW) : r;
  r = copysign(r, y);
  return x != x || y != y ? NAN_F64 : r;
}
double __anycl_atan2pi_f64(double y, double x) {
  double turns = atanpi_unit(ratio_f64(y, x));
  turns = fabs(y) > fabs(x) ? 0.5 - turns : turns;
  turns = as_long(x) < 0 ? 1.0 - turns : turns;
  turns = copysign(turns, y);
  return x != x || y != y ? NAN_F64 : turns;
}
