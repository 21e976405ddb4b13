// SPDX-License-Identifier: MIT
//
// Loops that code for one work-item at a time runs sixteen or more elements at a time.
import type { Divergence } from '../analyses/divergence';
import type { Loop } from '../ir/cfg';
import { type Func, Op } from '../ir/ir';
import { isScattered, patternOf } from './access';
import { stopOf } from './passes/loops/element-steps';
import { addsNarrowProducts, makesMask, reducesElements } from './passes/loops/reduce-elements';
import { searchOf } from './passes/loops/searches';
import { runsByGroups } from './sub-groups';

/**
 * Whether a loop is a search or a reduction of elements of each lane's own. What all lanes look at, or neighbours, is one load for
 * vectors. Reductions in other loops are often short.
 */
export function takesManyElements(func: Func, loop: Loop, divergence: Divergence): boolean {
  const patterns = [...loop.blocks].flatMap((block) =>
    block.insts.filter(({ op }) => op === Op.Load).map((inst) => patternOf(divergence, inst, block)),
  );
  if (!patterns.some(isScattered) || runsByGroups(func)) return false;
  const search = searchOf(loop);
  if (!search) return (!loop.parent && reducesElements(func, loop)) || makesMask(func, loop);
  return !(loop.parent && patterns.includes('contiguous')) && stopOf(search) !== undefined;
}

/**
 * Whether a loop that can be packed is left to one lane, which is faster for products. Other sums of short rows are faster packed, four
 * work-items at a time.
 */
export function multipliesManyElements(func: Func, loop: Loop, divergence: Divergence): boolean {
  return addsNarrowProducts(func, loop) && takesManyElements(func, loop, divergence);
}
