// SPDX-License-Identifier: MIT
//
// Control flow: walks the plan of a region (vectorize/control.ts) and writes blocks, loops and ifs. Lanes that reach a join by
// mask wait there until control reaches it: such places are reconvergence points. After an edge has added lanes to a mask,
// control continues at the innermost reconvergence point.
import { invariant } from '../../base/invariant';
import { type Label, ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import type { LoopLiveOuts } from '../analyses/loop-live-outs';
import { type Block, Op, Type } from '../ir/ir';
import type { ControlPlan } from '../vectorize/control';
import type { RegionPlan } from '../vectorize/plan';
import type { Context } from './context';
import { splitLanes } from './divergent-branch';
import { EdgeValues } from './edge-values';
import { isRare } from './guards';
import { LaneMasks } from './lane-masks';
import { anyLane } from './masks';
import { emitGuard, emitUnmaskedLoop } from './unmasked-copies';

/** An open block or loop of WebAssembly that control may jump to. */
export interface Frame {
  readonly label: Label;
  /** The block that a jump to the frame goes to; none where lanes only wait. */
  readonly block?: Block;
  /** Whether lanes can wait there. */
  readonly isReconvergencePoint: boolean;
  readonly isLoop: boolean;
}

/** A place where lanes wait and no block begins. */
const WAITING = { isReconvergencePoint: true, isLoop: false } as const;

export interface BlockEmitter {
  /** The block's instructions, without the terminator. */
  body(block: Block): void;
  /** A Return: the region's end, if anything is to be done there. */
  leave?: ((block: Block) => void) | undefined;
  /** Whether a block can be executed with no lane active, at less cost than a test. */
  isCheap(block: Block): boolean;
}

/** How a region continues with the next tile of a row, for code inside a loop over tiles. */
export interface TileLoop {
  /** Advances to the next tile, and pushes whether there is one. */
  advance(): void;
  /** Computes the values that change with each tile. */
  begin(): void;
  /** Where the row's last tile jumps to. */
  readonly end: Label;
}

export class StructureEmitter {
  readonly control: ControlPlan;
  readonly masks: LaneMasks;
  readonly values: EdgeValues;
  private frames: readonly Frame[] = [];
  /** Joins to which some edge has already assigned values. */
  private assigned = new Set<Block>();
  /** Loop headers that are reached by all lanes. */
  private readonly enteredByAll = new Set<Block>();
  /** Loop headers whose unmasked copy is being written. */
  private readonly unmaskedLoops = new Set<Block>();

  constructor(
    readonly c: Context,
    readonly plan: RegionPlan,
    readonly blocks: BlockEmitter,
    liveOuts: LoopLiveOuts,
    readonly tiles?: TileLoop,
  ) {
    this.control = plan.control;
    this.masks = new LaneMasks(c);
    this.values = new EdgeValues(c, (block) => plan.original(block), liveOuts);
  }

  /** Emits the region for all lanes, or for those of `mask`; control falls through to its end when all have finished. */
  emit(mask?: number[]): void {
    this.inFrame(WAITING, () => {
      const entry = this.control.order[0]!;
      this.masks.set(entry, mask);
      this.masks.markNonEmpty(entry);
      this.tree(entry);
    });
  }

  // --- placement: a block, then what it dominates ---

  private tree(block: Block): void {
    if (!this.control.loopHeadedBy(block)) this.node(block);
    else
      this.withJoins(this.control.joinsBehindLoop(block), () => {
        const side = this.enteredByAll.has(block) ? this.plan.stayingSide(block) : undefined;
        if (side !== undefined) emitUnmaskedLoop(this, block, side);
        this.loop(block);
      });
  }

  private loop(header: Block): void {
    const divergent = this.control.divergentLoopHeaders.has(header);
    this.openRepeated(header);
    this.inFrame({ block: header, isReconvergencePoint: false, isLoop: true }, () => {
      // Lanes that have finished leave this frame, and with it the loop.
      if (divergent) this.inFrame(WAITING, () => this.node(header));
      else this.node(header);
    });
    this.c.closeRepeated();
    // A loop without masked edges is left by jumps only.
    if (divergent) this.toReconvergencePoint();
  }

  openRepeated(header: Block): void {
    const { blocks } = this.control.loopHeadedBy(header)!;
    this.c.openRepeated(new Set([...blocks].map((b) => this.plan.original(b))));
  }

  private node(block: Block): void {
    this.withJoins(this.control.joinsOf(block), () => {
      this.enter(block);
      this.blocks.body(block);
      this.terminator(block);
    });
  }

  /** Makes `block` the place where code is emitted, with its mask. */
  enter(block: Block): void {
    const { c } = this;
    c.block = this.plan.original(block);
    c.mask = this.maskOf(block);
    if (c.mask) c.unmasked.delete(c.block);
    else c.unmasked.add(c.block);
  }

  /** Emits `inside` in a frame for each join, then the joins, each after its frame's end. */
  private withJoins(joins: readonly Block[], inside: () => void): void {
    const outer = this.frames;
    for (const join of [...joins].reverse()) this.openJoin(join);
    const opened = this.frames;
    inside();
    joins.forEach((join, i) => {
      this.frames = opened.slice(0, opened.length - 1 - i);
      this.c.f.end();
      this.skipWithoutLanes(join);
      this.tree(join);
    });
    this.frames = outer;
  }

  private openJoin(join: Block): void {
    const { c } = this;
    if (this.ownsMask(join))
      for (const local of this.masks.make(join)) {
        c.vectorConstant(Type.I32, 0);
        c.f.set(local);
      }
    this.assigned.delete(join);
    const isReconvergencePoint = this.control.awaitsLanes(join);
    this.frames = [...this.frames, { label: c.f.block(), block: join, isReconvergencePoint, isLoop: false }];
  }

  /** Skips a join that no lane has reached, where a test costs less than the join. */
  private skipWithoutLanes(join: Block): void {
    const { f } = this.c;
    if (!this.ownsMask(join) || this.runsWithoutLanes(join)) return;
    anyLane(this.c, this.masks.of(join)!);
    f.op(Wasm.i32_eqz);
    f.brIf(this.reconvergencePoint());
    this.masks.markNonEmpty(join);
  }

  /** Whether lanes reach a join by mask, and the join owns that mask. */
  private ownsMask(join: Block): boolean {
    return this.control.awaitsLanes(join) && this.control.maskOwner(join) === join;
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
   * Whether an edge may be executed although no lane takes it: it must not overwrite scalars. Values that are uniform in fact are
   * scalars even after branches that only look divergent, such as a branch around a barrier, which ends a region.
   */
  mayTakeWithoutLanes(from: Block, index: number): boolean {
    const { c, control } = this;
    const to = from.targets[index]!.block;
    if (to.params.every((p) => c.isVector(p))) return true;
    if (control.isBackEdge(from, to)) {
      const header = this.plan.original(to);
      const loop = c.divergence.flow.loopOf(header);
      return loop?.header === header && c.divergence.divergentLoops.has(loop);
    }
    return to.params.every((param, i) => c.isVector(param) || control.flow.isGivenOneValue(to, i));
  }

  // --- frames ---

  /** Emits `inside` in a block or loop of WebAssembly that control may jump to. */
  inFrame(frame: Omit<Frame, 'label'>, inside: (label: Label) => void): void {
    const { f } = this.c;
    const label = frame.isLoop ? f.loop() : f.block();
    this.withFrames([...this.frames, { ...frame, label }], () => inside(label));
    f.end();
  }

  /** Emits `inside` where control may jump to `frames` alone. */
  withFrames(frames: readonly Frame[], inside: () => void): void {
    const outer = this.frames;
    this.frames = frames;
    inside();
    this.frames = outer;
  }

  /** Emits `inside` in a frame of its own, which control may leave only at its end. */
  inOnlyFrame(inside: () => void): void {
    this.withFrames([], () => this.inFrame(WAITING, inside));
  }

  /** Emits `inside`. Where it adds lanes to another block's mask, control continues after it. */
  untilReconvergence(inside: (label: Label) => void): void {
    this.inFrame(WAITING, inside);
  }

  get isOutermost(): boolean {
    return this.frames.length === 1;
  }

  reconvergencePoint(): Label {
    const frame = this.frames.findLast((f) => f.isReconvergencePoint);
    invariant(frame, 'no frame awaits lanes');
    return frame.label;
  }

  toReconvergencePoint(): void {
    this.c.f.br(this.reconvergencePoint());
  }

  private labelOf(block: Block, isLoop: boolean): Label {
    const frame = this.frames.findLast((f) => f.block === block && f.isLoop === isLoop);
    invariant(frame, 'a jump to a block that is not open');
    return frame.label;
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

  private terminator(block: Block): void {
    switch (block.terminator.op) {
      case Op.Return:
        this.blocks.leave?.(block);
        this.leaveRegion(block);
        return;
      case Op.Unreachable:
        this.leaveRegion(block);
        return;
      case Op.Jump:
        this.edge(block, 0, this.maskOf(block), this.hasLanes(block));
        return;
      case Op.Branch:
        if (this.control.isDivergentBranch(block)) this.divergentBranch(block);
        else this.uniformBranch(block);
        return;
      default:
        throw new Error(`no code for the terminator ${Op[block.terminator.op]}`);
    }
  }

  private leaveRegion(block: Block): void {
    if (this.control.isMaskedExit(block)) this.toReconvergencePoint();
    else this.c.f.br(this.frames[0]!.label);
  }

  private uniformBranch(block: Block): void {
    const { c } = this;
    const { f } = c;
    const mask = this.maskOf(block);
    const hasLanes = this.hasLanes(block);
    c.scalar(block.terminator.operands[0]!, 0);
    const [then, otherwise] = block.targets.map((t) => isRare(t.block));
    f.if_(then === otherwise ? undefined : otherwise);
    this.edge(block, 0, mask, hasLanes);
    f.else_();
    this.edge(block, 1, mask, hasLanes);
    f.end();
  }

  private divergentBranch(block: Block): void {
    const side = this.maskOf(block) ? undefined : this.plan.guardedSide(block);
    if (side === undefined) splitLanes(this, block);
    else emitGuard(this, block, side, () => splitLanes(this, block));
  }

  // --- edges ---

  /** Emits an edge for the lanes of `mask`. `hasLanes`: whether some lane is certainly set. */
  edge(from: Block, index: number, mask: number[] | undefined, hasLanes: boolean): void {
    const to = from.targets[index]!.block;
    this.enter(from);
    this.values.copyLiveOuts(from, to, mask);
    if (this.control.isBackEdge(from, to)) this.backEdge(from, index, mask, hasLanes);
    else if (this.control.isJoin(to)) this.edgeToJoin(from, index, mask);
    else this.edgeInPlace(from, index, mask);
  }

  private backEdge(from: Block, index: number, mask: number[] | undefined, hasLanes: boolean): void {
    const { c } = this;
    const header = from.targets[index]!.block;
    // Lanes that do not stay have left: nothing reads their parameters, except those that are retained.
    this.values.assign(from, index, mask, false);
    const again = this.labelOf(header, true);
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
    this.toReconvergencePoint();
  }

  /** An edge to a block whose code is placed at the edge. */
  private edgeInPlace(from: Block, index: number, mask: number[] | undefined): void {
    const to = from.targets[index]!.block;
    this.values.assign(from, index, mask, false);
    this.startLoopMask(to, mask);
    if (mask) this.enteredByAll.delete(to);
    else this.enteredByAll.add(to);
    this.tree(to);
  }

  private edgeToJoin(from: Block, index: number, mask: number[] | undefined): void {
    const to = from.targets[index]!.block;
    const blend = this.control.awaitsLanes(to) && !(this.isFirst(from, to) && !this.values.retained(to));
    this.values.assign(from, index, mask, blend);
    this.assigned.add(to);
    if (this.ownsMask(to)) this.masks.add(mask, this.masks.make(to));
    else this.startLoopMask(to, mask);
    if (this.control.isMasked(from, index)) this.toReconvergencePoint();
    else this.c.f.br(this.labelOf(to, false));
  }

  /** Emits one iteration of an unmasked copy of a loop, from its test on: a jump to the header ends it. */
  unmaskedIteration(header: Block, side: number): void {
    const { f } = this.c;
    const frame = { label: f.block(), block: header, isReconvergencePoint: false, isLoop: true };
    this.unmaskedLoops.add(header);
    this.withFrames([...this.frames, frame], () => this.edge(header, side, undefined, true));
    this.unmaskedLoops.delete(header);
    f.end();
  }

  /** A divergent loop's own mask is initially that of the lanes that enter it. */
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
