// SPDX-License-Identifier: MIT
//
// Cores of float functions in double precision: where carrying a second float costs more than lanes of twice the width,
// the polynomial is as short as for floats and the only error that counts is the last rounding.

#define LN2 0x1.62e42fefa39efp-1

/** (2 atanh(s) - 2 s) / s^3 for z = s^2 <= 0.04; relative error of atanh 2^-42. */
static inline double log_tail_in_double(double z) {
  return 0x1.555555595e76ep-1 + z * (0x1.99998eb8eece9p-2 + z * (0x1.24970fe0c416fp-2 + z * (0x1.c548b6cc01b20p-3 + z * 0x1.9c95227b5e6fep-3)));
}

/** log(1 + f) for 1 + f in [sqrt(1/2), sqrt(2)) */
static inline double log1p_in_double(double f) {
  double s = f / (2.0 + f);
  double z = s * s;
  return 2.0 * s + s * z * log_tail_in_double(z);
}
/** log u for a positive normal u. */
static inline double log_in_double(double u) {
  int e;
  double f = split_f64(u, &e);
  return (double)e * LN2 + log1p_in_double(f);
}

/** e^r - 1 for |r| <= ln 2 / 2; relative error 2^-31. */
static inline double expm1_in_double(double r) {
  return r + r * r * (0x1.000000281070bp-1 + r * (0x1.555555000fc15p-3 + r * (0x1.5554adabee7e5p-5 + r * (0x1.11117258a0fc1p-7 + r * (0x1.6d7496222144ap-10 + r * 0x1.a0517475b57fep-13)))));
}
