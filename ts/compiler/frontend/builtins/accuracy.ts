// SPDX-License-Identifier: MIT
//
// Accuracy of the floating-point functions: the tables of the specification's "Relative Error as ULPs" (full profile)
// and of cl_khr_fp16. It concerns documentation and numeric tests; compiling needs none of it.

/** In ULP: 0 is exact, 0.5 correctly rounded; a formula in `n`, the width; undefined if there is no limit. */
export type Ulp = number | string | undefined;

export interface Accuracy {
  readonly half: Ulp;
  readonly float: Ulp;
  readonly double: Ulp;
}

/** Names, then the limits for half, float and double. */
const ROWS: readonly (readonly [names: string, half: Ulp, float: Ulp, double: Ulp])[] = [
  ['ceil fdim floor fma fract ldexp rint round trunc', 0.5, 0.5, 0.5],
  [
    'clamp copysign fabs fmax fmin fmod frexp ilogb logb max maxmag min minmag modf nan nextafter remainder remquo ' +
      'sign step',
    0,
    0,
    0,
  ],
  ['sqrt', 0.5, 3, 0.5],
  ['rsqrt', 1, 2, 2],
  ['cbrt degrees log1p radians', 2, 2, 2],
  ['exp exp2 exp10 expm1 log log2 log10', 2, 3, 3],
  ['acos acosh asin asinh cos cosh cospi hypot sin sincos sinh sinpi', 2, 4, 4],
  ['acospi asinpi atan atanh atanpi tan tanh', 2, 5, 5],
  ['atan2 atan2pi tanpi', 2, 6, 6],
  ['erf erfc pow pown powr rootn tgamma', 4, 16, 16],
  ['distance', '2n', '2.5 + 2n', '5.5 + 2n'],
  ['length', '0.25 + 0.5n', '2.75 + 0.5n', '5.5 + n'],
  ['normalize', '1 + n', '2 + n', '4.5 + n'],
  [
    'half_cos half_divide half_exp half_exp2 half_exp10 half_log half_log2 half_log10 half_powr half_recip ' +
      'half_rsqrt half_sin half_sqrt half_tan',
    undefined,
    8192,
    undefined,
  ],
  ['fast_distance', undefined, '8191.5 + 2n', undefined],
  ['fast_length', undefined, '8191.5 + n', undefined],
  ['fast_normalize', undefined, '8192 + n', undefined],
];

/** undefined: the specification limits no error of this function, or only an absolute one. */
export function accuracyOf(name: string): Accuracy | undefined {
  const found = ROWS.find(([names]) => names.split(' ').includes(name));
  return found && { half: found[1], float: found[2], double: found[3] };
}
