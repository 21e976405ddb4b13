// SPDX-License-Identifier: MIT
import { Op } from './ir';

/** The comparison with exchanged operands, where that is another one: `a < b` is `b > a`. */
export const SWAPPED: Partial<Record<Op, Op>> = {
  [Op.SLt]: Op.SGt,
  [Op.SGt]: Op.SLt,
  [Op.SLe]: Op.SGe,
  [Op.SGe]: Op.SLe,
  [Op.ULt]: Op.UGt,
  [Op.UGt]: Op.ULt,
  [Op.ULe]: Op.UGe,
  [Op.UGe]: Op.ULe,
  [Op.FLt]: Op.FGt,
  [Op.FGt]: Op.FLt,
  [Op.FLe]: Op.FGe,
  [Op.FGe]: Op.FLe,
};

/** The comparison that is true where the other one is not, where there is one: of floats, NaNs leave it to `==` and `!=` alone. */
export const INVERSE: Partial<Record<Op, Op>> = {
  [Op.Eq]: Op.Ne,
  [Op.Ne]: Op.Eq,
  [Op.SLt]: Op.SGe,
  [Op.SGe]: Op.SLt,
  [Op.SGt]: Op.SLe,
  [Op.SLe]: Op.SGt,
  [Op.ULt]: Op.UGe,
  [Op.UGe]: Op.ULt,
  [Op.UGt]: Op.ULe,
  [Op.ULe]: Op.UGt,
  [Op.FEq]: Op.FNe,
  [Op.FNe]: Op.FEq,
};

/** The operation without signs that gives the same for numbers that are not negative: their order is the same. */
export const UNSIGNED: Partial<Record<Op, Op>> = {
  [Op.SLt]: Op.ULt,
  [Op.SLe]: Op.ULe,
  [Op.SGt]: Op.UGt,
  [Op.SGe]: Op.UGe,
  [Op.SMin]: Op.UMin,
  [Op.SMax]: Op.UMax,
};
