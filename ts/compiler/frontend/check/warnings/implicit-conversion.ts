// SPDX-License-Identifier: MIT
import type { Type } from '../../types';
import type { Extent } from '../extents';

export interface ImplicitConversion {
  readonly to: Type;
  /** What the message calls it: the vector that the value becomes a component of. */
  readonly goal: Type;
  readonly at: Extent;
  /** In braces: a change of sign alone is meant there for characters. */
  readonly isMember: boolean;
}
