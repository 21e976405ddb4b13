// SPDX-License-Identifier: MIT
import type { Failed, Prepared, Waiting } from '../../../device/commands/command';
import { type Executable, MissingCode } from '../programs/executable';
import { failedBefore } from './failed-before';
import { MissingRing, PrintfRings } from './printf-rings';

/**
 * A launch's preparation, which waits for the code that it turns out to need, and for a ring if too many launches print. The scheduler
 * calls it again when that is there, or earlier for a blocking call, during which nothing can be waited for.
 */
export function prepareCompiled(
  executable: Executable,
  prepare: () => Prepared,
): () => Prepared | Failed | Waiting {
  let isWaiting = false;
  let failed: Failed | undefined;
  const waitFor = async (begin: () => Promise<void>): Promise<void> => {
    isWaiting = true;
    try {
      await begin();
    } catch (error) {
      failed = failedBefore(error);
    }
    isWaiting = false;
  };
  return () => {
    if (failed) return failed;
    try {
      if (isWaiting) return prepare();
      return PrintfRings.of(executable.device).atStart(() => executable.withoutCompiling(prepare));
    } catch (error) {
      if (error instanceof MissingCode) return { kind: 'waiting', until: waitFor(() => error.compile()) };
      if (error instanceof MissingRing) return { kind: 'waiting', until: waitFor(() => error.freed) };
      return failedBefore(error);
    }
  };
}
