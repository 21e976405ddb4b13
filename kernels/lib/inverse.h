// SPDX-License-Identifier: MIT
//
// The functions of inverse.cl for one type of numbers. inverse.cl includes this text once per type, after defining these macros;
// the end of the text undefines them:
//
//     Real, AS_INTEGER, INFINITE, NOT_A_NUMBER    the type, its bits as a signed integer, its special values
//     R(literal), FN(name)                        a literal of the type; the name of a function for the type
//     QUARTER, QUARTER_LOW                        pi/4 in two numbers; multiples up to pi are exact in the first
//     INVERSE_PI, INVERSE_PI_HIGH, …_LOW          1/pi; half a significand of it, and the rest
//     TAN_PI_8, TAN_3_PI_8                        tan(pi/8) and tan(3 pi/8)
//     TINY                                        below this, a quotient by pi may be subnormal
//     HUGE                                        above this, the arc tangent is pi/2
//     MODERATE_FROM, MODERATE_TO,                 atan2 scales a number below or above these
//     SCALE_UP, SCALE_DOWN                        by these powers of two

/** offset + first + rest, for |first| <= |offset| or no offset, and a rest of some units in the last place. */
static inline Real FN(joined)(Real offset, Real first, Real rest) {
  Real sum = offset + first;
  return sum + (((offset - sum) + first) + rest);
}

/** offset + scale (first + rest) / pi, for a `first` of half a significand. Of small numbers a multiple is divided, so that a subnormal result is rounded once. */
static inline Real FN(joined_over_pi)(Real offset, Real scale, Real first, Real rest) {
  bool tiny = offset == R(0.0) && fabs(first) < TINY;
  Real up = tiny ? R(0x1.0p60) * scale : scale;
  first *= up;
  rest *= up;
  Real y = FN(joined)(offset, first * INVERSE_PI_HIGH, first * INVERSE_PI_LOW + rest * INVERSE_PI);
  return tiny ? y * R(0x1.0p-60) : y;
}

/** asin(m) of m in [0, 1/2] as t + *rest, or for larger m that of t = sqrt((1 - m) / 2), of which asin(m) = pi/2 - 2 asin(t). */
static inline Real FN(asin_parts)(Real m, bool large, Real *rest) {
  Real z = large ? R(0.5) * (R(1.0) - m) : m * m;
  Real root = sqrt(z);
  Real upper = FN(upper)(root);
  Real lost = R(0.5) * ((z - upper * upper) - (root - upper) * (root + upper)) * FN(about_inverse)(root);
  Real t = large ? root : m;
  *rest = (large ? lost : R(0.0)) + t * z * FN(asin_tail)(z);
  return t;
}
Real FN(__anycl_asin)(Real x) {
  Real m = fabs(x);
  bool large = m > R(0.5);
  Real rest;
  Real t = FN(asin_parts)(m, large, &rest);
  Real scale = large ? R(-2.0) : R(1.0);
  Real y = FN(joined)(large ? R(2.0) * QUARTER : R(0.0), scale * t, scale * rest + (large ? R(2.0) * QUARTER_LOW : R(0.0)));
  return copysign(y, x);
}
Real FN(__anycl_acos)(Real x) {
  Real m = fabs(x);
  bool large = m > R(0.5);
  Real rest;
  Real t = FN(asin_parts)(m, large, &rest);
  // pi/2 - asin(x), 2 asin(t) or pi - 2 asin(t)
  Real sign = copysign(R(1.0), x);
  Real scale = large ? R(-2.0) * sign : sign;
  Real quarters = large ? (x < R(0.0) ? R(4.0) : R(0.0)) : R(2.0);
  return FN(joined)(quarters * QUARTER, -scale * t, quarters * QUARTER_LOW - scale * rest);
}
Real FN(__anycl_asinpi)(Real x) {
  Real m = fabs(x);
  bool large = m > R(0.5);
  Real rest;
  Real t = FN(asin_parts)(m, large, &rest);
  Real first = FN(upper)(t);
  Real y = FN(joined_over_pi)(large ? R(0.5) : R(0.0), large ? R(-2.0) : R(1.0), first, (t - first) + rest);
  return copysign(y, x);
}
Real FN(__anycl_acospi)(Real x) {
  Real m = fabs(x);
  bool large = m > R(0.5);
  Real rest;
  Real t = FN(asin_parts)(m, large, &rest);
  Real first = FN(upper)(t);
  Real sign = copysign(R(1.0), x);
  Real scale = large ? R(-2.0) * sign : sign;
  Real offset = large ? (x < R(0.0) ? R(1.0) : R(0.0)) : R(0.5);
  return FN(joined_over_pi)(offset, -scale, first, (t - first) + rest);
}

