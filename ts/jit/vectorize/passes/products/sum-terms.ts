// SPDX-License-Identifier: MIT
//
// The terms of a sum of sums and differences.
import type { Uses } from '../../../analyses/uses';
import { type Inst, Op, type Value } from '../../../ir/ir';

export interface SignedTerm {
  readonly value: Value;
  readonly isNegative: boolean;
}

export const isSum = ({ op }: Inst): boolean => op === Op.Add || op === Op.Sub;

/** Whether a sum is used only as a term of another one; `isVector`: whether a value differs between work-items. */
export function isInnerSum(sum: Inst, uses: Uses, isVector: (v: Value) => boolean): boolean {
  const user = uses.onlyUser(sum);
  return user !== undefined && isSum(user) && user.type === sum.type && isVector(user);
}

/** The terms of a sum, in their order. `isInner`: whether a sum that is a term is taken apart as well. */
export function termsOf(root: Inst, isInner: (sum: Inst) => boolean): readonly SignedTerm[] {
  const terms: SignedTerm[] = [];
  // The last one is next. Not recursive: a chain of sums can be as long as the kernel.
  const left: SignedTerm[] = [{ value: root, isNegative: false }];
  for (let next = left.pop(); next; next = left.pop()) {
    const { value, isNegative } = next;
    if (value.kind === 'inst' && isSum(value) && (value === root || isInner(value))) {
      const [a, b] = value.operands as [Value, Value];
      left.push({ value: b, isNegative: isNegative !== (value.op === Op.Sub) }, { value: a, isNegative });
    } else terms.push(next);
  }
  return terms;
}
