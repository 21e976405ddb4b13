// SPDX-License-Identifier: MIT
//
// sinh, cosh, tanh, asinh, acosh, atanh.
//
// By exp and expm1 of |x|, scaled so that it overflows only where the result does; float's sinh and tanh by polynomials
// near 0. The inverses through log1p. Errors: below 2.5 ulp.
#include "math.h"

/** e^x / 2 for x >= 0; exponential.cl describes the method. */
static inline float half_exp(float x) {
  float n = rint(x * 0x1.715476p+0f);
  float r = (x - n * 0x1.63p-1f) - n * -0x1.bd0106p-13f;
  float tail = 0x1.fffffcp-2f +
               r * (0x1.55548cp-3f + r * (0x1.5558b8p-5f + r * (0x1.123d52p-7f + r * 0x1.6a32a6p-10f)));
  float y = scale_f32(1.0f + (r + r * r * tail), (int)n - 1);
  return x > 90.0f ? INF_F32 : y;
}

float __anycl_sinh_f32(float x) {
  float magnitude = fabs(x);
  float z = x * x;
  float near = magnitude + magnitude * z * (0x1.55559ap-3f + z * (0x1.10f6fap-7f + z * 0x1.ab5438p-13f));
  float e = half_exp(magnitude);
  float y = magnitude < 1.0f ? near : e - 0.25f / e;
  return copysign(y, x);
}
float __anycl_cosh_f32(float x) {
  float e = half_exp(fabs(x));
  return e + 0.25f / e;
}
float __anycl_tanh_f32(float x) {
  float magnitude = fabs(x);
  float z = x * x;
  float near = magnitude + magnitude * z * (-0x1.555528p-2f + z * (0x1.1104acp-3f + z * (-0x1.b7e580p-5f + z * (0x1.4fdd82p-6f + z * -0x1.6b7268p-8f))));
  float e = 2.0f * half_exp(2.0f * at_most_f32(magnitude, 20.0f));
  float y = magnitude < 0.62f ? near : 1.0f - 2.0f / (e + 1.0f);
  return x != x ? x : copysign(y, x);
}
float __anycl_asinh_f32(float x) {
  float a = fabs(x);
  float z = a * a;
  float near = log1p(a + z / (1.0f + sqrt(1.0f + z)));
  float y = a > 0x1.0p14f ? log(a) + 0x1.62e430p-1f : near;
  return x == 0.0f || x != x ? x : copysign(y, x);
}
float __anycl_acosh_f32(float x) {
  float t = x - 1.0f;
  float near = log1p(t + sqrt(t * (x + 1.0f)));
  float y = x > 0x1.0p14f ? log(x) + 0x1.62e430p-1f : near;
  return x < 1.0f ? NAN_F32 : y;
}
float __anycl_atanh_f32(float x) {
  float a = fabs(x);
  float y = 0.5f * log1p(2.0f * a / (1.0f - a));
  y = a < 0x1.0p-12f ? a : y;
  return x != x ? x : copysign(y, x);
}

double __anycl_sinh_f64(double x) {
  double magnitude = fabs(x);
  // Beyond the overflow of e^x: e^(x - ln 2^1024) first.
  bool large = magnitude > 709.0;
  double u = expm1(large ? magnitude - 0x1.62e42fefa0000p+5 : magnitude);
  double y = magnitude < 36.0 ? 0.5 * (u + u / (u + 1.0)) : 0.5 * u;
  y = large ? (u + 1.0) * (1.0 - 0x1.cf79abc97ad07p-34) * 0x1.0p63 : y;
  return x == 0.0 || x != x ? x : copysign(y, x);
}
double __anycl_cosh_f64(double x) {
  double magnitude = fabs(x);
  bool large = magnitude > 709.0;
  double u = expm1(large ? magnitude - 0x1.62e42fefa0000p+5 : magnitude);
  double e = u + 1.0;
  double y = magnitude < 1.0 ? 1.0 + u * u / (2.0 * e) : 0.5 * e + 0.5 / e;
  return large ? e * (1.0 - 0x1.cf79abc97ad07p-34) * 0x1.0p63 : y;
}
double __anycl_tanh_f64(double x) {
  double magnitude = fabs(x);
  double u = expm1(2.0 * at_most_f64(magnitude, 22.0));
  double y = magnitude > 1.0 ? 1.0 - 2.0 / (u + 2.0) : u / (u + 2.0);
  return x == 0.0 || x != x ? x : copysign(y, x);
}
double __anycl_asinh_f64(double x) {
  double a = fabs(x);
  double z = a * a;
  double near = log1p(a + z / (1.0 + sqrt(1.0 + z)));
  double y = a > 0x1.0p28 ? log(a) + 0x1.62e42fefa39efp-1 : near;
  return x == 0.0 || x != x ? x : copysign(y, x);
}
double __anycl_acosh_f64(double x) {
  double t = x - 1.0;
  double near = log1p(t + sqrt(t * (x + 1.0)));
  double y = x > 0x1.0p28 ? log(x) + 0x1.62e42fefa39efp-1 : near;
  return x < 1.0 ? NAN_F64 : y;
}
double __anycl_atanh_f64(double x) {
  double a = fabs(x);
  double y = 0.5 * log1p(2.0 * a / (1.0 - a));
  y = a < 0x1.0p-28 ? a : y;
  return x != x ? x : copysign(y, x);
}
