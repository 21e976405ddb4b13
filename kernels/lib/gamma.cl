// SPDX-License-Identifier: MIT
//
// tgamma. The specification asks 16 ulp.
//
// Gamma on [2, 3] by a polynomial; up to 20 by the recurrence, a loop of products; beyond by Stirling's series, with the
// power from power.cl in two halves. Negative numbers by reflection. Floats are computed in double, doubles in two
// numbers. Errors: below 0.9 ulp.
#include "math.h"
#include "pair.h"
#include "power.h"

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

/** For floats. */
static double gamma_in_double(double x) {
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
float __anycl_tgamma_f32(float x) { return (float)gamma_in_double((double)x); }

/** Gamma(2.5 + d) for |d| <= 0.5: the first two terms in two numbers. */
static inline Pair gamma_middle_pair(double d) {
  double tail = d * d * (0x1.4f224d4b7e01cp-1 + d * (0x1.03f6d2fa4f4fap-2 + d * (0x1.c138b89492df6p-4 + d * (0x1.d0a9bc49344a3p-6 + d * (0x1.5489cc6b5aae4p-7 + d * (0x1.a55ed2114c3c7p-10 + d * (0x1.8b8fce52fa853p-11 + d * (0x1.088718ba24adep-18 + d * (0x1.013c3ad6ddfcbp-14 + d * (-0x1.ad8badd43d6bdp-17 + d * (0x1.e6fa4f21162fcp-18 + d * (-0x1.57d2d57a58e9ep-19 + d * (0x1.1f234d4143985p-20 + d * (-0x1.c243b5ef7f40bp-22 + d * (0x1.b0e681e0dc2d8p-23 + d * (-0x1.5e80c544f4963p-24))))))))))))))));
  double upper = upper_f64(d);
  double p = upper * 0x1.de95858p-1;
  double sum = 0x1.544fa6d47b390p+0 + p;
  double rest = ((0x1.544fa6d47b390p+0 - sum) + p) + (upper * 0x1.c69c24d2e0c1cp-27 + (d - upper) * 0x1.de9585f1a7093p-1 - 0x1.2569de13afcdbp-59 + tail);
  return pair(sum, rest);
}
/** Gamma(x) for 2^-54 <= x < 20. */
static inline Pair gamma_small_pair(double x) {
  Pair product = {1.0, 0.0};
  while (x >= 3.0) {
    x -= 1.0;
    product = times(product, pair(x, 0.0));
  }
  // Below 2 at most two upward steps; neither they nor the distances from 2.5 are rounded where that would matter.
  bool below_one = x < 1.0;
  bool below_two = x < 2.0;
  double next = x + 1.0;
  Pair more = pair(next, (1.0 - next) + x);
  Pair one = {1.0, 0.0};
  Pair divisor = times(below_two ? pair(x, 0.0) : one, below_one ? more : one);
  Pair g = times(product, gamma_middle_pair(x - (below_one ? 0.5 : below_two ? 1.5 : 2.5)));
  double first = g.high + g.low;
  double d = divisor.high + divisor.low;
  Pair result;
  result.high = quotient_f64(first, (g.high - first) + g.low, d, (divisor.high - d) + divisor.low, &result.low);
  return result;
}
/** Stirling's, as in gamma_large: a number that is to be scaled by 2^n. */
static inline Pair gamma_large_pair(double x, double *shifted) {
  double u = 1.0 / x;
  double series = 0x1.40d931ff62706p+1 * u * (0x1.5555555555567p-4 + u * (0x1.c71c71c6dfa6fp-9 + u * (-0x1.5f7268c725788p-9 + u * (-0x1.e13da0a5bdefep-13 + u * (0x1.9b1775cd1a3a7p-11 + u * (0x1.1fa634526f159p-14 + u * (-0x1.31f59a8b15d3fp-11)))))));
  // (x - 1/2) log2(x) - x log2(e)
  Log2Parts l = log2_parts_f64(x);
  Pair a = pair(x - 0.5, 0.0);
  Pair b = pair(x, 0.0);
  double first = a.high * l.high;
  double second = b.high * 0x1.715476p+0;
  double w = first - second;
  double w_low = ((first - w) - second) + ((a.low * l.high + (a.high + a.low) * l.low) - (b.high * 0x1.4ae0bf85ddf44p-26 + b.low * 0x1.71547652b82fep+0));
  Exp2Parts e = exp2_parts_f64(w, w_low);
  double sum = 1.0 + e.high;
  Pair root = {0x1.40d9318p+1, 0x1.fd89c16595f29p-25 + series};
  *shifted = e.shifted;
  return times(pair(sum, ((1.0 - sum) + e.high) + e.tail), root);
}
/** sin(pi r) / (pi r) for |r| <= 1/2; relative error 2^-57 */
static inline Pair sine_ratio(double r) {
  Pair p = pair(r, 0.0);
  double z = p.high * p.high;
  double upper = upper_f64(r * r);
  double low = (z - upper) + (p.high + r) * p.low;
  double square = r * r;
  double first = upper * 0x1.a51a66p+0;
  double sum = 1.0 - first;
  double rest = ((1.0 - sum) - first) - (upper * 0x1.2983e991873d9p-27 + low * 0x1.a51a6625307d3p+0) + square * square * (0x1.9f9cb402bc46cp-1 + square * (-0x1.86a8e4720da72p-3 + square * (0x1.ac6805cf1a638p-6 + square * (-0x1.33816a8f843c3p-9 + square * (0x1.374708a69ef6bp-13 + square * (-0x1.d41441e1a475cp-18 + square * (0x1.0b65f129b943bp-22 + square * (0x1.15bf6ee6e66f1p-29 + square * (-0x1.2739f40534856p-27)))))))));
  return pair(sum, rest);
}
double __anycl_tgamma_f64(double x) {
  double magnitude = fabs(x);
  // Beyond, numbers overflow, and those of negative numbers underflow.
  double m = magnitude > 200.0 ? 200.5 : magnitude;
  double shifted = SHIFT_F64;
  Pair g;
  if (m < 20.0) {
    g = gamma_small_pair(at_least_f64(m, 0x1.0p-54));
  } else {
    g = gamma_large_pair(m, &shifted);
  }
  double y = scale_f64(g.high + g.low, shifted);
  if (x < 0.0) {
    // Gamma(-m) = -1 / (m r S Gamma(m)) with r the distance from an integer, and S = sin(pi r) / (pi r)
    double whole = rint(m);
    double r = m - whole;
    Pair d = times(times(pair(m, 0.0), pair(r, 0.0)), times(sine_ratio(r), g));
    double low;
    double d_first = d.high + d.low;
    double q = quotient_f64(1.0, 0.0, d_first, (d.high - d_first) + d.low, &low);
    y = scale_f64(q + low, SHIFT_F64 - (shifted - SHIFT_F64));
    // It is negative between -1 and 0, positive between -2 and -1, and so on.
    double below = trunc(magnitude);
    y = copysign(y, trunc(0.5 * below) == 0.5 * below ? -1.0 : 1.0);
    y = trunc(x) == x ? NAN_F64 : y;
  }
  y = x > 171.7 ? INF_F64 : y;
  y = magnitude < 0x1.0p-54 ? 1.0 / x : y;
  y = x == -INF_F64 ? NAN_F64 : y;
  return x != x ? x : y;
}
