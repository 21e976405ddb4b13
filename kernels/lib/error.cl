// SPDX-License-Identifier: MIT
//
// erf, erfc.
//
// erf near 0 by an odd polynomial; float's further out as 1 - e^(x P(x)). erfc as exp(-x^2) Q(t) / (1 + 2 x) with
// t = (x - k) / (x + k), of floats in double and of doubles in two numbers, scaled so that a subnormal result is rounded once. Errors:
// below 1 ulp.
#include "math.h"
#include "exponential.h"

/** e^w for w in [-105, 0]; relative error 2^-27. */
static inline double exp_for_f32(double w) {
  double shifted = w * 0x1.71547652b82fep+0 + SHIFT_F64;
  double r = w - (shifted - SHIFT_F64) * 0x1.62e42fefa39efp-1;
  double e = 1.0 + r * (0x1.0000002e4a949p+0 + r * (0x1.0000000b9129bp-1 + r * (0x1.55547c9c5a035p-3 + r * (0x1.5554e9063586ep-5 + r * (0x1.123d90f1a67d6p-7 + r * 0x1.6d43246b523b4p-10)))));
  return e * power_of_two_f64(shifted, 0);
}

float __anycl_erf_f32(float x) {
  double a = (double)at_most_f32(fabs(x), 3.93f);
  double z = a * a;
  double near = a + a * (0x1.06eba815f819ep-3 + z * (-0x1.8127440977330p-2 + z * (0x1.ce2e516f1056bp-4 + z * (-0x1.b814d312bbe66p-6 + z * (0x1.55064418dc2c4p-8 + z * (-0x1.ac77bde3854a2p-11 + z * 0x1.6464805be6d00p-14))))));
  double far = 1.0 - exp_for_f32(a * (-0x1.20f25b969f806p+0 + a * (-0x1.4513f235e09d0p-1 + a * (-0x1.b4eeaf33737efp-4 + a * (0x1.8c17e623300f8p-6 + a * (-0x1.f8fdf68cdff64p-9 + a * (0x1.8ba2b0291de7cp-12 + a * -0x1.1b0837ec2da36p-16)))))));
  float y = (float)(a < 0.905 ? near : far);
  return x != x ? x : copysign(y, x);
}

/** erfc(x) for 0.46 <= x <= 10.2 */
static inline double erfc_far_f32(double x) {
  double more = x + 2.5;
  double d = 1.0 + 2.0 * x;
  double inverse = 1.0 / (more * d);
  double t = (x - 2.5) * d * inverse;
  double q = 0x1.43cc6f68fdb43p+0 + t * (-0x1.f52c5b345584fp-4 + t * (-0x1.959aa018bbd1bp-4 + t * (0x1.42d36320bcf6bp-3 + t * (-0x1.a5c3cdffed3b7p-4 + t * (0x1.0c5f72a46415cp-5 + t * (0x1.f4b23a4731a78p-11 + t * (-0x1.1e087f854cb6cp-8 + t * (0x1.b49450b0547ebp-12 + t * 0x1.21aa0b1ccd901p-11))))))));
  return exp_for_f32(-x * x) * (q * more * inverse);
}
float __anycl_erfc_f32(float x) {
  double a = (double)at_most_f32(fabs(x), 10.2f);
  double far = erfc_far_f32(a);
  double z = a * a;
  double near = 1.0 - (a + a * (0x1.06eba7fe3824bp-3 + z * (-0x1.812737ebe7262p-2 + z * (0x1.ce2721ff514e3p-4 + z * (-0x1.b6a682097fa3ap-6 + z * 0x1.37ab2473c4f93p-8)))));
  double y = a < 0.47 ? near : far;
  float result = (float)(x < 0.0f ? 2.0 - y : y);
  return x != x ? x : result;
}

