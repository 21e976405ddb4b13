// SPDX-License-Identifier: MIT
//
// Functions of two halves, correctly rounded: the result of a float, which the caller rounds again to a half. Where that float is near
// the middle of two halves, a function of doubles decides, and its result is rounded to odd: to the neighbour with an odd last bit, if it
// is not a float. Rounding that again is rounding once. scripts/numerics/half-pairs.sh tries all pairs.
#include "math.h"

/** Whether y, which is less than a unit in the last place away from the exact result, may be on the other side of the middle of two halves. */
static inline bool is_near_middle(float y) {
  float magnitude = fabs(y);
  // Halves below 2^-14 are as far apart as those above.
  magnitude = magnitude < 0x1.0p-14f ? magnitude + 0x1.0p-14f : magnitude;
  return ((as_uint(magnitude) - 0xffeu) & 0x1fffu) < 5u;
}

#define LOST 0x1ffffffful
static inline float rounded_to_odd(double y) {
  ulong bits = as_ulong(y);
  return (float)as_double((bits | ((bits & LOST) + LOST)) & ~LOST);
}

/** In doubles only: the quotient's square is not lost where the result is near a small quotient that is the middle of two halves. */
RARE static float atan2_middle(float y, float x) { return rounded_to_odd(atan2((double)y, (double)x)); }
RARE static float atan2pi_middle(float y, float x) { return rounded_to_odd(atan2pi((double)y, (double)x)); }

float __anycl_atan2_f16(float y, float x) {
  float angle = atan2(y, x);
  if (is_near_middle(angle)) angle = atan2_middle(y, x);
  return angle;
}
float __anycl_atan2pi_f16(float y, float x) {
  float turns = atan2pi(y, x);
  if (is_near_middle(turns)) turns = atan2pi_middle(y, x);
  return turns;
}

/** A power may be the middle itself; no other one is so near that 46 bits do not tell. */
static inline float rounded_power(double y) { return rounded_to_odd(as_double((as_ulong(y) + 0x40ul) & ~0x7ful)); }
RARE static float power_middle(float x, double y) { return rounded_power(pow((double)x, y)); }
RARE static float root_middle(float x, int n) { return rounded_power(rootn((double)x, n)); }

float __anycl_pow_f16(float x, float y) {
  float z = pow(x, y);
  if (is_near_middle(z)) z = power_middle(x, (double)y);
  return z;
}
float __anycl_powr_f16(float x, float y) {
  float z = powr(x, y);
  if (is_near_middle(z)) z = power_middle(x, (double)y);
  return z;
}
float __anycl_pown_f16(float x, int n) {
  float z = pown(x, n);
  if (is_near_middle(z)) z = power_middle(x, (double)n);
  return z;
}
float __anycl_rootn_f16(float x, int n) {
  float z = rootn(x, n);
  if (is_near_middle(z)) z = root_middle(x, n);
  return z;
}

/**
 * The squares and the error of their sum are exact, and so is the root's square if the root is the middle of two halves: what is left
 * says on which side of it the exact one is.
 */
float __anycl_hypot_f16(float x, float y) {
  float p = x * x;
  float q = y * y;
  float sum = p + q;
  float lost = at_most_f32(p, q) - (sum - at_least_f32(p, q));
  float root = sqrt(sum);
  float left = (sum - root * root) + lost;
  int bits = as_int(root);
  bits = left < 0.0f ? bits - 1 : bits;
  bits = fabs(left) > 0.0f ? bits | 1 : bits;
  return fabs(x) == INF_F32 || fabs(y) == INF_F32 ? INF_F32 : as_float(bits);
}
