// SPDX-License-Identifier: MIT
//
// Shared by check.c and exhaustive.c: references that MPFR does not have under OpenCL C's names, and the error of a result.
#pragma once
#include <math.h>
#include <mpfr.h>

#define INF HUGE_VAL

static int ref_exp10(mpfr_t r, const mpfr_t x, mpfr_rnd_t m) { return mpfr_exp10(r, x, m); }
static int ref_lgamma(mpfr_t r, const mpfr_t x, mpfr_rnd_t m) { int s; return mpfr_lgamma(r, &s, x, m); }
static int ref_powr(mpfr_t r, const mpfr_t x, const mpfr_t y, mpfr_rnd_t m) {
  // In OpenCL, powr(1, NaN) is NaN.
  if (mpfr_nan_p(x) || mpfr_nan_p(y)) { mpfr_set_nan(r); return 0; }
  return mpfr_powr(r, x, y, m);
}
static int ref_pown(mpfr_t r, const mpfr_t x, long n, mpfr_rnd_t m) { return mpfr_pow_si(r, x, n, m); }
static int ref_rootn(mpfr_t r, const mpfr_t x, long n, mpfr_rnd_t m) {
  if (n == 0) { mpfr_set_nan(r); return 0; }
  return mpfr_rootn_si(r, x, n, m);
}
static int ref_rsqrt(mpfr_t r, const mpfr_t x, mpfr_rnd_t m) {
  if (mpfr_zero_p(x)) { mpfr_set_inf(r, mpfr_signbit(x) ? -1 : 1); return 0; }
  return mpfr_rec_sqrt(r, x, m);
}
static int ref_ldexp(mpfr_t r, const mpfr_t x, long n, mpfr_rnd_t m) { return mpfr_mul_2si(r, x, n, m); }
static int ref_round(mpfr_t r, const mpfr_t x, mpfr_rnd_t m) { (void)m; return mpfr_round(r, x); }
static int ref_logb(mpfr_t r, const mpfr_t x, mpfr_rnd_t m) {
  if (mpfr_nan_p(x)) { mpfr_set_nan(r); return 0; }
  if (mpfr_inf_p(x)) { mpfr_set_inf(r, 1); return 0; }
  if (mpfr_zero_p(x)) { mpfr_set_inf(r, -1); return 0; }
  return mpfr_set_si(r, mpfr_get_exp(x) - 1, m);
}

/** |result - exact| in units of the last place of the exact value in the format. */
static double error_of(double result, const mpfr_t exact, int is_double) {
  int precision = is_double ? 53 : 24, least = is_double ? -1074 : -149;
  if (mpfr_nan_p(exact)) return isnan(result) ? 0 : INF;
  if (isnan(result)) return INF;
  double overflow = is_double ? INF : 0x1p128;
  if (mpfr_inf_p(exact)) return isinf(result) && (result > 0) == (mpfr_sgn(exact) > 0) ? 0 : INF;
  if (mpfr_zero_p(exact)) return result == 0 && !signbit(result) == !mpfr_signbit(exact) ? 0 : result == 0 ? INF : fabs(result) / ldexp(1, least);
  mpfr_exp_t e = mpfr_get_exp(exact);
  long unit = e - precision > least ? e - precision : least;
  mpfr_t d;
  mpfr_init2(d, 200);
  if (isinf(result)) {
    // Infinity represents the first number beyond the format.
    mpfr_set_ui_2exp(d, 1, is_double ? 1024 : 128, MPFR_RNDN);
    if (result < 0) mpfr_neg(d, d, MPFR_RNDN);
    (void)overflow;
    if (unit > (is_double ? 971 : 104)) { mpfr_clear(d); return (result > 0) == (mpfr_sgn(exact) > 0) ? 0 : INF; }
  } else {
    mpfr_set_d(d, result, MPFR_RNDN);
    if (e > (is_double ? 1024 : 128)) {
      // The exact value overflows: measure from the first number beyond the format.
      mpfr_t m;
      mpfr_init2(m, 64);
      mpfr_set_ui_2exp(m, 1, is_double ? 1024 : 128, MPFR_RNDN);
      if (mpfr_sgn(exact) < 0) mpfr_neg(m, m, MPFR_RNDN);
      mpfr_sub(d, d, m, MPFR_RNDN);
      mpfr_clear(m);
      mpfr_mul_2si(d, d, is_double ? -971 : -104, MPFR_RNDN);
      double r = fabs(mpfr_get_d(d, MPFR_RNDU));
      mpfr_clear(d);
      return r;
    }
  }
  mpfr_sub(d, d, exact, MPFR_RNDN);
  mpfr_mul_2si(d, d, -unit, MPFR_RNDN);
  double r = fabs(mpfr_get_d(d, MPFR_RNDU));
  mpfr_clear(d);
  return r;
}
