// SPDX-License-Identifier: MIT
import type { Location } from '../diagnostics/diagnostic';

/** Something that the language has and this lowering does not; the driver makes a diagnostic of it. */
export class UnsupportedError extends Error {
  override readonly name = 'UnsupportedError';

  constructor(
    /** Names what is missing. */
    readonly what: string,
    readonly location: Location,
  ) {
    super(`${what} is not supported`);
  }
}
