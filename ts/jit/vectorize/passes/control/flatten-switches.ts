// SPDX-License-Identifier: MIT
//
// Switches on which neighbouring work-items differ, such as that of an interpreter: cases that are a few operations without effects
// are all computed, and selects choose among their results. As branches, each case would cost a mask, a branch that is mispredicted
// half of the time, and a blend for each of its results. Other cases remain in the switch.
import { type Divergence, X } from '../../../analyses/divergence';
import { Leaves, makeInst } from '../../../ir/build';
import { predecessors } from '../../../ir/cfg';
import { type Block, type Func, Op, Target, Type, type Value } from '../../../ir/ir';
import { costOfSide, MAX_COST } from '../../../passes/if-conversion';
import { sinkCaseStores } from './sink-case-stores';

/** The most that all cases may cost together, with comparisons and selects. */
const MOST_COST = 96;
const LEAST_SIDES = 3;

/** Where a switch leads for some cases. */
interface Side {
  /** What is computed on the way to the join, if anything. */
  readonly block: Block | undefined;
  readonly values: readonly Value[];
  readonly cases: bigint[];
  isDefault: boolean;
}

/** Returns whether it changed the function, which invalidates the analyses. */
export function flattenSwitches(func: Func, divergence: Divergence): boolean {
  const switches = func.blocks.filter(
    ({ terminator }) =>
      terminator.op === Op.Switch && (divergence.dims[terminator.operands[0]!.id]! & X) !== 0,
  );
  if (switches.length === 0) return false;
  const preds = predecessors(func.blocks);
  const leaves = new Leaves(func);
  const gone = new Set<Block>();
  let changed = false;
  for (const block of switches) if (sinkCaseStores(func, block, preds)) changed = true;
  for (const block of switches) for (const side of flatten(func, block, preds, leaves)) gone.add(side);
  func.blocks = func.blocks.filter((block) => !gone.has(block));
  return changed || gone.size > 0;
}

/** Returns the blocks that are now part of the switch's own. */
function flatten(
  func: Func,
  block: Block,
  preds: ReadonlyMap<Block, readonly Block[]>,
  leaves: Leaves,
): readonly Block[] {
  const leadsTo = (target: Target): Block | undefined => {
    const { block: side } = target;
    const isSide =
      side.params.length === 0 &&
      side.terminator.op === Op.Jump &&
      side.terminator.facts.unroll === undefined &&
      preds.get(side)!.every((pred) => pred === block) &&
      costOfSide(side) <= MAX_COST;
    return isSide ? side.targets[0]!.block : undefined;
  };
  const join = mostFrequent(block.targets.map(leadsTo));
  if (!join || join === block) return [];
  const sides = sidesOf(block, join, (target) => leadsTo(target) === join);
  const blocks = sides.flatMap((side) => side.block ?? []);
  const selector = new Selector(func, block, leaves, sides);
  if (sides.length < LEAST_SIDES || blocks.reduce((sum, b) => sum + costOfSide(b), selector.cost) > MOST_COST)
    return [];
  for (const side of blocks)
    for (const inst of side.insts) {
      inst.block = block;
      block.insts.push(inst);
    }
  const values = join.params.map((_, at) => selector.choose(at));
  leaveOthers(func, block, sides, () => new Target(join, values));
  return blocks;
}

