// SPDX-License-Identifier: MIT

/**
 * The sizes of a kernel launch, one for each dimension. Callers must not change them after they passed them.
 */
export interface NDRange {
  readonly global: readonly number[];
  /** The device chooses it if it is absent. */
  readonly local?: readonly number[] | undefined;
  readonly offset?: readonly number[] | undefined;
}
