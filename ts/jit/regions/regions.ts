// SPDX-License-Identifier: MIT
//
// Barriers cut a kernel into regions. A region is what one work-item does from one barrier (or the start) to the next one (or the
// end); all work-items of the group execute it before any continues. As barriers are reached by all work-items of a group or by
// none, all of them agree on the region that comes next, and loops around barriers are sequences of regions.
import { invariant } from '../../base/invariant';
import { LiveIn } from '../analyses/liveness';
import { isConstant, makeInst } from '../ir/build';
import { dominatorsOf, isReducible, type Loop } from '../ir/cfg';
import { Block, Func, type Inst, Op, Target, Type, type Value } from '../ir/ir';
import { cutsOf, isCut } from './cuts';
import { Rematerializer } from './rematerialize';
import { endsRegion } from './split';

export interface Region {
  readonly func: Func;
  /** The kernel's block that a block of the region is a copy of. */
  readonly original: ReadonlyMap<Block, Block>;
  /** Values that come from earlier regions. */
  readonly needs: ReadonlySet<Value>;
  /** Values that the region defines and that some later region needs. */
  readonly provides: ReadonlySet<Value>;
}

/** A region without the values that it exchanges with others. */
type Shape = Pick<Region, 'func' | 'original'>;

export interface Regions {
  readonly list: readonly Region[];
  /** By region: the collective operation before it, if it is more than a barrier. */
  readonly collectives: readonly (Inst | undefined)[];
}

/** Where the regions start and end. */
interface Ends {
  /** The entry, then after each group-wide operation and each cut, in the order of `at`. */
  readonly starts: readonly Block[];
  /** By start. */
  readonly cuts: ReadonlyMap<Block, ReadonlySet<Block>>;
  readonly at: readonly Block[];
}

function endsOf(func: Func): Ends {
  const possible = func.blocks.filter((block) => endsRegion(block) || isCut(block));
  const startsAfter = (ends: readonly Block[]) => [
    func.entry,
    ...ends.map((block) => block.targets[0]!.block),
  ];
  const cuts = cutsOf(func, startsAfter(possible));
  const used = new Set([...cuts.values()].flatMap((blocks) => [...blocks]));
  const at = possible.filter((block) => endsRegion(block) || used.has(block));
  return { starts: startsAfter(at), cuts, at };
}

/** The blocks of each region and the jumps between them, without the values that regions exchange. */
export const regionShapesOf = (func: Func): readonly Shape[] => shapesFrom(func, endsOf(func));

/** The regions of a kernel whose blocks are split at barriers; the first one starts at the entry. */
export function regionsOf(func: Func): Regions {
  const ends = endsOf(func);
  const lasts = ends.at.map(({ insts }) => insts[insts.length - 1]!);
  const collectives = [undefined, ...lasts.map((last) => (last.op === Op.Barrier ? undefined : last))];
  if (ends.starts.length === 1) {
    const original = new Map(func.blocks.map((b) => [b, b]));
    return { list: [{ func, original, needs: new Set(), provides: new Set() }], collectives };
  }
  const shapes = shapesFrom(func, ends);
  return { list: withValues(func, ends.starts, shapes, collectives), collectives };
}

/** What regions exchange: values that they use, or keep for others where they may not compute them. */
function withValues(
  func: Func,
  starts: readonly Block[],
  shapes: readonly Shape[],
  collectives: readonly (Inst | undefined)[],
): Region[] {
  const liveIn = new LiveIn(func);
  const rematerializer = new Rematerializer();
  const needed = new Set<Value>();
  for (const collective of collectives)
    for (const o of collective?.operands ?? []) if (!isConstant(o)) needed.add(o);
  const used = shapes.map((shape, i) => [...usedBy(shape)].filter((value) => liveIn.has(value, starts[i]!)));
  for (const values of used)
    for (const value of values) if (!rematerializer.canCompute(value)) needed.add(value);
  return shapes.map((shape, i) => {
    const provides = new Set<Value>();
    for (const block of shape.original.values())
      for (const v of [...block.params, ...block.insts]) if (needed.has(v)) provides.add(v);
    const kept = [...provides].filter((value) => liveIn.has(value, starts[i]!));
    const values = [...new Set([...used[i]!, ...kept])].sort((a, b) => liveIn.bitOf(a) - liveIn.bitOf(b));
    const start = shape.func.entry;
    start.insts = [
      ...rematerializer.chainOf(values.filter((v) => rematerializer.canCompute(v))),
      ...start.insts,
    ];
    return { ...shape, needs: new Set(values.filter((v) => needed.has(v))), provides };
  });
}