function mostFrequent(blocks: readonly (Block | undefined)[]): Block | undefined {
  const counts = new Map<Block, number>();
  for (const block of blocks) if (block) counts.set(block, (counts.get(block) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** The sides that lead to `join` at once, or by a block that can be part of the switch's own. */
function sidesOf(block: Block, join: Block, isSide: (target: Target) => boolean): readonly Side[] {
  const sides = new Map<Target | Block, Side>();
  for (const [i, target] of block.targets.entries()) {
    const apart = isSide(target) ? target.block : undefined;
    if (!apart && target.block !== join) continue;
    const side = sides.get(apart ?? target) ?? {
      block: apart,
      values: (apart ? apart.targets[0]! : target).arguments,
      cases: [],
      isDefault: false,
    };
    sides.set(apart ?? target, side);
    if (i === 0) side.isDefault = true;
    else side.cases.push(block.terminator.facts.cases![i - 1]!);
  }
  return [...sides.values()];
}

/** Chooses the values of the side that the switch's number leads to. */
class Selector {
  private readonly conditions = new Map<Side, Value>();

  constructor(
    private readonly func: Func,
    private readonly block: Block,
    private readonly leaves: Leaves,
    private readonly sides: readonly Side[],
  ) {}

  /** Comparisons and selects, about. */
  get cost(): number {
    const selects = this.sides[0]?.values.map((_, at) => this.sidesByValue(at).length - 1) ?? [];
    return selects.reduce((sum, n) => sum + n, this.block.terminator.facts.cases!.length);
  }

  /** The value for the join's parameter `at`. */
  choose(at: number): Value {
    const [usual, ...others] = this.sidesByValue(at);
    let chosen = usual![0];
    for (const [value, sides] of others) {
      const holds = sides
        .map((side) => this.conditionOf(side))
        .reduce((a, b) => this.emit(Op.Or, Type.I1, [a, b]));
      chosen = this.emit(Op.Select, value.type, [holds, value, chosen]);
    }
    return chosen;
  }

  /** The different values for a parameter, with the sides that have them, most sides first. */
  private sidesByValue(at: number): readonly (readonly [Value, readonly Side[]])[] {
    const byValue = new Map<Value, Side[]>();
    for (const side of this.sides) {
      const value = side.values[at]!;
      byValue.set(value, [...(byValue.get(value) ?? []), side]);
    }
    return [...byValue].sort(([, a], [, b]) => b.length - a.length);
  }

  private conditionOf(side: Side): Value {
    const known = this.conditions.get(side);
    if (known) return known;
    const { cases } = this.block.terminator.facts;
    const condition = side.isDefault
      ? this.emit(Op.Not, Type.I1, [this.isOneOf(cases!.filter((bits) => !side.cases.includes(bits)))])
      : this.isOneOf(side.cases);
    this.conditions.set(side, condition);
    return condition;
  }

  private isOneOf(cases: readonly bigint[]): Value {
    const [number] = this.block.terminator.operands as [Value];
    const constant = (bits: bigint): Value =>
      this.leaves.constant(number.type, number.type === Type.I64 ? bits : Number(bits));
    const sorted = [...cases].sort((a, b) => (a < b ? -1 : 1));
    const [least, most] = [sorted[0]!, sorted.at(-1)!];
    if (least === 0n && most === BigInt(cases.length - 1) && cases.length > 1)
      return this.emit(Op.ULe, Type.I1, [number, constant(most)]);
    return sorted
      .map((bits) => this.emit(Op.Eq, Type.I1, [number, constant(bits)]))
      .reduce((a, b) => this.emit(Op.Or, Type.I1, [a, b]));
  }

  private emit(op: Op, type: Type, operands: Value[]): Value {
    const inst = makeInst(this.func, this.block, op, type, operands, {}, this.block.terminator.position);
    this.block.insts.push(inst);
    return inst;
  }
}

/** Ends the block with a switch for what is none of the sides, or with a jump. */
function leaveOthers(func: Func, block: Block, sides: readonly Side[], toJoin: () => Target): void {
  const { position, operands, facts } = block.terminator;
  const flat = new Set(sides.flatMap((side) => side.cases));
  const cases = facts.cases!.map((bits, i) => ({ bits, target: block.targets[i + 1]! }));
  const others = cases.filter(({ bits }) => !flat.has(bits));
  const isDefaultFlat = sides.some((side) => side.isDefault);
  if (isDefaultFlat && others.length === 0) {
    block.terminator = makeInst(func, block, Op.Jump, Type.Void, [], {}, position);
    block.targets = [toJoin()];
    return;
  }
  const kept = isDefaultFlat
    ? others
    : cases.map(({ bits, target }) => ({ bits, target: flat.has(bits) ? toJoin() : target }));
  const bits = kept.map((each) => each.bits);
  block.terminator = makeInst(func, block, Op.Switch, Type.Void, [...operands], { cases: bits }, position);
  block.targets = [isDefaultFlat ? toJoin() : block.targets[0]!, ...kept.map(({ target }) => target)];
}
