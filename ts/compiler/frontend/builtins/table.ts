// SPDX-License-Identifier: MIT
//
// The declaration table: all families, found by name. Rows are read when a name is first looked up: only those of families that
// may have it, and only that name's are expanded.
import { expand, type Overload } from './expand';
import type { Family, Row } from './row';
import { atomics, floatAtomics, legacyAtomics } from './tables/atomics';
import { common } from './tables/common';
import { compilerFunctions } from './tables/compiler-functions';
import { conversionRows } from './tables/conversions';
import { deviceSide } from './tables/device-side';
import { geometric } from './tables/geometric';
import { subGroups, workGroups } from './tables/groups';
import { images } from './tables/images';
import { bitOperations, dotProducts, integer } from './tables/integer';
import { math } from './tables/math';
import { kernelClock, miscellaneous } from './tables/miscellaneous';
import { motionEstimation } from './tables/motion-estimation';
import { relational } from './tables/relational';
import { asyncCopy, synchronization } from './tables/synchronization';
import { vectorData } from './tables/vector-data';
import { amdMediaOps, armDotProducts, intelSubGroups } from './tables/vendor';
import { workItem } from './tables/work-item';

export const FAMILIES: readonly Family[] = [
  workItem,
  math,
  integer,
  bitOperations,
  dotProducts,
  common,
  geometric,
  relational,
  vectorData,
  synchronization,
  asyncCopy,
  atomics,
  floatAtomics,
  legacyAtomics,
  images,
  workGroups,
  subGroups,
  deviceSide,
  miscellaneous,
  kernelClock,
  intelSubGroups,
  amdMediaOps,
  armDotProducts,
  motionEstimation,
  compilerFunctions,
];

/** Each family's rows by name. Created once, on first use: constant data, indexed for look-up. */
const indexes = new Map<Family, ReadonlyMap<string, readonly Row[]>>();

function indexOf(family: Family): ReadonlyMap<string, readonly Row[]> {
  const known = indexes.get(family);
  if (known !== undefined) return known;
  const index = new Map<string, Row[]>();
  for (const row of family.rows()) {
    for (const name of row.names.split(' ')) {
      const rows = index.get(name);
      if (rows === undefined) index.set(name, [row]);
      else rows.push(row);
    }
  }
  indexes.set(family, index);
  return index;
}

export function rowsOf(name: string): readonly Row[] {
  if (name.startsWith('convert_')) return conversionRows(name);
  const found: Row[] = [];
  for (const family of FAMILIES) {
    if (family.mayHave !== undefined && !family.mayHave(name)) continue;
    const rows = indexOf(family).get(name);
    if (rows !== undefined) found.push(...rows);
  }
  return found;
}

/** The titles of the families that a name belongs to: `clamp` is one of integers and one of floats. */
export const familiesOf = (name: string): readonly string[] =>
  name.startsWith('convert_')
    ? ['Conversions']
    : FAMILIES.filter(
        (family) => (family.mayHave === undefined || family.mayHave(name)) && indexOf(family).has(name),
      ).map(({ title }) => title);

/** Whether a name belongs to a family of functions that only compute. */
export const isComputing = (name: string): boolean =>
  FAMILIES.some((family) => family.computes === true && indexOf(family).has(name));

/** Names for "did you mean": all but the conversions, whose names are made from types. */
export const builtinNames = (): readonly string[] => [
  ...new Set(FAMILIES.flatMap((family) => [...indexOf(family).keys()])),
];

const expanded = { 32: new Map<string, readonly Overload[]>(), 64: new Map<string, readonly Overload[]>() };

export function overloadsOf(name: string, addressBits: 32 | 64): readonly Overload[] {
  const cache = expanded[addressBits];
  let overloads = cache.get(name);
  if (overloads === undefined) {
    overloads = rowsOf(name).flatMap((row) => expand(name, row, addressBits));
    // Only names of built-ins are cached.
    if (overloads.length > 0) cache.set(name, overloads);
  }
  return overloads;
}
