// SPDX-License-Identifier: MIT

/** A broken invariant of anycl: never the caller's fault. The command line exits with status 70. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** The message about a bug of anycl. `attach` names the files that reproduce it. */
export function internalErrorText(error: unknown, attach: string): string {
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return `a fault of anycl itself, not of the program: ${first}; please report it with ${attach}`;
}

/** `what`: appended to the message. This is cheaper than formatting a message each time that the invariant holds. */
export function invariant(condition: unknown, message: string, what?: string | number): asserts condition {
  if (!condition) throw new InvariantError(what === undefined ? message : `${message}: ${what}`);
}

/** For the `default` of a switch that must be exhaustive: the type checker proves that it is never reached. */
export function unreachable(value: never, what: string): never {
  throw new InvariantError(`unexpected ${what}: ${JSON.stringify(value)}`);
}
