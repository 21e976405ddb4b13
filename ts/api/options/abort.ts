// SPDX-License-Identifier: MIT

/** Options of methods that wait. */
export interface Waiting {
  /** Ends the wait when it is aborted: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Starts an operation with `start` and waits for it, unless `signal` is aborted before or meanwhile. OpenCL cannot
 * cancel what has started, so the operation continues after an abort, and `late` receives its result.
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
    // A failure after the abort is ignored, also one of `late`: the script may have released what it needs.
    if (signal.aborted) started.then((value) => late?.(value)).then(undefined, () => undefined);
    throw error;
  } finally {
    signal.removeEventListener('abort', stop!);
  }
}
