// SPDX-License-Identifier: MIT
//
// A place in memory that a loop updates, such as `sum[i] += …` in it, is kept in a variable: read before the loop, and written after it.
// Each iteration would wait for the store of the one before. Vectors need neither gathers nor scatters for it then.
//
// Nobody else may see the stores while the loop runs, nor may a store be added where the source has none: another work-item may write
// there.
import { Leaves, makeInst } from '../ir/build';
import { type Dominators, dominatorsOf, naturalLoops, type OwnLoop } from '../ir/cfg';
import { Block, type Func, type Inst, type InstFacts, Op, Target, Type, type Value } from '../ir/ir';
import { preheader } from '../ir/preheader';
import { bytesOf } from '../ir/types';
import { type Aliasing, isSeparate, type MemoryRoots } from './memory-roots';

/** The most places that a loop keeps in variables, which take registers. */
const MOST_PLACES = 16;
/** The most ways out of a loop: the place is written on each. */
const MOST_EXITS = 4;

/** A place in memory that a loop writes. */
interface Place {
  /** One of the stores. */
  readonly store: Inst;
  /** The loop's loads and stores of it. */
  readonly accesses: Inst[];
}

interface Exit {
  readonly from: Block;
  readonly target: Target;
}

/** Returns whether there were places to promote: their variables are private allocations, which `mem2reg` makes values. */
export function promoteAccumulators(func: Func, rootsOf: () => MemoryRoots): boolean {
  const loops = naturalLoops(dominatorsOf(func));
  let promoter: Promoter | undefined;
  // Inner loops first: what they read and write once is an access of the loop around them.
  for (let i = loops.length - 1; i >= 0; i--) {
    const loop = loops[i]!;
    const places = writtenPlaces(loop);
    if (places.length === 0) continue;
    promoter ??= new Promoter(func, rootsOf());
    promoter.promote(loop, places);
  }
  return promoter?.changed === true;
}

/** The places that a loop writes at an address that it does not compute; none if others may see its stores. */
function writtenPlaces({ blocks }: OwnLoop): Place[] {
  const places: Place[] = [];
  for (const block of blocks)
    for (const inst of block.insts) {
      if (inst.facts.volatile || isShared(inst)) return [];
      if (inst.op !== Op.Store || blocks.has(inst.operands[0]!.block)) continue;
      if (places.some(({ store }) => isSamePlace(store, inst))) continue;
      if (places.length === MOST_PLACES) return [];
      places.push({ store: inst, accesses: [] });
    }
  return places;
}

/** Whether an operation orders accesses of several work-items, or writes memory otherwise than a store does. */
const isShared = ({ op }: Inst): boolean =>
  op >= Op.AtomicLoad && op !== Op.Printf && op !== Op.Call && op !== Op.ReadClock;

const accessedType = ({ op, type, operands }: Inst): Type => (op === Op.Store ? operands[1]!.type : type);

/** Whether two loads or stores are of exactly the same bytes, as the same type. */
const isSamePlace = (a: Inst, b: Inst): boolean =>
  a.operands[0] === b.operands[0] &&
  (a.facts.offset ?? 0) === (b.facts.offset ?? 0) &&
  accessedType(a) === accessedType(b);

class Promoter {
  changed = false;
  private readonly leaves: Leaves;
  private synchronizes: boolean | undefined;

  constructor(
    private readonly func: Func,
    private readonly roots: MemoryRoots,
  ) {
    this.leaves = new Leaves(func);
  }

  promote(loop: OwnLoop, places: readonly Place[]): void {
    const exits = exitsOf(loop);
    if (exits.length === 0 || exits.length > MOST_EXITS) return;
    const dominators = dominatorsOf(this.func);
    const chosen = places.filter((place) => {
      const aliasing = this.aliasingIn(loop, place);
      if (aliasing === 'maybe' || !this.isWrittenInAnyCase(loop, exits, place, dominators)) return false;
      return aliasing === 'never' || isSeparate(this.func);
    });
    if (chosen.length === 0) return;
    const before = preheader(this.func, loop);
    const after = exits.map((exit) => this.split(exit, loop));
    for (const place of chosen) this.keepInVariable(place, before, after);
    this.changed = true;
  }

  /** Collects the loop's accesses to a place; returns whether another one may reach it. */
  private aliasingIn({ blocks }: OwnLoop, { store, accesses }: Place): Aliasing {
    const { roots } = this;
    let result: Aliasing = 'never';
    const own = roots.access(store);
    for (const block of blocks)
      for (const inst of block.insts) {
        if (inst.op !== Op.Load && inst.op !== Op.Store) continue;
        if (isSamePlace(store, inst)) {
          accesses.push(inst);
          continue;
        }
        const aliasing = roots.aliasing(own, roots.access(inst));
        if (aliasing === 'maybe') return aliasing;
        if (aliasing === 'if overlapping') result = aliasing;
      }
    return result;
  }

  /** Whether the work-item writes the place in any case, before it leaves the loop. */
  private isWrittenInAnyCase(
    { header }: OwnLoop,
    exits: readonly Exit[],
    { store, accesses }: Place,
    dominators: Dominators,
  ): boolean {
    const writers = accesses.filter(({ op }) => op === Op.Store).map(({ block }) => block);
    if (exits.every(({ from }) => writers.some((block) => dominators.dominates(block, from)))) return true;
    // Or before the loop, unless it might tell others so in between.
    this.synchronizes ??= this.func.blocks.some(({ insts }) => insts.some(isShared));
    if (this.synchronizes) return false;
    for (let block = dominators.idomOf(header); block; block = dominators.idomOf(block))
      if (block.insts.some((inst) => inst.op === Op.Store && isSamePlace(store, inst))) return true;
    return false;
  }

  /** A block on the way out of a loop. */
  private split({ from, target }: Exit, loop: OwnLoop): Block {
    const { func } = this;
    const block = new Block(func.freshId());
    func.blocks.splice(func.blocks.indexOf(from) + 1, 0, block);
    block.terminator = makeInst(func, block, Op.Jump, Type.Void, []);
    const to = target.block;
    block.targets = [new Target(to, target.arguments)];
    target.block = block;
    target.arguments = [];
    for (let outer = loop.parent; outer; outer = outer.parent)
      if (outer.blocks.has(to)) outer.blocks.add(block);
    return block;
  }

  private keepInVariable({ store, accesses }: Place, before: Block, after: readonly Block[]): void {
    const { func } = this;
    const { facts, position } = store;
    const address = store.operands[0]!;
    const type = accessedType(store);
    const size = bytesOf(type);
    const variable = this.leaves.alloca(size, size);
    const ofVariable = { space: 'private', align: size, offset: 0 } as const;
    const move = (block: Block, from: Value, fromFacts: InstFacts, to: Value, toFacts: InstFacts) => {
      const value = makeInst(func, block, Op.Load, type, [from], fromFacts, position);
      block.insts.push(value, makeInst(func, block, Op.Store, Type.Void, [to, value], toFacts, position));
    };
    // Iterations may leave it as it was.
    move(before, address, facts, variable, ofVariable);
    for (const block of after) move(block, variable, ofVariable, address, facts);
    for (const inst of accesses) {
      inst.operands = [variable, ...inst.operands.slice(1)];
      inst.facts = ofVariable;
    }
  }
}

function exitsOf({ blocks }: OwnLoop): Exit[] {
  const exits: Exit[] = [];
  for (const from of blocks)
    for (const target of from.targets) if (!blocks.has(target.block)) exits.push({ from, target });
  return exits;
}
