// SPDX-License-Identifier: MIT
//
// A pass changes a function's IR. Passes are data: pass-lists.ts has them in their order, and `passSteps` runs a list, keeps
// the analyses valid, verifies the IR after each pass if requested, and passes it to an observer.
import { invariant } from '../base/invariant';
import type { KernelSignature } from '../base/kernel-abi';
import { finish, type Steps } from '../base/steps';
import type { Analyses, Analysis } from './analyses/analyses';
import type { KernelTrace } from './compiled';
import { reversePostorder } from './ir/cfg';
import { type Func, Op } from './ir/ir';
import { PresentOperations } from './ir/present-operations';
import { verify } from './ir/verify';
import type { ConstantMemory } from './passes/simplify';

/** The parameters of passes besides the function. */
export interface PassContext {
  readonly signature: KernelSignature;
  readonly constants?: ConstantMemory;
  /** Whether products and sums become MulAdd where contraction is allowed. */
  readonly fuse: boolean;
  /** Whether Fma is one instruction. */
  readonly fusedMultiplyAdd?: boolean;
  /** As in `JitOptions`. */
  readonly mostRegions?: number;
  /** The tile's, for passes that run once it is known. */
  readonly lanes?: number;
  readonly rows?: number;
}

export interface Pass {
  readonly name: string;
  /** Returns whether it changed the function. */
  run(func: Func, context: PassContext, analyses: Analyses): boolean;
  /** Analyses whose results are still valid after the pass has changed the function. */
  readonly preserves?: readonly Analysis<unknown>[];
  /** Passes that run next, only if this one changed the function. */
  readonly followedBy?: readonly Pass[];
  /** The operations that it looks for: without any of them it changes nothing, and is skipped. */
  readonly needs?: readonly Op[];
  /** The pass is skipped if this returns false. */
  readonly when?: (func: Func) => boolean;
}

/** `passSteps` in one step. */
export function runPasses(...input: Parameters<typeof passSteps>): void {
  finish(passSteps(...input));
}

/**
 * How many values passes visit before they pause: a few passes of a small function, one of any other. A first compilation takes much longer
 * for each pass than later ones.
 */
const VALUES_OF_STEP = 100;

/** Runs passes, in steps of at least one pass. */
export function* passSteps(
  passes: readonly Pass[],
  analyses: Analyses,
  context: PassContext,
  trace: KernelTrace = {},
): Steps<void> {
  const { func } = analyses;
  let changes = 0;
  let visited = 0;
  /** By the pass's function: the number of changes when it last ended. */
  const seen = new Map<Pass['run'], number>();
  /** The operations of the function when it had changed that often. */
  let present: { readonly operations: PresentOperations; readonly changes: number } | undefined;
  const hasOneOf = (ops: readonly Op[]): boolean => {
    if (present?.changes !== changes) present = { operations: new PresentOperations(func), changes };
    return present.operations.hasOneOf(ops);
  };
  /** Runs a pass that has not seen the function in this state; returns whether it changed the function. */
  const run = (pass: Pass): boolean => {
    if (seen.get(pass.run) === changes || (pass.when && !pass.when(func))) return false;
    if (pass.needs && !hasOneOf(pass.needs)) {
      const { name } = pass;
      if (trace.check)
        invariant(!pass.run(func, context, analyses), `pass '${name}' does not name what it needs`);
      return false;
    }
    const changed = trace.check
      ? runVerified(pass, func, context, analyses)
      : pass.run(func, context, analyses);
    if (changed) {
      changes++;
      analyses.invalidate(pass.preserves);
    }
    seen.set(pass.run, changes);
    trace.observe?.(pass.name, func);
    visited += func.idBound;
    return changed;
  };
  if (trace.check) verify(func, 'what came before the passes');
  const open = [{ list: passes, at: 0 }];
  for (let innermost = open[0]; innermost; innermost = open[open.length - 1]) {
    const pass = innermost.list[innermost.at++];
    if (!pass) open.pop();
    else if (run(pass) && pass.followedBy) open.push({ list: pass.followedBy, at: 0 });
    if (visited < VALUES_OF_STEP) continue;
    visited = 0;
    yield;
  }
}

/** Runs a pass and verifies what it made, also if it failed on that itself: many passes end with another one, such as dead code. */
function runVerified(pass: Pass, func: Func, context: PassContext, analyses: Analyses): boolean {
  const before = fingerprint(func);
  let changed = true;
  try {
    changed = pass.run(func, context, analyses);
  } finally {
    verify(func, pass.name);
  }
  // Analyses would be those of another function.
  invariant(changed || fingerprint(func) === before, `pass '${pass.name}' says nothing of its change`);
  return changed;
}

/** A number that is another one, most likely, after a change of values other than constants, of reachable blocks or of jumps. */
function fingerprint(func: Func): number {
  let hash = 0;
  const add = (n: number) => {
    hash = (Math.imul(hash, 31) + n) | 0;
  };
  for (const { id, params, insts, terminator, targets } of reversePostorder(func)) {
    add(id);
    for (const param of params) add(param.id);
    for (const inst of [...insts, terminator]) {
      if (inst.op === Op.Const) continue;
      add(inst.id);
      add(inst.op);
      for (const operand of inst.operands) add(operand.id);
    }
    for (const target of targets) {
      add(target.block.id);
      for (const argument of target.arguments) add(argument.id);
    }
  }
  return hash;
}
