// SPDX-License-Identifier: MIT
//
// If-conversion: small branches without effects become selects, because a mask costs more than computing both sides. If both sides
// store to the same places, one store of the selected value remains (passes/paired-stores.ts). A load beside an element that is
// accessed anyway counts as without effect (passes/speculative-loads.ts).
import { constantOf, Leaves, makeInst } from '../ir/build';
import { predecessors } from '../ir/cfg';
import { type Block, type Func, type Inst, Op, Target, Type, type Value } from '../ir/ir';
import { isPure } from '../ir/rewrite';
import { isUnwritten } from './memory-roots';
import { pairedStores, type StorePair } from './paired-stores';
import { isLoadedAnyway } from './speculative-loads';

/** The highest cost of one side, in simple operations. */
export const MAX_COST = 8;
/** The most selects that are worth a branch. */
const MAX_SELECTS = 8;
const LOAD_COST = 2;
/** The cost of each comparison and select of a chain such as `x < 128 ? 1 : x < 16384 ? 2 : 3`, which are few instructions together. */
const OF_CONSTANTS = 0.4;

const COSTS: Partial<Record<Op, number>> = {
  [Op.SDiv]: 12,
  [Op.UDiv]: 12,
  [Op.SRem]: 12,
  [Op.URem]: 12,
  [Op.FRem]: 20,
  [Op.Fma]: 12,
  [Op.FDiv]: 4,
  [Op.FSqrt]: 4,
  [Op.FConvert]: 2,
  [Op.FRoundHalf]: 6,
  [Op.SMulHi]: 3,
  [Op.UMulHi]: 3,
};

/** A branch whose sides, each a block or nothing, meet again at once. */
interface Diamond {
  readonly block: Block;
  readonly then: Side;
  readonly otherwise: Side;
  readonly join: Block;
}

interface Side {
  readonly block: Block | undefined;
  /** What it passes to the parameters of the join. */
  readonly arguments: readonly Value[];
}

type Predecessors = ReadonlyMap<Block, readonly Block[]>;

type Price = (inst: Inst) => number;

/** The load whose address a load may use where its own is not needed, if there is one in the branch's block. */
type Substitute = (load: Inst, block: Block) => Inst | undefined;
const NO_SUBSTITUTE: Substitute = () => undefined;

export function convertBranches(func: Func): boolean {
  return convertCheap(func, price);
}

/** Branches that only choose between bytes and halves, which many lanes compute at once. */
export function convertNarrowBranches(func: Func): boolean {
  const isNarrow = (inst: Inst) => priceOfNarrow(inst) < Number.POSITIVE_INFINITY;
  return func.blocks.some((b) => b.insts.some(isNarrow)) && convertCheap(func, priceOfNarrow);
}

/** Branches with loads that read another address where they are not executed. */
export function convertBranchesWithLoads(func: Func, substitute: Substitute): boolean {
  return convertCheap(func, price, substitute);
}

function convertCheap(func: Func, priceOf: Price, substitute = NO_SUBSTITUTE): boolean {
  const preds = predecessors(func.blocks);
  const gone = new Set<Block>();
  let changed = false;
  // Inner branches first, so that their selects can be part of an outer one.
  for (const block of [...func.blocks].reverse()) {
    if (gone.has(block) || block === func.entry) continue;
    const diamond = diamondAt(block, preds);
    const stores = diamond && storesIfCheap(func, diamond, preds, priceOf, substitute);
    if (!stores) continue;
    substituteAddresses(func, diamond, preds, substitute);
    convert(func, diamond, stores);
    // A branch may have no block on either side.
    changed = true;
    const removed = [diamond.then.block, diamond.otherwise.block].filter((side) => side !== undefined);
    const others = preds.get(diamond.join)!.filter((p) => p !== block && !removed.includes(p));
    preds.set(diamond.join, [...others, block]);
    for (const side of removed) {
      preds.set(side, []);
      gone.add(side);
    }
  }
  func.blocks = func.blocks.filter((b) => !gone.has(b));
  return changed;
}

