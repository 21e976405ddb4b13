// SPDX-License-Identifier: MIT
//
// The stores that both sides of a branch do to the same places in the same order, such as `if (c) a[i] = x; else a[i] = y;`.
import type { Block, Inst, InstFacts, Value } from '../ir/ir';
import { Op } from '../ir/ir';
import { isPure } from '../ir/rewrite';

/** The most stores of a side. */
const MAX_STORES = 4;
/** The longest chain of operations in an address that both sides compute. */
const DEEPEST = 8;

export interface StorePair {
  readonly then: Inst;
  readonly otherwise: Inst;
  /** What holds for both. */
  readonly facts: InstFacts;
}

/** All stores of two blocks, in pairs; none if they differ. */
export function pairedStores(then: Block, otherwise: Block): readonly StorePair[] {
  const [first, second] = [then, otherwise].map(({ insts }) => insts.filter(({ op }) => op === Op.Store));
  if (first!.length !== second!.length || first!.length > MAX_STORES) return [];
  const pairs: StorePair[] = [];
  for (const [i, store] of first!.entries()) {
    const facts = commonFacts(store, second![i]!);
    if (!facts) return [];
    pairs.push({ then: store, otherwise: second![i]!, facts });
  }
  return pairs;
}

function commonFacts(a: Inst, b: Inst): InstFacts | undefined {
  const [f, g] = [a.facts, b.facts];
  if (f.volatile || g.volatile || f.space !== g.space || (f.offset ?? 0) !== (g.offset ?? 0))
    return undefined;
  if (a.operands[1]!.type !== b.operands[1]!.type) return undefined;
  if (!isSame(a.operands[0]!, b.operands[0]!, DEEPEST)) return undefined;
  if (f.restrictRoot !== g.restrictRoot) return undefined;
  return { ...f, align: Math.min(f.align ?? 1, g.align ?? 1) };
}

/** Whether two values are computed alike. */
function isSame(a: Value, b: Value, depth: number): boolean {
  if (a === b) return true;
  if (depth === 0 || a.kind !== 'inst' || b.kind !== 'inst') return false;
  if (a.op !== b.op || a.type !== b.type || !isPure(a.op) || a.op === Op.PrivateAlloca || a.op === Op.Undef)
    return false;
  return (
    a.operands.length > 0 &&
    Object.keys(a.facts).length === 0 &&
    Object.keys(b.facts).length === 0 &&
    a.operands.length === b.operands.length &&
    a.operands.every((operand, i) => isSame(operand, b.operands[i]!, depth - 1))
  );
}
