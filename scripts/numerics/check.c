// SPDX-License-Identifier: MIT
//
// Measures kernels/lib against correctly rounded references (MPFR): the largest error of each function in ULP, over all
// exponents, ranges that matter and edge cases, with the specification's limit. Built and run by check.sh.
//     check [-n SAMPLES] [-w FILE | -r FILE] [NAME...]
// Prints one line per function; the exit status is 1 if any is beyond its limit. -w writes the arguments instead, two doubles for
// each call, and -r reads results that another implementation has computed of them, a double for each; compare.mjs uses both.
#define _GNU_SOURCE
#include <inttypes.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <mpfr.h>
#include <string.h>
#include <math.h>

typedef int (*Ref1)(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int (*Ref2)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

enum Kind { F32_1, F32_2, F64_1, F64_2, F32_I, F64_I };

typedef struct {
  const char *name;
  enum Kind kind;
  void *function;
  void *reference;
  double limit;
  /**
   * The range in which errors are measured; outside of it, native_ functions must only not return unexpected NaNs and
   * infinities.
   */
  double low, high;
} Row;

#define F1(n) extern float __anycl_##n##_f32(float); extern double __anycl_##n##_f64(double);
#define FD(n) extern double __anycl_##n##_f64(double);
#define F1S(n) extern float __anycl_##n##_f32(float);
#define F2(n) extern float __anycl_##n##_f32(float, float); extern double __anycl_##n##_f64(double, double);
#define FI(n) extern float __anycl_##n##_f32(float, int); extern double __anycl_##n##_f64(double, int);
#include "functions.inc"
#undef F1
#undef FD
#undef F1S
#undef F2
#undef FI

#include "reference.h"

#define F1(n, ref, limit32, limit64) {#n, F32_1, __anycl_##n##_f32, ref, limit32, -INF, INF}, {#n, F64_1, __anycl_##n##_f64, ref, limit64, -INF, INF},
#define FD(n, ref, limit) {#n, F64_1, __anycl_##n##_f64, ref, limit, -INF, INF},
#define F1S(n, ref, limit, low, high) {#n, F32_1, __anycl_##n##_f32, ref, limit, low, high},
#define F2(n, ref, limit32, limit64) {#n, F32_2, __anycl_##n##_f32, ref, limit32, -INF, INF}, {#n, F64_2, __anycl_##n##_f64, ref, limit64, -INF, INF},
#define FI(n, ref, limit32, limit64) {#n, F32_I, __anycl_##n##_f32, ref, limit32, -INF, INF}, {#n, F64_I, __anycl_##n##_f64, ref, limit64, -INF, INF},
static const Row ROWS[] = {
#include "rows.inc"
};

static uint64_t state = 0x9e3779b97f4a7c15u;
static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * 0x2545f4914f6cdd1du;
}

static const double EDGES[] = {0.0, -0.0, 1, -1, 2, -2, 3, -3, 4, -4, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.25, 10, 100, -10, 16777216.0, -16777215.0, 1e300,
  -1e300, 3.5, 171, 172, 35.5, -35.5, 88.7, -103.9, 0x1p-149, -0x1p-149, 0x1p-126, -0x1p-126, 0x1p-1074, -0x1p-1074, 0x1p-1022, 0x1.fffffep127, -0x1.fffffep127,
  0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023, 0x1.fffffep-1, 0x1.000002p0, -0x1.fffffep-1, -0x1.000002p0, 0x1.fffffffffffffp-1, 0x1.0000000000001p0,
  1.5707963267948966, 3.141592653589793, 6.283185307179586, 0x1.921fb6p0, 0x1.921fb6p1, 0x1.921fb6p2, 0x1.921fb6p20, 0x1.6ac5b2p61, HUGE_VAL, -HUGE_VAL, NAN,
  5.5, -5.5, 1e10, 1e22, -1e22, 8388607.5, 4503599627370495.5, 0x1p23, 0x1p24, 0x1p52, 0x1p53, 128, -150, 1024, -1075, 12867.9, 1647099.3};
#define EDGE_COUNT (int)(sizeof EDGES / sizeof *EDGES)
static const int INTS[] = {0, 1, -1, 2, -2, 3, -3, 5, 7, 8, 10, -10, 31, 64, 127, 128, -126, -149, -150, 255, -300, 1023, 1024, -1074, 4097, 65537, 16777217,
  1000000007, 2147483647, -2147483647 - 1, -2147483647};
#define INT_COUNT (int)(sizeof INTS / sizeof *INTS)

/** A quarter of the samples have any exponent; the others are near usual numbers. */
static double sample(int is_double) {
  uint64_t bits = next();
  switch (next() % 8) {
    case 0:
    case 1: {
      if (is_double) { double d; memcpy(&d, &bits, 8); return d; }
      uint32_t b = (uint32_t)(bits >> 16); float f; memcpy(&f, &b, 4); return f;
    }
    case 2: return (double)(int64_t)bits * 0x1p-63;
    case 3: return 1.0 + (double)(int64_t)bits * 0x1p-66;
    case 4: return (double)(int64_t)bits * 0x1p-63 * 1000;
    case 5:
    case 6: return copysign(exp2((double)(bits >> 11) * 0x1p-53 * 20 - 13), (double)(int64_t)bits);
    default: return (double)(int64_t)bits * 0x1p-63 * 20;
  }
}

