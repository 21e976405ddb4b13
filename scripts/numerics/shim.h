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
float __anycl_exp_f32(float);
double __anycl_exp_f64(double);
#define exp(x) _Generic((x), float: __anycl_exp_f32, default: __anycl_exp_f64)(x)
float __anycl_expm1_f32(float);
double __anycl_expm1_f64(double);
#define expm1(x) _Generic((x), float: __anycl_expm1_f32, default: __anycl_expm1_f64)(x)
float __anycl_log_f32(float);
double __anycl_log_f64(double);
#define log(x) _Generic((x), float: __anycl_log_f32, default: __anycl_log_f64)(x)
float __anycl_log1p_f32(float);
double __anycl_log1p_f64(double);
#define log1p(x) _Generic((x), float: __anycl_log1p_f32, default: __anycl_log1p_f64)(x)
float __anycl_sinpi_f32(float);
double __anycl_sinpi_f64(double);
#define sinpi(x) _Generic((x), float: __anycl_sinpi_f32, default: __anycl_sinpi_f64)(x)
double __anycl_pow_f64(double, double);
#define pow(x, y) __anycl_pow_f64(x, y)
