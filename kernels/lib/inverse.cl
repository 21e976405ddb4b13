// SPDX-License-Identifier: MIT
//
// asin, acos, atan, atan2 and their variants in units of pi.
//
// asin x = x + x z P(z) with z = x^2 up to 1/2, beyond through the half angle, whose root is corrected; atan by a polynomial on
// [-tan(pi/8), tan(pi/8)], to which a quotient in two numbers reduces larger arguments. The result is a multiple of pi/4, or of
// 1/4 for the variants in units of pi, plus a larger number, whose rounding errors are kept, plus a rest that is too small to
// matter. Errors: below 0.9 ulp.
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

/** (atan(x) - x) / x^3 for z = x^2 <= tan(pi/8)^2 */
static inline float atan_tail_f32(float z) {
  return -0x1.555554p-2f + z * (0x1.999704p-3f + z * (-0x1.241c6ep-3f + z * (0x1.b7d43ep-4f + z * -0x1.07a788p-4f)));
}
static inline double atan_tail_f64(double z) {
  double w = z * z;
  double even = -0x1.555555555553bp-2 +
                w * (-0x1.249249228be9fp-3 +
                     w * (-0x1.745cf73b736a0p-4 + w * (-0x1.10ea558654891p-4 + w * (-0x1.9c7293ad81b03p-5 + w * -0x1.233a9be347df5p-6))));
  double odd = 0x1.9999999995376p-3 +
               w * (0x1.c71c70d83a331p-4 + w * (0x1.3b10faf517e81p-4 + w * (0x1.defa8316a8380p-5 + w * 0x1.36db772bb88b9p-5)));
  return even + z * odd;
}


// ---- float

// Multiples of pi/4 up to pi are exact in the first part.
#define QUARTER_F32 0x1.921fbp-1f
#define QUARTER_LOW_F32 0x1.5110b4p-23f

/** offset + first + rest, for |first| <= |offset| or no offset, and a rest of some units in the last place. */
static inline float joined_f32(float offset, float first, float rest) {
  float sum = offset + first;
  return sum + (((offset - sum) + first) + rest);
}

/** offset + scale (first + rest) / pi, for a `first` of half a significand. Of small numbers a multiple is divided, so that a subnormal result is rounded once. */
static inline float joined_over_pi_f32(float offset, float scale, float first, float rest) {
  bool tiny = offset == 0.0f && fabs(first) < 0x1.0p-60f;
  float up = tiny ? 0x1.0p60f * scale : scale;
  first *= up;
  rest *= up;
  float y = joined_f32(offset, first * 0x1.45ep-2f, first * 0x1.306dcap-14f + rest * 0x1.45f306p-2f);
  return tiny ? y * 0x1.0p-60f : y;
}

/** asin(m) of m in [0, 1/2] as t + *rest, or for larger m that of t = sqrt((1 - m) / 2), of which asin(m) = pi/2 - 2 asin(t). */
static inline float asin_parts_f32(float m, bool large, float *rest) {
  float z = large ? 0.5f * (1.0f - m) : m * m;
  float root = sqrt(z);
  float upper = upper_f32(root);
  float lost = 0.5f * ((z - upper * upper) - (root - upper) * (root + upper)) * about_inverse_f32(root);
  float t = large ? root : m;
  *rest = (large ? lost : 0.0f) + t * z * asin_tail_f32(z);
  return t;
}
float __anycl_asin_f32(float x) {
  float m = fabs(x);
  bool large = m > 0.5f;
  float rest;
  float t = asin_parts_f32(m, large, &rest);
  float scale = large ? -2.0f : 1.0f;
  float y = joined_f32(large ? 2.0f * QUARTER_F32 : 0.0f, scale * t, scale * rest + (large ? 2.0f * QUARTER_LOW_F32 : 0.0f));
  return copysign(y, x);
}
float __anycl_acos_f32(float x) {
  float m = fabs(x);
  bool large = m > 0.5f;
  float rest;
  float t = asin_parts_f32(m, large, &rest);
  // pi/2 - asin(x), 2 asin(t) or pi - 2 asin(t)
  float sign = copysign(1.0f, x);
  float scale = large ? -2.0f * sign : sign;
  float quarters = large ? (x < 0.0f ? 4.0f : 0.0f) : 2.0f;
  return joined_f32(quarters * QUARTER_F32, -scale * t, quarters * QUARTER_LOW_F32 - scale * rest);
}
float __anycl_asinpi_f32(float x) {
  float m = fabs(x);
  bool large = m > 0.5f;
  float rest;
  float t = asin_parts_f32(m, large, &rest);
  float first = upper_f32(t);
  float y = joined_over_pi_f32(large ? 0.5f : 0.0f, large ? -2.0f : 1.0f, first, (t - first) + rest);
  return copysign(y, x);
}
float __anycl_acospi_f32(float x) {
  float m = fabs(x);
  bool large = m > 0.5f;
  float rest;
  float t = asin_parts_f32(m, large, &rest);
  float first = upper_f32(t);
  float sign = copysign(1.0f, x);
  float scale = large ? -2.0f * sign : sign;
  float offset = large ? (x < 0.0f ? 1.0f : 0.0f) : 0.5f;
  return joined_over_pi_f32(offset, -scale, first, (t - first) + rest);
}

