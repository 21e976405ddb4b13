// SPDX-License-Identifier: MIT
//
// `switch (v) { case 1: out[i] = 7; break; … default: out[i] = 0; }`: where each case ends with a store to the same place, one store
// after the switch does what they do. Then the cases have no effects, and are computed without branches (flatten-switches.ts).
import { addParam, makeInst } from '../../../ir/build';
import { type Block, type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';
import { pairedStores } from '../../../passes/paired-stores';

/** Returns whether it changed the function. */
export function sinkCaseStores(
  func: Func,
  block: Block,
  preds: ReadonlyMap<Block, readonly Block[]>,
): boolean {
  const sides = [...new Set(block.targets.map((target) => target.block))];
  const [first, ...others] = sides as [Block, ...Block[]];
  const join = first.targets[0]?.block;
  const isSide = (side: Block) =>
    side.terminator.op === Op.Jump &&
    side.terminator.facts.unroll === undefined &&
    side.targets[0]!.block === join &&
    preds.get(side)!.every((pred) => pred === block) &&
    side.insts.at(-1)?.op === Op.Store;
  if (!join || sides.includes(join) || join === block || others.length === 0 || !sides.every(isSide))
    return false;
  if (preds.get(join)!.some((pred) => !sides.includes(pred))) return false;
  const pairs = others.map((side) => pairedStores(first, side));
  // `pairedStores` gives all stores of a block: there is one.
  if (!pairs.every((list) => list.length === 1)) return false;
  const store = first.insts.at(-1)!;
  const [address, value] = store.operands as [Value, Value];
  const align = Math.min(...pairs.map(([pair]) => pair!.facts.align ?? 1));
  const param = addParam(func, join, value.type);
  for (const side of sides) {
    const { operands } = side.insts.pop()!;
    const [target] = side.targets;
    target!.arguments = [...target!.arguments, operands[1]!];
  }
  const insts: Inst[] = [];
  const to = copied(func, address, new Set(sides), join, insts);
  const facts = { ...store.facts, align };
  insts.push(makeInst(func, join, Op.Store, Type.Void, [to, param], facts, store.position));
  join.insts.unshift(...insts);
  return true;
}

/** A value that all cases compute alike, of what is known before them, computed in another block. */
function copied(func: Func, value: Value, sides: ReadonlySet<Block>, join: Block, insts: Inst[]): Value {
  if (value.kind !== 'inst' || !sides.has(value.block)) return value;
  const operands = value.operands.map((operand) => copied(func, operand, sides, join, insts));
  const copy = makeInst(func, join, value.op, value.type, operands, value.facts, value.position);
  insts.push(copy);
  return copy;
}
