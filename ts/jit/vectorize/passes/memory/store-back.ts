// SPDX-License-Identifier: MIT
//
// `if (c) d[i] = v` where d[i] was read or written before it and may be written back (vectorize/own-elements.ts) becomes `d[i] = c ?
// v : old`, which is often a minimum or maximum of integers. A mask and a second load cost more, and narrow elements, of which
// a vector has sixteen, stay packed. Likewise if both sides of a branch store to the same places, one of them under a further condition.
import { makeInst } from '../../../ir/build';
import { predecessors } from '../../../ir/cfg';
import { type Block, type Func, type Inst, Op, type Value } from '../../../ir/ir';
import { isPure } from '../../../ir/rewrite';
import { removeDeadCode } from '../../../passes/dead-code';
import { pairedStores } from '../../../passes/paired-stores';
import { asMinMax } from '../../../passes/simplify';

/** The most instructions of a side, which all lanes then execute. */
const MOST_CODE = 8;

type Predecessors = ReadonlyMap<Block, readonly Block[]>;
type Own = ReadonlyMap<Inst, Block>;

/** A store that all lanes do: of `stored` where the condition holds, or of `otherwise`. */
interface Choice {
  readonly store: Inst;
  readonly stored: Value;
  readonly otherwise: Value;
  readonly ifTrue: boolean;
}

/** What becomes of a branch: the sides that are executed always, the choices, and the stores that they replace. */
interface Conversion {
  readonly sides: readonly Block[];
  readonly choices: readonly Choice[];
  readonly replaced: ReadonlySet<Inst>;
}

/** `own`: stores that may write back the old contents. Returns whether it changed the function. */
export function storeBack(func: Func, own: Own): boolean {
  if (own.size === 0) return false;
  const preds = predecessors(func.blocks);
  const gone = new Set<Block>();
  // Inner branches first: what they become may be a side of the branch around them.
  for (const block of [...func.blocks].reverse()) {
    if (gone.has(block) || block.terminator.op !== Op.Branch) continue;
    const conversion = conversionOf(block, preds, own);
    if (!conversion) continue;
    doForAll(func, block, conversion);
    const [last] = conversion.sides;
    block.terminator = last!.terminator;
    block.terminator.block = block;
    block.targets = last!.targets;
    const join = block.targets[0]!.block;
    for (const side of conversion.sides) gone.add(side);
    preds.set(join, [...preds.get(join)!.filter((b) => b !== block && !gone.has(b)), block]);
  }
  if (gone.size === 0) return false;
  func.blocks = func.blocks.filter((b) => !gone.has(b));
  // Removes comparisons that became minima.
  removeDeadCode(func);
  return true;
}

function conversionOf(block: Block, preds: Predecessors, own: Own): Conversion | undefined {
  const [then, otherwise] = block.targets.map((target) => target.block) as [Block, Block];
  const afterThen = joinAfter(then, preds);
  const afterOther = joinAfter(otherwise, preds);
  if (afterThen && afterThen === otherwise) return ofOneSide(then, block, true, preds, own);
  if (afterOther && afterOther === then) return ofOneSide(otherwise, block, false, preds, own);
  return afterThen && afterThen === afterOther && then !== otherwise
    ? ofBothSides(then, otherwise, own)
    : undefined;
}

/** Where a side of a branch meets the other one, if it has nothing but cheap instructions and stores, and passes no values. */
function joinAfter(side: Block, preds: Predecessors): Block | undefined {
  const [target] = side.targets;
  return preds.get(side)?.length === 1 &&
    side.params.length === 0 &&
    side.terminator.op === Op.Jump &&
    target!.arguments.length === 0 &&
    side.insts.length <= MOST_CODE &&
    side.insts.every((i) => i.op === Op.Store || (isPure(i.op) && i.op !== Op.FRem))
    ? target!.block
    : undefined;
}

function ofOneSide(
  side: Block,
  block: Block,
  ifTrue: boolean,
  preds: Predecessors,
  own: Own,
): Conversion | undefined {
  const choices: Choice[] = [];
  for (const store of side.insts.filter((i) => i.op === Op.Store)) {
    const old = own.has(store) ? contentsBefore(store, block, own.get(store)!, preds) : undefined;
    if (!old) return undefined;
    choices.push({ store, stored: store.operands[1]!, otherwise: old, ifTrue });
  }
  const offsets = new Set(choices.map(({ store }) => store.facts.offset ?? 0));
  return choices.length > 0 && offsets.size === choices.length
    ? { sides: [side], choices, replaced: new Set() }
    : undefined;
}

/** Only where stores are to own elements: other branches are if-conversion's. */
function ofBothSides(then: Block, otherwise: Block, own: Own): Conversion | undefined {
  const pairs = pairedStores(then, otherwise);
  if (pairs.length === 0 || !pairs.every((pair) => own.has(pair.then) && own.has(pair.otherwise)))
    return undefined;
  const choices = pairs.map((pair) => ({
    store: pair.then,
    stored: pair.then.operands[1]!,
    otherwise: pair.otherwise.operands[1]!,
    ifTrue: true,
  }));
  return { sides: [then, otherwise], choices, replaced: new Set(pairs.map((pair) => pair.otherwise)) };
}

/**
 * What is in a store's element at the end of `block`: what the last access there has read or written, if no other write follows it. The
 * search goes up to `first`, in which the element was accessed, where each block has one predecessor: no loop begins on this way.
 */
function contentsBefore(store: Inst, block: Block, first: Block, preds: Predecessors): Value | undefined {
  for (let at = block; ; ) {
    for (const inst of [...at.insts].reverse()) {
      const isStore = inst.op === Op.Store;
      const value: Value = isStore ? inst.operands[1]! : inst;
      if (
        (isStore || inst.op === Op.Load) &&
        inst.operands[0] === store.operands[0] &&
        (inst.facts.offset ?? 0) === (store.facts.offset ?? 0) &&
        value.type === store.operands[1]!.type &&
        inst.facts.memoryOrder === undefined
      )
        return value;
      if (isStore) return undefined;
    }
    const before: readonly Block[] = preds.get(at)!;
    if (at === first || before.length !== 1) return undefined;
    at = before[0]!;
  }
}

function doForAll(func: Func, block: Block, { sides, choices, replaced }: Conversion): void {
  const condition = block.terminator.operands[0]!;
  const chosenOf = new Map(choices.map((choice) => [choice.store, choice]));
  for (const side of sides)
    for (const inst of side.insts) {
      if (chosenOf.has(inst) || replaced.has(inst)) continue;
      inst.block = block;
      block.insts.push(inst);
    }
  // After what both sides compute.
  for (const { store, stored, otherwise, ifTrue } of choices) {
    const [yes, no]: [Value, Value] = ifTrue ? [stored, otherwise] : [otherwise, stored];
    const [op, ...operands] = asMinMax(condition, yes, no) ?? [Op.Select, condition, yes, no];
    const chosen = makeInst(func, block, op, stored.type, operands, {}, store.position);
    block.insts.push(chosen);
    store.block = block;
    store.operands = store.operands.with(1, chosen);
    block.insts.push(store);
  }
}
