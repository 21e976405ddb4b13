// SPDX-License-Identifier: MIT
//
// The logarithm's core, which other families need as well: x = 2^e (1 + f) with 1 + f in [2/3, 4/3) for float and
// [sqrt(1/2), sqrt(2)) for double; f is exact. For float log(1 + f) = f - f^2/2 + f^3 P(f); for double by s = f / (2 + f), which
// halves the polynomial.

/** f and e of a positive normal number. */
static inline float split_f32(float x, int *e) {
  int bits = as_int(x) - 0x3f2aaaab;
  *e = bits >> 23;
  return as_float((bits & 0x7fffff) + 0x3f2aaaab) - 1.0f;
}
static inline double split_f64(double x, int *e) {
  long bits = as_long(x) - 0x3fe6a09e667f3bcdl;
  *e = (int)(bits >> 52);
  return as_double((bits & 0xfffffffffffffl) + 0x3fe6a09e667f3bcdl) - 1.0;
}

/** (log(1 + f) - f + f^2/2) / f^3, for f in [-1/3, 1/3]; relative error of the logarithm 2^-27.5. */
static inline float log_tail_f32(float f) {
  return 0x1.555506p-2f +
         f * (-0x1.ffff76p-3f +
              f * (0x1.99d056p-3f +
                   f * (-0x1.55863ap-3f + f * (0x1.1ed468p-3f + f * (-0x1.f59a02p-4f + f * (0x1.1e74cep-3f + f * -0x1.029070p-3f))))));
}

/** log(1 + f) = f - (f^2/2 - s (f^2/2 + R)); this is s (f^2/2 + R). */
static inline double log_correction_f64(double f, double half_square) {
  double s = f / (2.0 + f);
  double z = s * s;
  double p = z * (0x1.5555555555597p-1 + z * (0x1.999999997e37ep-2 + z * (0x1.249249437b033p-2 + z * (0x1.c71c50b717f07p-3 + z * (0x1.746687edac2c4p-3 + z * (0x1.399a04acd40d1p-3 + z * 0x1.2f567c6991a7ap-3))))));
  return s * (half_square + p);
}

/**
 * 1 + x = 2^e (1 + f + lost / u): u = 1 + x is rounded, and `lost` is the rounding error. Without scaling f is x. `inverse` is
 * about 1 / u, which is accurate enough for such a small part.
 */
static inline float split_1p_f32(float x, int *e, float *lost, float *inverse) {
  float u = 1.0f + x;
  *lost = x > 1.0f ? 1.0f - (u - x) : x - (u - 1.0f);
  float f = split_f32(u, e);
  *inverse = about_inverse_f32(u);
  *lost = *e == 0 ? 0.0f : *lost;
  return *e == 0 ? x : f;
}
static inline double split_1p_f64(double x, int *e, double *lost, double *inverse) {
  double u = 1.0 + x;
  *lost = x > 1.0 ? 1.0 - (u - x) : x - (u - 1.0);
  double f = split_f64(u, e);
  *inverse = about_inverse_f64(u);
  *lost = *e == 0 ? 0.0 : *lost;
  return *e == 0 ? x : f;
}

/** log(1 + f) + e log 2 + low, for a `low` that changes only the last bits. */
static inline float log_joined_f32(float f, float e, float low) {
  float z = f * f;
  float tail = 0x1.555556p-2f +
               f * (-0x1.ffff00p-3f +
                    f * (0x1.99985ep-3f +
                         f * (-0x1.559b7ep-3f +
                              f * (0x1.24d97ep-3f +
                                   f * (-0x1.f34806p-4f + f * (0x1.baec1cp-4f + f * (-0x1.079daap-3f + f * 0x1.e2723ap-4f)))))));
  float y = f * z * tail + (e * -0x1.bd0106p-13f + low);
  // e log 2, whose upper part is exact, and f in two numbers.
  float upper = e * 0x1.63p-1f;
  float sum = upper + f;
  return sum + (((upper - sum) + f) + (y - 0.5f * z));
}
static inline double log_joined_f64(double f, double e, double low) {
  double half_square = 0.5 * f * f;
  double tail = log_correction_f64(f, half_square) + (e * 0x1.a39ef35793c76p-33 + low);
  return e * 0x1.62e42feep-1 - ((half_square - tail) - f);
}
