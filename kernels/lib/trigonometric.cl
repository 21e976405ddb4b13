// SPDX-License-Identifier: MIT
//
// sin, cos, tan, sincos and their variants for multiples of pi.
//
// x = k pi/2 + r with |r| <= pi/4, pi/2 in parts that are so short that k times a part is exact (Cody and Waite), and r in
// two numbers; a minimax polynomial for each of sin r and cos r, a quotient of two for tan r; the quadrant k mod 4 chooses and
// signs. Beyond the range where k is short, functions that hardly any program calls multiply by 2/pi in integers (Payne and
// Hanek). Errors: below 1 ulp.
#include "math.h"

/** The bits of 2/pi after the binary point, most significant word first, after two words of zeros. */
static __constant uint TWO_OVER_PI[42] = {
    0x00000000u, 0x00000000u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u,
    0x3c439041u, 0xfe5163abu, 0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu,
    0xfe1deb1cu, 0xb129a73eu, 0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u,
    0x835339f4u, 0x9c845f8bu, 0xbdf9283bu, 0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu,
    0x6d367ecfu, 0x27cb09b7u, 0x4f463f66u, 0x9e5fea2du, 0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u,
    0x8a5292eau, 0x6bfb5fb1u, 0x1f8d5d08u, 0x56033046u, 0xfc7b6babu, 0xf0cfbc20u, 0x9af4361du,
};

/** Adds the product of two words to columns k and k + 1. */
#define COLUMN(k, m, t) \
  p = (ulong)(m) * (t); \
  c##k += (uint)p; \
  d##k += p >> 32;

/**
 * x mod pi/2 for a large finite x: the remainder in [-pi/4, pi/4] and the quadrant. x = M 2^e with an integer M; only the bits of 2/pi
 * are multiplied whose products are below 4 and above 2^-128.
 */
static double reduce_large(double x, int *quadrant, double *low_part) {
  ulong bits = as_ulong(x);
  int e = (int)(bits >> 52 & 0x7ff) - 1075;
  ulong significand = (bits & 0xffffffffffffful) | 0x10000000000000ul;
  int word = (e - 2) >> 5;
  // M 2^d in three words; the product with seven words of 2/pi has its point after 224 bits.
  int d = e - 32 * word;
  ulong low = d > 32 ? 0 : significand << d;
  uint m0 = (uint)low;
  ulong rest = d > 32 ? significand << (d - 32) : d == 32 ? significand : (low >> 32) | (significand >> (64 - d) << 32);
  uint m1 = (uint)rest;
  uint m2 = (uint)(rest >> 32);
  int at = word + 2;
  uint t6 = TWO_OVER_PI[at], t5 = TWO_OVER_PI[at + 1], t4 = TWO_OVER_PI[at + 2], t3 = TWO_OVER_PI[at + 3];
  uint t2 = TWO_OVER_PI[at + 4], t1 = TWO_OVER_PI[at + 5];
  ulong p;
  ulong c2 = 0, c3 = 0, c4 = 0, c5 = 0, c6 = 0, c7 = 0;
  ulong d2 = 0, d3 = 0, d4 = 0, d5 = 0, d6 = 0, d7 = 0;
  COLUMN(2, m0, t2) COLUMN(2, m1, t1)
  COLUMN(3, m0, t3) COLUMN(3, m1, t2) COLUMN(3, m2, t1)
  COLUMN(4, m0, t4) COLUMN(4, m1, t3) COLUMN(4, m2, t2)
  COLUMN(5, m0, t5) COLUMN(5, m1, t4) COLUMN(5, m2, t3)
  COLUMN(6, m0, t6) COLUMN(6, m1, t5) COLUMN(6, m2, t4)
  COLUMN(7, m1, t6) COLUMN(7, m2, t5)
  c3 += d2 + (c2 >> 32);
  c4 += d3 + (c3 >> 32);
  c5 += d4 + (c4 >> 32);
  c6 += d5 + (c5 >> 32);
  c7 += d6 + (c6 >> 32);
  ulong high = c6 << 32 | (uint)c5;
  ulong fraction = c4 << 32 | (uint)c3;
  int q = (int)c7 & 3;
  // Above one half, the distance to the next quadrant.
  bool over = (long)high < 0;
  q += over ? 1 : 0;
  high = over ? ~high : high;
  fraction = over ? ~fraction : fraction;
  // The fraction's first 32 bits are exact, and so is their product with the upper bits of pi/2.
  int zeros = (int)clz(high);
  high = zeros > 0 ? high << zeros | fraction >> (64 - zeros) : high;
  fraction <<= zeros;
  double scale = as_double((ulong)(1023 - zeros) << 52);
  double first = (double)(uint)(high >> 32) * 0x1.0p-32;
  double second = (double)(uint)high * 0x1.0p-64 + (double)fraction * 0x1.0p-128;
  double f = first * 0x1.921fbp+0;
  double behind = first * 0x1.5110b4611a626p-22 + second * 0x1.921fb54442d18p+0;
  double r = f + behind;
  scale = over != ((long)bits < 0) ? -scale : scale;
  *low_part = scale * ((f - r) + behind);
  *quadrant = (long)bits < 0 ? -q : q;
  return scale * r;
}