function diamondAt(block: Block, preds: Predecessors): Diamond | undefined {
  const { terminator } = block;
  if (terminator.op !== Op.Branch || terminator.facts.unroll !== undefined) return undefined;
  const [then, otherwise] = block.targets as [Target, Target];
  const isSide = (to: Block): boolean =>
    to !== block &&
    to.params.length === 0 &&
    preds.get(to)?.length === 1 &&
    to.terminator.op === Op.Jump &&
    to.terminator.facts.unroll === undefined;
  const through = ({ block: to }: Target) => (isSide(to) ? to.targets[0]! : undefined);
  const [afterThen, afterOther] = [through(then), through(otherwise)];
  // By edge: what reaches the join, through the side's block or without one.
  const meeting = (a: Target, b: Target): Diamond | undefined =>
    a.block !== b.block || a.block === block
      ? undefined
      : {
          block,
          then: { block: a === then ? undefined : then.block, arguments: a.arguments },
          otherwise: { block: b === otherwise ? undefined : otherwise.block, arguments: b.arguments },
          join: a.block,
        };
  if (then.block === otherwise.block) return meeting(then, otherwise);
  if (afterThen?.block === afterOther?.block)
    return afterThen && afterOther && meeting(afterThen, afterOther);
  if (afterThen?.block === otherwise.block) return meeting(afterThen, otherwise);
  return afterOther?.block === then.block ? meeting(then, afterOther) : undefined;
}

/** The stores that both sides do, if all else may be computed on both, and costs less than the branch; otherwise undefined. */
function storesIfCheap(
  func: Func,
  { block, then, otherwise }: Diamond,
  preds: Predecessors,
  priceOf: Price,
  substitute: Substitute,
): readonly StorePair[] | undefined {
  const stores = then.block && otherwise.block ? pairedStores(then.block, otherwise.block) : [];
  const merged = mergedStores(stores);
  const anyway = (load: Inst) => isLoadedAnyway(load, block, preds) || substitute(load, block) !== undefined;
  const unwritten = (load: Inst) => isUnwritten(func, load);
  const isCheap = ({ block: side }: Side) =>
    !side || cost(side, merged, { anyway, unwritten }, priceOf) <= MAX_COST;
  if (!isCheap(then) || !isCheap(otherwise)) return undefined;
  const differing = then.arguments.filter((v, at) => v !== otherwise.arguments[at]).length;
  return differing + stores.length <= MAX_SELECTS ? stores : undefined;
}

const mergedStores = (stores: readonly StorePair[]): ReadonlySet<Inst> =>
  new Set(stores.flatMap(({ then, otherwise }) => [then, otherwise]));

/** Gives the loads that are not valid on both sides an address that is. */
function substituteAddresses(
  func: Func,
  { block, then, otherwise }: Diamond,
  preds: Predecessors,
  substitute: Substitute,
): void {
  const [condition] = block.terminator.operands as [Value];
  for (const side of [then.block, otherwise.block])
    for (const load of side?.insts.filter(({ op }) => op === Op.Load) ?? []) {
      if (isLoadedAnyway(load, block, preds)) continue;
      const own = wholeAddress(func, load, load);
      const other = wholeAddress(func, substitute(load, block)!, load);
      const operands = side === then.block ? [condition, own, other] : [condition, other, own];
      const { offset: _, ...facts } = load.facts;
      load.operands = [insertBefore(func, load, Op.Select, operands)];
      load.facts = { ...facts, align: 1 };
    }
}

/** The address of a load with its offset, computed before the instruction `user`. */
function wholeAddress(func: Func, { operands, facts: { offset = 0 } }: Inst, user: Inst): Value {
  const [address] = operands as [Value];
  return offset === 0 ? address : insertBefore(func, user, Op.Add, [address, new Leaves(func).i32(offset)]);
}

function insertBefore(func: Func, user: Inst, op: Op, operands: readonly Value[]): Inst {
  const { block } = user;
  const made = makeInst(func, block, op, Type.I32, operands);
  block.insts.splice(block.insts.indexOf(user), 0, made);
  return made;
}