static double worst;
static double at[2];
static double got;
static int verbose;
/** Arguments that are written, and results that are read instead of calling the library. */
static FILE *arguments, *results;

static void measure(const Row *row, double x, double y, int n, mpfr_t mx, mpfr_t my, mpfr_t exact) {
  double result;
  int is_double = row->kind == F64_1 || row->kind == F64_2 || row->kind == F64_I;
  if (!is_double) x = (float)x, y = (float)y;
  if (arguments) {
    double both[2] = {x, row->kind == F32_I || row->kind == F64_I ? n : y};
    fwrite(both, sizeof both, 1, arguments);
    return;
  }
  mpfr_set_d(mx, x, MPFR_RNDN);
  switch (row->kind) {
    case F32_1: result = ((float (*)(float))row->function)((float)x); ((Ref1)row->reference)(exact, mx, MPFR_RNDN); break;
    case F64_1: result = ((double (*)(double))row->function)(x); ((Ref1)row->reference)(exact, mx, MPFR_RNDN); break;
    case F32_2: result = ((float (*)(float, float))row->function)((float)x, (float)y); mpfr_set_d(my, y, MPFR_RNDN); ((Ref2)row->reference)(exact, mx, my, MPFR_RNDN); break;
    case F64_2: result = ((double (*)(double, double))row->function)(x, y); mpfr_set_d(my, y, MPFR_RNDN); ((Ref2)row->reference)(exact, mx, my, MPFR_RNDN); break;
    case F32_I: y = n; result = ((float (*)(float, int))row->function)((float)x, n); ((int (*)(mpfr_t, const mpfr_t, long, mpfr_rnd_t))row->reference)(exact, mx, n, MPFR_RNDN); break;
    default: y = n; result = ((double (*)(double, int))row->function)(x, n); ((int (*)(mpfr_t, const mpfr_t, long, mpfr_rnd_t))row->reference)(exact, mx, n, MPFR_RNDN); break;
  }
  if (results && fread(&result, sizeof result, 1, results) != 1) {
    fprintf(stderr, "too few results\n");
    exit(2);
  }
  if (x < row->low || x > row->high) return;
  double error = error_of(result, exact, is_double);
  if (verbose && error > row->limit) { printf("    %s(%a, %a) = %a, not ", row->name, x, y, result); mpfr_printf("%.20Rg", exact); printf(" (%.3g ulp)\n", error); verbose--; }
  if (error > worst) worst = error, at[0] = x, at[1] = y, got = result;
}

// Functions with two results, against the C library's, which are exact.
extern float __anycl_frexp_f32(float, int *), __anycl_modf_f32(float, float *), __anycl_remquo_f32(float, float, int *);
extern double __anycl_frexp_f64(double, int *), __anycl_modf_f64(double, double *), __anycl_remquo_f64(double, double, int *);
extern float __anycl_nextafter_f32(float, float), __anycl_sincos_f32(float, float *), __anycl_sin_f32(float), __anycl_cos_f32(float);
extern double __anycl_nextafter_f64(double, double), __anycl_sincos_f64(double, double *), __anycl_sin_f64(double), __anycl_cos_f64(double);
extern int __anycl_ilogb_f32(float), __anycl_ilogb_f64(double);
extern float __anycl_lgamma_r_f32(float, int *);

static int same(double a, double b) { return isnan(a) ? isnan(b) : a == b && !signbit(a) == !signbit(b); }
static int shown;
static int expect(const char *name, double x, double y, int holds) {
  if (!holds && shown++ < 12) printf("    %s(%a, %a) is wrong\n", name, x, y);
  return !holds;
}

