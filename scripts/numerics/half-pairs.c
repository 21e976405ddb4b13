// SPDX-License-Identifier: MIT
//
// Functions of two halves over all pairs: those whose result is not the correctly rounded half. References are the C library's functions
// of doubles; MPFR decides wherever those are within 2^-44 of the middle of two halves. Built and run by half-pairs.sh.
//     half-pairs [-j THREADS] [-s STRIDE] [NAME...]
// A line for each function: how many pairs, how many of them wrong, the last one of these, how many MPFR decided. -s takes each
// STRIDE-th first argument only. Exponents that are integers go up to 2^17, beyond which every result but that of 1 and -1 is 0, infinite
// or, of roots, 1. The exit status is 1 if a result is wrong.
#define _GNU_SOURCE
#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reference.h"

typedef int (*RefPair)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int (*RefInt)(mpfr_t, const mpfr_t, long, mpfr_rnd_t);

#define HALVES(n, kind, ref) extern float __anycl_##n##_f16(float, float);
#define INTEGER(n, kind, ref) extern float __anycl_##n##_f16(float, int);
#define FLOATS(n, kind, ref) extern float __anycl_##n##_f32(float, float);
#define FLOAT_INTEGER(n, kind, ref) extern float __anycl_##n##_f32(float, int);
#define ROWS \
  HALVES(pow, POWER, mpfr_pow) HALVES(powr, POWER, ref_powr) HALVES(hypot, NEAR, mpfr_hypot) HALVES(atan2, NEAR, mpfr_atan2) \
  HALVES(atan2pi, NEAR, mpfr_atan2pi) INTEGER(pown, POWERS, ref_pown) INTEGER(rootn, ROOTS, ref_rootn) FLOATS(fmod, NEAR, mpfr_fmod) \
  FLOATS(remainder, NEAR, mpfr_remainder) FLOAT_INTEGER(ldexp, SCALES, ref_ldexp)
ROWS
#undef HALVES
#undef INTEGER
#undef FLOATS
#undef FLOAT_INTEGER

enum Kind { NEAR, POWER, POWERS, ROOTS, SCALES };
typedef struct {
  const char *name;
  enum Kind kind;
  int second_is_integer;
  void *function, *near, *reference;
} Row;

static double near_atan2pi(double y, double x) { return atan2(y, x) / M_PI; }
#define near_hypot hypot
#define near_atan2 atan2
#define near_fmod fmod
#define near_remainder remainder
// Powers are 2^(y log2 x) with the logarithms in a table.
#define near_pow NULL
#define near_powr NULL
#define near_pown NULL
#define near_rootn NULL
#define near_ldexp NULL
#define HALVES(n, kind, ref) {#n, kind, 0, __anycl_##n##_f16, near_##n, ref},
#define INTEGER(n, kind, ref) {#n, kind, 1, __anycl_##n##_f16, near_##n, ref},
#define FLOATS(n, kind, ref) {#n, kind, 0, __anycl_##n##_f32, near_##n, ref},
#define FLOAT_INTEGER(n, kind, ref) {#n, kind, 1, __anycl_##n##_f32, near_##n, ref},
static const Row ALL[] = {ROWS};

static double value[65536], log2_of[65536];
/** Of each magnitude, the numbers that are rounded to it: those between these two. */
static double least[0x7c01], most[0x7c01];

static void fill_tables(void) {
  for (uint32_t i = 0; i < 65536; i++) {
    int field = i >> 10 & 31, rest = i & 1023;
    double magnitude = field == 31 ? (rest ? NAN : INF) : field == 0 ? ldexp(rest, -24) : ldexp(1024 + rest, field - 25);
    value[i] = i & 0x8000 ? -magnitude : magnitude;
    log2_of[i] = log2(magnitude);
  }
  for (int i = 0; i <= 0x7c00; i++) {
    double below = i == 0 ? 0 : value[i - 1], here = i == 0x7c00 ? 65536 : value[i];
    double above = i == 0x7bff ? 65536 : i == 0x7c00 ? INF : value[i + 1];
    least[i] = i == 0 ? -1 : (below + here) / 2;
    most[i] = i == 0x7c00 ? INF : (here + above) / 2;
  }
}

/** The half of a float, rounded to nearest even. */
static uint16_t half_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return sign | 0x7e00;
  if (magnitude >= 0x477ff000) return sign | 0x7c00;
  if (magnitude >= 0x38800000) return sign | (magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13;
  float m;
  memcpy(&m, &magnitude, 4);
  return sign | (uint16_t)(uint32_t)rint((double)m * 0x1p24);
}

typedef struct {
  const Row *row;
  uint32_t from, to, stride;
  uint64_t pairs, wrong, asked;
  double x, y, got;
  mpfr_t mx, my, exact;
} Part;

static int is_right(uint16_t half, const mpfr_t exact) {
  double magnitude = fabs(value[half & 0x7fff]);
  if (mpfr_nan_p(exact) || isnan(magnitude)) return mpfr_nan_p(exact) && isnan(magnitude);
  if (!(half & 0x8000) != !mpfr_signbit(exact)) return 0;
  const int bits = half & 0x7fff;
  mpfr_t bound;
  mpfr_init2(bound, 53);
  mpfr_set_d(bound, least[bits], MPFR_RNDN);
  int after = bits == 0 ? 1 : mpfr_cmpabs(exact, bound);
  mpfr_set_d(bound, most[bits], MPFR_RNDN);
  int before = bits == 0x7c00 ? -1 : mpfr_cmpabs(exact, bound);
  mpfr_clear(bound);
  const int is_even = bits % 2 == 0;
  return (after > 0 || (after == 0 && is_even)) && (before < 0 || (before == 0 && is_even));
}

