// SPDX-License-Identifier: MIT

/** The JIT cannot compile a program. The message is for its author and names the unsupported feature and its place. */
export class JitError extends Error {
  override readonly name = 'JitError';
}
