// SPDX-License-Identifier: MIT

/** Options of whatever waits. */
export interface Waiting {
  /** Ends the waiting when it is aborted: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Waits for what `start` starts, unless `signal` is aborted before or meanwhile. OpenCL takes nothing back that has
 * begun, so that goes on, and `late` gets what nobody waits for any more.
 */
export async function unlessAborted<T>(
  start: () => PromiseLike<T>,
  signal: AbortSignal | undefined,
  late?: (value: T) => void,
): Promise<T> {
  if (signal === undefined) return await start();
  signal.throwIfAborted();
  const started = start();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([started, aborted]);
  } catch (error) {
    // A failure that comes after the abort is nobody's any more either.
    if (signal.aborted)
      started.then(
        (value) => late?.(value),
        () => undefined,
      );
    throw error;
  } finally {
    signal.removeEventListener('abort', stop!);
  }
}
