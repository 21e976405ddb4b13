// SPDX-License-Identifier: MIT
import { custom, type Family, row, std } from '../row';

export const geometric: Family = {
  title: 'Geometric functions',
  computes: true,
  rows: () => [
    row('cross', 'n in 3 4; Fn(Fn, Fn)', std),
    row('dot', 'n in 1 2 3 4; F(Fn, Fn)', custom('dot')),
    row('distance', 'n in 1 2 3 4; F(Fn, Fn)', std),
    row('length', 'n in 1 2 3 4; F(Fn)', std),
    row('normalize', 'n in 1 2 3 4; Fn(Fn)', std),
    row('fast_distance', 'n in 1 2 3 4; float(floatn, floatn)', std),
    row('fast_length', 'n in 1 2 3 4; float(floatn)', std),
    row('fast_normalize', 'n in 1 2 3 4; floatn(floatn)', std),
  ],
};