/** Computes both sides in the branch's block, and selects. */
function convert(func: Func, { block, then, otherwise, join }: Diamond, stores: readonly StorePair[]): void {
  const { position, operands } = block.terminator;
  const merged = mergedStores(stores);
  for (const side of [then, otherwise])
    for (const inst of side.block?.insts ?? []) {
      if (merged.has(inst)) continue;
      if (inst.op === Op.Load) inst.facts = { ...inst.facts, speculative: true };
      inst.block = block;
      block.insts.push(inst);
    }
  const choose = (v: Value, other: Value): Value => {
    if (v === other) return v;
    const select = makeInst(func, block, Op.Select, v.type, [operands[0]!, v, other], {}, position);
    block.insts.push(select);
    return select;
  };
  for (const pair of stores) block.insts.push(storeEither(func, block, pair, choose));
  const chosen = then.arguments.map((v, at) => choose(v, otherwise.arguments[at]!));
  block.terminator = makeInst(func, block, Op.Jump, Type.Void, [], {}, position);
  block.targets = [new Target(join, chosen)];
}

function storeEither(
  func: Func,
  block: Block,
  { then, otherwise, facts }: StorePair,
  choose: (v: Value, other: Value) => Value,
): Inst {
  const value = choose(then.operands[1]!, otherwise.operands[1]!);
  return makeInst(func, block, Op.Store, Type.Void, [then.operands[0]!, value], facts, then.position);
}

interface LoadRules {
  /** Whether a load is valid if the branch is not taken. */
  readonly anyway: (load: Inst) => boolean;
  /** Whether no store reaches what it reads. */
  readonly unwritten: (load: Inst) => boolean;
}

/** Merged stores come after everything else of both sides, so a load that follows one must not read what it stores. */
function cost(
  block: Block,
  merged: ReadonlySet<Inst>,
  { anyway, unwritten }: LoadRules,
  priceOf: Price,
): number {
  let sum = 0;
  let stored = false;
  if (block.insts.every(isOfConstants)) return OF_CONSTANTS * block.insts.length;
  for (const inst of block.insts) {
    if (merged.has(inst)) {
      stored = true;
      continue;
    }
    if (inst.op === Op.Load && anyway(inst) && (!stored || unwritten(inst))) sum += LOAD_COST;
    else if (isPure(inst.op)) sum += priceOf(inst);
    else return Number.POSITIVE_INFINITY;
  }
  return sum;
}

/** A comparison with a constant, or a choice between constants and what such comparisons have chosen. */
function isOfConstants({ op, type, operands, block }: Inst): boolean {
  if (type === Type.I1) return op >= Op.Eq && op <= Op.UGe && constantOf(operands[1]!) !== undefined;
  const isChosen = (v: Value) => constantOf(v) !== undefined || (v.kind === 'inst' && v.block === block);
  return op === Op.Select && operands.slice(1).every(isChosen);
}

/** The cost of a block's operations; infinite, if one has an effect or reads memory. */
export function costOfSide(block: Block): number {
  return cost(block, new Set(), { anyway: () => false, unwritten: () => false }, price);
}

const price: Price = (inst) =>
  (COSTS[inst.op] ?? 1) * (inst.type === Type.I64 || inst.type === Type.F64 ? 2 : 1);

/** By type, of what the lanes of one vector are; others are not narrow. */
const NARROW: Partial<Record<Type, number>> = { [Type.I8]: 0.4, [Type.I16]: 0.7 };

/** The price of an operation on packed numbers, or of a truth value about them. */
const priceOfNarrow: Price = (inst) => {
  let of: Value | undefined = inst;
  while (of?.type === Type.I1) of = of.kind === 'inst' ? of.operands[0] : undefined;
  if (COSTS[inst.op] !== undefined) return Number.POSITIVE_INFINITY;
  return (of && NARROW[of.type]) ?? Number.POSITIVE_INFINITY;
};
