// SPDX-License-Identifier: MIT
//
// What is added to a kernel's accesses before any pass moves or removes one: the checks of checked runs, the marks
// of watched launches, or the bounds of robust access.
import type { AccessSummary } from '../base/access-summary';
import type { CheckTable } from '../base/checks';
import type { KernelSignature } from '../base/kernel-abi';
import type { Steps } from '../base/steps';
import { Analyses } from './analyses/analyses';
import type { MemoryNames } from './checks/table';
import type { JitOptions, KernelTrace } from './compiled';
import type { Func } from './ir/ir';
import { verify } from './ir/verify';
import { loadSeldom } from './load-seldom';
import { type PassContext, passSteps } from './pass';
import { CHECK_PASSES, CLAMP_PASSES, ROBUST_PASSES } from './pass-lists';

/** The kernel whose accesses are guarded, and how. */
interface Guarded {
  readonly func: Func;
  readonly signature: KernelSignature;
  readonly names?: MemoryNames;
  readonly options: Pick<JitOptions, 'checks' | 'robust' | 'coverage' | 'watched'>;
}

/** What was added to a kernel's accesses. */
export interface Guards {
  readonly checks?: CheckTable;
  readonly accesses?: AccessSummary;
}

/** Adds the checks of checked runs, the marks of watched launches, or the bounds of robust access. */
export function* guardSteps(kernel: Guarded, context: PassContext, trace: KernelTrace): Steps<Guards> {
  const { options, names } = kernel;
  if (options.checks && names) return yield* checkSteps({ ...kernel, names }, context, trace);
  if (options.watched) return yield* watchSteps(kernel, context, trace);
  if (options.robust && !options.checks) return yield* robustSteps(kernel, context, trace);
  return {};
}

function* checkSteps(
  { func, signature, names, options }: Guarded & { readonly names: MemoryNames },
  context: PassContext,
  trace: KernelTrace,
): Steps<Guards> {
  yield* passSteps(CHECK_PASSES, new Analyses(func), context, trace);
  const { addChecks, summarizeAccesses } = loadSeldom();
  const summarized = summarizeAccesses(func, signature, names, true);
  const accesses = summarized?.summary;
  const countsTraffic = options.coverage === 'memory';
  const hasPatterns = accesses?.byPattern !== undefined;
  const checks = addChecks(
    func,
    signature,
    names,
    options.checks!,
    countsTraffic,
    summarized?.indexes,
    hasPatterns,
  );
  if (trace.check) verify(func, 'checks');
  return { checks, ...(accesses ? { accesses } : {}) };
}

/** The form of the kernel is that whose accesses the summary has. */
function* watchSteps({ func, signature }: Guarded, context: PassContext, trace: KernelTrace): Steps<Guards> {
  yield* passSteps(CHECK_PASSES, new Analyses(func), context, trace);
  loadSeldom().markStores(func, signature);
  if (trace.check) verify(func, 'marks');
  return {};
}

function* robustSteps(
  { func, signature, names }: Guarded,
  context: PassContext,
  trace: KernelTrace,
): Steps<Guards> {
  yield* passSteps(ROBUST_PASSES, new Analyses(func), context, trace);
  const summarized = names && loadSeldom().summarizeAccesses(func, signature, names, false);
  yield* passSteps(CLAMP_PASSES, new Analyses(func), context, trace);
  return summarized ? { accesses: summarized.summary } : {};
}
