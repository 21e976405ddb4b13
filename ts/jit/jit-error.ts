// SPDX-License-Identifier: MIT

/** The JIT cannot compile a program: a message for its author, naming what is not supported and where. */
export class JitError extends Error {
  override readonly name = 'JitError';
}