/**
 * The same for floats, whose significand times three words of 2/pi is enough: bits above the first of them count full turns, bits after
 * the last change the remainder by 2^-70, and no float is nearer to a multiple of pi/2 than 2^-30.
 */
static inline double reduce_large_f32(float x, int *quadrant) {
  uint bits = as_uint(x);
  uint m = (bits & 0x7fffffu) | 0x800000u;
  int start = (int)(bits >> 23 & 0xffu) - 150 + 62;
  int at = start >> 5, shift = start & 31, back = 31 - shift;
  uint w0 = TWO_OVER_PI[at], w1 = TWO_OVER_PI[at + 1], w2 = TWO_OVER_PI[at + 2], w3 = TWO_OVER_PI[at + 3];
  uint t2 = w0 << shift | w1 >> 1 >> back;
  uint t1 = w1 << shift | w2 >> 1 >> back;
  uint t0 = w2 << shift | w3 >> 1 >> back;
  // The product modulo 4: two integer bits, then the fraction.
  ulong middle = (ulong)m * t1 + mul_hi(m, t0);
  uint high = m * t2 + (uint)(middle >> 32);
  uint low = (uint)middle;
  long fraction = (long)((ulong)(high << 2 | low >> 30) << 32 | (low << 2 | m * t0 >> 30));
  int q = (int)(high >> 30) + (fraction < 0 ? 1 : 0);
  double r = (double)fraction * 0x1.921fb54442d18p-64;
  bool negative = (int)bits < 0;
  *quadrant = negative ? -q : q;
  return negative ? -r : r;
}

/** x mod pi/2 in two floats, for x that is not large. */
static inline float reduce_f32(float x, int *quadrant, float *low) {
  float shifted = x * 0x1.45f306p-1f + SHIFT_F32;
  float k = shifted - SHIFT_F32;
  *quadrant = as_int(shifted);
  float first = (x - k * 0x1.92p+0f) - k * 0x1.fb4p-12f;
  float second = k * 0x1.444p-24f;
  float r = first - second;
  *low = ((first - r) - second) - k * 0x1.68c234p-39f;
  return r;
}
static inline bool is_large_f32(float x) { return fabs(x) > 12000.0f; }

/**
 * sin(r) and cos(r) for |r| <= pi/4; relative errors of the polynomials 2^-28 and 2^-33. For the sine's last sum r is high + low;
 * `slope` = r low is the part of the cosine that r's last rounding would lose.
 */
static inline float sin_kernel_f32(float r, float high, float low) {
  float z = r * r;
  return high + (r * z * (-0x1.555546p-3f + z * (0x1.110776p-7f + z * -0x1.995274p-13f)) + low);
}
static inline float cos_kernel_f32(float r, float slope) {
  float z = r * r;
  float half_square = 0.5f * z;
  float w = 1.0f - half_square;
  return w + (((1.0f - w) - half_square) + (z * z * (0x1.55554ap-5f + z * (-0x1.6c0c1ap-10f + z * 0x1.99e0eep-16f)) - slope));
}

static inline float choose_f32(float sine, float cosine, int q) {
  return as_float(as_uint((q & 1) ? cosine : sine) ^ (uint)(q & 2) << 30);
}
static inline float sin_of_f32(float r, float low, int q) {
  return choose_f32(sin_kernel_f32(r, r, low), cos_kernel_f32(r, r * low), q);
}

/** sin(x + turn pi/2). */
RARE static float sin_large_f32(float x, int turn) {
  int q;
  double d = reduce_large_f32(x, &q);
  float r = (float)d;
  float y = sin_of_f32(r, (float)(d - (double)r), q + turn);
  return fabs(x) < INF_F32 ? y : NAN_F32;
}

