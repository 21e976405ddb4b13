// SPDX-License-Identifier: MIT
// The memory bandwidth of a native program: the triad by two threads, best of twenty. cc -O3 -march=native -pthread triad.c
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS = 2, COUNT = 8000000, REPEAT = 20 };
static float *a, *b, *c;

static void *part(void *arg) {
  long t = (long)arg, from = COUNT / THREADS * t, to = from + COUNT / THREADS;
  for (long i = from; i < to; i++) a[i] = b[i] + 3.0f * c[i];
  return NULL;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

int main(void) {
  a = malloc(COUNT * sizeof *a);
  b = malloc(COUNT * sizeof *b);
  c = malloc(COUNT * sizeof *c);
  for (long i = 0; i < COUNT; i++) a[i] = 0, b[i] = i & 7, c[i] = i & 3;
  double best = 1e9;
  for (int r = 0; r < REPEAT; r++) {
    pthread_t threads[THREADS];
    double start = now();
    for (long t = 0; t < THREADS; t++) pthread_create(&threads[t], NULL, part, (void *)t);
    for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
    double seconds = now() - start;
    if (seconds < best) best = seconds;
  }
  printf("%.3f ms, %.2f GB/s (%g)\n", best * 1e3, 3.0 * COUNT * sizeof *a / best * 1e-9, a[COUNT / 2]);
  return 0;
}
