// SPDX-License-Identifier: MIT
import { type AtomicsKind, type KernelBinary, type ModuleKind, moduleKind } from '../../../base/kernel-abi';
import type { NDRange } from '../../../base/nd-range';
import { firstRange, type GroupRange } from '../../../device/workers/groups';
import type { CodeKind, RunnableModule } from './executable';
import { codeForRange, interchange, type KernelCode, type ResolvedRange, resolveNDRange } from './nd-range';

/** The properties of a launch that depend only on the kernel and the sizes of the ND-range. */
export interface LaunchPlan {
  readonly global: readonly number[];
  readonly local: readonly number[] | undefined;
  readonly offset: readonly number[] | undefined;
  /** In the order of the kernel's dimensions (`KernelBinary.interchanged`). */
  readonly range: ResolvedRange;
  readonly binary: KernelBinary;
  readonly atomics: AtomicsKind;
  /** The code that was asked for. */
  readonly code: CodeKind;
  readonly sizesOf: CodeKind;
  readonly module: RunnableModule;
  readonly items: number;
  readonly groups: GroupRange;
}

/** A kernel with the plan of its last launch. */
export interface PlannedKernel extends KernelCode {
  plan: LaunchPlan | undefined;
}

/** The plan of a launch; most launches have the sizes of the previous one, whose plan the kernel keeps. */
export function planFor(
  kernel: PlannedKernel,
  global: readonly number[],
  local: readonly number[] | undefined,
  offset: readonly number[] | undefined,
  atomics: AtomicsKind,
  code: CodeKind,
  /** The code whose preferences choose a missing local size. */
  sizesOf: CodeKind = code,
): LaunchPlan {
  const { plan: last, executable, signature } = kernel;
  if (
    last &&
    last.atomics === atomics &&
    last.code === code &&
    last.sizesOf === sizesOf &&
    sameSizes(last.global, global) &&
    sameSizes(last.local, local) &&
    sameSizes(last.offset, offset)
  )
    return last;
  const { range, binary, codeOfRange, kind } = runFor(kernel, { global, local, offset }, code, sizesOf);
  const plan: LaunchPlan = {
    global: [...global],
    local: local && [...local],
    offset: offset && [...offset],
    range,
    binary,
    atomics,
    code,
    sizesOf,
    module: executable.module(signature.name, kind, atomics, codeOfRange),
    items: range.local.reduce((all, size) => all * size, 1),
    groups: firstRange(range.groups),
  };
  kernel.plan = plan;
  return plan;
}

/** What a launch runs. */
export interface Running {
  readonly range: ResolvedRange;
  readonly binary: KernelBinary;
  /** The code that is the best for the range. */
  readonly codeOfRange: CodeKind;
  readonly kind: ModuleKind;
}

/** What a launch with compiled code of the given kind runs. */
export function runFor(
  kernel: KernelCode,
  { global, local, offset }: NDRange,
  code: CodeKind,
  sizesOf: CodeKind = code,
): Running {
  const { executable, signature } = kernel;
  const asked = resolveNDRange(kernel, global, local, offset, sizesOf);
  const codeOfRange = codeForRange(kernel, global, code);
  const binary = executable.kernel(signature.name, codeOfRange);
  const range = binary.interchanged ? interchange(asked) : asked;
  return { range, binary, codeOfRange, kind: moduleKind(binary, range.global, range.local) };
}

/** Whether the plan is for these sizes. */
export const hasSizes = (plan: LaunchPlan, { global, local, offset }: NDRange): boolean =>
  sameSizes(plan.global, global) && sameSizes(plan.local, local) && sameSizes(plan.offset, offset);

export function sameSizes(a: readonly number[] | undefined, b: readonly number[] | undefined): boolean {
  if (a === b) return true;
  if (!a || !b || a.length !== b.length) return false;
  for (let d = 0; d < a.length; d++) if (a[d] !== b[d]) return false;
  return true;
}
