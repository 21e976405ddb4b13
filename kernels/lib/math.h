// SPDX-License-Identifier: MIT
//
// Shared by the math families. Everything here is scalar and branch-light: the JIT runs it with one work-item per SIMD lane, so
// that a select is cheap and a branch runs both sides. Multiplications and additions may be fused or not: every bound holds in
// both cases, since products that must be exact are. A family calls functions of another by their names in OpenCL C (`exp`),
// which are calls of the library again.

#pragma OPENCL FP_CONTRACT ON

/** A rare case that is longer than the usual one: an out-of-line function, which lanes call one by one. */
#define RARE __attribute__((noinline))

/** x * 2^n for |n| <= 300 and x near 1, rounded once where the result is subnormal. */
static inline float scale_f32(float x, int n) {
  int first = n >> 1;
  return x * as_float((first + 127) << 23) * as_float((n - first + 127) << 23);
}

/** x * 2^n for |n| <= 2000 and x near 1, rounded once where the result is subnormal. */
static inline double scale_f64(double x, int n) {
  int first = n >> 1;
  return x * as_double((long)(first + 1023) << 52) * as_double((long)(n - first + 1023) << 52);
}

/** The upper 12 bits of a float's significand: products of two such numbers are exact. */
static inline float upper_f32(float x) { return as_float(as_uint(x) & 0xfffff000u); }

/** The upper 26 bits of a double's significand: products of two such numbers are exact. */
static inline double upper_f64(double x) { return as_double(as_ulong(x) & 0xfffffffff8000000ul); }

/** The smaller and the larger of two numbers; a NaN in x is kept. One select, where fmin and fmax need several. */
static inline float at_most_f32(float x, float y) { return x > y ? y : x; }
static inline float at_least_f32(float x, float y) { return x < y ? y : x; }
static inline double at_most_f64(double x, double y) { return x > y ? y : x; }
static inline double at_least_f64(double x, double y) { return x < y ? y : x; }

#define INF_F32 as_float(0x7f800000)
#define NAN_F32 as_float(0x7fc00000)
#define INF_F64 as_double(0x7ff0000000000000l)
#define NAN_F64 as_double(0x7ff8000000000000l)
