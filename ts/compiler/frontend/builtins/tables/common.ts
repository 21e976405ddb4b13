// SPDX-License-Identifier: MIT
import { custom, extended, type Family, row, std } from '../row';

export const common: Family = {
  title: 'Common functions',
  computes: true,
  rows: () => [
    row('degrees radians sign', 'Fn(Fn)', std),
    row('clamp', 'Fn(Fn, Fn, Fn)', extended('fclamp')),
    row('clamp', 'Fv(Fv, F, F)', custom('splat', 'fclamp')),
    row('max', 'Fn(Fn, Fn)', extended('fmax_common')),
    row('max', 'Fv(Fv, F)', custom('splat', 'fmax_common')),
    row('min', 'Fn(Fn, Fn)', extended('fmin_common')),
    row('min', 'Fv(Fv, F)', custom('splat', 'fmin_common')),
    row('mix smoothstep', 'Fn(Fn, Fn, Fn)', std),
    row('mix', 'Fv(Fv, Fv, F)', custom('splat', 'mix')),
    row('smoothstep', 'Fv(F, F, Fv)', custom('splat', 'smoothstep')),
    row('step', 'Fn(Fn, Fn)', std),
    row('step', 'Fv(F, Fv)', custom('splat', 'step')),
  ],
};
