// SPDX-License-Identifier: MIT
//
// Launches that are prepared later: of kernels that are compiled first, on the compiler's thread or in turns of the event loop; and in
// contexts with checks, where it matters what the commands before have written.
import type { NDRange } from '../../../base/nd-range';
import type { Prepared, Work } from '../../../device/commands/command';
import type { CodeKind } from '../programs/executable';
import type { SoftwareKernel } from '../programs/kernel';
import { hasSizes, runFor } from '../programs/launch-plan';
import { codeForRange, resolveNDRange } from '../programs/nd-range';
import { codeForArguments } from '../programs/separate-arguments';
import { checkLocalMemory } from './launch-job';
import { checkArguments } from './launch-memory';
import { prepareCompiled } from './prepare-compiled';
import { privatizingOf } from './privatizing';

/** Whether a launch waits for code that is not compiled yet. */
export function mustWait(kernel: SoftwareKernel, range: NDRange): boolean {
  const { plan, executable, signature } = kernel;
  const chooses = choosesCode(kernel);
  const code = chooses ? 'guarded' : codeForArguments(kernel);
  if (plan && (chooses || plan.code === code) && hasSizes(plan, range)) return false;
  if (range.global.includes(0)) return false;
  if (executable.isCompiled(signature.name, code)) {
    if (chooses) return false;
    const codeOfRange = codeForRange(kernel, range.global, code);
    if (!executable.isCompiled(signature.name, codeOfRange)) return true;
    const { kind, atomics } = needsOf(kernel, range, code);
    return !executable.hasModule(signature.name, kind, atomics, codeOfRange);
  }
  // Errors of the call are thrown now. A missing local size is always valid.
  checkArguments(kernel);
  checkLocalMemory(kernel);
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
  prepare: Prepare,
): { readonly work: Work; readonly compiled: Promise<void>; readonly snapshot: SoftwareKernel } {
  let failure: unknown;
  const { work, snapshot } = launchWhenStarted(kernel, range, (...launch) => {
    if (failure !== undefined) throw failure;
    return prepare(...launch);
  });
  const compiled = compileFor(snapshot, range).catch((error: unknown) => {
    failure = error;
  });
  return { work, compiled, snapshot };
}

type Prepare = (kernel: SoftwareKernel, range: NDRange) => Prepared;

/** A launch with the current arguments that is prepared when all that it waits for is complete. */
export function launchWhenStarted(
  kernel: SoftwareKernel,
  range: NDRange,
  prepare: Prepare,
): { readonly work: Work; readonly snapshot: SoftwareKernel } {
  checkArguments(kernel);
  // The script may set arguments again before it runs.
  const snapshot = kernel.clone(true);
  const prepareNow = prepareCompiled(snapshot.executable, () => prepare(snapshot, range));
  return { work: { kind: 'later', prepare: prepareNow }, snapshot };
}

async function compileFor(kernel: SoftwareKernel, range: NDRange): Promise<void> {
  const { executable, signature } = kernel;
  const chooses = choosesCode(kernel);
  const code = chooses ? 'guarded' : codeForArguments(kernel);
  await executable.compileLater(signature.name, code);
  if (!chooses) {
    await executable.compileLater(signature.name, codeForRange(kernel, range.global, code));
    const { kind, atomics, codeOfRange } = needsOf(kernel, range, code);
    await executable.loadLater(signature.name, kind, atomics, codeOfRange);
  }
  await executable.placeGlobals();
}

/** Whether the launch's proof decides which code it runs, when it starts. */
const choosesCode = ({ device }: SoftwareKernel): boolean => device.checked !== undefined || device.isRobust;

/** The module of a compiled kernel for a launch. */
function needsOf(kernel: SoftwareKernel, range: NDRange, code: CodeKind) {
  const atomics = privatizingOf(kernel, range.global, code) ? 'privatized' : 'shared';
  const { kind, codeOfRange } = runFor(kernel, range, code);
  return { kind, atomics, codeOfRange } as const;
}
