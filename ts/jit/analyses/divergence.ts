// SPDX-License-Identifier: MIT
//
// What of the ND-range each value depends on. A value is uniform in a dimension if all work-items that run together and
// differ only there agree on it. Along x, where work-items are lanes, a value may also be affine: a common base plus the
// lane's number times a constant stride, so that one scalar stands for the vector and an access with it is contiguous.
import { constantAmount, constantOf } from '../ir/build';
import { dominatorsOf, type Loop } from '../ir/cfg';
import { type Block, type BlockParam, type Func, type Inst, Op, Type, type Value } from '../ir/ir';
import type { Analysis } from './analyses';
import { type Flow, flowOf } from './postdominators';
import { PRIVATE_LAYOUT } from './private-memory';

/** Sets of dimensions that a value varies with. */
export const X = 1;
export const Y = 2;
export const Z = 4;
export const ALL = X | Y | Z;

export const DIVERGENCE: Analysis<Divergence> = {
  name: 'divergence',
  compute: (func, analyses) => new Divergence(func, analyses.get(PRIVATE_LAYOUT).interleaved),
};

export class Divergence {
  /** By value id: the dimensions that it varies with inside the loop that defines it. */
  readonly dims: Uint8Array;
  /** By value id: the stride along x; NaN if the value is not affine, 0 if it is uniform along x. */
  readonly stride: Float64Array;
  /** Loops that work-items leave in different iterations, with the dimensions that the exits depend on. */
  readonly divergentLoops = new Map<Loop, number>();
  /** By block: dimensions of the divergent branches whose paths it joins. */
  private readonly joins = new Map<Block, number>();
  private readonly seen: Uint8Array;
  private readonly branchesDone = new Map<Block, number>();
  readonly flow: Flow;

  /** `interleaved`: private allocations whose addresses are offsets, the same for all work-items. */
  constructor(
    private readonly func: Func,
    private readonly interleaved: { has(inst: Inst): boolean } = new Set(),
  ) {
    const dominators = dominatorsOf(func);
    const { loops } = dominators;
    this.flow = flowOf(dominators);
    this.dims = new Uint8Array(func.idBound);
    this.stride = new Float64Array(func.idBound);
    this.seen = new Uint8Array(func.idBound);
    const { order } = dominators;
    // Definitions come before uses, except for loop-carried values: only these make another iteration of the analysis
    // necessary.
    for (let again = true; again; ) {
      again = false;
      for (const block of order) {
        this.visitParams(block);
        for (const inst of block.insts) this.visitInst(inst, block);
        if (this.visitBranch(block)) again = true;
      }
      for (const loop of loops) if (this.visitParams(loop.header)) again = true;
    }
  }

  private visitParams(block: Block): boolean {
    let changed = false;
    for (let i = 0; i < block.params.length; i++)
      if (this.visitParam(block, block.params[i]!, i)) changed = true;
    return changed;
  }

  /**
   * The dimensions that a value varies with where `block` uses it: more than inside a divergent loop that defines it.
   */
  dimsAt(value: Value, block: Block): number {
    let dims = this.dims[value.id]!;
    if (this.divergentLoops.size === 0) return dims;
    let leavesDivergent = false;
    for (let l = this.flow.loopOf(value.block); l; l = l.parent) {
      const exit = this.divergentLoops.get(l);
      if (!exit) continue;
      // Rows of a tile leave at different iterations: their values are kept for each lane, as if they varied along x
      // too.
      if (!l.blocks.has(block)) {
        dims |= exit & Y ? exit | X : exit;
        leavesDivergent = true;
      } else if (leavesDivergent && exit & Y) {
        // A value that is kept for a row that has left an outer loop does not change while other rows continue.
        dims |= X | Y;
      }
    }
    return dims;
  }

  /** The dimensions a value varies with after all loops that it comes from. */
  dimsAfterLoops(value: Value): number {
    let dims = this.dims[value.id]!;
    for (let l = this.flow.loopOf(value.block); l; l = l.parent) dims |= this.divergentLoops.get(l) ?? 0;
    return dims;
  }

  strideAt(value: Value, block: Block): number {
    return this.isTemporallyDivergent(value, block) ? Number.NaN : this.stride[value.id]!;
  }

  /** Whether a use in `block` sees the value that each work-item had when it left a divergent loop. */
  isTemporallyDivergent(value: Value, block: Block): boolean {
    if (this.divergentLoops.size === 0) return false;
    for (let l = this.flow.loopOf(value.block); l; l = l.parent)
      if (this.divergentLoops.has(l) && !l.blocks.has(block)) return true;
    return false;
  }

  /** Whether a block's parameters may change for some lanes only: it joins the paths of lanes, or they leave its loop one by one. */
  mixesLanes(block: Block): boolean {
    if ((this.joins.get(block) ?? 0) !== 0) return true;
    const loop = this.flow.loopOf(block);
    return loop?.header === block && this.divergentLoops.has(loop);
  }

