// SPDX-License-Identifier: MIT
//
// Binary logarithm and exponential of doubles in two numbers, for functions that are powers.

/** log(x) = e log(2) + log(c) + high + low, with c = 1 or, where the mask `above` is all ones, c = 0x1.6ap0. */
typedef struct {
  double e;
  ulong above;
  double high;
  double low;
} LogParts;

/**
 * The parts of log(x) of a positive finite x; relative error 2^-66. x = 2^e m with m in [0.84, 1.68), which is near c = 1 or c =
 * sqrt 2: s = (m - c) / (m + c), and log(m / c) = 2 s + 2/3 s^3 + s^5 (...), the first two terms in two numbers.
 */
static inline LogParts log_parts_f64(double x) {
  // Conditions are masks of all ones or zeros: truth values of doubles cost more.
  ulong tiny = 0ul - ((as_ulong(x) - 0x0010000000000000ul) >> 63);
  ulong bits = as_ulong(x * as_double(0x3ff0000000000000ul + (tiny & 0x0340000000000000ul))) - 0x3feae89f995ad3adul;
  // The exponent is in the last bits of a number near 2^52, which is subtracted together with the bias.
  double e = as_double(0x4330000000000000ul + ((bits + 0x3ff0000000000000ul) >> 52)) - (0x1.0p52 + 1023.0);
  e -= as_double(tiny & as_ulong(52.0));
  ulong m_bits = (bits & 0xffffffffffffful) + 0x3feae89f995ad3adul;
  double m = as_double(m_bits);
  ulong above = 0ul - ((0x3ff306fe0a31b715ul - m_bits) >> 63);
  double c = as_double(0x3ff0000000000000ul + (above & 0x0006a00000000000ul));
  double f = m - c;
  double d = m + c;
  double d_low = (c - d) + m;
  double inverse = 1.0 / d;
  double s_high = upper_f64(f * inverse);
  double d_upper = upper_f64(d);
  double s_low = ((f - s_high * d_upper) - s_high * ((d - d_upper) + d_low)) * inverse;
  double s = s_high + s_low;
  double z = s * s;
  double square = s_high * s_high;
  double square_high = upper_f64(square);
  double square_low = (square - square_high) + (s_high + s) * s_low;
  double cube = s_high * square_high;
  double cube_high = upper_f64(cube);
  double cube_low = (cube - cube_high) + (s_high * square_low + s_low * z);
  double tail = s * z * z * (0x1.999999999998fp-2 + z * (0x1.2492492496e4cp-2 + z * (0x1.c71c71af2610fp-3 + z * (0x1.745d35e14c2f9p-3 + z * (0x1.3aff16ad908a8p-3 + z * 0x1.18128967a5096p-3)))));
  double third = cube_high * 0x1.555555p-1;
  double third_low = cube_high * 0x1.5555555555555p-27 + cube_low * 0x1.5555555555555p-1 + tail;
  double first = 2.0 * s_high;
  double a = first + third;
  LogParts parts = {e, above, a, ((first - a) + third) + (2.0 * s_low + third_low)};
  return parts;
}

/** A logarithm whose upper part has half a significand, so that its product with another such number is exact. */
typedef struct {
  double high;
  double low;
} Log2Parts;

/** log2(x) of a positive finite x; relative error 2^-66. */
static inline Log2Parts log2_parts_f64(double x) {
  LogParts l = log_parts_f64(x);
  double e = l.e + as_double(l.above & as_ulong(0x1.ffd798p-2));
  // times 1 / ln 2
  double a_high = upper_f64(l.high + l.low);
  double a_low = (l.high - a_high) + l.low;
  double p = a_high * 0x1.715476p+0;
  double p_low = a_high * 0x1.4ae0bf85ddf44p-26 + a_low * 0x1.71547652b82fep+0 + as_double(l.above & as_ulong(0x1.a83ff9ab9cc7fp-26));
  double sum = e + p;
  double sum_low = p_low + ((e - sum) + p);
  Log2Parts parts;
  parts.high = upper_f64(sum + sum_low);
  parts.low = (sum - parts.high) + sum_low;
  return parts;
}

/** 2^w = 2^n (1 + high + tail): `shifted` has n in its low bits. */
typedef struct {
  double shifted;
  double high;
  double tail;
} Exp2Parts;

static inline Exp2Parts exp2_parts_f64(double w, double w_low) {
  double shifted = w + w_low + SHIFT_F64;
  // (w - n) ln 2, the upper part exactly
  double t = w - (shifted - SHIFT_F64);
  double t_high = upper_f64(t + w_low);
  double high = t_high * 0x1.62e42f8p-1;
  double low = t_high * 0x1.be8e7bcd5e4f2p-27 + ((t - t_high) + w_low) * 0x1.62e42fefa39efp-1;
  double r = high + low;
  double q = r * r;
  double even = 0x1.0p-1 + q * (0x1.5555555555556p-5 + q * (0x1.6c16c16c15f2ep-10 + q * (0x1.a01a01a8981f9p-16 + q * (0x1.27e4d68fd8e3cp-22 + q * 0x1.1f7bda4a05655p-29))));
  double odd = 0x1.555555555555cp-3 + q * (0x1.111111110e97cp-7 + q * (0x1.a01a01b48ab27p-13 + q * (0x1.71ddedac6e45bp-19 + q * 0x1.af6febd748903p-26)));
  Exp2Parts parts = {shifted, high, low + q * (even + r * odd)};
  return parts;
}
