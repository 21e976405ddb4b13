// SPDX-License-Identifier: MIT
//
// If-conversion: small branches without effects become selects, because a mask costs more than computing both sides. If both sides
// store to the same places, one store of the selected value remains (passes/paired-stores.ts). A load beside an element that is
// accessed anyway counts as without effect (passes/speculative-loads.ts).
import { makeInst } from '../ir/build';
import { predecessors } from '../ir/cfg';
import { type Block, type Func, type Inst, Op, Target, Type, type Value } from '../ir/ir';
import { isPure } from '../ir/rewrite';
import { pairedStores, type StorePair } from './paired-stores';
import { isLoadedAnyway } from './speculative-loads';

/** The highest cost of one side, in simple operations. */
export const MAX_COST = 8;
/** The most selects that are worth a branch. */
const MAX_SELECTS = 8;
const LOAD_COST = 2;

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

export function convertBranches(func: Func): boolean {
  const preds = predecessors(func.blocks);
  const gone = new Set<Block>();
  // Inner branches first, so that their selects can be part of an outer one.
  for (const block of [...func.blocks].reverse()) {
    if (gone.has(block) || block === func.entry || block.terminator.op !== Op.Branch) continue;
    if (block.terminator.facts.unroll !== undefined) continue;
    const condition = block.terminator.operands[0]!;
    const [then, otherwise] = [block.targets[0]!, block.targets[1]!];
    const side = (target: Block): boolean =>
      target !== block &&
      target.params.length === 0 &&
      preds.get(target)?.length === 1 &&
      target.terminator.op === Op.Jump &&
      target.terminator.facts.unroll === undefined;
    const thenSide = side(then.block) ? then.block : undefined;
    const otherSide = side(otherwise.block) ? otherwise.block : undefined;
    const ends = [thenSide, otherSide].map((block) => block?.targets[0]?.block);
    let join: Block | undefined;
    let sides: (Block | undefined)[] = [];
    if (then.block === otherwise.block) {
      join = then.block;
      sides = [undefined, undefined];
    } else if (thenSide && otherSide && ends[0] === ends[1]) {
      join = ends[0];
      sides = [thenSide, otherSide];
    } else if (thenSide && ends[0] === otherwise.block) {
      join = otherwise.block;
      sides = [thenSide, undefined];
    } else if (otherSide && ends[1] === then.block) {
      join = then.block;
      sides = [undefined, otherSide];
    }
    if (!join || join === block) continue;
    const stores = sides[0] && sides[1] ? pairedStores(sides[0], sides[1]) : [];
    const merged = new Set(stores.flatMap(({ then, otherwise }) => [then, otherwise]));
    const anyway = (load: Inst) => isLoadedAnyway(load, block, preds);
    if (!sides.every((part) => !part || cost(part, merged, anyway) <= MAX_COST)) continue;
    const args = [
      sides[0] ? sides[0].targets[0]!.arguments : then.arguments,
      sides[1] ? sides[1].targets[0]!.arguments : otherwise.arguments,
    ];
    const differing = args[0]!.filter((v, at) => v !== args[1]![at]).length;
    if (differing + stores.length > MAX_SELECTS) continue;
    for (const part of sides)
      for (const inst of part?.insts ?? []) {
        if (merged.has(inst)) continue;
        inst.block = block;
        block.insts.push(inst);
      }
    const choose = (v: Value, other: Value): Value => {
      if (v === other) return v;
      const select = makeInst(
        func,
        block,
        Op.Select,
        v.type,
        [condition, v, other],
        {},
        block.terminator.position,
      );
      block.insts.push(select);
      return select;
    };
    for (const pair of stores) block.insts.push(storeEither(func, block, pair, choose));
    const chosen = args[0]!.map((v, at) => choose(v, args[1]![at]!));
    block.terminator = makeInst(func, block, Op.Jump, Type.Void, [], {}, block.terminator.position);
    block.targets = [new Target(join, chosen)];
    const list = preds.get(join)!.filter((p) => p !== sides[0] && p !== sides[1] && p !== block);
    list.push(block);
    preds.set(join, list);
    for (const part of sides) if (part) preds.set(part, []);
    for (const part of sides) if (part) gone.add(part);
  }
  func.blocks = func.blocks.filter((b) => !gone.has(b));
  return gone.size > 0;
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

/** `anyway`: whether a load is valid if the branch is not taken. */
function cost(block: Block, merged: ReadonlySet<Inst>, anyway: (load: Inst) => boolean): number {
  let sum = 0;
  for (const inst of block.insts) {
    if (merged.has(inst)) continue;
    if (inst.op === Op.Load && anyway(inst)) sum += LOAD_COST;
    else if (isPure(inst.op)) sum += price(inst);
    else return Number.POSITIVE_INFINITY;
  }
  return sum;
}

/** The cost of a block's operations; infinite, if one has an effect or reads memory. */
export function costOfSide(block: Block): number {
  return cost(block, new Set(), () => false);
}

const price = (inst: Inst) =>
  (COSTS[inst.op] ?? 1) * (inst.type === Type.I64 || inst.type === Type.F64 ? 2 : 1);