/** An angle: some quarters of pi plus `first`, which has half a significand, plus `rest`. */
typedef struct {
  float quarters;
  float first;
  float rest;
} Angle32;

/** atan((n + n_low) / (d + d_low)) for a quotient of at most tan(pi/8), and some quarters. */
static inline Angle32 angle_f32(float quarters, float n, float n_low, float d, float d_low) {
  float low;
  float first = quotient_f32(n, n_low, d, d_low, &low);
  float s = first + low;
  float z = s * s;
  Angle32 angle = {quarters, first, low + s * z * atan_tail_f32(z)};
  return angle;
}
static inline float in_radians_f32(Angle32 a) {
  return joined_f32(a.quarters * QUARTER_F32, a.first, a.rest + a.quarters * QUARTER_LOW_F32);
}
static inline float in_half_turns_f32(Angle32 a) {
  return joined_over_pi_f32(a.quarters * 0.25f, 1.0f, a.first, a.rest);
}

/** An eighth turn or a quarter less: m, (m - 1) / (m + 1) or -1 / m, all of them (a m - b) / (b m + a). */
static inline Angle32 atan_angle_f32(float m) {
  m = at_most_f32(m, 0x1.0p60f);
  float a = m > 0x1.3504f4p+1f ? 0.0f : 1.0f;
  float b = m > 0x1.a8279ap-2f ? 1.0f : 0.0f;
  float am = a * m;
  float bm = b * m;
  float n = am - b;
  float d = bm + a;
  // Both differences are exact, and 0 where the sum was exact.
  return angle_f32(b + (1.0f - a), n, (-b - n) + am, d, (a - d) + bm);
}
float __anycl_atan_f32(float x) { return copysign(in_radians_f32(atan_angle_f32(fabs(x))), x); }
float __anycl_atanpi_f32(float x) { return copysign(in_half_turns_f32(atan_angle_f32(fabs(x))), x); }

/** The angle of (|x|, |y|) in its octant, then mirrored at the diagonal and at the axis where it has to be. */
static inline Angle32 atan2_angle_f32(float y, float x) {
  float a = fabs(y);
  float b = fabs(x);
  bool steep = a > b;
  float small = steep ? b : a;
  float large = steep ? a : b;
  // Infinities are as any two numbers with that quotient, and so is 0 / 0.
  small = large == INF_F32 ? (small == INF_F32 ? 1.0f : 0.0f) : small;
  large = large == INF_F32 || large == 0.0f ? 1.0f : large;
  // The quotient of scaled numbers overflows nowhere, and a subnormal one is rounded once.
  float scale = large < 0x1.0p20f ? 0x1.0p70f : large > 0x1.0p60f ? 0x1.0p-40f : 1.0f;
  small *= scale;
  large *= scale;
  float shift = small > 0x1.a8279ap-2f * large ? 1.0f : 0.0f;
  float minus = shift * large;
  float plus = shift * small;
  float n = small - minus;
  float d = large + plus;
  float n_low = (-minus - n) + small;
  float d_low = (large - d) + plus;
  bool left = as_int(x) < 0;
  float quarters = steep ? 2.0f - shift : shift;
  quarters = left ? 4.0f - quarters : quarters;
  float sign = steep != left ? -1.0f : 1.0f;
  return angle_f32(quarters, sign * n, sign * n_low, d, d_low);
}
float __anycl_atan2_f32(float y, float x) {
  float angle = copysign(in_radians_f32(atan2_angle_f32(y, x)), y);
  return x != x || y != y ? NAN_F32 : angle;
}
float __anycl_atan2pi_f32(float y, float x) {
  float turns = copysign(in_half_turns_f32(atan2_angle_f32(y, x)), y);
  return x != x || y != y ? NAN_F32 : turns;
}

