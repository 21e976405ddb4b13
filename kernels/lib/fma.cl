// SPDX-License-Identifier: MIT
//
// fma of doubles. The JIT's sequence of multiplications and additions (emit/arithmetic/fused-multiply-add.ts) rounds once as long as none of its
// steps overflows and the product's error is not below the least number; the rest is computed here with integers. That of floats
// and halves is exact in double.
#include "math.h"

/** The 53 bits of a finite number other than 0, the upper one set: the number is m * 2^e. */
static inline ulong significand(double x, int *e) {
  ulong bits = as_ulong(x) & 0x7ffffffffffffffful;
  int field = (int)(bits >> 52);
  ulong m = bits & 0xffffffffffffful;
  int up = field == 0 ? (int)clz(m) - 11 : 0;
  *e = (field == 0 ? 1 : field) - 1075 - up;
  return field == 0 ? m << up : m | 0x10000000000000ul;
}

/** x >> n of 128 bits (x.x the upper ones); the lowest bit is also set if bits that are lost were. */
static inline ulong2 shift_right(ulong2 x, int n) {
  if (n == 0) return x;
  if (n >= 128) return (ulong2)(0, (x.x | x.y) != 0 ? 1 : 0);
  if (n >= 64) {
    ulong lost = x.y | (n > 64 ? x.x << (128 - n) : 0);
    return (ulong2)(0, (n > 64 ? x.x >> (n - 64) : x.x) | (lost != 0 ? 1 : 0));
  }
  return (ulong2)(x.x >> n, x.x << (64 - n) | x.y >> n | (x.y << (64 - n) != 0 ? 1 : 0));
}

static inline ulong2 shift_left(ulong2 x, int n) {
  if (n == 0) return x;
  if (n >= 64) return (ulong2)(x.y << (n - 64), 0);
  return (ulong2)(x.x << n | x.y >> (64 - n), x.y << n);
}

static inline ulong2 minus(ulong2 a, ulong2 b) { return (ulong2)(a.x - b.x - (a.y < b.y ? 1 : 0), a.y - b.y); }

RARE static double fma_exact_f64(double a, double b, double c) {
  double plain = a * b;
  if (!(fabs(a) < INF_F64) || !(fabs(b) < INF_F64) || a == 0.0 || b == 0.0) return plain + c;
  if (!(fabs(c) < INF_F64)) return c;
  if (c == 0.0) return plain;
  int a_e, b_e, c_e;
  ulong a_m = significand(a, &a_e), b_m = significand(b, &b_e), c_m = significand(c, &c_e);
  // Both begin at bit 124 or 125, so that their sum has room. What the shift to a common exponent loses is far below a half of
  // the result's last bit.
  ulong2 p = shift_left((ulong2)(mul_hi(a_m, b_m), a_m * b_m), 20);
  ulong2 q = (ulong2)(c_m << 8, 0);
  int e = a_e + b_e - 20;
  c_e -= 72;
  if (e < c_e) {
    p = shift_right(p, c_e - e);
    e = c_e;
  } else q = shift_right(q, e - c_e);
  ulong p_sign = (as_ulong(a) ^ as_ulong(b)) & 0x8000000000000000ul;
  ulong q_sign = as_ulong(c) & 0x8000000000000000ul;
  ulong sign = p_sign;
  ulong2 sum;
  if (p_sign == q_sign) {
    ulong low = p.y + q.y;
    sum = (ulong2)(p.x + q.x + (low < p.y ? 1 : 0), low);
  } else if (p.x > q.x || (p.x == q.x && p.y >= q.y)) sum = minus(p, q);
  else {
    sum = minus(q, p);
    sign = q_sign;
  }
  if ((sum.x | sum.y) == 0) return 0.0;
  int zeros = sum.x != 0 ? (int)clz(sum.x) : 64 + (int)clz(sum.y);
  sum = shift_left(sum, zeros);
  // The number is between 2^e and 2^(e + 1).
  e += 127 - zeros;
  if (e > 1023) return as_double(sign | as_ulong(INF_F64));
  if (e < -1022) sum = shift_right(sum, -1022 - e);
  ulong m = sum.x >> 11;
  ulong rest = (sum.x & 0x7ff) << 1 | (sum.y != 0 ? 1 : 0);
  m += rest > 0x800 || (rest == 0x800 && (m & 1)) ? 1 : 0;
  // The significand's upper bit and a carry add to the exponent.
  ulong field = e < -1022 ? 0 : (ulong)(e + 1022);
  return as_double(sign | ((field << 52) + m));
}

/** `usual`: the result of the JIT's sequence. It loses the sign of a zero. */
double __anycl_fma_f64(double a, double b, double c, double usual) {
  double factor = at_least_f64(fabs(a), fabs(b));
  double term = at_least_f64(fabs(a * b), fabs(c));
  bool large = !(factor < 0x1.0p995) || !(term < 0x1.0p1020);
  bool zero = a == 0.0 || b == 0.0;
  bool small = term < 0x1.0p-850 && !zero;
  double y = zero ? a * b + c : usual;
  if (large || small) y = fma_exact_f64(a, b, c);
  return y;
}