  private update(value: Value, dims: number, stride: number): boolean {
    const id = value.id;
    const known = this.seen[id] === 1;
    let newDims = dims | this.dims[id]!;
    let newStride = (newDims & X) === 0 ? 0 : stride;
    if (known && (Number.isNaN(this.stride[id]!) || this.stride[id] !== newStride)) newStride = Number.NaN;
    if (Number.isNaN(newStride)) newDims |= X;
    const changed = !known || newDims !== this.dims[id] || !Object.is(newStride, this.stride[id]);
    this.seen[id] = 1;
    this.dims[id] = newDims;
    this.stride[id] = newStride;
    return changed;
  }

  private visitParam(block: Block, param: BlockParam, index: number): boolean {
    const joined = this.joins.get(block) ?? 0;
    const differs = joined !== 0 && !this.flow.hasOneIncomingValue(block, index);
    let dims = differs ? joined : 0;
    let stride: number | undefined;
    for (const pred of this.flow.dominators.preds.get(block)!)
      for (const target of pred.targets) {
        const arg = target.block === block ? target.arguments[index] : undefined;
        if (!arg || this.seen[arg.id] !== 1) continue;
        // Also as the edge's target sees it: the edge may leave a divergent loop that defines the value.
        dims |= this.dimsAt(arg, pred) | this.dimsAt(arg, block);
        const s = this.isTemporallyDivergent(arg, block) ? Number.NaN : this.strideAt(arg, pred);
        if (stride === undefined) stride = s;
        else if (stride !== s) stride = Number.NaN;
      }
    if (stride === undefined) return false;
    if (differs && joined & X) stride = Number.NaN;
    if (Number.isNaN(stride)) dims |= X;
    return this.update(param, dims, stride);
  }

  private visitInst(inst: Inst, block: Block): boolean {
    let dims = 0;
    for (const operand of inst.operands) {
      if (this.seen[operand.id] !== 1) return false;
      dims |= this.dimsAt(operand, block);
    }
    if (isSharedResult(inst))
      dims = inst.facts.scope === 'work-group' ? 0 : Y | Z | this.broadcastDims(inst, block);
    else if (inst.op === Op.TileFirst || inst.op === Op.TileLast) dims &= ~X;
    else dims |= environmentDims(inst, this.interleaved);
    const stride = (dims & X) === 0 ? 0 : this.affineStride(inst, block);
    return this.update(inst, dims, stride);
  }

  /** Work-items that read from different ones of their sub-group get different values. */
  private broadcastDims(inst: Inst, block: Block): number {
    return inst.op === Op.GroupBroadcast ? this.dimsAt(inst.operands[1]!, block) & X : 0;
  }

  private affineStride(inst: Inst, block: Block): number {
    switch (inst.op) {
      case Op.GlobalId:
      case Op.LocalId:
      case Op.LocalLinearId:
      case Op.GlobalLinearId:
      case Op.SubGroupLocalId:
        return 1;
      case Op.Add:
        return inst.type >= Type.I32
          ? fits(this.strideOf(inst, 0, block) + this.strideOf(inst, 1, block))
          : Number.NaN;
      case Op.Sub:
        return inst.type >= Type.I32
          ? fits(this.strideOf(inst, 0, block) - this.strideOf(inst, 1, block))
          : Number.NaN;
      case Op.Neg:
        return inst.type >= Type.I32 ? -this.strideOf(inst, 0, block) : Number.NaN;
      case Op.Mul: {
        if (inst.type < Type.I32) return Number.NaN;
        const b = constantOf(inst.operands[1]!);
        const a = constantOf(inst.operands[0]!);
        if (b !== undefined) return fits(this.strideOf(inst, 0, block) * Number(b));
        return a !== undefined ? fits(this.strideOf(inst, 1, block) * Number(a)) : Number.NaN;
      }
      case Op.Shl: {
        const by = constantAmount(inst.operands[1]!);
        if (inst.type < Type.I32 || by === undefined) return Number.NaN;
        return fits(this.strideOf(inst, 0, block) * 2 ** by);
      }
      case Op.Trunc:
        return inst.type === Type.I32 ? this.strideOf(inst, 0, block) : Number.NaN;
      case Op.ZExt:
      case Op.SExt:
        return this.staysAffine(inst) ? this.strideOf(inst, 0, block) : Number.NaN;
      case Op.Bitcast:
        return inst.type === inst.operands[0]!.type ? this.strideOf(inst, 0, block) : Number.NaN;
      case Op.Select:
        return (this.dimsAt(inst.operands[0]!, block) & X) === 0 &&
          this.strideOf(inst, 1, block) === this.strideOf(inst, 2, block)
          ? this.strideOf(inst, 1, block)
          : Number.NaN;
      default:
        return Number.NaN;
    }
  }