// ---- double

// Multiples of pi/4 up to pi are exact in the first part.
#define QUARTER_F64 0x1.921fb54442d18p-1
#define QUARTER_LOW_F64 0x1.1a62633145c07p-55

/** offset + first + rest, for |first| <= |offset| or no offset, and a rest of some units in the last place. */
static inline double joined_f64(double offset, double first, double rest) {
  double sum = offset + first;
  return sum + (((offset - sum) + first) + rest);
}

/** offset + scale (first + rest) / pi, for a `first` of half a significand. Of small numbers a multiple is divided, so that a subnormal result is rounded once. */
static inline double joined_over_pi_f64(double offset, double scale, double first, double rest) {
  bool tiny = offset == 0.0 && fabs(first) < 0x1.0p-900;
  double up = tiny ? 0x1.0p60 * scale : scale;
  first *= up;
  rest *= up;
  double y = joined_f64(offset, first * 0x1.45f3068p-2, first * 0x1.727220a94fe14p-28 + rest * 0x1.45f306dc9c883p-2);
  return tiny ? y * 0x1.0p-60 : y;
}

/** asin(m) of m in [0, 1/2] as t + *rest, or for larger m that of t = sqrt((1 - m) / 2), of which asin(m) = pi/2 - 2 asin(t). */
static inline double asin_parts_f64(double m, bool large, double *rest) {
  double z = large ? 0.5 * (1.0 - m) : m * m;
  double root = sqrt(z);
  double upper = upper_f64(root);
  double lost = 0.5 * ((z - upper * upper) - (root - upper) * (root + upper)) * about_inverse_f64(root);
  double t = large ? root : m;
  *rest = (large ? lost : 0.0) + t * z * asin_tail_f64(z);
  return t;
}
double __anycl_asin_f64(double x) {
  double m = fabs(x);
  bool large = m > 0.5;
  double rest;
  double t = asin_parts_f64(m, large, &rest);
  double scale = large ? -2.0 : 1.0;
  double y = joined_f64(large ? 2.0 * QUARTER_F64 : 0.0, scale * t, scale * rest + (large ? 2.0 * QUARTER_LOW_F64 : 0.0));
  return copysign(y, x);
}
double __anycl_acos_f64(double x) {
  double m = fabs(x);
  bool large = m > 0.5;
  double rest;
  double t = asin_parts_f64(m, large, &rest);
  // pi/2 - asin(x), 2 asin(t) or pi - 2 asin(t)
  double sign = copysign(1.0, x);
  double scale = large ? -2.0 * sign : sign;
  double quarters = large ? (x < 0.0 ? 4.0 : 0.0) : 2.0;
  return joined_f64(quarters * QUARTER_F64, -scale * t, quarters * QUARTER_LOW_F64 - scale * rest);
}
double __anycl_asinpi_f64(double x) {
  double m = fabs(x);
  bool large = m > 0.5;
  double rest;
  double t = asin_parts_f64(m, large, &rest);
  double first = upper_f64(t);
  double y = joined_over_pi_f64(large ? 0.5 : 0.0, large ? -2.0 : 1.0, first, (t - first) + rest);
  return copysign(y, x);
}
double __anycl_acospi_f64(double x) {
  double m = fabs(x);
  bool large = m > 0.5;
  double rest;
  double t = asin_parts_f64(m, large, &rest);
  double first = upper_f64(t);
  double sign = copysign(1.0, x);
  double scale = large ? -2.0 * sign : sign;
  double offset = large ? (x < 0.0 ? 1.0 : 0.0) : 0.5;
  return joined_over_pi_f64(offset, -scale, first, (t - first) + rest);
}

