// SPDX-License-Identifier: MIT
//
// Barriers cut a kernel into regions. A region is what one work-item does from one barrier (or the start) to the next one (or the
// end); all work-items of the group execute it before any continues. As barriers are reached by all work-items of a group or by
// none, all of them agree on the region that comes next, and loops around barriers are sequences of regions.
import { invariant } from '../../base/invariant';
import { LiveIn } from '../analyses/liveness';
import { addBlock, makeInst } from '../ir/build';
import { dominatorsOf, isReducible, type Loop } from '../ir/cfg';
import { Block, Func, type Inst, Op, Target, Type, type Value } from '../ir/ir';
import { Rematerializer } from './rematerialize';

export interface Region {
  readonly func: Func;
  /** The kernel's block that a block of the region is a copy of. */
  readonly original: ReadonlyMap<Block, Block>;
  /** Values that come from earlier regions. */
  readonly needs: ReadonlySet<Value>;
  /** Values that the region defines and that some later region needs. */
  readonly provides: ReadonlySet<Value>;
}

export interface Regions {
  readonly list: readonly Region[];
  /** By region: the collective operation before it, if it is more than a barrier. */
  readonly collectives: readonly (Inst | undefined)[];
}

/** Whether all work-items of a group must reach an operation before any continues. */
export function isGroupWide(inst: Inst): boolean {
  switch (inst.op) {
    case Op.Barrier:
      return inst.facts.scope !== 'sub-group' && inst.facts.scope !== 'work-item';
    case Op.GroupAll:
    case Op.GroupAny:
    case Op.GroupBroadcast:
    case Op.GroupReduce:
    case Op.GroupScanInclusive:
    case Op.GroupScanExclusive:
      return inst.facts.scope === 'work-group';
    default:
      return false;
  }
}

export function hasBarriers(func: Func): boolean {
  return func.blocks.some((b) => b.insts.some(isGroupWide));
}

/** Splits blocks so that each group-wide operation is the last instruction of its block, followed by a jump. */
export function splitAtBarriers(func: Func): boolean {
  let changed = false;
  for (let i = 0; i < func.blocks.length; i++) {
    const block = func.blocks[i]!;
    const at = block.insts.findIndex(isGroupWide);
    if (at < 0) continue;
    changed = true;
    const rest = addBlock(func);
    copyOperands(func, block, block.insts[at]!);
    rest.insts = block.insts.splice(block.insts.findIndex(isGroupWide) + 1);
    for (const inst of rest.insts) inst.block = rest;
    rest.terminator = block.terminator;
    rest.terminator.block = rest;
    rest.targets = block.targets;
    block.terminator = makeInst(func, block, Op.Jump, Type.Void, [], {}, rest.terminator.position);
    block.targets = [new Target(rest)];
  }
  return changed;
}

/** Operands of a group operation become separate values, which slots keep. */
function copyOperands(func: Func, block: Block, inst: Inst): void {
  if (inst.op === Op.Barrier) return;
  const at = block.insts.indexOf(inst);
  const copies = inst.operands.map((o) => makeInst(func, block, Op.Bitcast, o.type, [o], {}, inst.position));
  inst.operands = copies;
  block.insts.splice(at, 0, ...copies);
}

function endsRegion(block: Block): boolean {
  const last = block.insts[block.insts.length - 1];
  return last !== undefined && isGroupWide(last);
}

/** Where the regions start: at the entry, then after each group-wide operation. */
function startsOf(func: Func): Block[] {
  return [func.entry, ...func.blocks.filter(endsRegion).map((block) => block.targets[0]!.block)];
}

/** The blocks of each region and the jumps between them, without the values that regions exchange. */
export function regionShapesOf(func: Func): Pick<Region, 'func' | 'original'>[] {
  const starts = startsOf(func);
  const none = new Set<Value>();
  return regionsFrom(func, starts, (start, indexOf, iterations) =>
    regionFrom(func, start, none, none, indexOf, [], iterations),
  );
}

/** The regions of a kernel whose blocks are split at barriers; the first one starts at the entry. */
export function regionsOf(func: Func): Regions {
  const starts = startsOf(func);
  const collectives: (Inst | undefined)[] = [undefined];
  for (const block of func.blocks)
    if (endsRegion(block)) {
      const last = block.insts[block.insts.length - 1]!;
      collectives.push(last.op === Op.Barrier ? undefined : last);
    }
  if (starts.length === 1) {
    const original = new Map(func.blocks.map((b) => [b, b]));
    return { list: [{ func, original, needs: new Set(), provides: new Set() }], collectives };
  }
  const liveIn = new LiveIn(func);
  const live = new Map(starts.map((start) => [start, liveIn.valuesAt(start)]));
  const rematerializer = new Rematerializer();
  const needed = new Set<Value>();
  const computed = new Map<Block, Inst[]>();
  for (const start of starts.slice(1)) {
    const needs = live.get(start)!;
    const again = [...needs].filter((v) => rematerializer.canCompute(v));
    computed.set(start, rematerializer.chainOf(again));
    for (const v of again) needs.delete(v);
    for (const v of needs) needed.add(v);
  }
  for (const c of collectives) if (c) for (const o of c.operands) needed.add(o);
  const list = regionsFrom(func, starts, (start, indexOf, iterations) => {
    const needs = start === func.entry ? new Set<Value>() : live.get(start)!;
    return regionFrom(func, start, needs, needed, indexOf, computed.get(start) ?? [], iterations);
  });
  return { list, collectives };
}

/** The region of each start, with separate copies for the first iteration where a loop would have several entries. */
function regionsFrom(
  func: Func,
  starts: readonly Block[],
  regionAt: (start: Block, indexOf: ReadonlyMap<Block, number>, iterations: Iterations) => Region,
): Region[] {
  const indexOf = new Map(starts.map((b, i) => [b, i]));
  let loops: readonly Loop[] | undefined;
  return starts.map((start) => {
    const plain = regionAt(start, indexOf, ONE_COPY);
    if (isReducible(dominatorsOf(plain.func))) return plain;
    loops ??= dominatorsOf(func).loops;
    const copied = regionAt(start, indexOf, iterationsFrom(start, loops));
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

function regionFrom(
  func: Func,
  start: Block,
  needs: ReadonlySet<Value>,
  needed: ReadonlySet<Value>,
  indexOf: ReadonlyMap<Block, number>,
  computed: readonly Inst[],
  iterations: Iterations,
): Region {
  const original = new Map<Block, Block>();
  const provides = new Set<Value>();
  const copies: { readonly block: Block; readonly iteration: number; readonly copy: Block }[] = [];
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
    copy.insts = copy === copies[0]!.copy ? [...computed, ...block.insts] : block.insts;
    for (const v of [...block.params, ...block.insts]) if (needed.has(v)) provides.add(v);
    if (endsRegion(block)) {
      copy.insts = copy.insts.slice(0, -1);
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
  region.blocks = copies.map(({ copy }) => copy);
  return { func: region, original, needs, provides };
}
