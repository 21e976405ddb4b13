// SPDX-License-Identifier: MIT
//
// A pass changes a function's IR. Passes are data: jit/pipeline.ts lists them in their order, and `runPasses` runs a list, keeps
// the analyses valid, verifies the IR after each pass if requested, and passes it to an observer.
import type { KernelSignature } from '../base/kernel-abi';
import type { Analyses, Analysis } from './analyses/analyses';
import type { KernelTrace } from './compiled';
import type { Func } from './ir/ir';
import { verify } from './ir/verify';
import type { ConstantMemory } from './passes/simplify';

/** The parameters of passes besides the function. */
export interface PassContext {
  readonly signature: KernelSignature;
  readonly constants?: ConstantMemory;
  /** Whether products and sums become MulAdd where contraction is allowed. */
  readonly fuse: boolean;
}

export interface Pass {
  readonly name: string;
  /** Returns whether it changed the function. */
  run(func: Func, context: PassContext, analyses: Analyses): boolean;
  /** Analyses whose results are still valid after the pass has changed the function. */
  readonly preserves?: readonly Analysis<unknown>[];
  /** Passes that run next, only if this one changed the function. */
  readonly followedBy?: readonly Pass[];
  /** The pass is skipped if this returns false. */
  readonly when?: (func: Func) => boolean;
}

export function runPasses(
  passes: readonly Pass[],
  analyses: Analyses,
  context: PassContext,
  trace: KernelTrace = {},
): void {
  const { func } = analyses;
  let changes = 0;
  /** By the pass's function: the number of changes when it last ended. */
  const seen = new Map<Pass['run'], number>();
  const run = (list: readonly Pass[]) => {
    for (const pass of list) {
      // The pass has already seen the function in this state.
      if (seen.get(pass.run) === changes) continue;
      if (pass.when && !pass.when(func)) continue;
      const changed = pass.run(func, context, analyses);
      if (changed) {
        changes++;
        analyses.invalidate(pass.preserves);
      }
      seen.set(pass.run, changes);
      if (trace.check) verify(func, pass.name);
      trace.observe?.(pass.name, func);
      if (changed && pass.followedBy) run(pass.followedBy);
    }
  };
  run(passes);
}