float __anycl_sin_f32(float x) {
  int q;
  float low;
  float r = reduce_f32(x, &q, &low);
  float y = sin_of_f32(r, low, q);
  if (is_large_f32(x)) y = sin_large_f32(x, 0);
  return x == 0.0f ? x : y;
}
float __anycl_cos_f32(float x) {
  int q;
  float low;
  float r = reduce_f32(x, &q, &low);
  float y = sin_of_f32(r, low, q + 1);
  if (is_large_f32(x)) y = sin_large_f32(x, 1);
  return y;
}
float __anycl_sincos_f32(float x, __private float *cosine) {
  int q;
  float low;
  float r = reduce_f32(x, &q, &low);
  float s = sin_kernel_f32(r, r, low);
  float c = cos_kernel_f32(r, r * low);
  float y = choose_f32(s, c, q);
  float z = choose_f32(s, c, q + 1);
  if (is_large_f32(x)) {
    y = sin_large_f32(x, 0);
    z = sin_large_f32(x, 1);
  }
  *cosine = z;
  return x == 0.0f ? x : y;
}

/** tan r, or -1 / tan r in odd quadrants, as a quotient of polynomials in double; relative error of that 2^-33. */
static inline float tan_of_f32(double r, int q) {
  double z = r * r;
  double n = r + r * z * (-0x1.c7eb596e33259p-4 + z * 0x1.18e2ccbb058f9p-10);
  double d = 1.0 + z * (-0x1.c7502bb5ee5e9p-2 + z * 0x1.055bde55f65a9p-6);
  bool odd = (q & 1) != 0;
  return (float)((odd ? -d : n) / (odd ? n : d));
}
RARE static float tan_large_f32(float x) {
  int q;
  double r = reduce_large_f32(x, &q);
  float y = tan_of_f32(r, q);
  return fabs(x) < INF_F32 ? y : NAN_F32;
}
float __anycl_tan_f32(float x) {
  float shifted = x * 0x1.45f306p-1f + SHIFT_F32;
  double k = (double)(shifted - SHIFT_F32);
  double r = ((double)x - k * 0x1.921fb544p+0) - k * 0x1.0b4611a626331p-34;
  float y = tan_of_f32(r, as_int(shifted));
  if (is_large_f32(x)) y = tan_large_f32(x);
  return x == 0.0f ? x : y;
}

/** x = 2 n + k/2 + r with |r| <= 1/4, exactly. */
static inline float reduce_pi_f32(float x, int *quadrant) {
  float y = x - 2.0f * rint(0.5f * x);
  float shifted = 2.0f * y + SHIFT_F32;
  *quadrant = as_int(shifted);
  return y - 0.5f * (shifted - SHIFT_F32);
}
/** pi r as a sum of two. */
static inline float times_pi_f32(float r, float *low) {
  float upper = upper_f32(r);
  *low = upper * 0x1.fb5444p-11f + (r - upper) * 0x1.921fb6p+1f;
  return upper * 0x1.92p+1f;
}
static inline float sinpi_of_f32(float r, int q) {
  float low;
  float high = times_pi_f32(r, &low);
  float angle = high + low;
  return choose_f32(sin_kernel_f32(angle, high, low), cos_kernel_f32(angle, angle * ((high - angle) + low)), q);
}
float __anycl_sinpi_f32(float x) {
  int q;
  float r = reduce_pi_f32(x, &q);
  float y = sinpi_of_f32(r, q);
  // A zero has the sign of x.
  return y == 0.0f ? copysign(0.0f, x) : y;
}
float __anycl_cospi_f32(float x) {
  int q;
  float r = reduce_pi_f32(x, &q);
  float y = sinpi_of_f32(r, q + 1);
  return y == 0.0f ? 0.0f : y;
}
float __anycl_tanpi_f32(float x) {
  int q;
  float r = reduce_pi_f32(x, &q);
  float y = tan_of_f32((double)r * 0x1.921fb54442d18p+1, q);
  // The sign of zeros and poles alternates with the quadrant and with the sign of x.
  float zero = copysign(0.0f, ((q & 2) != 0) != (as_int(x) < 0) ? -1.0f : 1.0f);
  y = r == 0.0f ? ((q & 1) ? ((q & 3) == 1 ? INF_F32 : -INF_F32) : zero) : y;
  return y;
}

