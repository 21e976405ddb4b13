// SPDX-License-Identifier: MIT

/** The sizes of a kernel launch, one for each dimension. They are not changed after they were passed. */
export interface NDRange {
  readonly global: readonly number[];
  /** Left out, the device chooses. */
  readonly local?: readonly number[] | undefined;
  readonly offset?: readonly number[] | undefined;
}
