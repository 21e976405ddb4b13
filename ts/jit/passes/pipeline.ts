// SPDX-License-Identifier: MIT
//
// The passes over kernel IR in their order. What follows (analyses, vectorization, emission) is jit/pipeline.ts.
import type { KernelSignature } from '../../base/kernel-abi';
import type { Func } from '../ir/ir';
import { calleesOf } from '../ir/rewrite';
import { verify } from '../ir/verify';
import { annotateMemory } from './annotate-memory';
import { cleanUpFlow } from './clean-up-flow';
import { contract } from './contract';
import { removeDeadCode } from './dead-code';
import { doubleByAdding } from './double-by-adding';
import { hoistInvariants } from './hoist-invariants';
import { convertBranches } from './if-conversion';
import { makeReducible } from './make-reducible';
import { markNumbers } from './mark-numbers';
import { narrowIntegers } from './narrow-integers';
import { promote } from './promote';
import { rotateLoops } from './rotate-loops';
import { type ConstantMemory, simplify } from './simplify';
import { hasCountedLoops, unrollLoops } from './unroll';
import { numberValues } from './value-numbering';

export interface PassOptions {
  readonly signature: KernelSignature;
  readonly constants?: ConstantMemory;
  /** Products and sums become MulAdd where contraction is allowed. */
  readonly fuse: boolean;
  /** Verify the IR behind each pass. */
  readonly check?: boolean;
  /** Is told each pass that has run, with the function as it stands then. */
  readonly observe?: (pass: string, func: Func) => void;
}

interface Pass {
  readonly name: string;
  /** Says whether it changed something. */
  run(func: Func, options: PassOptions): boolean;
  /** Runs only if it did. */
  readonly followedBy?: readonly Pass[];
  /** Runs only then. */
  readonly when?: (func: Func) => boolean;
}

const cleanUp: Pass = { name: 'clean-up-flow', run: cleanUpFlow };
const registers: Pass = { name: 'promote', run: promote };
/** At the width that is needed, so that identities are found there. */
const arithmetic: readonly Pass[] = [
  { name: 'narrow-integers', run: narrowIntegers },
  { name: 'simplify', run: (func, options) => simplify(func, options.constants) },
];
const dead: Pass = { name: 'dead-code', run: removeDeadCode };
// Address spaces, restrict, unwritten memory: value numbering and hoisting rely on them.
const memory: Pass = {
  name: 'annotate-memory',
  run: (func, options) => annotateMemory(func, options.signature),
};
const common: Pass = {
  name: 'value-numbering',
  run: (func, options) => numberValues(func, options.signature),
};
// The copies' conditions fold, and what was indexed by the counter becomes values.
const behindCopies: readonly Pass[] = [
  cleanUp,
  registers,
  ...arithmetic,
  cleanUp,
  { ...registers, followedBy: arithmetic },
  dead,
];
/** Inner loops, then those around them, as long as there is something to unroll. */
function unroll(times: number): Pass {
  const again = times > 1 ? [unroll(times - 1)] : [];
  return { name: 'unroll', run: unrollLoops, followedBy: [...behindCopies, ...again] };
}

export const PASSES: readonly Pass[] = [
  // Everything behind relies on loops with one header.
  { name: 'make-reducible', run: makeReducible },
  // The inlined calls' seams.
  cleanUp,
  // Variables into values; then most of what an unoptimized module does folds away.
  registers,
  ...arithmetic,
  cleanUp,
  dead,
  // Copies should not repeat what is computed twice; for all else there is time below.
  { ...memory, when: hasCountedLoops },
  { ...common, when: hasCountedLoops },
  unroll(3),
  { name: 'rotate-loops', run: rotateLoops, followedBy: [cleanUp] },
  memory,
  common,
  { name: 'if-conversion', run: convertBranches, followedBy: [cleanUp, ...arithmetic] },
  { name: 'hoist-invariants', run: hoistInvariants },
  ...arithmetic,
  common,
  dead,
  cleanUp,
  { name: 'contract', run: (func, options) => (options.fuse ? contract(func) : false), followedBy: [dead] },
  { name: 'mark-numbers', run: markNumbers },
  { name: 'double-by-adding', run: doubleByAdding },
];

/** Optimizes a function, and those that it still calls then. */
export function optimize(func: Func, options: PassOptions): void {
  runPasses(func, options, PASSES);
  for (const callee of calleesOf(func)) runPasses(callee, options, PASSES);
}

export function runPasses(func: Func, options: PassOptions, passes: readonly Pass[]): void {
  let changes = 0;
  /** By what a pass does: the number of changes when it last ended. */
  const seen = new Map<Pass['run'], number>();
  const run = (list: readonly Pass[]) => {
    for (const pass of list) {
      // It has seen the function as it is.
      if (seen.get(pass.run) === changes) continue;
      if (pass.when && !pass.when(func)) continue;
      const changed = pass.run(func, options);
      if (changed) changes++;
      seen.set(pass.run, changes);
      if (options.check) verify(func, pass.name);
      options.observe?.(pass.name, func);
      if (changed && pass.followedBy) run(pass.followedBy);
    }
  };
  run(passes);
}