// ---- double

static inline double reduce_f64(double x, int *quadrant, double *low) {
  double shifted = x * 0x1.45f306dc9c883p-1 + SHIFT_F64;
  double k = shifted - SHIFT_F64;
  *quadrant = shifted_int_f64(shifted);
  double first = x - k * 0x1.921fb544p+0;
  double second = k * 0x1.0b4611a6p-34;
  double third = k * 0x1.3198a2e037073p-69;
  double rest = first - second;
  double r = rest - third;
  *low = ((first - rest) - second) + ((rest - r) - third);
  return r;
}
static inline bool is_large_f64(double x) { return fabs(x) > 800000.0; }

/** The sine of r minus r, and the cosine; low and slope are as for floats. */
static inline double sin_tail_f64(double r, double low) {
  double z = r * r;
  double p = -0x1.5555555555548p-3 + z * (0x1.111111110f716p-7 + z * (-0x1.a01a019be3241p-13 + z * (0x1.71de354def269p-19 + z * (-0x1.ae5e447535aa2p-26 + z * 0x1.5d88eeb16835ap-33))));
  return r * z * p + low;
}
static inline double cos_kernel_f64(double r, double slope) {
  double z = r * r;
  double p = 0x1.555555555554bp-5 + z * (-0x1.6c16c16c15003p-10 + z * (0x1.a01a019c8b2c0p-16 + z * (-0x1.27e4f7ed032dfp-22 + z * (0x1.1ee9d79451bb3p-29 + z * -0x1.8fa3c32ef4d58p-37))));
  double half_square = 0.5 * z;
  double w = 1.0 - half_square;
  return w + (((1.0 - w) - half_square) + (z * z * p - slope));
}
static inline double choose_f64(double sine, double cosine, int q) {
  return as_double(as_ulong((q & 1) ? cosine : sine) ^ (ulong)(uint)(q & 2) << 62);
}
static inline double sin_of_f64(double r, double low, int q) {
  return choose_f64(r + sin_tail_f64(r, low), cos_kernel_f64(r, r * low), q);
}
RARE static double sin_large_f64(double x, int turn) {
  int q;
  double low;
  double r = reduce_large(x, &q, &low);
  double y = sin_of_f64(r, low, q + turn);
  return fabs(x) < INF_F64 ? y : NAN_F64;
}
double __anycl_sin_f64(double x) {
  int q;
  double low;
  double r = reduce_f64(x, &q, &low);
  double y = sin_of_f64(r, low, q);
  if (is_large_f64(x)) y = sin_large_f64(x, 0);
  return x == 0.0 ? x : y;
}
double __anycl_cos_f64(double x) {
  int q;
  double low;
  double r = reduce_f64(x, &q, &low);
  double y = sin_of_f64(r, low, q + 1);
  if (is_large_f64(x)) y = sin_large_f64(x, 1);
  return y;
}
double __anycl_sincos_f64(double x, __private double *cosine) {
  int q;
  double low;
  double r = reduce_f64(x, &q, &low);
  double s = r + sin_tail_f64(r, low);
  double c = cos_kernel_f64(r, r * low);
  double y = choose_f64(s, c, q);
  double z = choose_f64(s, c, q + 1);
  if (is_large_f64(x)) {
    y = sin_large_f64(x, 0);
    z = sin_large_f64(x, 1);
  }
  *cosine = z;
  return x == 0.0 ? x : y;
}
/**
 * tan r, or -1 / tan r in odd quadrants, as a quotient of polynomials in two numbers; relative error of that 2^-62. `low` is the error
 * of r's last rounding; the tangent's slope there is about (1 + 2/3 z) times the denominator.
 */
