// SPDX-License-Identifier: MIT
import type { Location } from '../diagnostics/diagnostic';

/** A feature of the language that the lowering does not support; the driver reports it as a diagnostic. */
export class UnsupportedError extends Error {
  override readonly name = 'UnsupportedError';

  constructor(
    /** Names the missing feature. */
    readonly what: string,
    readonly location: Location,
  ) {
    super(`${what} is not supported`);
  }
}
