// SPDX-License-Identifier: MIT
//
// tgamma, lgamma, lgamma_r. The specification asks 16 ulp of tgamma and nothing of lgamma.
//
// Gamma on [2, 3] by a polynomial; up to 20 by the recurrence, a loop of products; beyond by Stirling's series, with the
// power from power.cl in two halves. Negative numbers by reflection. Floats are computed in double. Errors: tgamma of
// floats below 0.6 ulp, of doubles below 12; lgamma below 4 ulp, for negative doubles only where it is not near a zero.
#include "math.h"

/** Gamma(2.5 + d) for |d| <= 0.5 */
static inline double gamma_middle(double d) {
  return 0x1.544fa6d47b390p+0 + d * (0x1.de9585f1a7093p-1 + d * (0x1.4f224d4b7e015p-1 + d * (0x1.03f6d2fa4f558p-2 + d * (0x1.c138b8949412bp-4 + d * (0x1.d0a9bc49215ffp-6 + d * (0x1.5489cc6a127afp-7 + d * (0x1.a55ed22db7bbfp-10 + d * (0x1.8b8fcfa91d535p-11 + d * (0x1.0885a7d147528p-18 + d * (0x1.013bdadc092e1p-14 + d * (-0x1.ad865289e261fp-17 + d * (0x1.e717e822466fdp-18 + d * (-0x1.582e0df09dcc8p-19 + d * (0x1.1df515a4297a5p-20 + d * (-0x1.bbcd99da751dfp-22 + d * (0x1.baa4e5290345cp-23 + d * -0x1.76ad5499ba4f0p-24))))))))))))))));
}

/** Gamma(x) for 0 < x < 20. */
static inline double gamma_small(double x) {
  double product = 1.0;
  double divisor = 1.0;
  while (x >= 3.0) {
    x -= 1.0;
    product *= x;
  }
  // Below 2 at most two upward steps.
  bool below_one = x < 1.0;
  bool below_two = x < 2.0;
  divisor = below_one ? x * (x + 1.0) : below_two ? x : 1.0;
  x += below_one ? 2.0 : below_two ? 1.0 : 0.0;
  return product * gamma_middle(x - 2.5) / divisor;
}

/** Stirling's: sqrt(2 pi) x^(x - 1/2) e^-x (1 + 1/(12 x) + ...), in two factors whose product may overflow. */
static inline double gamma_large(double x, double *factor) {
  double u = 1.0 / x;
  double series = 0x1.0000000000000p+0 + u * (0x1.5555555555592p-4 + u * (0x1.c71c71c6726f9p-9 + u * (-0x1.5f7268949ef8fp-9 + u * (-0x1.e13e53e7e9239p-13 + u * (0x1.9b1c97f548157p-11 + u * (0x1.1d4eac8ac5ed3p-14 + u * -0x1.3046d56532b04p-11))))));
  double half_power = pow(x, 0.5 * x - 0.25);
  *factor = half_power;
  return half_power * (exp(-x) * (0x1.40d931ff62706p+1 * series));
}

static double gamma_f64(double x) {
  double magnitude = fabs(x);
  double factor = 1.0;
  double g;
  if (magnitude < 20.0) {
    // Reflection and recurrence both need a positive argument.
    g = gamma_small(at_least_f64(magnitude, 0x1.0p-1021));
  } else {
    g = gamma_large(at_most_f64(magnitude, 200.0), &factor);
  }
  double y = g * factor;
  if (x < 0.0) {
    // Gamma(x) = -pi / (x sin(pi x) Gamma(-x)), sin(pi x) of the fraction alone
    double s = x * sinpi(x);
    y = -0x1.921fb54442d18p+1 / s / g / factor;
    y = trunc(x) == x ? NAN_F64 : y;
  }
  y = x > 171.7 ? INF_F64 : y;
  // The sign alternates between odd and even integers; all larger numbers are integers.
  y = magnitude < 0x1.0p-54 ? 1.0 / x : y;
  y = x == -INF_F64 ? NAN_F64 : y;
  return x != x ? x : y;
}
double __anycl_tgamma_f64(double x) { return gamma_f64(x); }
float __anycl_tgamma_f32(float x) { return (float)gamma_f64((double)x); }

