// SPDX-License-Identifier: MIT
//
// Random expressions without side effects: their values do not depend on the order in which operands are evaluated.
import { FLOAT_FORMS } from './floats';
import { callInExpression } from './helpers';
import { imageRead } from './images';
import { INTEGER_FORMS } from './integers';
import { leaf } from './leaves';
import { FLOATS, isFloat, scalar, type ValueType } from './model';
import { subGroupHelpers } from './sub-groups';
import type { Writer } from './writer';

export function condition(w: Writer, depth: number, uniform: boolean): string {
  const { chance } = w;
  const type = chance.with(0.25) ? scalar(chance.pick(FLOATS)) : w.integerType();
  const sub = () => w.expression(type, depth - 1, uniform);
  const compare = `(${sub()} ${chance.pick(['<', '>', '<=', '>=', '==', '!='])} ${sub()})`;
  if (depth > 1 && chance.with(0.3))
    return `${compare} ${chance.pick(['&&', '||'])} (${w.condition(depth - 1, uniform)})`;
  return chance.with(0.15) ? `!(${compare})` : compare;
}

export function expression(w: Writer, type: ValueType, depth: number, uniform: boolean): string {
  const { chance } = w;
  if (depth <= 0) return leaf(w, type, uniform);
  if (w.subGroups && type.count === 1 && !uniform && chance.with(0.15)) {
    const helper = chance.pick(subGroupHelpers(isFloat(type.base)));
    return `${helper}_${type.base}(${w.expression(type, depth - 1)})`;
  }
  if (w.image && w.inKernel && !uniform && type.count === 4 && type.base === w.image && chance.with(0.3))
    return imageRead(w, depth);
  const call = chance.with(0.1) ? callInExpression(w, type, depth, uniform) : undefined;
  if (call !== undefined) return call;
  return chance.pick(isFloat(type.base) ? FLOAT_FORMS : INTEGER_FORMS)(w, type, depth, uniform);
}
