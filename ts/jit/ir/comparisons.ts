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
