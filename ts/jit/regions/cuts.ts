// SPDX-License-Identifier: MIT
//
// Cuts keep regions short. After a barrier, loops with barriers may be skipped, because they may have no iteration: the region after each
// barrier would have a copy of all that follows, and a kernel with many such loops would grow quadratically. A region may also end
// where there is no barrier, if all work-items that begin it together pass there once or none does.
//
// That is so where no way of the region leads past it to what follows: all work-items reach the same barrier next, or none reaches one,
// so that all pass the cut or none does. A return leads past it, unless it is made to lead there, too (returns.ts).
import { components } from '../../base/components';
import { reversePostorder } from '../../base/dominators';
import { addParam, makeInst } from '../ir/build';
import { dominatorsOf } from '../ir/cfg';
import { Block, type Func, Op, Target, Type } from '../ir/ir';
import {
  type Passage,
  passageOf,
  passing,
  ReturnPlaces,
  Returns,
  redirectReturns,
  repairValues,
} from './returns';
import { endsRegion, hasBarriers, jumpTo } from './split';

/** The number of regions that a block may belong to before those that can end there do. */
const MOST_REGIONS = 8;

/** Whether a region may end with a block although there is no barrier. */
export function isCut({ insts }: Block): boolean {
  return insts.length > 0 && insts[insts.length - 1]!.facts.cut === true;
}

/** Cuts a kernel whose blocks are split at barriers where otherwise many regions would go on. */
export function cutLongRegions(func: Func, mostRegions = MOST_REGIONS): boolean {
  if (!hasBarriers(func)) return false;
  const starts = [func.entry, ...func.blocks.filter(endsRegion).map((block) => block.targets[0]!.block)];
  // No block can belong to more regions than there are.
  if (starts.length <= mostRegions) return false;
  const within = new Set<Block>();
  const passages = new Map<Block, Passage>();
  const places = new ReturnPlaces(func);
  const before = new Map<Block, ReadonlySet<Block>>();
  walk(starts, ({ blocks, repeats }, arriving, returns) => {
    const going = new Set(arriving.keys());
    if (going.size <= mostRegions) return going;
    for (const [block, arrived] of endingAt(arriving)) {
      // Other edges may lead to the cut before a block that is reached again.
      const mayEnd = (start: Block) =>
        [...returns.of(start)].every((from) => !repeats && places.mayLead(from, block));
      const ending = returns.together(arrived.filter(mayEnd));
      if (ending.length < 2) continue;
      if (repeats) before.set(block, new Set(blocks));
      else within.add(block);
      for (const start of ending) going.delete(start);
      going.add(block);
      const from = new Set(ending.flatMap((start) => [...returns.of(start)]));
      if (from.size === 0) continue;
      const passage = passageOf(func, from);
      passages.set(block, passage);
      places.lead(passage, block);
      for (const start of going) returns.add(start, passage.exit);
    }
    return going;
  });
  if (within.size + before.size === 0) return false;
  redirectReturns(func, passages);
  const edges = edgesTo(func, before);
  func.blocks = func.blocks.flatMap((block) => {
    if (within.has(block)) return cutWithin(func, block, passages.get(block));
    const cuts = edges.get(block)?.flatMap((list) => cutBefore(func, block, list)) ?? [];
    return [...cuts, block];
  });
  if (passages.size > 0) repairValues(func);
  return true;
}

/** By block: the regions that may end where they enter it. */
function endingAt(arriving: Arrivals): Map<Block, Block[]> {
  const found = new Map<Block, Block[]>();
  for (const [start, { block, mayEnd }] of arriving) {
    if (!mayEnd) continue;
    const list = found.get(block);
    if (list) list.push(start);
    else found.set(block, [start]);
  }
  return found;
}

/**
 * The edges to some blocks from other blocks than those that are given with them, in lists that may each get a block of their own:
 * edges that enter a loop and edges that repeat it get one together only if they are all that enter the loop.
 */
function edgesTo(func: Func, blocks: ReadonlyMap<Block, ReadonlySet<Block>>): Map<Block, Target[][]> {
  const edges = new Map<Block, { entering: Target[]; repeating: Target[]; all: boolean }>();
  for (const block of blocks.keys()) edges.set(block, { entering: [], repeating: [], all: true });
  const dominators = dominatorsOf(func);
  for (const block of func.blocks)
    for (const target of block.targets) {
      const known = edges.get(target.block);
      if (!known) continue;
      const repeats = dominators.dominates(target.block, block);
      if (!blocks.get(target.block)!.has(block)) (repeats ? known.repeating : known.entering).push(target);
      else if (!repeats) known.all = false;
    }
  const lists = [...edges].map(([block, { entering, repeating, all }]): [Block, Target[][]] => [
    block,
    all ? [[...entering, ...repeating]] : [entering, repeating].filter((list) => list.length > 0),
  ]);
  return new Map(lists);
}

/** Cuts a block before its instructions, after its parameters. */
function cutWithin(func: Func, block: Block, passage: Passage | undefined): Block[] {
  const rest = new Block(func.freshId());
  const { insts, terminator, targets } = block;
  for (const inst of [...insts, terminator]) inst.block = rest;
  Object.assign(rest, { insts, terminator, targets });
  if (!passage) return endWithCut(func, block, rest);
  const test = passing(func, block, passage, rest);
  return [...endWithCut(func, block, test), passage.exit, rest];
}