/** An angle: some quarters of pi plus `first`, which has half a significand, plus `rest`. */
typedef struct {
  Real quarters;
  Real first;
  Real rest;
} FN(Angle);

/** atan((n + n_low) / (d + d_low)) for a quotient of at most tan(pi/8), and some quarters. */
static inline FN(Angle) FN(angle)(Real quarters, Real n, Real n_low, Real d, Real d_low) {
  Real low;
  Real first = FN(quotient)(n, n_low, d, d_low, &low);
  Real s = first + low;
  Real z = s * s;
  FN(Angle) angle = {quarters, first, low + s * z * FN(atan_tail)(z)};
  return angle;
}
static inline Real FN(in_radians)(FN(Angle) a) {
  return FN(joined)(a.quarters * QUARTER, a.first, a.rest + a.quarters * QUARTER_LOW);
}
static inline Real FN(in_half_turns)(FN(Angle) a) {
  return FN(joined_over_pi)(a.quarters * R(0.25), R(1.0), a.first, a.rest);
}

/** An eighth turn or a quarter less: m, (m - 1) / (m + 1) or -1 / m, all of them (a m - b) / (b m + a). */
static inline FN(Angle) FN(atan_angle)(Real m) {
  m = FN(at_most)(m, HUGE);
  Real a = m > TAN_3_PI_8 ? R(0.0) : R(1.0);
  Real b = m > TAN_PI_8 ? R(1.0) : R(0.0);
  Real am = a * m;
  Real bm = b * m;
  Real n = am - b;
  Real d = bm + a;
  // Both differences are exact, and 0 where the sum was exact.
  return FN(angle)(b + (R(1.0) - a), n, (-b - n) + am, d, (a - d) + bm);
}
Real FN(__anycl_atan)(Real x) { return copysign(FN(in_radians)(FN(atan_angle)(fabs(x))), x); }
Real FN(__anycl_atanpi)(Real x) { return copysign(FN(in_half_turns)(FN(atan_angle)(fabs(x))), x); }

/** The angle of (|x|, |y|) in its octant, then mirrored at the diagonal and at the axis where it has to be. */
static inline FN(Angle) FN(atan2_angle)(Real y, Real x) {
  Real a = fabs(y);
  Real b = fabs(x);
  bool steep = a > b;
  Real small = steep ? b : a;
  Real large = steep ? a : b;
  // Infinities are as any two numbers with that quotient, and so is 0 / 0.
  small = large == INFINITE ? (small == INFINITE ? R(1.0) : R(0.0)) : small;
  large = large == INFINITE || large == R(0.0) ? R(1.0) : large;
  // The quotient of scaled numbers overflows nowhere, and a subnormal one is rounded once.
  Real scale = large < MODERATE_FROM ? SCALE_UP : large > MODERATE_TO ? SCALE_DOWN : R(1.0);
  small *= scale;
  large *= scale;
  Real shift = small > TAN_PI_8 * large ? R(1.0) : R(0.0);
  Real minus = shift * large;
  Real plus = shift * small;
  Real n = small - minus;
  Real d = large + plus;
  Real n_low = (-minus - n) + small;
  Real d_low = (large - d) + plus;
  bool left = AS_INTEGER(x) < 0;
  Real quarters = steep ? R(2.0) - shift : shift;
  quarters = left ? R(4.0) - quarters : quarters;
  Real sign = steep != left ? R(-1.0) : R(1.0);
  return FN(angle)(quarters, sign * n, sign * n_low, d, d_low);
}
Real FN(__anycl_atan2)(Real y, Real x) {
  Real angle = copysign(FN(in_radians)(FN(atan2_angle)(y, x)), y);
  return x != x || y != y ? NOT_A_NUMBER : angle;
}
Real FN(__anycl_atan2pi)(Real y, Real x) {
  Real turns = copysign(FN(in_half_turns)(FN(atan2_angle)(y, x)), y);
  return x != x || y != y ? NOT_A_NUMBER : turns;
}

#undef Real
#undef R
#undef FN
#undef AS_INTEGER
#undef INFINITE
#undef NOT_A_NUMBER
#undef QUARTER
#undef QUARTER_LOW
#undef INVERSE_PI
#undef INVERSE_PI_HIGH
#undef INVERSE_PI_LOW
#undef TAN_PI_8
#undef TAN_3_PI_8
#undef TINY
#undef HUGE
#undef MODERATE_FROM
#undef MODERATE_TO
#undef SCALE_UP
#undef SCALE_DOWN
