// SPDX-License-Identifier: MIT
import type { Failed, Prepared, Waiting } from '../../../device/command';
import { type Executable, MissingCode } from '../programs/executable';
import { failedBefore } from './failed-before';

/**
 * A launch's preparation, which waits for the code that it turns out to need. The scheduler calls it again when that is compiled, or
 * earlier for a blocking call, during which nothing can be waited for.
 */
export function prepareCompiled(
  executable: Executable,
  prepare: () => Prepared,
): () => Prepared | Failed | Waiting {
  let isWaiting = false;
  let failed: Failed | undefined;
  const waitFor = async ({ compile }: MissingCode): Promise<void> => {
    isWaiting = true;
    try {
      await compile();
    } catch (error) {
      failed = failedBefore(error);
    }
    isWaiting = false;
  };
  return () => {
    if (failed) return failed;
    try {
      return isWaiting ? prepare() : executable.withoutCompiling(prepare);
    } catch (error) {
      if (error instanceof MissingCode) return { kind: 'waiting', until: waitFor(error) };
      return failedBefore(error);
    }
  };
}
