// SPDX-License-Identifier: MIT
//
// Vectors that one block computes and another stores, in memory order (memory-order.ts): the sums that a loop adds up, what a loop is followed
// by, and what branches choose between. Such a vector is in memory order wherever it is known, or nowhere: what each jump passes on
// for a block's parameters is computed like the vectors that are stored.
//
// Only where all work-items of a vector take the same way: where a mask chooses the work-items whose parameters change, its lanes are
// work-items.
import type { Divergence } from '../../../analyses/divergence';
import { makeInst } from '../../../ir/build';
import {
  type Block,
  type BlockParam,
  type Func,
  type Inst,
  Op,
  type Target,
  type Value,
} from '../../../ir/ir';
import type { MissingComponents } from './missing-components';
import { Slice, type VectorGroup } from './slice';
import type { RecordAccess } from './structure-accesses';

/** What is known of a block. */
export interface BlockContext {
  readonly block: Block;
  /** The block's instructions, with their places. */
  readonly own: Map<Value, number>;
  readonly missing: MissingComponents;
  readonly loads: ReadonlyMap<Inst, RecordAccess>;
}

/** What a jump passes on for the components of a vector. */
interface Edge {
  readonly from: Block;
  readonly target: Target;
  /** The places of the components among the target's parameters. */
  readonly indexes: readonly number[];
  /** Copies of what is passed on at the end of `from`, whose operands are brought into memory order like those of others. */
  readonly copies: readonly Inst[];
}

/** How much more often the code of a loop runs than that around it. */
const OFTEN = 8;
/** Longer chains of blocks are not followed. */
const MOST_VALUES = 256;

export class CarriedVectors implements VectorGroup {
  readonly slices: Slice[] = [];
  readonly params = new Map<BlockParam, number>();
  readonly edges: Edge[] = [];
  private readonly listOf = new Map<Value, readonly Value[]>();
  private readonly waiting: (readonly Value[])[] = [];
  private readonly copies: Inst[] = [];
  private count = 0;

  constructor(
    private readonly func: Func,
    private readonly divergence: Divergence,
    private readonly contextOf: (block: Block) => BlockContext,
  ) {}

  /** Takes what computes a stored structure, in all blocks. Returns whether other blocks compute it, and memory order costs less. */
  take(block: Block, store: RecordAccess): boolean {
    const ofStore = this.sliceOf(block);
    let cost = ofStore.costOfStore(store) * this.timesOf(block);
    if (this.waiting.length === 0) return false;
    for (let list = this.waiting.pop(); list; list = this.waiting.pop()) {
      if (cost === Number.POSITIVE_INFINITY || this.listOf.size > MOST_VALUES) return false;
      cost += this.costOf(list);
    }
    return cost < 0;
  }

  accepts(values: readonly Value[], user: Block): boolean {
    const first = values[0]!;
    const { block, kind, type } = first;
    if (kind === 'inst' && block === user) return false;
    const known = this.listOf.get(first);
    if (known) return known.length === values.length && values.every((v, k) => v === known[k]);
    if (kind === 'param' && this.divergence.mixesLanes(block)) return false;
    if (block === this.func.entry || new Set(values).size < values.length) return false;
    if (this.count > 0 && values.length !== this.count) return false;
    const isPart = (v: Value) =>
      v.block === block &&
      v.kind === kind &&
      v.type === type &&
      Number.isNaN(this.divergence.strideAt(v, block)) &&
      !this.divergence.isTemporallyDivergent(v, user) &&
      !this.listOf.has(v);
    if (!values.every(isPart)) return false;
    this.count = values.length;
    for (const v of values) this.listOf.set(v, values);
    this.waiting.push(values);
    return true;
  }

  listWith(value: Value, user: Block): readonly Value[] | undefined {
    return value.kind === 'inst' && value.block === user ? undefined : this.listOf.get(value);
  }

  /** The cost of a vector that is used elsewhere. */
  private costOf(list: readonly Value[]): number {
    const { block, kind } = list[0]!;
    if (kind === 'inst') {
      const slice = this.sliceOf(block);
      const cost = slice.costOfValues(list, this.copiesOf(block, list));
      // Its users are given the values themselves.
      return slice.isOneList(list) ? cost * this.timesOf(block) : Number.POSITIVE_INFINITY;
    }
    const indexes = list.map((v) => block.params.indexOf(v as BlockParam));
    for (const [k, v] of list.entries()) this.params.set(v as BlockParam, k);
    let cost = 0;
    for (const from of this.divergence.flow.dominators.preds.get(block)!)
      for (const target of from.targets)
        if (target.block === block) cost += this.costOfEdge(from, target, indexes);
    return cost;
  }

  private costOfEdge(from: Block, target: Target, indexes: readonly number[]): number {
    if (this.edges.some((edge) => edge.target === target && edge.indexes[0] === indexes[0])) return 0;
    if (this.leavesDivergentLoop(from, target.block)) return Number.POSITIVE_INFINITY;
    const values = indexes.map((i) => target.arguments[i]!);
    const copies = this.copiesOf(from, values);
    this.edges.push({ from, target, indexes, copies });
    const slice = this.sliceOf(from);
    const cost = slice.costOfValues(values, copies) * this.timesOf(from);
    // The prologue has no room for conversions.
    return from === this.func.entry && slice.conversions.length > 0 ? Number.POSITIVE_INFINITY : cost;
  }

  /** Each work-item passes on what it has when it leaves such a loop. */
  private leavesDivergentLoop(from: Block, to: Block): boolean {
    const { divergentLoops, flow } = this.divergence;
    for (let loop = flow.loopOf(from); loop; loop = loop.parent)
      if (divergentLoops.has(loop) && !loop.blocks.has(to)) return true;
    return false;
  }

  private sliceOf(block: Block): Slice {
    const known = this.slices.find((slice) => slice.block === block);
    if (known) return known;
    const { own, missing, loads } = this.contextOf(block);
    const slice = new Slice(block, own, this.divergence, loads, missing, this);
    this.slices.push(slice);
    return slice;
  }

  private timesOf(block: Block): number {
    let times = 1;
    for (let loop = this.divergence.flow.loopOf(block); loop; loop = loop.parent) times *= OFTEN;
    return times;
  }

  /** Users of values at the end of a block. */
  private copiesOf(block: Block, values: readonly Value[]): readonly Inst[] {
    const { own } = this.contextOf(block);
    const copies = values.map((v) => makeInst(this.func, block, Op.Bitcast, v.type, [v]));
    this.copies.push(...copies);
    for (const copy of copies) own.set(copy, own.size);
    block.insts = [...block.insts, ...copies];
    return copies;
  }

  /** Lets a block's jumps pass on what its copies have become, if the vectors are `kept`, and removes the copies. */
  removeCopies(kept: boolean, block?: Block): void {
    const copies = new Set(this.copies.filter((copy) => !block || copy.block === block));
    if (kept)
      for (const { from, target, indexes, copies: ofEdge } of this.edges) {
        if (block && from !== block) continue;
        target.arguments = target.arguments.map((a, i) => {
          const k = indexes.indexOf(i);
          return k < 0 ? a : ofEdge[k]!.operands[0]!;
        });
      }
    for (const of of new Set([...copies].map((copy) => copy.block)))
      of.insts = of.insts.filter((inst) => !copies.has(inst));
  }
}
