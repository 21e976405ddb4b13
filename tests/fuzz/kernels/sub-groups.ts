// SPDX-License-Identifier: MIT
//
// Functions for random kernels that ask a work-item's sub-group and give back the number they are given, however large the
// sub-group is and whichever of its work-items have come: results do not depend on how they are put together. Those that
// compute something by two ways give back another number if the two differ.
import { type Base, FLOATS, INTEGERS, isFloat, unsignedOf } from './model';

type Body = (type: Base) => string;

/** The sum of `expression` over all active work-items `i` that fulfill `which`, without overflow. */
const sumOfActive = (type: Base, which: string) =>
  `uint4 b = sub_group_ballot(1); ${unsignedOf(type)} s = 0; ` +
  `for (uint i = 0; i < get_max_sub_group_size(); i++) { if (sub_group_ballot_bit_extract(b, i)) { ${type} o = sub_group_shuffle(v, i); if (${which}) s += (${unsignedOf(type)})o; } }`;

const OF_INTEGERS: Readonly<Record<string, Body>> = {
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
  summed: (type) =>
    `${sumOfActive(type, '1')} return v + (${type})((${type})s != sub_group_non_uniform_reduce_add(v));`,
  prefixed: (type) =>
    `${sumOfActive(type, 'i < get_sub_group_local_id()')} return v + (${type})((${type})s != sub_group_non_uniform_scan_exclusive_add(v));`,
  tallied: (type) =>
    `return v + (${type})(sub_group_ballot_bit_count(sub_group_ballot((int)(v & 1))) != (uint)sub_group_non_uniform_reduce_add((int)(v & 1)));`,
};

const OF_ALL: Readonly<Record<string, Body>> = {
  own: () => 'return sub_group_shuffle(v, get_sub_group_local_id());',
  bounded: () =>
    'return sub_group_non_uniform_reduce_max(v) >= v && sub_group_non_uniform_reduce_min(v) <= v ? v : 0;',
  clustered: () => 'return sub_group_clustered_reduce_max(v, 1);',
};

/** These need all work-items of the sub-group. */
const WHOLE_OF_INTEGERS: Readonly<Record<string, Body>> = {
  reduced: (type) =>
    `${unsignedOf(type)} s = 0; for (uint i = 0; i < get_sub_group_size(); i++) s += (${unsignedOf(type)})sub_group_broadcast(v, i); return v + (${type})((${type})s != sub_group_reduce_add(v));`,
  accumulated: (type) =>
    `return v + (${type})((${type})((${unsignedOf(type)})sub_group_scan_exclusive_add(v) + (${unsignedOf(type)})v) != sub_group_scan_inclusive_add(v));`,
  least: (type) =>
    `${type} m = v; for (uint i = 0; i < get_sub_group_size(); i++) m = min(m, sub_group_shuffle(v, i)); return v + (${type})(m != sub_group_reduce_min(v));`,
};

const WHOLE_OF_ALL: Readonly<Record<string, Body>> = {
  shifted: (type) =>
    `uint l = get_sub_group_local_id(); ${type} a = sub_group_shuffle_up(v, 1), b = sub_group_shuffle(v, max(l, 1u) - 1); return l >= 1 && (a < b || a > b) ? 0 : v;`,
  // By the maximum size: in a smaller sub-group, at the end of a work-group, values of missing work-items are undefined.
  rotated: (type) =>
    `uint t = (get_sub_group_local_id() + 1) % get_max_sub_group_size(); bool here = t < get_sub_group_size(); ${type} a = sub_group_rotate(v, 1), b = sub_group_shuffle(v, here ? t : get_sub_group_local_id()); return here && (a < b || a > b) ? 0 : v;`,
  swapped: () =>
    'if ((get_sub_group_local_id() ^ 1) < get_sub_group_size()) return sub_group_shuffle_xor(sub_group_shuffle_xor(v, 1), 1); return v;',
};

const tableFor = (float: boolean) => (float ? OF_ALL : { ...OF_ALL, ...OF_INTEGERS });
const wholeTableFor = (float: boolean) => (float ? WHOLE_OF_ALL : { ...WHOLE_OF_ALL, ...WHOLE_OF_INTEGERS });

/** For any place. */
export const subGroupHelpers = (float: boolean): readonly string[] => Object.keys(tableFor(float));

/** For uniform control flow. */
export const wholeSubGroupHelpers = (float: boolean): readonly string[] => Object.keys(wholeTableFor(float));

/** The functions, for all types. */
export function defineSubGroupHelpers(): string[] {
  return [...INTEGERS, ...FLOATS].map((type) =>
    Object.entries({ ...tableFor(isFloat(type)), ...wholeTableFor(isFloat(type)) })
      .map(([name, body]) => `static ${type} ${name}_${type}(${type} v) { ${body(type)} }`)
      .join('\n'),
  );
}
