// SPDX-License-Identifier: MIT
//
// Promotes private memory to values: scalar replacement of aggregates and mem2reg in one pass. An allocation that is only read
// and written at constant offsets is cut into segments at the boundaries of all accesses to it; each segment becomes an SSA
// variable. Accesses to several segments or of another type (unions, copies by words) are composed from bits.

import { blankTable } from '../../base/table';
import { Leaves } from '../ir/build';
import type { Func } from '../ir/ir';
import { type Allocation, collect, makeSegments, type Root } from './mem2reg/allocations';
import { cutCopies, expandCopies } from './mem2reg/copies';
import { Renamer } from './mem2reg/renamer';

/** Returns whether it promoted an allocation. `named`: undefined values say by their index whose they are. */
export function mem2reg(func: Func, named = false): boolean {
  const roots = blankTable<Root>(func.idBound);
  const allocations = collect(func, roots);
  const copies = cutCopies(func, roots);
  let variables = 0;
  const chosen: Allocation[] = [];
  for (const a of allocations) {
    if (a.escapes) continue;
    makeSegments(a);
    if (a.escapes) continue;
    for (const segment of a.segments) segment.variable = variables++;
    chosen.push(a);
  }
  if (chosen.length === 0) return false;
  const leaves = new Leaves(func);
  if (copies) expandCopies(func, roots);
  new Renamer(func, roots, chosen, variables, leaves, named).run();
  const promoted = new Set(chosen.map((a) => a.inst));
  func.entry.insts = func.entry.insts.filter((inst) => !promoted.has(inst));
  return true;
}
