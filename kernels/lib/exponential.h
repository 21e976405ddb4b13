// SPDX-License-Identifier: MIT
//
// The exponential's core, which other families need as well: polynomials for |r| <= ln 2 / 2.

/** e^r - 1 - r, divided by r^2; relative error of e^r 2^-28. */
static inline float exp_tail_f32(float r) {
  return 0x1.fffffcp-2f +
         r * (0x1.55548cp-3f + r * (0x1.5558b8p-5f + r * (0x1.123d52p-7f + r * 0x1.6a32a6p-10f)));
}

/** The same for doubles; relative error of e^r 2^-63. */
static inline double exp_tail_f64(double r) {
  return 0x1.0p-1 + r * (0x1.555555555555cp-3 + r * (0x1.5555555555556p-5 + r * (0x1.111111110e97cp-7 + r * (0x1.6c16c16c15f2ep-10 + r * (0x1.a01a01b48ab27p-13 + r * (0x1.a01a01a8981f9p-16 + r * (0x1.71ddedac6e45bp-19 + r * (0x1.27e4d68fd8e3cp-22 + r * (0x1.af6febd748903p-26 + r * 0x1.1f7bda4a05655p-29)))))))));
}

/** e^x - 1 = 2^n (e^r - 1) + (2^n - 1): e^r - 1 = high + tail, and 2^n / 4, as 2^n may be beyond the largest number. */
typedef struct {
  double scale;
  double high;
  double tail;
} ExpParts;
static inline ExpParts exp_parts_f64(double x) {
  double shifted = x * 0x1.71547652b82fep+0 + SHIFT_F64;
  double n = shifted - SHIFT_F64;
  double high = x - n * 0x1.62e42feep-1;
  double low = n * 0x1.a39ef35793c76p-33;
  double r = high - low;
  ExpParts parts = {power_of_two_f64(shifted, -2), high, r * r * exp_tail_f64(r) - low};
  return parts;
}

/** (e^x - 1) / 4 in two numbers, for |x| <= 711. */
static inline double quarter_expm1_f64(ExpParts p, double *low) {
  double first = p.scale - 0.25;
  double second = p.scale * p.high;
  double sum = first + second;
  double rest = ((p.scale - first) - 0.25) + ((first - sum) + second) + p.scale * p.tail;
  double y = sum + rest;
  *low = (sum - y) + rest;
  return y;
}