/** erf(x) for |x| <= 0.7 as x + *tail; the first two terms of the series in x^2 consist of parts whose product is exact. */
static inline double erf_tail_f64(double x) {
  double z = x * x;
  double upper = upper_f64(z);
  double rest = (z - upper) * -0x1.812746b037a02p-2 + (upper * -0x1.81bd010000000p-29 + z * z * (0x1.ce2f21a043b23p-4 + z * (-0x1.b82ce312c82cep-6 + z * (0x1.565bcd17b3ac2p-8 + z * (-0x1.c02db5b1d4ff6p-11 + z * (0x1.f9a35b426ed95p-14 + z * (-0x1.f4d6abeaf0731p-17 + z * (0x1.ba25fb24c29e6p-20 + z * (-0x1.61f6ae2ffef80p-23 + z * (0x1.0fbc5af5207cap-26 + z * (-0x1.ed2884205d568p-30 + z * (0x1.316d0aff0ccffp-32 + z * -0x1.1b4eb4972d5efp-35))))))))))));
  return x * ((0x1.06eba8214db69p-3 + upper * -0x1.8127468000000p-2) + rest);
}
/** e^(-x^2) Q / (1 + 2 x), Q and the quotient in two numbers, for 0.62 <= x <= 27.3 */
static inline double erfc_far_f64(double x) {
  double more = x + 3.0;
  double d = 1.0 + 2.0 * x;
  double d_low = (2.0 * x - d) + 1.0;
  double t = (x - 3.0) / more;
  double tail = t * (-0x1.15c084bb9e8f4p-3 + t * (-0x1.85a15c58aa649p-5 + t * (0x1.098366a5b479bp-3 + t * (-0x1.e88b803a48213p-4 + t * (0x1.17ca2877ebf19p-4 + t * (-0x1.8574c40c413a3p-6 + t * (0x1.4b884e525e281p-9 + t * (0x1.ef1bdda659c88p-10 + t * (-0x1.98db53d78df71p-11 + t * (-0x1.b9129f233f592p-14 + t * (0x1.065a8a4931408p-13 + t * (0x1.4c2f59184e643p-18 + t * (-0x1.51479120f1b96p-16 + t * (-0x1.88ed1f62a08acp-21 + t * (0x1.d32b711ad18cfp-19 + t * (0x1.7c610f45f92c6p-22 + t * (-0x1.52e1e1b31b54ep-21 + t * (-0x1.1b3b2e0eafc01p-23 + t * (0x1.f14f6dcfb5be6p-24 + t * (0x1.da3df53b4524cp-26 + t * -0x1.37e366dd9a847p-26))))))))))))))))))));
  double q = 0x1.40c522d7e4987p+0 + tail;
  double s_low;
  double s = quotient_f64(q, ((0x1.40c522d7e4987p+0 - q) + tail) + 0x1.a9d4bb39e9363p-55, d, d_low, &s_low);
  // -x^2 in two numbers, and n ln 2 subtracted in two parts
  double upper = upper_f64(x);
  double w = -upper * upper;
  double w_low = (upper - x) * (upper + x);
  double shifted = (w + w_low) * 0x1.71547652b82fep+0 + SHIFT_F64;
  double n = shifted - SHIFT_F64;
  double first = w - n * 0x1.62e42feep-1;
  double high = first + w_low;
  double low = ((first - high) + w_low) - n * 0x1.a39ef35793c76p-33;
  double r = high + low;
  double tail_of_e = low + r * r * exp_tail_f64(r);
  double e = high + tail_of_e;
  double e_upper = upper_f64(e);
  double y = s + (s * e_upper + (s_low + (s_low * e + s * ((high - e_upper) + tail_of_e))));
  return scale_f64(y, shifted);
}
double __anycl_erf_f64(double x) {
  double a = fabs(x);
  double far = 1.0 - erfc_far_f64(at_most_f64(at_least_f64(a, 0.65), 6.0));
  double y = a < 0.65 ? a + erf_tail_f64(a) : far;
  return x != x ? x : copysign(y, x);
}
double __anycl_erfc_f64(double x) {
  double a = fabs(x);
  double far = erfc_far_f64(at_most_f64(at_least_f64(a, 0.65), 27.3));
  far = x < 0.0 ? 2.0 - far : far;
  double b = at_most_f64(at_least_f64(x, -0.65), 0.65);
  double sum = 1.0 - b;
  double near = sum + (((1.0 - sum) - b) - erf_tail_f64(b));
  double y = a < 0.65 ? near : far;
  return x != x ? x : y;
}
