// SPDX-License-Identifier: MIT
//
// `if (c) d[i] = v` where d[i] was read before it and may be written back (vectorize/own-elements.ts) becomes `d[i] = c ? v :
// old`, which is often a minimum or maximum of integers. A mask and a second load cost more.
import { makeInst } from '../../ir/build';
import { predecessors } from '../../ir/cfg';
import { type Block, type Func, type Inst, Op, type Value } from '../../ir/ir';
import { isPure } from '../../ir/rewrite';
import { removeDeadCode } from '../../passes/dead-code';
import { asMinMax } from '../../passes/simplify';

/** The most instructions of the side, which all lanes then execute. */
const MOST_CODE = 8;

/**
 * `own`: stores that may write back the old contents, and the block that has read them. Returns whether it changed the
 * function.
 */
export function storeBack(func: Func, own: ReadonlyMap<Inst, Block>): boolean {
  if (own.size === 0) return false;
  const preds = predecessors(func.blocks);
  const gone = new Set<Block>();
  for (const block of func.blocks) {
    if (block.terminator.op !== Op.Branch) continue;
    const [then, otherwise] = [block.targets[0]!, block.targets[1]!];
    for (const [side, other] of [
      [then, otherwise],
      [otherwise, then],
    ] as const) {
      const last = side.block.targets[0];
      if (
        preds.get(side.block)?.length !== 1 ||
        side.block.terminator.op !== Op.Jump ||
        last!.block !== other.block ||
        last!.arguments.length > 0 ||
        !canBeDone(side.block, block, own)
      )
        continue;
      doForAll(func, block, side.block, side === then);
      block.terminator = side.block.terminator;
      block.terminator.block = block;
      block.targets = [last!];
      gone.add(side.block);
      break;
    }
  }
  if (gone.size === 0) return false;
  func.blocks = func.blocks.filter((b) => !gone.has(b));
  // Removes comparisons that became minima.
  removeDeadCode(func);
  return true;
}

/** Whether a side has only cheap instructions, and stores to addresses that `block` has read and not written since. */
function canBeDone(side: Block, block: Block, own: ReadonlyMap<Inst, Block>): boolean {
  if (side.insts.length > MOST_CODE) return false;
  const stores = side.insts.filter((i) => i.op === Op.Store);
  return (
    stores.length > 0 &&
    stores.every((store) => own.get(store) === block && readBefore(store, block) !== undefined) &&
    new Set(stores.map((store) => store.facts.offset ?? 0)).size === stores.length &&
    side.insts.every((i) => i.op === Op.Store || (isPure(i.op) && i.op !== Op.FRem))
  );
}

/** The load of `block` from the store's address, if no write follows it. */
function readBefore(store: Inst, block: Block): Inst | undefined {
  for (const inst of [...block.insts].reverse()) {
    if (inst.op === Op.Store) return undefined;
    if (
      inst.op === Op.Load &&
      inst.operands[0] === store.operands[0] &&
      (inst.facts.offset ?? 0) === (store.facts.offset ?? 0) &&
      inst.type === store.operands[1]!.type
    )
      return inst;
  }
  return undefined;
}

function doForAll(func: Func, block: Block, side: Block, ifTrue: boolean): void {
  const condition = block.terminator.operands[0]!;
  const read = new Map(side.insts.filter((i) => i.op === Op.Store).map((s) => [s, readBefore(s, block)!]));
  for (const inst of side.insts) {
    inst.block = block;
    const before = read.get(inst);
    if (before) {
      const value = inst.operands[1]!;
      const [then, otherwise]: [Value, Value] = ifTrue ? [value, before] : [before, value];
      const [op, ...operands] = asMinMax(condition, then, otherwise) ?? [
        Op.Select,
        condition,
        then,
        otherwise,
      ];
      const chosen = makeInst(func, block, op, value.type, operands, {}, inst.position);
      block.insts.push(chosen);
      inst.operands = inst.operands.with(1, chosen);
    }
    block.insts.push(inst);
  }
}
