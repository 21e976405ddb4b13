// SPDX-License-Identifier: MIT

/** A broken promise inside anycl: never the caller's fault. The command line answers it with exit status 70. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

/** For the `default` of a switch that must be exhaustive: the type checker proves that it is never reached. */
export function unreachable(value: never, what: string): never {
  throw new InvariantError(`unexpected ${what}: ${JSON.stringify(value)}`);
}
