// SPDX-License-Identifier: MIT
//
// What bench/math.mjs measures, with SLEEF's functions on vectors of the processor: one thread, elements in the cache.
// Arguments: the repetitions. Prints a JSON object: for each function, elements per microsecond, the most of the repetitions.
#include <sleef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COUNT 16384
#define ROUNDS 16

static _Alignas(64) float floats[3][COUNT];
static _Alignas(64) double doubles[3][COUNT];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

// Values of `from` to `to`, in the order of bench/math.mjs.
static void fill(double from, double to) {
  for (int i = 0; i < COUNT; i++) {
    const double part = (double)((i * 7919u) % COUNT) / COUNT;
    floats[0][i] = doubles[0][i] = from + (to - from) * part;
    floats[1][i] = doubles[1][i] = 0.5 + 2.0 * ((i * 104729u) % COUNT) / COUNT;
  }
}

#ifdef __AVX512F__
#define FLOATS 16
#define DOUBLES 8
#define F(name, ulp) Sleef_##name##f16_##ulp##avx512f
#define D(name, ulp) Sleef_##name##d8_##ulp##avx512f
#define LOADF _mm512_load_ps
#define STOREF _mm512_store_ps
#define LOADD _mm512_load_pd
#define STORED _mm512_store_pd
#else
#define FLOATS 8
#define DOUBLES 4
#define F(name, ulp) Sleef_##name##f8_##ulp##avx2
#define D(name, ulp) Sleef_##name##d4_##ulp##avx2
#define LOADF _mm256_load_ps
#define STOREF _mm256_store_ps
#define LOADD _mm256_load_pd
#define STORED _mm256_store_pd
#endif

static int repetitions;
static const char *comma = "";

#define MEASURE(label, step, statement)                                 \
  do {                                                                  \
    double best = 0;                                                    \
    for (int n = 0; n < repetitions; n++) {                             \
      const double start = now();                                       \
      for (int round = 0; round < ROUNDS; round++)                      \
        for (int i = 0; i < COUNT; i += step) {                         \
          statement;                                                    \
          __asm__ volatile("" ::: "memory");                            \
        }                                                               \
      const double rate = COUNT * ROUNDS / (now() - start);             \
      if (rate > best) best = rate;                                     \
    }                                                                   \
    printf("%s\"%s\": %.2f", comma, label, best);                       \
    comma = ", ";                                                       \
  } while (0)

#define ONE(name, ulp, from, to)                                                                           \
  fill(from, to);                                                                                          \
  MEASURE(#name " float", FLOATS, STOREF(floats[2] + i, F(name, ulp)(LOADF(floats[0] + i))));              \
  MEASURE(#name " double", DOUBLES, STORED(doubles[2] + i, D(name, ulp)(LOADD(doubles[0] + i))))
#define TWO(name, ulp, from, to)                                                                                              \
  fill(from, to);                                                                                                             \
  MEASURE(#name " float", FLOATS, STOREF(floats[2] + i, F(name, ulp)(LOADF(floats[0] + i), LOADF(floats[1] + i))));           \
  MEASURE(#name " double", DOUBLES, STORED(doubles[2] + i, D(name, ulp)(LOADD(doubles[0] + i), LOADD(doubles[1] + i))))

int main(int count, char **arguments) {
  repetitions = count > 1 ? atoi(arguments[1]) : 15;
  printf("{");
#include "sleef-rows.h"
  printf("}\n");
}
