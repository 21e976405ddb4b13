// SPDX-License-Identifier: MIT
import { custom, type Family, row, std } from '../row';

export const math: Family = {
  title: 'Math functions',
  computes: true,
  rows: () => [
    row(
      'acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi erfc erf exp exp2 exp10 ' +
        'expm1 fabs floor lgamma log log2 log10 log1p logb rint round rsqrt sin sinh sinpi sqrt tan tanh tanpi ' +
        'tgamma trunc',
      'Fn(Fn)',
      std,
    ),
    row(
      'atan2 atan2pi copysign fdim fmax fmin fmod hypot maxmag minmag nextafter pow powr remainder',
      'Fn(Fn, Fn)',
      std,
    ),
    row('fmax fmin', 'Fv(Fv, F)', custom('splat', '$')),
    row('fma mad', 'Fn(Fn, Fn, Fn)', std),
    row('fract modf sincos', 'Fn(Fn, P Fn*)', std),
    row('frexp lgamma_r', 'Fn(Fn, P intn*)', std),
    row('remquo', 'Fn(Fn, Fn, P intn*)', std),
    row('ilogb', 'intn(Fn)', std),
    row('ldexp', 'Fn(Fn, intn)', std),
    row('ldexp', 'Fv(Fv, int)', custom('splat', 'ldexp')),
    row('pown rootn', 'Fn(Fn, intn)', std),
    row('nan', 'Fn(uFn)', std),
    row(
      'half_cos half_exp half_exp2 half_exp10 half_log half_log2 half_log10 half_recip half_rsqrt half_sin ' +
        'half_sqrt half_tan native_cos native_exp native_exp2 native_exp10 native_log native_log2 native_log10 ' +
        'native_recip native_rsqrt native_sin native_sqrt native_tan',
      'floatn(floatn)',
      std,
    ),
    row('half_divide half_powr native_divide native_powr', 'floatn(floatn, floatn)', std),
  ],
};