/** (Gamma(2 + d) - 1) / d for |d| <= 0.5 */
static inline double gamma_slope(double d) {
  return 0x1.b0ee6072093cep-2 + d * (0x1.a5b978b96bebfp-2 + d * (0x1.4e23998465089p-4 + d * (0x1.301fbb0f25aa4p-4 + d * (-0x1.17f3740ec637fp-12 + d * (0x1.6d7eeac9e5cfep-7 + d * (-0x1.75e6e90ba91d4p-9 + d * (0x1.13c449cbde480p-9 + d * (-0x1.e21f19a5d96d1p-11 + d * (0x1.011ad16fcfd35p-11 + d * (-0x1.f94b1c99a07a4p-13 + d * (0x1.fe56eb1696467p-14 + d * (-0x1.fddfe29daff3bp-15 + d * (0x1.fed52d03a72eap-16 + d * (-0x1.00a168dad1e7dp-16 + d * (0x1.00c675108b673p-17 + d * (-0x1.e46c7a58e3edep-19 + d * (0x1.e48a337e812e1p-20 + d * (-0x1.6088b3c25fa69p-20 + d * 0x1.6090430082683p-21))))))))))))))))));
}
/**
 * log(Gamma(x)) for x > 0. Near the zeros at 1 and 2 it uses Gamma(x) - 1, which is exact there; Gamma(1 + d) = Gamma(2
 * + d) / (1 + d).
 */
static double lgamma_positive(double x) {
  if (x >= 0.5 && x < 2.5) {
    bool low = x < 1.5;
    double d = low ? x - 1.0 : x - 2.0;
    double slope = gamma_slope(d);
    return d == 0.0 ? 0.0 : log1p(low ? d * (slope - 1.0) / x : d * slope);
  }
  if (x < 8.0) {
    double g = gamma_small(at_least_f64(x, 0x1.0p-1021));
    return log(g);
  }
  double u = 1.0 / (x * x);
  double series = 0x1.5555555555555p-4 + u * (-0x1.6c16c16c10957p-9 + u * (0x1.a01a015d9dffep-11 + u * (-0x1.381331ca859a0p-11 + u * (0x1.b920c2eb0207fp-11 + u * (-0x1.ee6911554dc7dp-10 + u * 0x1.466275526a04fp-8)))));
  double l = log(x);
  double y = (x - 0.5) * (l - 1.0) + (0x1.acfe390c97d69p-2 + series / x);
  return x > 0x1.0p100 ? x * (l - 1.0) : y;
}
static double lgamma_f64(double x, int *sign) {
  double magnitude = fabs(x);
  double y = lgamma_positive(magnitude);
  bool whole = trunc(x) == x;
  int s = 1;
  if (as_long(x) < 0) {
    double sine = sinpi(magnitude);
    y = log(0x1.921fb54442d18p+1 / (magnitude * fabs(sine))) - y;
    // Between -1 and 0 it is negative, between -2 and -1 positive, and so on.
    s = sine > 0.0 ? -1 : 1;
    y = whole ? INF_F64 : y;
  }
  y = magnitude < 0x1.0p-60 ? -log(magnitude) : y;
  y = magnitude == INF_F64 ? INF_F64 : y;
  *sign = (x == 0.0) || (whole && x < 0.0) ? 0 : s;
  return x != x ? x : y;
}
double __anycl_lgamma_f64(double x) {
  int sign;
  return lgamma_f64(x, &sign);
}
float __anycl_lgamma_f32(float x) {
  int sign;
  return (float)lgamma_f64((double)x, &sign);
}
double __anycl_lgamma_r_f64(double x, __private int *sign) {
  int s;
  double y = lgamma_f64(x, &s);
  *sign = s;
  return y;
}
float __anycl_lgamma_r_f32(float x, __private int *sign) {
  int s;
  float y = (float)lgamma_f64((double)x, &s);
  *sign = s;
  return y;
}
