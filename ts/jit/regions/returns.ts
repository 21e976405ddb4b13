// SPDX-License-Identifier: MIT
//
// The returns that lead past a cut (cuts.ts). Where the work-items that do not return reach a barrier, none may have returned; where they
// reach the cut, those that have returned may pass it, too, and return after it. So the region may end there.
import { addParam, branchTo, Leaves, makeInst } from '../ir/build';
import { type Dominators, dominatorsOf, type Loop } from '../ir/cfg';
import { Block, type Func, Op, Target, Type } from '../ir/ir';
import { removeDeadCode } from '../passes/dead-code';
import { makeReducible } from '../passes/make-reducible';
import { mem2reg } from '../passes/mem2reg';
import { passThroughMemory } from '../passes/through-memory';
import { jumpTo } from './split';

/** The blocks that return, by the regions that lead to them. */
export class Returns {
  private readonly held = new Map<Block, Set<Block>>();
  private readonly holders = new Map<Block, Set<Block>>();

  add(start: Block, block: Block): void {
    addTo(this.held, start, block);
    addTo(this.holders, block, start);
  }

  of(start: Block): ReadonlySet<Block> {
    return this.held.get(start) ?? NONE;
  }

  /** Those of the regions of which no return is one of another region, too: their returns may lead to the same cut. */
  together(starts: readonly Block[]): Block[] {
    const left = new Set(starts);
    const shares = (start: Block) => {
      for (const block of this.of(start)) {
        const holders = this.holders.get(block)!;
        if (holders.size > left.size || [...holders].some((holder) => !left.has(holder))) return true;
      }
      return false;
    };
    for (let before = -1; before !== left.size; ) {
      before = left.size;
      for (const start of left) if (shares(start)) left.delete(start);
    }
    return [...left];
  }
}

const NONE: ReadonlySet<Block> = new Set();

function addTo(sets: Map<Block, Set<Block>>, key: Block, block: Block): void {
  const set = sets.get(key);
  if (set) set.add(block);
  else sets.set(key, new Set([block]));
}

/** The place of a return, or those that have led to a cut before it. */
interface Place {
  /** A block that all ways to it lead through. */
  readonly dominator: Block;
  /** The position of the last of the blocks that lead to it. */
  readonly last: number;
}

/** Tells where returns may lead so that each loop keeps its one entry. */
export class ReturnPlaces {
  private readonly dominators: Dominators;
  private readonly innermost = new Map<Block, Loop>();
  private readonly places = new Map<Block, Place>();

  constructor(func: Func) {
    this.dominators = dominatorsOf(func);
    for (const loop of this.dominators.loops)
      for (const block of loop.blocks) this.innermost.set(block, loop);
  }

  mayLead(from: Block, to: Block): boolean {
    const { dominator, last } = this.placeOf(from);
    if (this.dominators.dominates(to, dominator)) return true;
    const loop = this.innermost.get(to);
    const isAhead = last < this.dominators.index.get(to)!;
    return isAhead && (!loop || this.dominators.dominates(loop.header, dominator));
  }

  /** Notes where the work-items return now. */
  lead({ from, exit }: Passage, to: Block): void {
    let dominator = to;
    let last = this.dominators.index.get(to)!;
    for (const place of [...from].map((block) => this.placeOf(block))) {
      dominator = this.common(dominator, place.dominator);
      last = Math.max(last, place.last);
    }
    this.places.set(exit, { dominator, last });
  }

  private placeOf(block: Block): Place {
    const { preds, index } = this.dominators;
    const known = this.places.get(block);
    if (known) return known;
    const last = Math.max(...preds.get(block)!.map((pred) => index.get(pred)!));
    const place = { dominator: block, last };
    this.places.set(block, place);
    return place;
  }

  private common(a: Block, b: Block): Block {
    const { index } = this.dominators;
    let [x, y] = [a, b];
    while (x !== y)
      if (index.get(x)! > index.get(y)!) x = this.dominators.idomOf(x)!;
      else y = this.dominators.idomOf(y)!;
    return x;
  }
}

/** A way past what follows a cut, for work-items that have returned before. */
export interface Passage {
  /** The blocks that lead to the cut instead of returning. */
  readonly from: ReadonlySet<Block>;
  /** Where these work-items return after the cut. */
  readonly exit: Block;
}

export function passageOf(func: Func, from: ReadonlySet<Block>): Passage {
  const exit = new Block(func.freshId());
  exit.terminator = makeInst(func, exit, Op.Return, Type.Void, []);
  return { from, exit };
}

/** Leads the returns to the blocks where regions are to be cut. Each block's last parameter is then whether the work-item has returned. */
export function redirectReturns(func: Func, passages: ReadonlyMap<Block, Passage>): void {
  if (passages.size === 0) return;
  const leaves = new Leaves(func);
  const yes = leaves.constant(Type.I1, 1);
  const no = leaves.constant(Type.I1, 0);
  for (const { targets } of func.blocks)
    for (const target of targets)
      if (passages.has(target.block)) target.arguments = [...target.arguments, no];
  for (const [block, { from }] of passages) {
    const values = block.params.map(({ type }) => leaves.undef(type));
    addParam(func, block, Type.I1);
    for (const returning of from) {
      jumpTo(func, returning, block, returning.terminator.position);
      returning.targets[0]!.arguments = [...values, yes];
    }
  }
}

/** Passes values through memory, and from there through parameters, where they no longer dominate their uses. */
export function repairValues(func: Func): void {
  // Returns that lead to several cuts may have given a loop a second entry, although each alone did not.
  if (!makeReducible(func)) passThroughMemory(func, new Leaves(func));
  mem2reg(func);
  removeDeadCode(func);
}

/** The block after the cut: work-items that have returned return there, all others go on. */
export function passing(func: Func, block: Block, { exit }: Passage, rest: Block): Block {
  const test = new Block(func.freshId());
  branchTo(func, test, block.params.at(-1)!, [new Target(exit), new Target(rest)]);
  return test;
}