/** An angle: some quarters of pi plus `first`, which has half a significand, plus `rest`. */
typedef struct {
  double quarters;
  double first;
  double rest;
} Angle64;

/** atan((n + n_low) / (d + d_low)) for a quotient of at most tan(pi/8), and some quarters. */
static inline Angle64 angle_f64(double quarters, double n, double n_low, double d, double d_low) {
  double low;
  double first = quotient_f64(n, n_low, d, d_low, &low);
  double s = first + low;
  double z = s * s;
  Angle64 angle = {quarters, first, low + s * z * atan_tail_f64(z)};
  return angle;
}
static inline double in_radians_f64(Angle64 a) {
  return joined_f64(a.quarters * QUARTER_F64, a.first, a.rest + a.quarters * QUARTER_LOW_F64);
}
static inline double in_half_turns_f64(Angle64 a) {
  return joined_over_pi_f64(a.quarters * 0.25, 1.0, a.first, a.rest);
}

/** An eighth turn or a quarter less: m, (m - 1) / (m + 1) or -1 / m, all of them (a m - b) / (b m + a). */
static inline Angle64 atan_angle_f64(double m) {
  m = at_most_f64(m, 0x1.0p100);
  double a = m > 0x1.3504f333f9de6p+1 ? 0.0 : 1.0;
  double b = m > 0x1.a827999fcef32p-2 ? 1.0 : 0.0;
  double am = a * m;
  double bm = b * m;
  double n = am - b;
  double d = bm + a;
  // Both differences are exact, and 0 where the sum was exact.
  return angle_f64(b + (1.0 - a), n, (-b - n) + am, d, (a - d) + bm);
}
double __anycl_atan_f64(double x) { return copysign(in_radians_f64(atan_angle_f64(fabs(x))), x); }
double __anycl_atanpi_f64(double x) { return copysign(in_half_turns_f64(atan_angle_f64(fabs(x))), x); }

/** The angle of (|x|, |y|) in its octant, then mirrored at the diagonal and at the axis where it has to be. */
static inline Angle64 atan2_angle_f64(double y, double x) {
  double a = fabs(y);
  double b = fabs(x);
  bool steep = a > b;
  double small = steep ? b : a;
  double large = steep ? a : b;
  // Infinities are as any two numbers with that quotient, and so is 0 / 0.
  small = large == INF_F64 ? (small == INF_F64 ? 1.0 : 0.0) : small;
  large = large == INF_F64 || large == 0.0 ? 1.0 : large;
  // The quotient of scaled numbers overflows nowhere, and a subnormal one is rounded once.
  double scale = large < 0x1.0p100 ? 0x1.0p500 : large > 0x1.0p500 ? 0x1.0p-300 : 1.0;
  small *= scale;
  large *= scale;
  double shift = small > 0x1.a827999fcef32p-2 * large ? 1.0 : 0.0;
  double minus = shift * large;
  double plus = shift * small;
  double n = small - minus;
  double d = large + plus;
  double n_low = (-minus - n) + small;
  double d_low = (large - d) + plus;
  bool left = as_long(x) < 0;
  double quarters = steep ? 2.0 - shift : shift;
  quarters = left ? 4.0 - quarters : quarters;
  double sign = steep != left ? -1.0 : 1.0;
  return angle_f64(quarters, sign * n, sign * n_low, d, d_low);
}
double __anycl_atan2_f64(double y, double x) {
  double angle = copysign(in_radians_f64(atan2_angle_f64(y, x)), y);
  return x != x || y != y ? NAN_F64 : angle;
}
double __anycl_atan2pi_f64(double y, double x) {
  double turns = copysign(in_half_turns_f64(atan2_angle_f64(y, x)), y);
  return x != x || y != y ? NAN_F64 : turns;
}
