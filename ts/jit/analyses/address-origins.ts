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
  const { order } = dominatorsOf(func);
  const visited = new Set<Block>();
  for (let again = true; again; ) {
    again = false;
    visited.clear();
    for (const block of order) {
      visited.add(block);
      for (const inst of block.insts) known[inst.id] = originOf(inst, known);
      for (const { block: to, arguments: args } of block.targets) {
        const changed = meetParams(known, to, args);
        // The target was visited already, so its uses need another iteration.
        if (changed && visited.has(to)) again = true;
      }
    }
  }
  return known;
}

/** Adds the arguments of an edge to what its target's parameters may be; returns whether that changed any. */
function meetParams<T>(known: Origins<T>, { params }: Block, args: readonly Value[]): boolean {
  let changed = false;
  for (const [at, { id }] of params.entries()) {
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
