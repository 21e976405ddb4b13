// SPDX-License-Identifier: MIT
//
// asin, acos, atan, atan2 and their variants in units of pi.
//
// asin x = x + x z P(z) with z = x^2 up to 1/2, beyond through the half angle, whose root is corrected; atan by a polynomial on
// [-tan(pi/8), tan(pi/8)], to which a quotient in two numbers reduces larger arguments. The result is a multiple of pi/4, or of
// 1/4 for the variants in units of pi, plus a larger number, whose rounding errors are kept, plus a rest that is too small to
// matter. Errors: below 0.9 ulp.
#include "math.h"

/** (asin(x) - x) / x^3 for z = x^2 <= 1/4 */
static inline float asin_tail_f32(float z) {
  return 0x1.5555cap-3f + z * (0x1.330162p-4f + z * (0x1.748b78p-5f + z * (0x1.8ba48ep-6f + z * 0x1.59dd6ap-5f)));
}
static inline double asin_tail_f64(double z) {
  return 0x1.5555555555578p-3 +
         z * (0x1.333333332df18p-4 +
              z * (0x1.6db6db722b46ep-5 +
                   z * (0x1.f1c71a8ba81b8p-6 +
                        z * (0x1.6e8bdfe557c57p-6 +
                             z * (0x1.1c49de17cc33bp-6 +
                                  z * (0x1.ca2142395c767p-7 +
                                       z * (0x1.75779e030c431p-7 +
                                            z * (0x1.618a5c1fab6cap-7 +
                                                 z * (0x1.e160d4d242196p-9 +
                                                      z * (0x1.65004faf116a9p-6 +
                                                           z * (-0x1.59f41e7c46114p-6 + z * 0x1.0be3a71b56fdap-5)))))))))));
}

/** (atan(x) - x) / x^3 for z = x^2 <= tan(pi/8)^2 */
static inline float atan_tail_f32(float z) {
  return -0x1.555554p-2f + z * (0x1.999704p-3f + z * (-0x1.241c6ep-3f + z * (0x1.b7d43ep-4f + z * -0x1.07a788p-4f)));
}
static inline double atan_tail_f64(double z) {
  double w = z * z;
  double even = -0x1.555555555553bp-2 +
                w * (-0x1.249249228be9fp-3 +
                     w * (-0x1.745cf73b736a0p-4 + w * (-0x1.10ea558654891p-4 + w * (-0x1.9c7293ad81b03p-5 + w * -0x1.233a9be347df5p-6))));
  double odd = 0x1.9999999995376p-3 +
               w * (0x1.c71c70d83a331p-4 + w * (0x1.3b10faf517e81p-4 + w * (0x1.defa8316a8380p-5 + w * 0x1.36db772bb88b9p-5)));
  return even + z * odd;
}

// ---- float

#define Real float
#define R(literal) literal##f
#define FN(name) name##_f32
#define AS_INTEGER as_int
#define INFINITE INF_F32
#define NOT_A_NUMBER NAN_F32
#define QUARTER 0x1.921fbp-1f
#define QUARTER_LOW 0x1.5110b4p-23f
#define INVERSE_PI 0x1.45f306p-2f
#define INVERSE_PI_HIGH 0x1.45ep-2f
#define INVERSE_PI_LOW 0x1.306dcap-14f
#define TAN_PI_8 0x1.a8279ap-2f
#define TAN_3_PI_8 0x1.3504f4p+1f
#define TINY 0x1.0p-60f
#define HUGE 0x1.0p60f
#define MODERATE_FROM 0x1.0p20f
#define MODERATE_TO 0x1.0p60f
#define SCALE_UP 0x1.0p70f
#define SCALE_DOWN 0x1.0p-40f
#include "inverse.h"

// ---- double

#define Real double
#define R(literal) literal
#define FN(name) name##_f64
#define AS_INTEGER as_long
#define INFINITE INF_F64
#define NOT_A_NUMBER NAN_F64
#define QUARTER 0x1.921fb54442d18p-1
#define QUARTER_LOW 0x1.1a62633145c07p-55
#define INVERSE_PI 0x1.45f306dc9c883p-2
#define INVERSE_PI_HIGH 0x1.45f3068p-2
#define INVERSE_PI_LOW 0x1.727220a94fe14p-28
#define TAN_PI_8 0x1.a827999fcef32p-2
#define TAN_3_PI_8 0x1.3504f333f9de6p+1
#define TINY 0x1.0p-900
#define HUGE 0x1.0p100
#define MODERATE_FROM 0x1.0p100
#define MODERATE_TO 0x1.0p500
#define SCALE_UP 0x1.0p500
#define SCALE_DOWN 0x1.0p-300
#include "inverse.h"
