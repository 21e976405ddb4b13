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

/** Whether a launch needs code that is not there, and that another thread can make. */
export function mustWait(kernel: SoftwareKernel, range: NDRange): boolean {
  const { executable, signature } = kernel;
  if (!executable.isElsewhere || range.global.includes(0)) return false;
  if (executable.isCompiled(signature.name)) {
    const { kind, atomics } = needsOf(kernel, range);
    return !executable.hasModule(signature.name, kind, atomics);
  }
  // What is wrong with the call itself is thrown now. A local size that is left out is always right.
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

/** The launch as it is now, once its code is compiled: `compiled` is settled then. */
export function launchLater(
  kernel: SoftwareKernel,
  range: NDRange,
  prepare: (kernel: SoftwareKernel, range: NDRange) => Prepared,
): { readonly work: Work; readonly compiled: Promise<void>; readonly snapshot: SoftwareKernel } {
  checkArguments(kernel);
  // Arguments may be set again, and arrays of sizes be changed, before it runs.
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

/** The module of a compiled kernel that a launch runs. */
function needsOf(kernel: SoftwareKernel, { global, local, offset }: NDRange) {
  const atomics = privatizingOf(kernel, global) ? 'privatized' : 'shared';
  const range = resolveNDRange(kernel, global, local, offset);
  const kind = moduleKind(kernel.executable.kernel(kernel.signature.name), range.global, range.local);
  return { kind, atomics } as const;
}
