// SPDX-License-Identifier: MIT
//
// Launches of kernels that the compiler's thread compiles first: the command waits for that, and the event loop does not.
import { moduleKind } from '../../base/kernel-abi';
import type { NDRange } from '../../base/nd-range';
import type { Failed, Prepared, Work } from '../../device/command';
import { failedBefore } from './failed-before';
import type { SoftwareKernel } from './kernel';
import { checkArguments } from './launch';
import { resolveNDRange } from './nd-range';
import { privatizingOf } from './privatizing';

/** Whether a launch needs code that is not compiled yet and that another thread can compile. */
export function mustWait(kernel: SoftwareKernel, range: NDRange): boolean {
  const { executable, signature } = kernel;
  if (!executable.isElsewhere || range.global.includes(0)) return false;
  if (executable.isCompiled(signature.name)) {
    const { kind, atomics } = needsOf(kernel, range);
    return !executable.hasModule(signature.name, kind, atomics);
  }
  // Errors of the call are thrown now. A missing local size is always valid.
  checkArguments(kernel);
  const { global, local, offset } = range;
  resolveNDRange(
    kernel,
    global,
    local ?? signature.requiredLocalSize?.slice(0, global.length) ?? global.map(() => 1),
    offset,
  );
  return true;
}

/** A launch with the current arguments that waits for its code; `compiled` settles when it is compiled. */
export function launchLater(
  kernel: SoftwareKernel,
  range: NDRange,
  prepare: (kernel: SoftwareKernel, range: NDRange) => Prepared,
): { readonly work: Work; readonly compiled: Promise<void>; readonly snapshot: SoftwareKernel } {
  checkArguments(kernel);
  // The script may set arguments again, and change arrays of sizes, before it runs.
  const snapshot = kernel.clone(true);
  const { global, local, offset } = range;
  const sizes = {
    global: [...global],
    ...(local && { local: [...local] }),
    ...(offset && { offset: [...offset] }),
  };
  let failure: unknown;
  const compiled = compileFor(snapshot, sizes).catch((error: unknown) => {
    failure = error;
  });
  const prepareNow = (): Prepared | Failed => {
    try {
      if (failure !== undefined) throw failure;
      return prepare(snapshot, sizes);
    } catch (error) {
      return failedBefore(error);
    }
  };
  return { work: { kind: 'later', prepare: prepareNow }, compiled, snapshot };
}

async function compileFor(kernel: SoftwareKernel, range: NDRange): Promise<void> {
  const { executable, signature } = kernel;
  await executable.compileElsewhere(signature.name);
  const { kind, atomics } = needsOf(kernel, range);
  await executable.loadElsewhere(signature.name, kind, atomics);
}

/** The module of a compiled kernel for a launch. */
function needsOf(kernel: SoftwareKernel, { global, local, offset }: NDRange) {
  const atomics = privatizingOf(kernel, global) ? 'privatized' : 'shared';
  const range = resolveNDRange(kernel, global, local, offset);
  const kind = moduleKind(kernel.executable.kernel(kernel.signature.name), range.global, range.local);
  return { kind, atomics } as const;
}
