// SPDX-License-Identifier: MIT
//
// Forward data flow over addresses: what each value points into, traced from the instructions that make addresses through those that
// compute with them, and through block parameters.
import { blankTable } from '../../base/table';
import { dominatorsOf } from '../ir/cfg';
import type { Block, Func, Inst, Value } from '../ir/ir';

/** An address that is of no object in particular, or no address. */
export const UNKNOWN = 'unknown';

/** By value id; undefined for a value that was not visited yet. */
export type Origins<T> = (T | typeof UNKNOWN | undefined)[];

/** The origins of all values. `originOf` says that of an instruction's result, from those of its operands. */
export function traceOrigins<T>(
  func: Func,
  originOf: (inst: Inst, known: Origins<T>) => T | typeof UNKNOWN | undefined,
): Origins<T> {
  const known: Origins<T> = blankTable<T | typeof UNKNOWN>(func.idBound);
  const { order, index } = dominatorsOf(func);
  for (let again = true; again; ) {
    again = false;
    for (let at = 0; at < order.length; at++) {
      const { insts, targets } = order[at]!;
      for (const inst of insts) known[inst.id] = originOf(inst, known);
      // A target that was visited already has uses that need another iteration.
      for (const { block: to, arguments: args } of targets)
        if (meetParams(known, to, args) && index.get(to)! <= at) again = true;
    }
  }
  return known;
}

/** Adds the arguments of an edge to what its target's parameters may be; returns whether that changed any. */
function meetParams<T>(known: Origins<T>, { params }: Block, args: readonly Value[]): boolean {
  let changed = false;
  for (let at = 0; at < params.length; at++) {
    const { id } = params[at]!;
    const met = meet(known[id], known[args[at]!.id]);
    changed ||= met !== known[id];
    known[id] = met;
  }
  return changed;
}

/** What a value points into that is one of two. */
export function meet<T>(
  a: T | typeof UNKNOWN | undefined,
  b: T | typeof UNKNOWN | undefined,
): T | typeof UNKNOWN | undefined {
  if (a === undefined) return b;
  if (b === undefined) return a;
  return a === b ? a : UNKNOWN;
}
