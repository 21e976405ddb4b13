// SPDX-License-Identifier: MIT

/** The sizes of a kernel launch, one for each dimension. Nobody changes them after they were handed over. */
export interface NDRange {
  readonly global: readonly number[];
  /** Left out, the device chooses. */
  readonly local?: readonly number[] | undefined;
  readonly offset?: readonly number[] | undefined;
}
