// SPDX-License-Identifier: MIT
//
// An implicit conversion, as warnings about it see it.
import type { Type } from '../../types';
import type { Extent } from '../extents';

export interface ImplicitConversion {
  readonly to: Type;
  /** The type in the message: the vector of which the value becomes a component. */
  readonly goal: Type;
  readonly at: Extent;
  /** In braces, where a change of sign is intended for characters. */
  readonly isMember: boolean;
}
