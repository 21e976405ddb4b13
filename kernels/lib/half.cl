// SPDX-License-Identifier: MIT
//
// Functions of halves, correctly rounded: the result of a float, which the caller rounds again to a half. That goes wrong for a few
// arguments, whose float is in the middle of two halves while the exact result is not. Their results are listed here, or a factor moves
// the float off the middle, wherever no other result is so close to one that the factor would spoil it. scripts/numerics/exhaustive.sh -h
// tries all halves, with fused multiplications and without; functions of which all results are right are not here.
#include "math.h"

/** Factors that move a float by one or two units in the last place. */
#define UP 0x1.000002p+0f
#define DOWN 0x1.fffffep-1f

static inline float sin_of_half(float x, float y) { return y * (fabs(x) < 0.3f ? UP : DOWN); }
static inline float cos_of_half(float x, float y) { return fabs(x) == 0x1.dfp-5f ? 0x1.ff4p-1f : y; }
float __anycl_sin_f16(float x) { return sin_of_half(x, sin(x)); }
float __anycl_cos_f16(float x) { return cos_of_half(x, cos(x)); }
float __anycl_sincos_f16(float x, __private float *cosine) {
  float y = sincos(x, cosine);
  *cosine = cos_of_half(x, *cosine);
  return sin_of_half(x, y);
}
float __anycl_tan_f16(float x) { return tan(x) * (fabs(x) == 0x1.7b4p+6f ? DOWN : UP); }
float __anycl_tanpi_f16(float x) {
  float magnitude = fabs(x);
  float factor = magnitude == 0x1.8b8p-13f || magnitude == 0x1.38p-8f || magnitude == 0x1.2c8p-5f ? UP : 1.0f;
  return tanpi(x) * (magnitude == 0x1.fc8p-14f ? DOWN : factor);
}
float __anycl_acos_f16(float x) {
  float y = acos(x);
  y = x == -0x1.2cp-18f ? 0x1.924p+0f : y;
  y = x == -0x1.2bcp-4f ? 0x1.a4cp+0f : y;
  return x == -0x1.1dp-1f ? 0x1.14cp+1f : y;
}
float __anycl_atan_f16(float x) { return atan(x) * (fabs(x) < 7.0f ? UP : 1.0f); }
float __anycl_asinpi_f16(float x) { return asinpi(x) * (fabs(x) > 0.125f ? UP : 1.0f); }
float __anycl_atanpi_f16(float x) { return atanpi(x) * (fabs(x) < 0.2f ? UP : 1.0f); }

float __anycl_exp_f16(float x) {
  float y = x == 0x1.de4p-8f ? 0x1.01cp+0f : exp(x);
  return x == 0x1.73cp-6f ? 0x1.05cp+0f : y;
}
float __anycl_exp2_f16(float x) { return x == 0x1.714p-11f ? 0x1.004p+0f : exp2(x); }
float __anycl_exp10_f16(float x) { return x == -0x1.c28p+0f ? 0x1.1ccp-6f : exp10(x); }
float __anycl_expm1_f16(float x) { return x == 0x1.6ap-11f ? 0x1.6a4p-11f : expm1(x); }
float __anycl_log_f16(float x) { return x == 0x1.5ep-8f ? -0x1.4ecp+2f : log(x); }
float __anycl_log10_f16(float x) {
  float y = log10(x) * DOWN;
  y = x == 0x1.fep-3f ? -0x1.354p-1f : y;
  y = x == 0x1.374p+0f ? 0x1.5bcp-4f : y;
  return x == 0x1.74p+11f ? 0x1.bccp+1f : y;
}
float __anycl_log1p_f16(float x) {
  float y = x == 0x1.80cp-8f ? 0x1.7fcp-8f : log1p(x);
  return x == -0x1.7f4p-8f ? -0x1.804p-8f : y;
}

float __anycl_sinh_f16(float x) { return sinh(x) * (fabs(x) < 5.0f ? UP : 1.0f); }
float __anycl_cosh_f16(float x) { return fabs(x) == 0x1.0p-5f ? 0x1.004p+0f : cosh(x); }
float __anycl_asinh_f16(float x) { return asinh(x) * (fabs(x) < 1.0f ? UP : DOWN); }
float __anycl_acosh_f16(float x) { return x == 0x1.39p+0f ? 0x1.4fcp-1f : acosh(x); }

float __anycl_erf_f16(float x) { return erf(x) * (fabs(x) == 0x1.848p-10f ? DOWN : 1.0f); }
float __anycl_erfc_f16(float x) {
  float y = x == 0x1.c5cp-13f ? 0x1.ffcp-1f : erfc(x);
  return x == -0x1.c5cp-12f ? 0x1.004p+0f : y;
}
float __anycl_tgamma_f16(float x) {
  float y = x == 0x1.3fp-15f ? 0x1.9acp+14f : tgamma(x);
  return x == 0x1.308p-9f ? 0x1.adcp+8f : y;
}
static inline float lgamma_of_half(float x, float y) {
  y = x == 0x1.198p-12f ? 0x1.074p+3f : y;
  y = x == 0x1.21cp+1f ? 0x1.0fcp-3f : y;
  return x == -0x1.c4cp+5f ? -0x1.5b4p+7f : y;
}
float __anycl_lgamma_f16(float x) { return lgamma_of_half(x, lgamma(x)); }
float __anycl_lgamma_r_f16(float x, __private int *sign) {
  float y = lgamma_r(x, sign);
  return lgamma_of_half(x, y);
}

/** Ten arguments, whose roots differ by powers of two. */
float __anycl_cbrt_f16(float x) { return cbrt(x) * 0x1.000006p+0f; }
