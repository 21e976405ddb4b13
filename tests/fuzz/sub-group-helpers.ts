// SPDX-License-Identifier: MIT
//
// Functions for random kernels that ask a work-item's sub-group and give back the number they are given, however large the
// sub-group is and whichever of its work-items have come: results do not depend on how they are put together.
import type { Base } from './kernel-expressions';

const OF_INTEGERS: Readonly<Record<string, (type: Base) => string>> = {
  scanned: () =>
    'return sub_group_non_uniform_scan_inclusive_add(v) - sub_group_non_uniform_scan_exclusive_add(v);',
  mixed: () =>
    'return sub_group_non_uniform_scan_inclusive_xor(v) ^ sub_group_non_uniform_scan_exclusive_xor(v);',
  balloted: (type) =>
    `return (v & ~(${type})1) | (${type})sub_group_inverse_ballot(sub_group_ballot((int)(v & 1)));`,
  elected: (type) => `return v + (${type})(sub_group_elect() && sub_group_broadcast_first(v) != v);`,
  agreed: (type) =>
    `${type} r = v & ~(${type})2; if (sub_group_non_uniform_any((int)(v & 2))) r += v & 2; return r;`,
  counted: (type) =>
    `${type} r = v & ~(${type})7; for (${type} i = 0; sub_group_non_uniform_any(i < (v & 7)); i++) if (i < (v & 7)) r++; return r;`,
};

const OF_ALL: Readonly<Record<string, (type: Base) => string>> = {
  own: () => 'return sub_group_shuffle(v, get_sub_group_local_id());',
  bounded: () =>
    'return sub_group_non_uniform_reduce_max(v) >= v && sub_group_non_uniform_reduce_min(v) <= v ? v : 0;',
  clustered: () => 'return sub_group_clustered_reduce_max(v, 1);',
};

const tableFor = (isFloat: boolean) => (isFloat ? OF_ALL : { ...OF_ALL, ...OF_INTEGERS });

export const subGroupHelpers = (isFloat: boolean): readonly string[] => Object.keys(tableFor(isFloat));

export function defineSubGroupHelpers(type: Base, isFloat: boolean): string {
  return Object.entries(tableFor(isFloat))
    .map(([name, body]) => `static ${type} ${name}_${type}(${type} v) { ${body(type)} }`)
    .join('\n');
}
