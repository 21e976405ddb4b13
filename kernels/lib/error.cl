// SPDX-License-Identifier: MIT
//
// erf, erfc.
//
// erf near 0 by an odd polynomial; float's further out as 1 - exp(x P(x)). erfc as exp(-x^2) Q(t) / (1 + 2 x) with
// t = (x - 4) / (x + 4), x^2 in two parts, scaled so that a subnormal result is rounded once at the end. Errors: erf below 1.5 ulp,
// erfc below 6.
#include "math.h"

float __anycl_erf_f32(float x) {
  float a = fabs(x);
  float z = x * x;
  float near = a + a * (0x1.06eba6p-3f + z * (-0x1.8126e8p-2f + z * (0x1.ce1a90p-4f + z * (-0x1.b68a78p-6f + z * (0x1.472988p-8f + z * -0x1.39a3aep-11f)))));
  float b = at_most_f32(a, 4.0f);
  float p = b * (-0x1.20ef1cp+0f + b * (-0x1.45328ap-1f + b * (-0x1.b3259ep-4f + b * (0x1.8551e8p-6f + b * (-0x1.dd6ee4p-9f + b * (0x1.528090p-12f + b * -0x1.78eb3cp-17f))))));
  float y = a < 0.9277f ? near : 1.0f - exp(p);
  y = copysign(y, x);
  return x != x ? x : y;
}

/** erfc(x) for x >= 0.46 */
static inline float erfc_far_f32(float x) {
  x = at_most_f32(x, 12.0f);
  float t = (x - 4.0f) / (x + 4.0f);
  float q = 0x1.3ba592p+0f + t * (-0x1.1df1acp-3f + t * (0x1.f7dc48p-7f + t * (0x1.16eb26p-4f + t * (-0x1.9daeccp-4f + t * (0x1.801e62p-4f + t * (-0x1.105c56p-4f + t * (0x1.2de5d4p-5f + t * (-0x1.09a4a6p-6f + t * 0x1.6e4ec8p-8f))))))));
  float upper = upper_f32(x);
  // e^(-x^2) as e^2 f, with a power of two that keeps all but the result out of the subnormals.
  float e = exp(-0.5f * upper * upper);
  float f = exp((upper - x) * (upper + x));
  return e * 0x1.0p40f * f * q / (1.0f + 2.0f * x) * e * 0x1.0p-40f;
}
float __anycl_erfc_f32(float x) {
  float far = erfc_far_f32(fabs(x));
  far = x < 0.0f ? 2.0f - far : far;
  float y = fabs(x) < 0.5f ? 1.0f - __anycl_erf_f32(x) : far;
  return x != x ? x : y;
}

static inline double erf_near_f64(double x) {
  double z = x * x;
  return x + x * (0x1.06eba8214db69p-3 + z * (-0x1.812746b037a02p-2 + z * (0x1.ce2f21a043b23p-4 + z * (-0x1.b82ce312c82cep-6 + z * (0x1.565bcd17b3ac2p-8 + z * (-0x1.c02db5b1d4ff6p-11 + z * (0x1.f9a35b426ed95p-14 + z * (-0x1.f4d6abeaf0731p-17 + z * (0x1.ba25fb24c29e6p-20 + z * (-0x1.61f6ae2ffef80p-23 + z * (0x1.0fbc5af5207cap-26 + z * (-0x1.ed2884205d568p-30 + z * (0x1.316d0aff0ccffp-32 + z * -0x1.1b4eb4972d5efp-35)))))))))))));
}
/** erfc(x) for x >= 0.9 */
static inline double erfc_far_f64(double x) {
  x = at_most_f64(x, 28.0);
  double t = (x - 4.0) / (x + 4.0);
  double q = 0x1.3ba5916e9fd7fp+0 + t * (-0x1.1df1ad154a28fp-3 + t * (0x1.f7f5df66fcaf1p-7 + t * (0x1.16ecefcfa5470p-4 + t * (-0x1.9ddb23c3e5b21p-4 + t * (0x1.7fee004e102a1p-4 + t * (-0x1.0fb06dfe75468p-4 + t * (0x1.3079edf6c5206p-5 + t * (-0x1.09623882385d1p-6 + t * (0x1.49c6727c66902p-8 + t * (-0x1.8d4a9795ae0c8p-11 + t * (-0x1.a1df2eb31a4dbp-13 + t * (0x1.3bdfb93c6ed99p-13 + t * (-0x1.9954b81b53255p-16 + t * (-0x1.785ccf047cf9ap-17 + t * (0x1.7ec6d5e30e03ap-18 + t * (0x1.2d63478f4f95dp-22 + t * (-0x1.b2983566a389ap-21 + t * (0x1.83b6b3aaa8c84p-24 + t * (0x1.772c2b1d5671bp-24 + t * -0x1.9ffa23d7f7110p-26)))))))))))))))))));
  double upper = upper_f64(x);
  double e = exp(0.5 * -upper * upper);
  double f = exp((upper - x) * (upper + x));
  return e * 0x1.0p100 * f * q / (1.0 + 2.0 * x) * e * 0x1.0p-100;
}
double __anycl_erf_f64(double x) {
  double a = fabs(x);
  double far = 1.0 - erfc_far_f64(at_least_f64(a, 0.9));
  double y = a < 1.0 ? erf_near_f64(a) : far;
  return x != x ? x : copysign(y, x);
}
double __anycl_erfc_f64(double x) {
  double far = erfc_far_f64(at_least_f64(fabs(x), 0.9));
  far = x < 0.0 ? 2.0 - far : far;
  double y = fabs(x) < 1.0 ? 1.0 - erf_near_f64(x) : far;
  return x != x ? x : y;
}