  private staysAffine({ op, operands, facts }: Inst): boolean {
    const from = operands[0]!;
    if (this.func.addressBits === 32) return op === Op.ZExt && isId(from);
    return facts.isIndex === true || (op === Op.ZExt ? isId(from) : this.isExact(from));
  }

  /**
   * Whether a number of 32 bits is, as a signed one, what its computation gives without a limit of bits. Then it stays affine where it
   * is extended. Ids are: a kernel that takes ids of 2^31 and more for negative numbers has no elements there.
   */
  private isExact(value: Value, assumed = new Set<Value>()): boolean {
    if (value.type !== Type.I32) return false;
    if ((this.dims[value.id]! & X) === 0 || isId(value) || assumed.has(value)) return true;
    assumed.add(value);
    const all = (values: readonly Value[]) => values.every((v) => this.isExact(v, assumed));
    if (value.kind === 'param') {
      const { block } = value;
      const at = block.params.indexOf(value);
      const incoming = this.flow.dominators.preds
        .get(block)!
        .flatMap(({ targets }) => targets.filter((t) => t.block === block).map((t) => t.arguments[at]!));
      return all(incoming);
    }
    switch (value.op) {
      case Op.Add:
      case Op.Sub:
      case Op.Mul:
        return value.facts.noWrap === true && all(value.operands);
      case Op.Select:
        return all(value.operands.slice(1));
      default:
        return false;
    }
  }

  private strideOf(inst: Inst, operand: number, block: Block): number {
    return this.strideAt(inst.operands[operand]!, block);
  }

  /**
   * Marks the joins of a branch that is divergent, and the loops that it leaves. Returns whether this affects visited
   * blocks.
   */
  private visitBranch(block: Block): boolean {
    if (block.targets.length < 2) return false;
    const condition = block.terminator.operands[0]!;
    if (this.seen[condition.id] !== 1) return false;
    const dims = this.dimsAt(condition, block);
    if (dims === 0 || this.branchesDone.get(block) === dims) return false;
    this.branchesDone.set(block, dims);
    const { index } = this.flow.dominators;
    let concerned = false;
    for (const join of this.flow.joins(block)) {
      this.joins.set(join, (this.joins.get(join) ?? 0) | dims);
      if (index.get(join)! <= index.get(block)!) concerned = true;
    }
    const around = this.flow.loopOf(block);
    const isInRegion = around && this.flow.influenceOf(block);
    for (let l = around; l; l = l.parent) {
      // The branch decides in which iteration a work-item leaves, if some of its paths stay in the loop and some leave
      // it.
      if (!l.latches.some(isInRegion!) || !this.flow.exitingBlocks(l).some(isInRegion!)) continue;
      this.divergentLoops.set(l, (this.divergentLoops.get(l) ?? 0) | dims);
      concerned = true;
    }
    return concerned;
  }
}

const isId = (value: Value): boolean =>
  value.kind === 'inst' && value.op >= Op.GlobalId && value.op <= Op.SubGroupLocalId;

const fits = (stride: number) => (Math.abs(stride) < 2 ** 31 ? stride : Number.NaN);

/** Results that a work-group or a sub-group shares, whatever the operands. */
function isSharedResult(inst: Inst): boolean {
  switch (inst.op) {
    case Op.GroupAll:
    case Op.GroupAny:
    case Op.GroupBroadcast:
    case Op.SubGroupBallot:
      return true;
    case Op.GroupReduce:
      // Each cluster has a separate result.
      return inst.operands.length === 1;
    default:
      return false;
  }
}

/** The dimensions that an instruction adds to those of its operands. */
function environmentDims(inst: Inst, interleaved: { has(inst: Inst): boolean }): number {
  switch (inst.op) {
    case Op.GlobalId:
    case Op.LocalId:
      return 1 << inst.facts.dimension!;
    // Its lanes are of other components, too.
    case Op.InMemoryOrder:
    case Op.PermuteComponents:
      return X;
    case Op.LocalLinearId:
    case Op.GlobalLinearId:
    case Op.SubGroupLocalId:
    case Op.AtomicRmw:
    case Op.AtomicCmpXchg:
    case Op.GroupScanInclusive:
    case Op.GroupScanExclusive:
    case Op.SubGroupShuffle:
    case Op.SubGroupShuffleXor:
    case Op.SubGroupShuffleUp:
    case Op.SubGroupShuffleDown:
    case Op.SubGroupRotate:
    case Op.SubGroupElect:
    case Op.GroupReduce:
    case Op.Parameter:
      return ALL;
    // The lanes of a tile are a sub-group.
    case Op.SubGroupId:
    case Op.SubGroupSize:
      return Y | Z;
    case Op.AtomicLoad:
    case Op.ReadClock:
    case Op.Check:
    case Op.Printf:
      return ALL;
    case Op.Load:
      return inst.facts.space === 'private' || inst.facts.volatile ? ALL : 0;
    case Op.PrivateAlloca:
      return interleaved.has(inst) ? 0 : ALL;
    default:
      return 0;
  }
}
