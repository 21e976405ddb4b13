// SPDX-License-Identifier: MIT
//
// The largest error of each function of one float over all 4,294,967,296 of them, and of functions of two numbers over samples of
// ranges that are hard. The references are the C library's functions of doubles, whose errors are 2^-26 of a float's ULP; MPFR
// decides wherever they say more than .9 ULP, or another NaN, infinity or sign. Built and run by exhaustive.sh.
//     exhaustive [-j THREADS] [-s STRIDE] [-o FIRST] [-e END] [-n SAMPLES] [-l] [NAME...]
//     exhaustive -h [NAME...]                  all halves, as the device computes them: in floats
//     exhaustive -r [-s STRIDE] [-o FIRST] [-e END] NAME    results from the standard input instead, floats, for the same arguments
// A line for each function: its largest error and where, how many results are not correctly rounded, how many arguments. -l names
// the functions of one number. The exit status is 1 if an error is above the limit.
#define _GNU_SOURCE
#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reference.h"

typedef int (*Ref1)(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int (*Ref2)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int (*RefI)(mpfr_t, const mpfr_t, long, mpfr_rnd_t);

/** Reductions of the argument are exact in double. */
static double near_sinpi(double x) {
  double r = x - 2 * rint(x / 2);
  if (fabs(r) > 0.5) r = copysign(1, r) - r;
  if (r == 0) return copysign(0, x);
  return fabs(r) <= 0.25 ? sin(M_PI * r) : copysign(cos(M_PI * (0.5 - fabs(r))), r);
}
static double near_cospi(double x) {
  double r = fabs(x - 2 * rint(x / 2));
  if (r <= 0.25) return cos(M_PI * r);
  return r <= 0.75 ? sin(M_PI * (0.5 - r)) : -cos(M_PI * (1 - r));
}
static double near_tanpi(double x) {
  double r = x - rint(x);
  if (r == 0) return fmod(x, 2) == 0 ? copysign(0, x) : -copysign(0, x);
  return fabs(r) <= 0.25 ? tan(M_PI * r) : copysign(1 / tan(M_PI * (0.5 - fabs(r))), r);
}
static double near_asinpi(double x) { return asin(x) / M_PI; }
static double near_acospi(double x) { return acos(x) / M_PI; }
static double near_atanpi(double x) { return atan(x) / M_PI; }
static double near_atan2pi(double y, double x) { return atan2(y, x) / M_PI; }
static double near_rsqrt(double x) { return 1 / sqrt(x); }
static double near_lgamma(double x) { int sign; return lgamma_r(x, &sign); }
static double near_powr(double x, double y) { return x < 0 ? NAN : pow(x, y); }
static double near_pown(double x, int n) { return pow(x, n); }
static double near_ldexp(double x, int n) { return ldexp(x, n); }
static double near_rootn(double x, int n) {
  if (n == 0 || (x < 0 && n % 2 == 0)) return NAN;
  return n % 2 == 0 ? pow(x, 1.0 / n) : copysign(pow(fabs(x), 1.0 / n), x);
}

// Instructions, not functions of the library.
static float __anycl_sqrt_f32(float x) { return sqrtf(x); }
static float __anycl_rsqrt_f32(float x) { return 1.0f / sqrtf(x); }

enum Kind { ONE, TWO, INTEGER };
typedef struct {
  const char *name;
  enum Kind kind;
  void *function, *near, *reference;
  double limit;
} Row;

#define F1(n, ref) extern float __anycl_##n##_f32(float);
#define HERE(n, ref, limit)
#define F2(n, ref) extern float __anycl_##n##_f32(float, float);
#define FI(n, ref) extern float __anycl_##n##_f32(float, int);
#define ROWS_OF_ONE \
  F1(exp, mpfr_exp) F1(exp2, mpfr_exp2) F1(exp10, ref_exp10) F1(expm1, mpfr_expm1) F1(log, mpfr_log) F1(log2, mpfr_log2) \
  F1(log10, mpfr_log10) F1(log1p, mpfr_log1p) F1(sin, mpfr_sin) F1(cos, mpfr_cos) F1(tan, mpfr_tan) F1(sinpi, mpfr_sinpi) \
  F1(cospi, mpfr_cospi) F1(tanpi, mpfr_tanpi) F1(asin, mpfr_asin) F1(acos, mpfr_acos) F1(atan, mpfr_atan) F1(asinpi, mpfr_asinpi) \
  F1(acospi, mpfr_acospi) F1(atanpi, mpfr_atanpi) F1(sinh, mpfr_sinh) F1(cosh, mpfr_cosh) F1(tanh, mpfr_tanh) F1(asinh, mpfr_asinh) \
  F1(acosh, mpfr_acosh) F1(atanh, mpfr_atanh) F1(erf, mpfr_erf) F1(erfc, mpfr_erfc) F1(tgamma, mpfr_gamma) F1(lgamma, ref_lgamma) \
  F1(cbrt, mpfr_cbrt) HERE(sqrt, mpfr_sqrt, 0.5) HERE(rsqrt, ref_rsqrt, 1.5)
#define ROWS_OF_TWO F2(pow, mpfr_pow) F2(powr, ref_powr) F2(hypot, mpfr_hypot) F2(atan2, mpfr_atan2) F2(atan2pi, mpfr_atan2pi) \
  F2(fmod, mpfr_fmod) F2(remainder, mpfr_remainder) FI(pown, ref_pown) FI(rootn, ref_rootn) FI(ldexp, ref_ldexp)
ROWS_OF_ONE
ROWS_OF_TWO
// Functions of halves in kernels/lib/half.cl; the others are the float's.
#define ROWS_OF_HALVES \
  H1(exp) H1(exp2) H1(exp10) H1(expm1) H1(log) H1(log10) H1(log1p) H1(sin) H1(cos) H1(tan) H1(tanpi) H1(acos) \
  H1(atan) H1(asinpi) H1(atanpi) H1(sinh) H1(cosh) H1(asinh) H1(acosh) H1(erf) H1(erfc) H1(tgamma) H1(lgamma) H1(cbrt)
#define H1(n) extern float __anycl_##n##_f16(float);
ROWS_OF_HALVES
#undef H1
#undef F1
#undef HERE
#undef F2
#undef FI

#define near_exp exp
#define near_exp2 exp2
#define near_exp10 exp10
#define near_expm1 expm1
#define near_log log
#define near_log2 log2
#define near_log10 log10
#define near_log1p log1p
#define near_sin sin
#define near_cos cos
#define near_tan tan
#define near_asin asin
#define near_acos acos
#define near_atan atan
#define near_sinh sinh
#define near_cosh cosh
#define near_tanh tanh
#define near_asinh asinh
#define near_acosh acosh
#define near_atanh atanh
#define near_erf erf
#define near_erfc erfc
#define near_tgamma tgamma
#define near_cbrt cbrt
#define near_sqrt sqrt
#define near_pow pow
#define near_hypot hypot
#define near_atan2 atan2
#define near_fmod fmod
#define near_remainder remainder
#define F1(n, ref) {#n, ONE, __anycl_##n##_f32, near_##n, ref, 1},
#define HERE(n, ref, limit) {#n, ONE, __anycl_##n##_f32, near_##n, ref, limit},
#define F2(n, ref) {#n, TWO, __anycl_##n##_f32, near_##n, ref, 1},
#define FI(n, ref) {#n, INTEGER, __anycl_##n##_f32, near_##n, ref, 1},
static const Row ROWS[] = {ROWS_OF_ONE ROWS_OF_TWO};
#define ROW_COUNT (int)(sizeof ROWS / sizeof *ROWS)

typedef struct {
  const Row *row;
  uint64_t first, stride, count, seed;
  const float *given;
  double worst, x, y;
  float got;
  uint64_t not_rounded, asked;
} Part;

static float float_of(uint32_t bits) { float f; memcpy(&f, &bits, 4); return f; }

/** |result - near| in a float's ULP of `near`; INF where only MPFR can tell. */
static double estimate(float result, double near) {
  if (isnan(near)) return isnan(result) ? 0 : INF;
  if (isnan(result)) return INF;
  double magnitude = fabs(near);
  if (magnitude == 0) return result == 0 && !signbit(result) == !signbit(near) ? 0 : INF;
  if (isinf(near) || isinf(result)) {
    if (isinf(result) && magnitude >= 0x1p128 && (result > 0) == (near > 0)) return 0;
    return INF;
  }
  if (magnitude > 0x1p128) return INF;
  uint64_t bits;
  memcpy(&bits, &magnitude, 8);
  int exponent = (int)(bits >> 52) - 1023;
  if (exponent < -126) exponent = -126;
  uint64_t inverse_bits = (uint64_t)(1023 + 23 - exponent) << 52;
  double inverse;
  memcpy(&inverse, &inverse_bits, 8);
  return fabs((double)result - near) * inverse;
}

static double exactly(const Row *row, float result, double x, double y) {
  mpfr_t mx, my, exact;
  mpfr_inits2(53, mx, my, (mpfr_ptr)0);
  mpfr_init2(exact, 120);
  mpfr_set_d(mx, x, MPFR_RNDN);
  mpfr_set_d(my, y, MPFR_RNDN);
  if (row->kind == ONE) ((Ref1)row->reference)(exact, mx, MPFR_RNDN);
  else if (row->kind == TWO) ((Ref2)row->reference)(exact, mx, my, MPFR_RNDN);
  else ((RefI)row->reference)(exact, mx, (long)y, MPFR_RNDN);
  double error = error_of(result, exact, 0);
  mpfr_clears(mx, my, exact, (mpfr_ptr)0);
  return error;
}

static void judge(Part *part, float result, double near, double x, double y) {
  double error = estimate(result, near);
  if (error > 0.9) {
    part->asked++;
    error = exactly(part->row, result, x, y);
  }
  if (error > 0.5) part->not_rounded++;
  if (error > part->worst) part->worst = error, part->x = x, part->y = y, part->got = result;
}

static uint64_t next(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state * 0x2545f4914f6cdd1du;
}

/** Any float, numbers near 1, of usual size, and integers and halves. */
static float sample(uint64_t *state) {
  uint64_t bits = next(state);
  double unit = (double)(int64_t)next(state) * 0x1p-63;
  switch (bits % 8) {
    case 0:
    case 1: return float_of((uint32_t)(bits >> 20));
    case 2: return (float)unit;
    case 3: return (float)(1 + unit * 0x1p-6);
    case 4: return (float)(unit * 1000);
    case 5: return (float)copysign(exp2((double)(bits >> 11) * 0x1p-53 * 40 - 20), unit);
    case 6: return (float)(rint(unit * 200) / 2);
    default: return (float)(unit * 20);
  }
}

static void *run_part(void *argument) {
  Part *part = argument;
  const Row *row = part->row;
  if (row->kind == ONE) {
    float (*function)(float) = row->function;
    double (*near)(double) = row->near;
    for (uint64_t i = 0; i < part->count; i++) {
      float x = float_of((uint32_t)(part->first + i * part->stride));
      judge(part, part->given ? part->given[i] : function(x), near(x), x, 0);
    }
    return NULL;
  }
  uint64_t state = part->seed;
  for (uint64_t i = 0; i < part->count; i++) {
    float x = sample(&state);
    float y = sample(&state);
    int n = (int)(next(&state) >> 32) >> (next(&state) % 31);
    // Powers that neither overflow nor are 1, and numbers of nearly the same size.
    if (row->function == (void *)__anycl_pow_f32 || row->function == (void *)__anycl_powr_f32) {
      if (i % 2) y = (float)((double)(int64_t)next(&state) * 0x1p-63 * 150 / (fabs(log2(fabs((double)x))) + 1e-6));
    } else if (i % 2) y = (float)(x * exp2((double)(int64_t)next(&state) * 0x1p-63 * (i % 4 == 1 ? 2 : 24)));
    if (row->function == (void *)__anycl_pown_f32 && i % 2) n = (int)((double)(int64_t)next(&state) * 0x1p-63 * 150 / (fabs(log2(fabs((double)x))) + 1e-6));
    if (row->kind == TWO) judge(part, ((float (*)(float, float))row->function)(x, y), ((double (*)(double, double))row->near)(x, y), x, y);
    else judge(part, ((float (*)(float, int))row->function)(x, n), ((double (*)(double, int))row->near)(x, n), x, n);
  }
  return NULL;
}

/** |result - exact| in a half's ULP; from 65520 on, halves are infinite. */
static double error_of_half(double result, const mpfr_t exact) {
  if (mpfr_nan_p(exact) || isnan(result)) return mpfr_nan_p(exact) && isnan(result) ? 0 : INF;
  if (mpfr_zero_p(exact)) return result == 0 && !signbit(result) == !mpfr_signbit(exact) ? 0 : INF;
  if (mpfr_inf_p(exact) || fabs(mpfr_get_d(exact, MPFR_RNDZ)) >= 65520) return isinf(result) && (result > 0) == (mpfr_sgn(exact) > 0) ? 0 : INF;
  if (isinf(result)) return INF;
  long unit = mpfr_get_exp(exact) - 11 > -24 ? mpfr_get_exp(exact) - 11 : -24;
  mpfr_t d;
  mpfr_init2(d, 200);
  mpfr_set_d(d, result, MPFR_RNDN);
  mpfr_sub(d, d, exact, MPFR_RNDN);
  mpfr_mul_2si(d, d, -unit, MPFR_RNDN);
  double error = fabs(mpfr_get_d(d, MPFR_RNDU));
  mpfr_clear(d);
  return error;
}

#define H1(n) {#n, __anycl_##n##_f16},
static const struct { const char *name; float (*function)(float); } HALVES[] = {ROWS_OF_HALVES};

/** The function that computes a function of halves in floats. */
static float (*function_of_halves(const Row *row))(float) {
  for (unsigned i = 0; i < sizeof HALVES / sizeof *HALVES; i++)
    if (!strcmp(HALVES[i].name, row->name)) return HALVES[i].function;
  return (float (*)(float))row->function;
}

/** All halves of a function; 1 if one is not correctly rounded. */
static int check_halves(const Row *row) {
  mpfr_t x, exact;
  mpfr_init2(x, 24);
  mpfr_init2(exact, 120);
  double worst = 0, at = 0;
  float (*function)(float) = function_of_halves(row);
  int not_rounded = 0;
  for (uint32_t i = 0; i < 65536; i++) {
    uint16_t bits = (uint16_t)i;
    _Float16 argument;
    memcpy(&argument, &bits, 2);
    double result = (_Float16)function((float)argument);
    mpfr_set_d(x, (double)argument, MPFR_RNDN);
    ((Ref1)row->reference)(exact, x, MPFR_RNDN);
    double error = error_of_half(result, exact);
    not_rounded += error > 0.5;
    if (error > worst) worst = error, at = (double)argument;
  }
  mpfr_clears(x, exact, (mpfr_ptr)0);
  int bad = not_rounded > 0;
  printf("%-10s half %10.7f%s at %a; %d of 65536 not correctly rounded\n", row->name, worst, bad ? " TOO LARGE" : "", at, not_rounded);
  return bad;
}

static int threads = 1;

/** Splits `count` arguments among the threads, and adds what they found to `all`. */
static void run_parts(Part *all, uint64_t done, uint64_t count, const float *given) {
  Part parts[256];
  pthread_t ids[256];
  for (int t = 0; t < threads; t++) {
    uint64_t from = count * t / threads, to = count * (t + 1) / threads;
    parts[t] = (Part){.row = all->row, .first = all->first + (done + from) * all->stride, .stride = all->stride, .count = to - from,
      .seed = 0x9e3779b97f4a7c15u * (t + 1) + done, .given = given ? given + from : NULL, .worst = -1};
    pthread_create(&ids[t], NULL, run_part, &parts[t]);
  }
  for (int t = 0; t < threads; t++) {
    pthread_join(ids[t], NULL);
    all->not_rounded += parts[t].not_rounded;
    all->asked += parts[t].asked;
    if (parts[t].worst > all->worst) all->worst = parts[t].worst, all->x = parts[t].x, all->y = parts[t].y, all->got = parts[t].got;
  }
}

static int report(const Part *all, uint64_t count) {
  int bad = all->worst > all->row->limit;
  printf("%-10s %8.4f%s at %a", all->row->name, all->worst, bad ? " TOO LARGE" : "", all->x);
  if (all->row->kind != ONE) printf(", %a", all->y);
  printf(" = %a; %" PRIu64 " of %" PRIu64 " not correctly rounded, %" PRIu64 " asked of MPFR\n", all->got, all->not_rounded, count, all->asked);
  fflush(stdout);
  return bad;
}

int main(int argc, char **argv) {
  uint64_t stride = 1, first = 0, end = UINT64_C(1) << 32, samples = 100000000;
  int reads = 0, lists = 0, halves = 0, bad = 0;
  threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
  for (int option; (option = getopt(argc, argv, "j:s:o:e:n:rlh")) != -1;) {
    if (option == 'j') threads = atoi(optarg);
    else if (option == 's') stride = strtoull(optarg, NULL, 0);
    else if (option == 'o') first = strtoull(optarg, NULL, 0);
    else if (option == 'e') end = strtoull(optarg, NULL, 0);
    else if (option == 'n') samples = strtoull(optarg, NULL, 0);
    else if (option == 'r') reads = 1;
    else if (option == 'l') lists = 1;
    else if (option == 'h') halves = 1;
    else return 2;
  }
  if (threads > 256) threads = 256;
  const uint64_t block = 1 << 22;
  float *given = reads ? malloc(block * sizeof *given) : NULL;
  for (int i = 0; i < ROW_COUNT; i++) {
    const Row *row = &ROWS[i];
    int chosen = optind >= argc;
    for (int a = optind; a < argc; a++) chosen |= !strcmp(argv[a], row->name);
    if (!chosen) continue;
    if (lists) {
      if (row->kind == ONE) puts(row->name);
      continue;
    }
    if (halves) {
      if (row->kind == ONE) bad += check_halves(row);
      continue;
    }
    Part all = {.row = row, .first = first, .stride = stride, .worst = 0};
    const uint64_t count = row->kind == ONE ? (end - first + stride - 1) / stride : samples;
    if (!reads) run_parts(&all, 0, count, NULL);
    for (uint64_t done = 0; reads && done < count; done += block) {
      const uint64_t some = count - done < block ? count - done : block;
      if (fread(given, sizeof *given, some, stdin) != some) {
        fprintf(stderr, "%s: too few results\n", row->name);
        return 2;
      }
      run_parts(&all, done, some, given);
    }
    bad += report(&all, count);
  }
  return bad > 0;
}
