// SPDX-License-Identifier: MIT
//
// Numbers in two doubles, for the gamma functions.

/** A number in two, of which the upper one has half a significand, so that a product of two such is exact. */
typedef struct {
  double high;
  double low;
} Pair;
static inline Pair pair(double sum, double rest) {
  double y = sum + rest;
  Pair p;
  p.high = upper_f64(y);
  p.low = (sum - p.high) + rest;
  return p;
}
static inline Pair times(Pair a, Pair b) { return pair(a.high * b.high, a.high * b.low + a.low * (b.high + b.low)); }
