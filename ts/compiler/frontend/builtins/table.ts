// SPDX-License-Identifier: MIT
//
// The declaration table: all families, found by name. Nothing is read before a name is first asked for, and then only
// that name's rows are expanded.
import { expand, type Overload } from './expand';
import type { Family, Row } from './row';
import { atomics, floatAtomics, legacyAtomics } from './tables/atomics';
import { common } from './tables/common';
import { conversionRows } from './tables/conversions';
import { deviceSide } from './tables/device-side';
import { geometric } from './tables/geometric';
import { subGroups, workGroups } from './tables/groups';
import { images } from './tables/images';
import { bitOperations, dotProducts, integer } from './tables/integer';
import { math } from './tables/math';
import { kernelClock, miscellaneous } from './tables/miscellaneous';
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
];

/** Rows by name. Made once, when first needed: constant data, laid out for look-up. */
let index: Map<string, Row[]> | undefined;

function rowIndex(): Map<string, Row[]> {
  if (index !== undefined) return index;
  index = new Map();
  for (const family of FAMILIES) {
    for (const row of family.rows) {
      for (const name of row.names.split(' ')) {
        const rows = index.get(name);
        if (rows === undefined) index.set(name, [row]);
        else rows.push(row);
      }
    }
  }
  return index;
}

export function rowsOf(name: string): readonly Row[] {
  const rows = rowIndex().get(name);
  if (rows !== undefined) return rows;
  return name.startsWith('convert_') ? conversionRows(name) : [];
}

/** Names for "did you mean": all but the conversions, whose names are made from types. */
export const builtinNames = (): Iterable<string> => rowIndex().keys();

const expanded = { 32: new Map<string, readonly Overload[]>(), 64: new Map<string, readonly Overload[]>() };

export function overloadsOf(name: string, addressBits: 32 | 64): readonly Overload[] {
  const cache = expanded[addressBits];
  let overloads = cache.get(name);
  if (overloads === undefined) {
    overloads = rowsOf(name).flatMap((row) => expand(name, row, addressBits));
    // Names that are no built-ins must not fill the cache.
    if (overloads.length > 0) cache.set(name, overloads);
  }
  return overloads;
}