static int check_pointers(double x, double y) {
  int bad = 0, i, j;
  float f, g, fx = (float)x, fy = (float)y;
  double d, e;
  int finite = isfinite(x), finitef = isfinite(fx);
  float a = __anycl_frexp_f32(fx, &i), b = frexpf(fx, &j);
  bad += expect("frexp_f32", fx, 0, same(a, b) && i == (finitef ? j : 0));
  double c = __anycl_frexp_f64(x, &i), h = frexp(x, &j);
  bad += expect("frexp_f64", x, 0, same(c, h) && i == (finite ? j : 0));
  a = __anycl_modf_f32(fx, &f), b = modff(fx, &g);
  bad += expect("modf_f32", fx, 0, same(a, b) && same(f, g));
  c = __anycl_modf_f64(x, &d), h = modf(x, &e);
  bad += expect("modf_f64", x, 0, same(c, h) && same(d, e));
  a = __anycl_remquo_f32(fx, fy, &i), b = remquof(fx, fy, &j);
  bad += expect("remquo_f32", fx, fy, same(a, b) && (isnan(a) ? i == 0 : ((i ^ j) & 7) == 0));
  c = __anycl_remquo_f64(x, y, &i), h = remquo(x, y, &j);
  bad += expect("remquo_f64", x, y, same(c, h) && (isnan(c) ? i == 0 : ((i ^ j) & 7) == 0));
  bad += expect("nextafter_f32", fx, fy, same(__anycl_nextafter_f32(fx, fy), nextafterf(fx, fy)));
  bad += expect("nextafter_f64", x, y, same(__anycl_nextafter_f64(x, y), nextafter(x, y)));
  bad += expect("sincos_f32", fx, 0, same(__anycl_sincos_f32(fx, &f), __anycl_sin_f32(fx)) && same(f, __anycl_cos_f32(fx)));
  bad += expect("sincos_f64", x, 0, same(__anycl_sincos_f64(x, &d), __anycl_sin_f64(x)) && same(d, __anycl_cos_f64(x)));
  bad += expect("ilogb_f32", fx, 0, __anycl_ilogb_f32(fx) == (fx == 0 ? -2147483647 - 1 : isfinite(fx) ? ilogbf(fx) : 2147483647));
  bad += expect("ilogb_f64", x, 0, __anycl_ilogb_f64(x) == (x == 0 ? -2147483647 - 1 : isfinite(x) ? ilogb(x) : 2147483647));
  __anycl_lgamma_r_f32(fx, &i);
  lgammaf_r(fx, &j);
  bad += expect("lgamma_r_f32", fx, 0, isnan(fx) || isinf(fx) || i == (fx == 0 || (fx < 0 && truncf(fx) == fx) ? 0 : j));
  return bad;
}

int main(int argc, char **argv) {
  long samples = 200000;
  int first = 1, failures = 0;
  for (; first + 1 < argc && argv[first][0] == '-'; first += 2) {
    const char *value = argv[first + 1];
    if (!strcmp(argv[first], "-n")) samples = atol(value);
    if (!strcmp(argv[first], "-w")) arguments = fopen(value, "wb");
    if (!strcmp(argv[first], "-r")) results = fopen(value, "rb");
  }
  int own = !arguments && !results;
  mpfr_t x, y, exact;
  mpfr_inits2(53, x, y, (mpfr_ptr)0);
  mpfr_init2(exact, 120);
  for (unsigned i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    const Row *row = &ROWS[i];
    int chosen = first >= argc;
    for (int a = first; a < argc; a++) chosen |= !strcmp(argv[a], row->name);
    if (!chosen) continue;
    worst = 0;
    at[0] = at[1] = got = 0;
    verbose = getenv("VERBOSE") ? 12 : 0;
    int is_double = row->kind == F64_1 || row->kind == F64_2 || row->kind == F64_I;
    int two = row->kind == F32_2 || row->kind == F64_2, integer = row->kind == F32_I || row->kind == F64_I;
    for (int a = 0; a < EDGE_COUNT; a++) {
      if (!is_double && fabs(EDGES[a]) > 0x1.fffffep127 && !isinf(EDGES[a])) continue;
      if (!two && !integer) measure(row, EDGES[a], 0, 0, x, y, exact);
      for (int b = 0; two && b < EDGE_COUNT; b++) measure(row, EDGES[a], EDGES[b], 0, x, y, exact);
      for (int b = 0; integer && b < INT_COUNT; b++) measure(row, EDGES[a], 0, INTS[b], x, y, exact);
    }
    for (long s = 0; s < samples; s++) {
      double a = sample(is_double);
      double b = sample(is_double);
      // Pairs whose powers neither overflow nor are 1.
      if (two && s % 2) b = (s % 4 == 1 ? 1 : 1.0 / 1024) * (double)(int64_t)next() * 0x1p-53 / (fabs(log2(fabs(a))) + 1e-4);
      int n = (int)(next() >> 32) >> (next() % 31);
      measure(row, a, b, n, x, y, exact);
    }
    if (arguments) {
      printf("%s %s %ld\n", row->name, is_double ? "f64" : "f32", ftell(arguments) / 16);
      continue;
    }
    int bad = worst > row->limit;
    failures += bad;
    printf("%-12s %s %10.3f of %g%s", row->name, is_double ? "f64" : "f32", worst, row->limit, bad ? "  TOO LARGE" : "");
    printf(two || integer ? "  at (%a, %a)" : "  at %a", at[0], at[1]);
    printf(" = %a\n", got);
  }
  int wrong = 0;
  for (int a = 0; own && first >= argc && a < EDGE_COUNT; a++) {
    for (int b = 0; b < EDGE_COUNT; b++) wrong += check_pointers(EDGES[a], EDGES[b]);
  }
  for (long i = 0; own && first >= argc && i < samples; i++) wrong += check_pointers(sample(i & 1), sample(i & 1));
  if (own && first >= argc) printf("functions with two results, ilogb, nextafter: %d wrong\n", wrong);
  return failures + wrong > 0;
}