/** Cuts before a block that is reached again without a barrier: only edges from elsewhere lead through the cut. */
function cutBefore(func: Func, block: Block, edges: readonly Target[]): Block[] {
  const [end, rest] = [new Block(func.freshId()), new Block(func.freshId())];
  const params = block.params.map(({ type }) => addParam(func, end, type));
  for (const edge of edges) edge.block = end;
  rest.terminator = makeInst(func, rest, Op.Jump, Type.Void, [], {}, block.terminator.position);
  rest.targets = [new Target(block, params)];
  return endWithCut(func, end, rest);
}

function endWithCut(func: Func, block: Block, rest: Block): Block[] {
  const { position } = rest.terminator;
  const facts = { scope: 'work-item', memoryScope: 'work-item', cut: true } as const;
  block.insts = [makeInst(func, block, Op.Barrier, Type.Void, [], facts, position)];
  jumpTo(func, block, rest, position);
  return [block, rest];
}

/** By a region's start: the cuts where the region ends. */
export function cutsOf(func: Func, starts: readonly Block[]): Map<Block, Set<Block>> {
  const found = new Map<Block, Set<Block>>(starts.map((start) => [start, new Set()]));
  if (!func.blocks.some(isCut)) return found;
  walk(starts, ({ repeats }, arriving, returns) => {
    const going = new Set(arriving.keys());
    if (repeats) return going;
    for (const [start, { block, mayEnd }] of arriving)
      if (mayEnd && isCut(block) && returns.of(start).size === 0) {
        found.get(start)!.add(block);
        going.delete(start);
      }
    return going;
  });
  return found;
}

/** Blocks that lead to each other without a barrier between them: mostly one. */
interface Stretch {
  readonly blocks: readonly Block[];
  readonly repeats: boolean;
  /** Those that return. */
  readonly returns: readonly Block[];
  /** The blocks of others that these lead to, and those others, of which the one with the shortest way to the end is first. */
  readonly exits: readonly Block[];
  readonly successors: readonly Stretch[];
  /** The most stretches on a way to the end. */
  readonly longest: number;
}

/** By a region's start: where it enters a stretch, and whether it may end there, but for its returns. */
type Arrivals = ReadonlyMap<Block, { readonly block: Block; readonly mayEnd: boolean }>;

/**
 * Visits what regions consist of, predecessors first. `visit` gets the regions that a stretch belongs to and all regions' returns so far,
 * and returns those that go on.
 */
function walk(
  starts: readonly Block[],
  visit: (stretch: Stretch, arriving: Arrivals, returns: Returns) => Iterable<Block>,
): void {
  const stretchOf = stretchesFrom(starts);
  const arrivals = new Map<Stretch, Map<Block, { block: Block; mayEnd: boolean }>>();
  const returns = new Returns();
  /** By start: the number of stretches that the region leads to and that are still to be visited. */
  const pending = new Map<Block, number>();
  const arrive = (start: Block, block: Block) => {
    const at = stretchOf.get(block)!;
    const here = arrivals.get(at) ?? new Map();
    arrivals.set(at, here);
    const known = here.get(start);
    if (known) {
      if (known.block !== block) known.mayEnd = false;
      return;
    }
    here.set(start, { block, mayEnd: start !== block });
    pending.set(start, (pending.get(start) ?? 0) + 1);
  };
  for (const start of starts) arrive(start, start);
  for (const stretch of inOrder(starts.map((start) => stretchOf.get(start)!))) {
    const arriving = arrivals.get(stretch) ?? new Map();
    arrivals.delete(stretch);
    for (const [start, arrival] of arriving) {
      const others = pending.get(start)! - 1;
      pending.set(start, others);
      if (others > 0) arrival.mayEnd = false;
    }
    for (const start of visit(stretch, arriving, returns)) {
      for (const exit of stretch.exits) arrive(start, exit);
      for (const block of stretch.returns) returns.add(start, block);
    }
  }
}

/** Ways that end soon come first, so that the long ones are often the only ones left. */
function inOrder(entered: readonly Stretch[]): Stretch[] {
  const root = { successors: entered } as Stretch;
  return reversePostorder(root, ({ successors }) => successors).slice(1);
}

function stretchesFrom(starts: readonly Block[]): Map<Block, Stretch> {
  const successorsOf = (block: Block) => (endsRegion(block) ? [] : block.targets.map((t) => t.block));
  const stretchOf = new Map<Block, Stretch>();
  for (const blocks of components(starts, successorsOf)) {
    const own = new Set(blocks);
    const next = new Set(blocks.flatMap(successorsOf));
    const repeats = blocks.some((block) => next.has(block));
    const returns = blocks.filter(({ terminator }) => terminator.op === Op.Return);
    const exits = [...next].filter((block) => !own.has(block));
    const others = new Set(exits.map((block) => stretchOf.get(block)!));
    const successors = [...others].sort((a, b) => a.longest - b.longest);
    const longest = 1 + (successors.at(-1)?.longest ?? 0);
    const stretch = { blocks, repeats, returns, exits, successors, longest };
    for (const block of blocks) stretchOf.set(block, stretch);
  }
  return stretchOf;
}
