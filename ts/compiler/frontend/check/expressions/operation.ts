// SPDX-License-Identifier: MIT
import type { Expr } from '../../ast/checked';
import type { Sides } from '../extents';

/** An operator and its two operands, which are values already. */
export interface Operation<Op> {
  readonly op: Op;
  readonly left: Expr;
  readonly right: Expr;
  readonly location: number;
  readonly sides: Sides;
}