static void judge(Part *part, float result, double near, double x, double y) {
  part->pairs++;
  const uint16_t half = half_of(result);
  const int bits = half & 0x7fff;
  const double magnitude = fabs(near);
  if (bits <= 0x7c00 && !(half & 0x8000) == !signbit(near) && magnitude > least[bits] * (1 + 0x1p-44) && magnitude < most[bits] * (1 - 0x1p-44)) return;
  if (isnan(near) && bits > 0x7c00) return;
  part->asked++;
  mpfr_set_d(part->mx, x, MPFR_RNDN);
  mpfr_set_d(part->my, y, MPFR_RNDN);
  if (part->row->second_is_integer) ((RefInt)part->row->reference)(part->exact, part->mx, (long)y, MPFR_RNDN);
  else ((RefPair)part->row->reference)(part->exact, part->mx, part->my, MPFR_RNDN);
  if (is_right(half, part->exact)) return;
  part->wrong++;
  part->x = x, part->y = y, part->got = value[half];
}

/** x^y, or where only MPFR can tell, a number that is right for nothing. */
static double near_power(double x, double log2_x, double y, double exponent, int is_odd) {
  const double unknown = 0x1p100;
  if (!(log2_x - log2_x == 0) || isnan(y) || isinf(y) || x < 0) {
    if (!(x < 0) || isinf(x) || isnan(y) || isinf(y) || y != rint(y)) return unknown;
  }
  const double w = log2_x * exponent;
  const double z = w > 40 ? 0x1p40 : w < -60 ? 0x1p-60 : exp2(w);
  return x < 0 && is_odd ? -z : z;
}

static void *run_part(void *argument) {
  Part *part = argument;
  const Row *row = part->row;
  mpfr_inits2(53, part->mx, part->my, (mpfr_ptr)0);
  mpfr_init2(part->exact, 200);
  float (*of_halves)(float, float) = row->function;
  float (*of_integer)(float, int) = row->function;
  double (*near)(double, double) = row->near;
  for (uint32_t i = part->from; i < part->to; i += part->stride) {
    const double x = value[i];
    if (row->second_is_integer) {
      const int end = row->kind == SCALES ? 64 : 1 << 17;
      for (int n = -end; n <= end; n++) {
        const double exponent = row->kind == ROOTS ? 1.0 / n : n;
        const double z = row->kind == SCALES ? ldexp(x, n) : near_power(x, log2_of[i], n, exponent, n & 1);
        judge(part, of_integer((float)x, n), row->kind == ROOTS && x < 0 && n % 2 == 0 ? NAN : z, x, n);
      }
    } else
      for (uint32_t j = 0; j < 65536; j++) {
        const double y = value[j];
        const double z = row->kind == NEAR ? near(x, y) : near_power(x, log2_of[i], y, y, fmod(y, 2) != 0);
        judge(part, of_halves((float)x, (float)y), z, x, y);
      }
  }
  mpfr_clears(part->mx, part->my, part->exact, (mpfr_ptr)0);
  mpfr_free_cache();
  return NULL;
}

static int check(const Row *row, int threads, uint32_t stride) {
  Part parts[256], all = {0};
  pthread_t ids[256];
  const uint32_t steps = (65536 + stride - 1) / stride;
  for (int t = 0; t < threads; t++) {
    parts[t] = (Part){.row = row, .stride = stride, .from = (uint64_t)steps * t / threads * stride, .to = (uint64_t)steps * (t + 1) / threads * stride};
    if (parts[t].to > 65536) parts[t].to = 65536;
    pthread_create(&ids[t], NULL, run_part, &parts[t]);
  }
  for (int t = 0; t < threads; t++) {
    pthread_join(ids[t], NULL);
    all.pairs += parts[t].pairs;
    all.asked += parts[t].asked;
    all.wrong += parts[t].wrong;
    if (parts[t].wrong) all.x = parts[t].x, all.y = parts[t].y, all.got = parts[t].got;
  }
  printf("%-10s %" PRIu64 " of %" PRIu64 " not correctly rounded, %" PRIu64 " asked of MPFR", row->name, all.wrong, all.pairs, all.asked);
  if (all.wrong) printf("; %a, %a = %a", all.x, all.y, all.got);
  puts("");
  fflush(stdout);
  return all.wrong > 0;
}

int main(int argc, char **argv) {
  int threads = (int)sysconf(_SC_NPROCESSORS_ONLN), bad = 0;
  uint32_t stride = 1;
  for (int option; (option = getopt(argc, argv, "j:s:")) != -1;) {
    if (option == 'j') threads = atoi(optarg);
    else if (option == 's') stride = (uint32_t)strtoul(optarg, NULL, 0);
    else return 2;
  }
  if (threads > 256) threads = 256;
  fill_tables();
  for (unsigned i = 0; i < sizeof ALL / sizeof *ALL; i++) {
    int chosen = optind >= argc;
    for (int a = optind; a < argc; a++) chosen |= !strcmp(argv[a], ALL[i].name);
    if (chosen) bad |= check(&ALL[i], threads, stride);
  }
  return bad;
}
