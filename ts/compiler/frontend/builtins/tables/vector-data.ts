// SPDX-License-Identifier: MIT
import { custom, extended, type Family, type Row, row, startingWith } from '../row';

const WIDTHS = [2, 3, 4, 8, 16];
const ROUNDINGS = ['', '_rte', '_rtz', '_rtp', '_rtn'];

const loads = () =>
  WIDTHS.flatMap((n): Row[] => [
    row(`vload${n}`, `A${n}(size_t, Q const A*)`, custom('vload', 'vloadn')),
    row(`vstore${n}`, `void(A${n}, size_t, P A*)`, extended('vstoren')),
    row(`vload_half${n}`, `float${n}(size_t, Q const half*)`, custom('vload', 'vload_halfn')),
    row(`vloada_half${n}`, `float${n}(size_t, Q const half*)`, custom('vload', 'vloada_halfn')),
  ]);

/** `T` is the type that is rounded to half. */
const halfStores = () =>
  ROUNDINGS.flatMap((rounding): Row[] => {
    const stores = (name: string, n: number | '', instruction: string) =>
      row(
        `${name}${n}${rounding}`,
        `T in float double; void(T${n}, size_t, P half*)`,
        rounding === ''
          ? extended(instruction)
          : custom('vstore_rounded', `${instruction}_r ${rounding.slice(1)}`),
      );
    return [
      stores('vstore_half', '', 'vstore_half'),
      ...WIDTHS.map((n) => stores('vstore_half', n, 'vstore_halfn')),
      ...WIDTHS.map((n) => stores('vstorea_half', n, 'vstorea_halfn')),
    ];
  });

export const vectorData: Family = {
  title: 'Vector data load and store functions',
  mayHave: startingWith('vload', 'vstore'),
  rows: () => [
    ...loads(),
    row('vload_half', 'float(size_t, Q const half*)', extended('vload_half')),
    ...halfStores(),
  ],
};
