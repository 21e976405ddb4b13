// SPDX-License-Identifier: MIT
//
// Control flow: walks the plan of a region (vectorize/control.ts) and writes blocks, loops and ifs. Lanes that reach a join by
// mask wait there until control reaches it: such places are reconvergence points. After an edge has added lanes to a mask,
// control continues at the innermost reconvergence point.
import type { Steps } from '../../../base/steps';
import { type Label, ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import type { LoopLiveOuts } from '../../analyses/loop-live-outs';
import { type Block, Op, Type } from '../../ir/ir';
import { isGroupWide } from '../../regions/split';
import type { ControlPlan, RegionPlan } from '../../vectorize/plan';
import type { Context } from '../context';
import { EdgeValues } from './edge-values';
import { Frames, RECONVERGENCE } from './frames';
import { isRare } from './guards';
import { LaneMasks } from './lane-masks';
import { anyLane } from './masks';
import { type Call, type Recursion, recursionSteps } from './recursion';

export interface BlockEmitter {
  /** The block's instructions, without the terminator. */
  body(block: Block): void;
  /** A Return: the region's end, if code follows there. */
  leave?: ((block: Block) => void) | undefined;
  /** Whether a block can be executed with no lane active, at less cost than a test. */
  isCheap(block: Block): boolean;
}

/** The continuation of a region with the next tile of a row, for code inside a loop over tiles. */
export interface TileLoop {
  /** Advances to the next tile, and pushes whether there is one. */
  advance(): void;
  /** Computes the values that change with each tile. */
  begin(): void;
  /** The jump target of the row's last tile. */
  readonly end: Label;
}

/** Code for branches and loops in which lanes may diverge (branches.ts). */
export interface BranchEmitters {
  /** Both sides of a branch, one after the other, each for its lanes. */
  splitLanes(s: StructureEmitter, block: Block): Recursion;
  /** The usual side of a guard without masks if all lanes take it, otherwise the code of `split`. */
  guard(s: StructureEmitter, block: Block, side: 0 | 1, split: () => Recursion): Recursion;
  /** A copy of a loop that runs as long as all lanes stay in it. */
  unmaskedLoop(s: StructureEmitter, header: Block, side: 0 | 1): Recursion;
  /** The sides of a branch that whole tiles take, each in a loop over them; undefined if it is not such a branch. */
  tilesBySide(s: StructureEmitter, block: Block): Recursion | undefined;
}

export class StructureEmitter {
  readonly control: ControlPlan;
  readonly masks: LaneMasks;
  readonly values: EdgeValues;
  readonly frames: Frames;
  /** Joins to which some edge has already assigned values. */
  private assigned = new Set<Block>();
  /** Loop headers that are reached by all lanes. */
  private readonly enteredByAll = new Set<Block>();
  /** Loop headers whose unmasked copy is being emitted. */
  private readonly unmaskedLoops = new Set<Block>();
  /** By loop header: whether the kernel's loop has a barrier. */
  private readonly barrierLoops = new Map<Block, boolean>();

  constructor(
    readonly c: Context,
    readonly plan: RegionPlan,
    readonly blocks: BlockEmitter,
    private readonly branches: BranchEmitters,
    liveOuts: LoopLiveOuts,
    readonly tiles?: TileLoop,
  ) {
    this.control = plan.control;
    this.masks = new LaneMasks(c);
    this.frames = new Frames(c.f);
    this.values = new EdgeValues(c, (block) => plan.original(block), liveOuts);
  }

  /** Emits the region for all lanes, or for those of `mask`; control falls through to its end when all have finished. */
  emit(mask?: number[]): Steps<void> {
    return recursionSteps(this.frames.inFrame(RECONVERGENCE, () => this.start(mask)));
  }

  private *start(mask: number[] | undefined): Recursion {
    const entry = this.control.order[0]!;
    this.masks.set(entry, mask);
    this.masks.markNonEmpty(entry);
    yield this.tree(entry);
  }

  // --- placement: a block, then what it dominates ---

  private tree(block: Block): Call {
    if (!this.control.loopHeadedBy(block)) return this.node(block);
    return this.withJoins(this.control.joinsAfterLoop(block), () => this.copiesOfLoop(block));
  }

  private *copiesOfLoop(header: Block): Recursion {
    const side = this.enteredByAll.has(header) ? this.plan.stayingSide(header) : undefined;
    if (side !== undefined) yield this.branches.unmaskedLoop(this, header, side);
    yield this.loop(header);
  }

  private *loop(header: Block): Recursion {
    const divergent = this.control.divergentLoopHeaders.has(header);
    this.openLoop(header);
    // Finished lanes leave the inner frame, and with it the loop.
    const iteration = () =>
      divergent ? this.frames.inFrame(RECONVERGENCE, () => this.node(header)) : this.node(header);
    yield this.frames.inFrame({ block: header, isReconvergencePoint: false, isLoop: true }, iteration);
    this.c.invariants.close();
    // If all jumps of a loop are real jumps, only they leave it.
    if (divergent) this.frames.toReconvergencePoint();
  }

  openLoop(header: Block): void {
    const { blocks } = this.control.loopHeadedBy(header)!;
    this.c.invariants.open(new Set([...blocks].map((b) => this.plan.original(b))));
  }

  private node(block: Block): Call {
    return this.withJoins(this.control.joinsOf(block), () => {
      this.enter(block);
      this.blocks.body(block);
      return this.terminator(block);
    });
  }

  /** Makes `block` the current block, with its mask. */
  enter(block: Block): void {
    const { c } = this;
    c.block = this.plan.original(block);
    c.mask = this.maskOf(block);
    if (c.mask) c.unmasked.delete(c.block);
    else c.unmasked.add(c.block);
  }

  /** Emits `inside` in a frame for each join, then the joins, each after its frame's end. */
  private withJoins(joins: readonly Block[], inside: () => Call): Call {
    return joins.length === 0 ? inside() : this.beforeJoins(joins, inside);
  }

  private *beforeJoins(joins: readonly Block[], inside: () => Call): Recursion {
    for (let i = joins.length - 1; i >= 0; i--) this.openJoin(joins[i]!);
    yield inside();
    for (const join of joins) {
      this.frames.close();
      this.skipWithoutLanes(join);
      yield this.tree(join);
    }
  }

  private openJoin(join: Block): void {
    const { c } = this;
    if (this.ownsMask(join))
      for (const local of this.masks.make(join)) {
        c.constants.splat(Type.I32, 0);
        c.f.set(local);
      }
    this.assigned.delete(join);
    const isReconvergencePoint = this.control.isReconvergencePoint(join);
    this.frames.open({ block: join, isReconvergencePoint, isLoop: false });
  }

  /** Skips a join that no lane has reached, if a test costs less than the join. */
  private skipWithoutLanes(join: Block): void {
    const { f } = this.c;
    if (!this.ownsMask(join) || this.runsWithoutLanes(join)) return;
    anyLane(this.c, this.masks.of(join)!);
    f.op(Wasm.i32_eqz);
    f.brIf(this.frames.reconvergencePoint());
    this.masks.markNonEmpty(join);
  }

  /** Whether lanes reach a join by mask, and the join owns that mask. */
  private ownsMask(join: Block): boolean {
    return this.control.isReconvergencePoint(join) && this.control.maskOwner(join) === join;
  }

  /** Whether a block with nothing below it may be executed with no lane active, at less cost than a test. */
  runsWithoutLanes(block: Block): boolean {
    const { control } = this;
    return (
      this.blocks.isCheap(block) &&
      !control.loopHeadedBy(block) &&
      control.joinsOf(block).length === 0 &&
      control.dominators.childrenOf(block).length === 0 &&
      block.terminator.op === Op.Jump &&
      control.isMasked(block, 0) &&
      this.mayTakeWithoutLanes(block, 0)
    );
  }

  /**
   * Whether an edge may be executed although no lane takes it: it must overwrite nothing that lanes read elsewhere. Values that are
   * actually uniform are scalars even after branches that only look divergent, such as a branch around a barrier, which ends a region.
   */
  mayTakeWithoutLanes(from: Block, index: number): boolean {
    const { c, control } = this;
    const to = from.targets[index]!.block;
    const isBackEdge = control.isBackEdge(from, to);
    if (isBackEdge && this.leavesAtBarrier(to)) return false;
    if (to.params.every((p) => c.isVector(p))) return true;
    if (isBackEdge) {
      const header = this.plan.original(to);
      const loop = c.divergence.flow.loopOf(header);
      return loop?.header === header && c.divergence.divergentLoops.has(loop);
    }
    return to.params.every((param, i) => c.isVector(param) || control.flow.hasOneIncomingValue(to, i));
  }

  /**
   * Whether the loop of a region is a part of one around a barrier. All lanes leave it for the barrier in the same iteration, and code
   * before the barrier reads the parameters of that iteration, which are not live-outs: it belongs to the kernel's loop.
   */
  private leavesAtBarrier(header: Block): boolean {
    const known = this.barrierLoops.get(header);
    if (known !== undefined) return known;
    const original = this.plan.original(header);
    const loop = this.c.divergence.flow.loopOf(original);
    const found = [...(loop?.blocks ?? [])].some((block) => block.insts.some(isGroupWide));
    this.barrierLoops.set(header, found);
    return found;
  }

  // --- masks ---

  /** Saves the state of masks and parameters; calling the result restores it, for code that is emitted twice. */
  remember(): () => void {
    const masks = this.masks.remember();
    const assigned = new Set(this.assigned);
    return () => {
      masks();
      this.assigned = assigned;
    };
  }

  maskOf(block: Block): number[] | undefined {
    return this.masks.of(this.control.maskOwner(block));
  }

  /** Whether some lane is certainly active in a block. */
  hasLanes(block: Block): boolean {
    return this.masks.isNonEmpty(this.control.maskOwner(block));
  }

  /** Locals for a mask. */
  allocateMask(): number[] {
    const { c } = this;
    return Array.from({ length: c.rows * (c.lanes >> 2) }, () => c.allocate(ValType.V128));
  }

  // --- terminators ---

  private terminator(block: Block): Call {
    switch (block.terminator.op) {
      case Op.Return:
        this.blocks.leave?.(block);
        this.leaveRegion(block);
        return undefined;
      case Op.Unreachable:
        this.trap(block);
        this.leaveRegion(block);
        return undefined;
      case Op.Jump:
        return this.edge(block, 0, this.maskOf(block), this.hasLanes(block));
      case Op.Branch:
        return this.control.isDivergentBranch(block)
          ? this.divergentBranch(block)
          : this.uniformBranch(block);
      default:
        throw new Error(`no code for the terminator ${Op[block.terminator.op]}`);
    }
  }

  /** What compilers make of __builtin_trap(). */
  private trap(block: Block): void {
    const { c } = this;
    const mask = this.maskOf(block);
    const isCertain = this.hasLanes(block) || !mask;
    if (!isCertain) {
      anyLane(c, mask);
      c.f.if_();
    }
    c.f.op(Wasm.unreachable);
    if (!isCertain) c.f.end();
  }

  private leaveRegion(block: Block): void {
    if (this.control.isMaskedExit(block)) this.frames.toReconvergencePoint();
    else this.frames.toOutermost();
  }

  private uniformBranch(block: Block): Recursion {
    return this.branches.tilesBySide(this, block) ?? this.bothSides(block);
  }

  private *bothSides(block: Block): Recursion {
    const { c } = this;
    const { f } = c;
    const mask = this.maskOf(block);
    const hasLanes = this.hasLanes(block);
    c.scalar(block.terminator.operands[0]!, 0);
    const [then, otherwise] = block.targets.map((t) => isRare(t.block));
    f.if_(then === otherwise ? undefined : otherwise);
    yield this.edge(block, 0, mask, hasLanes);
    f.else_();
    yield this.edge(block, 1, mask, hasLanes);
    f.end();
  }

  private divergentBranch(block: Block): Recursion {
    const side = this.maskOf(block) ? undefined : this.plan.guardedSide(block);
    const split = () => this.branches.splitLanes(this, block);
    return side === undefined ? split() : this.branches.guard(this, block, side, split);
  }

  // --- edges ---

  /** Emits an edge for the lanes of `mask`. `hasLanes`: whether some lane is certainly set. */
  edge(from: Block, index: number, mask: number[] | undefined, hasLanes: boolean): Call {
    const to = from.targets[index]!.block;
    this.enter(from);
    this.values.copyLiveOuts(from, to, mask);
    if (this.control.isBackEdge(from, to)) this.backEdge(from, index, mask, hasLanes);
    else if (this.control.isJoin(to)) this.edgeToJoin(from, index, mask);
    else return this.edgeInPlace(from, index, mask);
    return undefined;
  }

  private backEdge(from: Block, index: number, mask: number[] | undefined, hasLanes: boolean): void {
    const { c } = this;
    const header = from.targets[index]!.block;
    // Lanes that do not stay have left: nothing reads their parameters, except those that are retained.
    this.values.assign(from, index, mask, false);
    const again = this.frames.labelOf(header, true);
    if (!this.control.isMasked(from, index) || this.unmaskedLoops.has(header)) {
      c.f.br(again);
      return;
    }
    const staying = this.masks.make(header);
    this.masks.copy(mask, staying);
    if (hasLanes) {
      c.f.br(again);
      return;
    }
    anyLane(c, staying);
    c.f.brIf(again);
    this.frames.toReconvergencePoint();
  }

  /** An edge to a block whose code is placed at the edge. */
  private *edgeInPlace(from: Block, index: number, mask: number[] | undefined): Recursion {
    const to = from.targets[index]!.block;
    this.values.assign(from, index, mask, false);
    this.startLoopMask(to, mask);
    if (mask) this.enteredByAll.delete(to);
    else this.enteredByAll.add(to);
    yield this.tree(to);
  }

  private edgeToJoin(from: Block, index: number, mask: number[] | undefined): void {
    const to = from.targets[index]!.block;
    const blend =
      this.control.isReconvergencePoint(to) && !(this.isFirst(from, to) && !this.values.retained(to));
    this.values.assign(from, index, mask, blend);
    this.assigned.add(to);
    if (this.ownsMask(to)) this.masks.add(mask, this.masks.make(to));
    else this.startLoopMask(to, mask);
    if (this.control.isMasked(from, index)) this.frames.toReconvergencePoint();
    else this.c.f.br(this.frames.labelOf(to, false));
  }

  /** Emits one iteration of a loop's unmasked copy, from its test on; a jump to the header ends it. */
  *unmaskedIteration(header: Block, side: number): Recursion {
    this.frames.open({ block: header, isReconvergencePoint: false, isLoop: true });
    this.unmaskedLoops.add(header);
    yield this.edge(header, side, undefined, true);
    this.unmaskedLoops.delete(header);
    this.frames.close();
  }

  /** A divergent loop's mask is initially that of the lanes that enter it. */
  private startLoopMask(to: Block, mask: number[] | undefined): void {
    if (!this.control.divergentLoopHeaders.has(to)) return;
    this.masks.copy(mask, this.masks.make(to));
    this.masks.markNonEmpty(to);
  }

  /** Whether no other lane can have reached the join yet. */
  private isFirst(from: Block, to: Block): boolean {
    const { flow, dominators } = this.control;
    const loop = flow.loopOf(from);
    return !this.assigned.has(to) && loop === flow.loopOf(dominators.idomOf(to)!) && loop === flow.loopOf(to);
  }
}
