// SPDX-License-Identifier: MIT
//
// Loops that code for one work-item at a time runs sixteen or more elements at a time.
import type { Divergence } from '../analyses/divergence';
import type { Loop } from '../ir/cfg';
import { type Func, Op } from '../ir/ir';
import { isScattered, patternOf } from './access';
import { stopOf } from './passes/element-steps';
import { addsNarrowProducts, reducesElements } from './passes/reduce-elements';
import { searchOf } from './passes/searches';
import { runsByGroups } from './sub-groups';

/**
 * Whether a loop is a search or a reduction of elements of each lane's own, and not in another loop: those are often short. What all
 * lanes look at, or neighbours, is one load for vectors.
 */
export function takesManyElements(func: Func, loop: Loop, divergence: Divergence): boolean {
  const ownElements = [...loop.blocks].some((block) =>
    block.insts.some((inst) => inst.op === Op.Load && isScattered(patternOf(divergence, inst, block))),
  );
  if (!ownElements || loop.parent || runsByGroups(func)) return false;
  const search = searchOf(loop);
  return search ? stopOf(search) !== undefined : reducesElements(func, loop);
}

/**
 * Whether a loop that can be packed is left to one lane, which is faster for products. Other sums of short rows are faster packed, four
 * work-items at a time.
 */
export function multipliesManyElements(func: Func, loop: Loop, divergence: Divergence): boolean {
  return addsNarrowProducts(loop) && takesManyElements(func, loop, divergence);
}
