// SPDX-License-Identifier: MIT
//
// Shared by the math families. Everything here is scalar and branch-light: the JIT runs it with one work-item per SIMD lane, so
// that a select is cheap and a branch runs both sides. Multiplications and additions may be fused or not: every bound holds in
// both cases, since products that must be exact are. A family calls functions of another by their names in OpenCL C (`exp`),
// which are calls of the library again.

#pragma OPENCL FP_CONTRACT ON

/** A rare path that is longer than the usual one: an out-of-line function, which lanes call one by one. */
#define RARE __attribute__((noinline))

/**
 * Added to a number below 2^21 (or 2^50), these round it to an integer, which is then in the low bits of the sum; subtracting
 * them again leaves it as a number. That is cheaper than a conversion. The sum is called `shifted`.
 */
#define SHIFT_F32 0x1.8p23f
#define SHIFT_F64 0x1.8p52

/** The integer in the low bits of a shifted number. */
static inline int shifted_int_f32(float shifted) { return as_int(shifted) - as_int(SHIFT_F32); }
static inline int shifted_int_f64(double shifted) { return (int)as_long(shifted); }

/** x * 2^n for a shifted n, |n| <= 250, and x near 1: rounded once if the result is subnormal. */
static inline float scale_f32(float x, float shifted) {
  int n = as_int(shifted) - (as_int(SHIFT_F32) - 254);
  int first = n >> 1;
  return x * as_float(first << 23) * as_float((n - first) << 23);
}

/** The same for |n| <= 2000. The fields are unsigned, because 64-bit lanes have no signed shift. */
static inline double scale_f64(double x, double shifted) {
  ulong n = as_ulong(shifted) - (as_ulong(SHIFT_F64) - 2046ul);
  ulong first = n >> 1;
  return x * as_double(first << 52) * as_double((n - first) << 52);
}

/** 2^(n + more) for a shifted n, if that is a normal number. */
static inline float power_of_two_f32(float shifted, int more) { return as_float((as_int(shifted) + (127 + more)) << 23); }
static inline double power_of_two_f64(double shifted, int more) { return as_double((as_ulong(shifted) + (ulong)(1023 + more)) << 52); }

/** The upper 12 bits of a float's significand: products of two such numbers are exact. */
static inline float upper_f32(float x) { return as_float(as_uint(x) & 0xfffff000u); }

/** The upper 26 bits of a double's significand: products of two such numbers are exact. */
static inline double upper_f64(double x) { return as_double(as_ulong(x) & 0xfffffffff8000000ul); }

/**
 * (n + n_low) / (d + d_low) with only the last bits of `low` lost to rounding: the result has half a significand, and `low` is
 * the rest. The remainder of the division is exact, since it has products of half significands only.
 */
static inline float quotient_f32(float n, float n_low, float d, float d_low, float *low) {
  float inverse = 1.0f / d;
  float q = upper_f32(n * inverse);
  float d_upper = upper_f32(d);
  float rest = (n - q * d_upper) - q * (d - d_upper);
  *low = (rest + (n_low - q * d_low)) * inverse;
  return q;
}
static inline double quotient_f64(double n, double n_low, double d, double d_low, double *low) {
  double inverse = 1.0 / d;
  double q = upper_f64(n * inverse);
  double d_upper = upper_f64(d);
  double rest = (n - q * d_upper) - q * (d - d_upper);
  *low = (rest + (n_low - q * d_low)) * inverse;
  return q;
}

/** The smaller and the larger of two numbers; a NaN in x is kept. One instruction, where fmin and fmax need several. */
static inline float at_most_f32(float x, float y) { return x > y ? y : x; }
static inline float at_least_f32(float x, float y) { return x < y ? y : x; }
static inline double at_most_f64(double x, double y) { return x > y ? y : x; }
static inline double at_least_f64(double x, double y) { return x < y ? y : x; }

/** 1 / x for a positive x, accurate to a tenth; for very large numbers the reciprocal of a smaller one. */
static inline float about_inverse_f32(float x) { return as_float(0x7ef127ea - as_int(at_most_f32(x, 0x1.0p100f))); }
static inline double about_inverse_f64(double x) { return as_double(0x7fde623822fc16e6ul - as_ulong(at_most_f64(x, 0x1.0p1000))); }

#define INF_F32 as_float(0x7f800000)
#define NAN_F32 as_float(0x7fc00000)
#define INF_F64 as_double(0x7ff0000000000000l)
#define NAN_F64 as_double(0x7ff8000000000000l)