static inline double tan_of_f64(double r, double low, int q) {
  double z = r * r;
  double tail = r * z * (-0x1.5555555555556p-3 + z * (0x1.f84c21c73b983p-8 + z * (-0x1.d2cf42000b97ep-14 + z * 0x1.0be912cc2cf84p-22)));
  double n = r + tail;
  double n_low = ((r - n) + tail) + low * (1.0 + 0.67 * z);
  double half_square = 0.5 * z;
  double w = 1.0 - half_square;
  double rest = z * z * (0x1.501a9549f87e8p-5 + z * (-0x1.1d7874ded8361p-10 + z * 0x1.f3737bb7bcd9cp-18));
  double d = w + rest;
  double d_low = ((1.0 - w) - half_square) + ((w - d) + rest);
  // In odd quadrants, numerator and denominator are exchanged.
  ulong odd = 0ul - (ulong)(uint)(q & 1);
  ulong change = (as_ulong(n) ^ as_ulong(d)) & odd;
  ulong change_low = (as_ulong(n_low) ^ as_ulong(d_low)) & odd;
  ulong sign = odd & 0x8000000000000000ul;
  double y_low;
  double y = quotient_f64(as_double(as_ulong(n) ^ change ^ sign), as_double(as_ulong(n_low) ^ change_low ^ sign), as_double(as_ulong(d) ^ change),
                          as_double(as_ulong(d_low) ^ change_low), &y_low);
  return y + y_low;
}
RARE static double tan_large_f64(double x) {
  int q;
  double low;
  double r = reduce_large(x, &q, &low);
  double y = tan_of_f64(r, low, q);
  return fabs(x) < INF_F64 ? y : NAN_F64;
}
double __anycl_tan_f64(double x) {
  int q;
  double low;
  double r = reduce_f64(x, &q, &low);
  double y = tan_of_f64(r, low, q);
  if (is_large_f64(x)) y = tan_large_f64(x);
  return x == 0.0 ? x : y;
}
static inline double reduce_pi_f64(double x, int *quadrant) {
  double y = x - 2.0 * rint(0.5 * x);
  double shifted = 2.0 * y + SHIFT_F64;
  *quadrant = shifted_int_f64(shifted);
  return y - 0.5 * (shifted - SHIFT_F64);
}
static inline double times_pi_f64(double r, double *low) {
  double upper = upper_f64(r);
  *low = upper * 0x1.10b4611a62633p-29 + (r - upper) * 0x1.921fb54442d18p+1;
  return upper * 0x1.921fb54p+1;
}
static inline double sinpi_of_f64(double r, int q) {
  double low;
  double high = times_pi_f64(r, &low);
  double angle = high + low;
  return choose_f64(high + sin_tail_f64(angle, low), cos_kernel_f64(angle, angle * ((high - angle) + low)), q);
}
double __anycl_sinpi_f64(double x) {
  int q;
  double r = reduce_pi_f64(x, &q);
  double y = sinpi_of_f64(r, q);
  return y == 0.0 ? copysign(0.0, x) : y;
}
double __anycl_cospi_f64(double x) {
  int q;
  double r = reduce_pi_f64(x, &q);
  double y = sinpi_of_f64(r, q + 1);
  return y == 0.0 ? 0.0 : y;
}
double __anycl_tanpi_f64(double x) {
  int q;
  double r = reduce_pi_f64(x, &q);
  double low;
  double high = times_pi_f64(r, &low);
  double angle = high + low;
  double y = tan_of_f64(angle, (high - angle) + low, q);
  double zero = copysign(0.0, ((q & 2) != 0) != (as_long(x) < 0) ? -1.0 : 1.0);
  return r == 0.0 ? ((q & 1) ? ((q & 3) == 1 ? INF_F64 : -INF_F64) : zero) : y;
}

// Two parts of pi/2 are enough for usual angles; half_ accepts any.
static inline float native_sin_of(float x, int turn) {
  float shifted = x * 0x1.45f306p-1f + SHIFT_F32;
  float k = shifted - SHIFT_F32;
  float r = (x - k * 0x1.92p+0f) - k * 0x1.fb5444p-12f;
  int q = as_int(shifted) + turn;
  float z = r * r;
  float s = r + r * z * (-0x1.555546p-3f + z * (0x1.110776p-7f + z * -0x1.995274p-13f));
  float c = 1.0f + z * (-0.5f + z * (0x1.55554ap-5f + z * (-0x1.6c0c1ap-10f + z * 0x1.99e0eep-16f)));
  float y = (q & 1) ? c : s;
  return as_float(as_uint(y) ^ (uint)(q & 2) << 30);
}
float __anycl_native_sin_f32(float x) { return native_sin_of(x, 0); }
float __anycl_native_cos_f32(float x) { return native_sin_of(x, 1); }
float __anycl_native_tan_f32(float x) { return native_sin_of(x, 0) / native_sin_of(x, 1); }
float __anycl_half_sin_f32(float x) { return __anycl_sin_f32(x); }
float __anycl_half_cos_f32(float x) { return __anycl_cos_f32(x); }
float __anycl_half_tan_f32(float x) { return __anycl_tan_f32(x); }