/** The values that a region's blocks use. */
function usedBy({ func }: Shape): Set<Value> {
  const used = new Set<Value>();
  for (const { insts, terminator, targets } of func.blocks) {
    for (const inst of insts) for (const o of inst.operands) used.add(o);
    for (const o of terminator.operands) used.add(o);
    for (const target of targets) for (const o of target.arguments) used.add(o);
  }
  return used;
}

/** The region of each start, with separate copies for the first iteration where a loop would have several entries. */
function shapesFrom(func: Func, { starts, cuts }: Ends): Shape[] {
  const indexOf = new Map(starts.map((b, i) => [b, i]));
  let loops: readonly Loop[] | undefined;
  return starts.map((start) => {
    const plain = shapeFrom(func, start, cuts.get(start)!, indexOf, ONE_COPY);
    if (isReducible(dominatorsOf(plain.func))) return plain;
    loops ??= dominatorsOf(func).loops;
    const copied = shapeFrom(func, start, cuts.get(start)!, indexOf, iterationsFrom(start, loops));
    invariant(
      isReducible(dominatorsOf(copied.func)),
      `a loop of a region of '${func.name}' has several entries`,
    );
    return copied;
  });
}

/** The copy of a block that a jump from a copy of another block leads to; `first` is the copy of the region's start. */
interface Iterations {
  readonly first: number;
  readonly after: (iteration: number, to: Block) => number;
}

const ONE_COPY: Iterations = { first: 0, after: () => 0 };

/**
 * A region that starts inside a loop can enter the rest of the loop's body at several places, and reach all of them again on
 * later iterations: a loop with several entries. Such a region gets separate copies for the rest of its first iteration. A copy's
 * number is that of the outermost loop around the start in which a new iteration has begun.
 */
function iterationsFrom(start: Block, loops: readonly Loop[]): Iterations {
  const around = loops.filter((loop) => loop.blocks.has(start));
  const first = around.length;
  return {
    first,
    after: (iteration, to) => {
      const common = around.filter((loop) => loop.blocks.has(to));
      const begins = common.findIndex((loop) => loop.header === to);
      const unchanged = iteration < common.length ? iteration : first;
      return begins < 0 ? unchanged : Math.min(begins, unchanged);
    },
  };
}

function shapeFrom(
  func: Func,
  start: Block,
  cuts: ReadonlySet<Block>,
  indexOf: ReadonlyMap<Block, number>,
  iterations: Iterations,
): Shape {
  const original = new Map<Block, Block>();
  const copies: { readonly block: Block; readonly iteration: number; readonly copy: Block }[] = [];
  // Not by one number of the iteration and the id: the function's bound of ids grows with the copies.
  const known = new Map<Block, Map<number, Block>>();
  const copyOf = (block: Block, iteration: number) => {
    const made = known.get(block) ?? new Map<number, Block>();
    known.set(block, made);
    let copy = made.get(iteration);
    if (!copy) {
      copy = new Block(block.id);
      made.set(iteration, copy);
      original.set(copy, block);
      copies.push({ block, iteration, copy });
    }
    return copy;
  };
  copyOf(start, iterations.first);
  // The list grows during the loop.
  for (const { block, iteration, copy } of copies) {
    copy.params = block.params;
    copy.insts = block.insts;
    if (endsRegion(block) || cuts.has(block)) {
      copy.insts = block.insts.slice(0, -1);
      copy.terminator = makeInst(func, block, Op.Return, Type.Void, [], {
        index: indexOf.get(block.targets[0]!.block)!,
      });
    } else {
      copy.terminator = block.terminator;
      copy.targets = block.targets.map(
        (t) => new Target(copyOf(t.block, iterations.after(iteration, t.block)), t.arguments),
      );
    }
  }
  const region = new Func(func.name);
  region.addressBits = func.addressBits;
  region.separate = func.separate;
  region.blocks = copies.map(({ copy }) => copy);
  return { func: region, original };
}
