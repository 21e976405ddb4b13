// SPDX-License-Identifier: MIT
// OpenCL C's keywords and types for a C compiler, so that kernels/lib can be tested natively.
#include <math.h>
#include <stdbool.h>
#include <string.h>
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned short ushort;
typedef unsigned char uchar;
typedef _Float16 half;
static inline short as_short_(half x) { short y; memcpy(&y, &x, 2); return y; }
static inline half as_half_(short x) { half y; memcpy(&y, &x, 2); return y; }
#define as_short as_short_
#define as_half as_half_
#define __private
#define __constant const
#define __global
static inline int as_int_(float x) { int y; memcpy(&y, &x, 4); return y; }
static inline float as_float_(uint x) { float y; memcpy(&y, &x, 4); return y; }
static inline long as_long_(double x) { long y; memcpy(&y, &x, 8); return y; }
static inline double as_double_(ulong x) { double y; memcpy(&y, &x, 8); return y; }
#define as_int as_int_
#define as_uint(x) ((uint)as_int_(x))
#define as_float as_float_
#define as_long as_long_
#define as_ulong(x) ((ulong)as_long_(x))
#define as_double as_double_
#undef isnan
#undef isinf
#define fabs(x) _Generic((x), float: fabsf, default: fabs)(x)
#define rint(x) _Generic((x), float: rintf, default: rint)(x)
#define floor(x) _Generic((x), float: floorf, default: floor)(x)
#define ceil(x) _Generic((x), float: ceilf, default: ceil)(x)
#define trunc(x) _Generic((x), float: truncf, default: trunc)(x)
#define sqrt(x) _Generic((x), float: sqrtf, default: sqrt)(x)
#define fmin(x, y) _Generic((x), float: fminf, default: fmin)(x, y)
#define fmax(x, y) _Generic((x), float: fmaxf, default: fmax)(x, y)
#define copysign(x, y) _Generic((x), float: copysignf, default: copysign)(x, y)
static inline int clz_int(uint x) { return x ? __builtin_clz(x) : 32; }
static inline int clz_long(ulong x) { return x ? __builtin_clzl(x) : 64; }
#define clz(x) _Generic((x), uint: clz_int, int: clz_int, default: clz_long)(x)
static inline uint mul_hi(uint a, uint b) { return (uint)((ulong)a * b >> 32); }
#define max(a, b) ((a) > (b) ? (a) : (b))
#define min(a, b) ((a) < (b) ? (a) : (b))
// Calls between families use the built-in's name in OpenCL C, which the JIT resolves to the library.
#define DECLARE(n) float __anycl_##n##_f32(float); double __anycl_##n##_f64(double);
DECLARE(acos) DECLARE(acosh) DECLARE(asinh) DECLARE(asinpi) DECLARE(atan) DECLARE(atanpi)
DECLARE(cbrt) DECLARE(cos) DECLARE(cosh) DECLARE(erf) DECLARE(erfc) DECLARE(exp)
DECLARE(exp10) DECLARE(exp2) DECLARE(expm1) DECLARE(lgamma) DECLARE(log) DECLARE(log10)
DECLARE(log1p) DECLARE(sin) DECLARE(sinh) DECLARE(sinpi) DECLARE(tan) DECLARE(tanpi)
DECLARE(tgamma)
#undef DECLARE
#define OF_TYPE(n, x) _Generic((x), float: __anycl_##n##_f32, default: __anycl_##n##_f64)(x)
#define acos(x) OF_TYPE(acos, x)
#define acosh(x) OF_TYPE(acosh, x)
#define asinh(x) OF_TYPE(asinh, x)
#define asinpi(x) OF_TYPE(asinpi, x)
#define atan(x) OF_TYPE(atan, x)
#define atanpi(x) OF_TYPE(atanpi, x)
#define cbrt(x) OF_TYPE(cbrt, x)
#define cos(x) OF_TYPE(cos, x)
#define cosh(x) OF_TYPE(cosh, x)
#define erf(x) OF_TYPE(erf, x)
#define erfc(x) OF_TYPE(erfc, x)
#define exp(x) OF_TYPE(exp, x)
#define exp10(x) OF_TYPE(exp10, x)
#define exp2(x) OF_TYPE(exp2, x)
#define expm1(x) OF_TYPE(expm1, x)
#define lgamma(x) OF_TYPE(lgamma, x)
#define log(x) OF_TYPE(log, x)
#define log10(x) OF_TYPE(log10, x)
#define log1p(x) OF_TYPE(log1p, x)
#define sin(x) OF_TYPE(sin, x)
#define sinh(x) OF_TYPE(sinh, x)
#define sinpi(x) OF_TYPE(sinpi, x)
#define tan(x) OF_TYPE(tan, x)
#define tanpi(x) OF_TYPE(tanpi, x)
#define tgamma(x) OF_TYPE(tgamma, x)
#define DECLARE(n) float __anycl_##n##_f32(float, float); double __anycl_##n##_f64(double, double);
#define DECLARE_INT(n) float __anycl_##n##_f32(float, int); double __anycl_##n##_f64(double, int);
DECLARE(atan2) DECLARE(atan2pi) DECLARE(pow) DECLARE(powr) DECLARE_INT(pown) DECLARE_INT(rootn)
#undef DECLARE
#undef DECLARE_INT
#define OF_TYPES(n, x, y) _Generic((x), float: __anycl_##n##_f32, default: __anycl_##n##_f64)(x, y)
#define atan2(y, x) OF_TYPES(atan2, y, x)
#define atan2pi(y, x) OF_TYPES(atan2pi, y, x)
#define pow(x, y) OF_TYPES(pow, x, y)
#define powr(x, y) OF_TYPES(powr, x, y)
#define pown(x, n) OF_TYPES(pown, x, n)
#define rootn(x, n) OF_TYPES(rootn, x, n)
float __anycl_sincos_f32(float, float *);
#define sincos(x, cosine) __anycl_sincos_f32(x, cosine)
float __anycl_lgamma_r_f32(float, int *);
#define lgamma_r(x, sign) __anycl_lgamma_r_f32(x, sign)
