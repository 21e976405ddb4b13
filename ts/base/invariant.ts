// SPDX-License-Identifier: MIT

/** A broken promise inside anycl: never the caller's fault. The command line answers it with exit status 70. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** What a user is told of a fault of ours. `attach`: what makes it happen again. */
export function faultText(error: unknown, attach: string): string {
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return `a fault of anycl itself, not of the program: ${first}; please report it with ${attach}`;
}

/** `what`: named behind the message. It is cheaper than a message that is put together each time that all is well. */
export function invariant(condition: unknown, message: string, what?: string | number): asserts condition {
  if (!condition) throw new InvariantError(what === undefined ? message : `${message}: ${what}`);
}

/** For the `default` of a switch that must be exhaustive: the type checker proves that it is never reached. */
export function unreachable(value: never, what: string): never {
  throw new InvariantError(`unexpected ${what}: ${JSON.stringify(value)}`);
}
