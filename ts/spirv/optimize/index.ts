// SPDX-License-Identifier: MIT
//
// The passes over a module, in their order.
import { finish, type Steps } from '../../base/steps';
import type { Builder } from '../builder';
import { Decoration, Op } from '../grammar.gen';
import type { Id, Module } from '../module';
import { compactIds } from './compact-ids';
import { cleanBlocks, type RemovedIds } from './control-flow';
import { foldConstants } from './fold-constants';
import { mergeBlocks } from './merge-blocks';
import { promoteVariables } from './promote-variables';
import { removeDeadCode } from './remove-dead-code';
import { removeUnusedGlobals } from './remove-unused-globals';

export interface OptimizeOptions {
  /** Only makes the module well-formed: blocks in order, and no unreachable blocks. */
  readonly cleanOnly: boolean;
}

/** A phi that is reduced to one value may reduce others; more rounds rarely find anything. */
const FOLDING_ROUNDS = 3;

/** Optimizes the module that was built. The caller's ids are not valid afterwards. */
export const optimize = (builder: Builder, options: OptimizeOptions): void =>
  finish(optimizeSteps(builder, options));

/** `optimize` in steps: the functions, and the module as a whole. */
export function* optimizeSteps(builder: Builder, options: OptimizeOptions): Steps<void> {
  const { module } = builder;
  const selectorWords = (selector: Id) => (builder.widthOf(builder.typeOf(selector)) === 64 ? 2 : 1);
  const removed: RemovedIds = new Set();
  const special = specialConversions(module);
  for (const definition of module.functions) {
    if (definition.blocks.length === 0) continue;
    cleanBlocks(definition, selectorWords, removed);
    if (options.cleanOnly) continue;
    promoteVariables(builder, definition, selectorWords, removed);
    for (let round = 0; round < FOLDING_ROUNDS; round++)
      if (!foldConstants(builder, definition, selectorWords, removed, special)) break;
    cleanBlocks(definition, selectorWords, removed);
    removeDeadCode(builder, definition, selectorWords, removed);
    mergeBlocks(definition, selectorWords);
    yield;
  }
  removeUnusedGlobals(module, selectorWords, removed);
  yield;
  compactIds(module, selectorWords);
}

/** Conversions that have a rounding mode or saturate. */
function specialConversions(module: Module): ReadonlySet<number> {
  const ids = new Set<number>();
  for (const { op, operands } of module.annotations) {
    const [target, decoration] = operands;
    const isSpecial =
      decoration === Decoration.FPRoundingMode || decoration === Decoration.SaturatedConversion;
    if (op === Op.Decorate && isSpecial) ids.add(target!);
  }
  return ids;
}
