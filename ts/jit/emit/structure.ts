// SPDX-License-Identifier: MIT
//
// Control flow: walks the plan of a region (vectorize/control.ts) and writes blocks, loops and ifs. Every place where
// lanes may wait is a frame; after handing lanes over, control goes to the innermost frame that awaits lanes.
import { invariant } from '../../base/invariant';
import { type Label, ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import type { LoopLiveOuts } from '../analyses/loop-live-outs';
import { isPrologueOp } from '../ir/build';
import { type Block, Op, Type, type Value } from '../ir/ir';
import { isPure } from '../ir/rewrite';
import type { ControlPlan } from '../vectorize/control';
import type { Context } from './context';
import { EdgeValues } from './edge-values';
import { isGuard, isLeftByTestOnly, LEAST_GUARDED, MOST_GUARDED, pushCertainty, sizeBelow } from './guards';
import { LaneMasks } from './lane-masks';
import { anyLane } from './masks';

interface Frame {
  readonly label: Label;
  /** The block that a jump to the frame goes to; undefined for resumption points. */
  readonly block?: Block;
  /** Whether lanes can wait there. */
  readonly awaits: boolean;
  readonly isLoop: boolean;
}

export interface BlockEmitter {
  /** The block's instructions, without the terminator. */
  body(block: Block): void;
  /** A Return: the region's end, if anything is to be done there. */
  leave?: ((block: Block) => void) | undefined;
  /** Whether a block can be executed with no lane active, at less cost than a test. */
  isCheap(block: Block): boolean;
}

/** How a region goes on with the next tile of a row, for code that stands in a loop over tiles. */
export interface TileLoop {
  /** Goes on to the next tile, and pushes whether there is one. */
  advance(): void;
  /** Computes what each tile finds anew. */
  begin(): void;
  /** Where the row's last tile jumps to. */
  readonly end: Label;
}

export class StructureEmitter {
  private frames: Frame[] = [];
  private readonly masks: LaneMasks;
  readonly values: EdgeValues;
  private assigned = new Set<Block>();
  /** Loop headers that are reached by all lanes, and those whose copy for all lanes is being written. */
  private readonly enteredByAll = new Set<Block>();
  private readonly together = new Set<Block>();

  constructor(
    private readonly c: Context,
    private readonly plan: ControlPlan,
    private readonly blocks: BlockEmitter,
    /** The block of the kernel that a region's block stands for. */
    private readonly original: (block: Block) => Block,
    liveOuts: LoopLiveOuts,
    private readonly tiles?: TileLoop,
  ) {
    this.masks = new LaneMasks(c);
    this.values = new EdgeValues(c, original, liveOuts);
  }

  /** Emits the region for all lanes, or for those of `mask`; control falls out of it when they are through. */
  emit(mask?: number[]): void {
    const { f } = this.c;
    const exit = f.block();
    this.frames.push({ label: exit, awaits: true, isLoop: false });
    const entry = this.plan.order[0]!;
    this.masks.set(entry, mask);
    this.masks.markNonEmpty(entry);
    this.tree(entry);
    this.frames.pop();
    f.end();
  }

  // --- placement ---

  private tree(block: Block): void {
    const { c, plan } = this;
    const { f } = c;
    if (!plan.loopHeadedBy(block)) {
      this.node(block);
      return;
    }
    this.withJoins(plan.joinsBehindLoop(block), () => {
      this.roundTogether(block);
      const loop = plan.loopHeadedBy(block)!;
      c.openRepeated(new Set([...loop.blocks].map((b) => this.original(b))));
      const label = f.loop();
      this.frames.push({ label, block, awaits: false, isLoop: true });
      const divergent = plan.divergentLoopHeaders.has(block);
      if (divergent) {
        // Lanes that are through fall out of this frame, and with it out of the loop.
        const out = f.block();
        this.frames.push({ label: out, awaits: true, isLoop: false });
        this.node(block);
        this.frames.pop();
        f.end();
      } else this.node(block);
      this.frames.pop();
      f.end();
      c.closeRepeated();
      // A loop whose jumps are all real is left by jumps only.
      if (divergent) this.toWaitingLanes();
    });
  }

  /**
   * As long as a loop's test keeps all lanes in it for certain, they go round in a copy of the loop without masks. What is
   * left, at most a few turns for most tiles, is done by the loop that follows.
   */
  private roundTogether(header: Block): void {
    const { c, plan } = this;
    const { f } = c;
    const loop = plan.loopHeadedBy(header)!;
    if (!this.enteredByAll.has(header) || !plan.divergentLoopHeaders.has(header)) return;
    if (!isLeftByTestOnly(plan, loop)) return;
    const goBack = this.remember();
    const frames = this.frames;
    for (const block of loop.blocks) this.masks.forget(block);
    this.masks.markNonEmpty(header);
    const test = () => {
      this.enter(header);
      this.blocks.body(header);
    };
    test();
    const condition = header.terminator.operands[0]!;
    if (isGuard(c, condition)) {
      const index = loop.blocks.has(header.targets[0]!.block) ? 0 : 1;
      pushCertainty(c, condition, index === 0);
      f.if_();
      c.openRepeated(new Set([...loop.blocks].map((b) => this.original(b))));
      const again = f.loop();
      const turn = f.block();
      this.frames = [...frames, { label: turn, block: header, awaits: false, isLoop: true }];
      this.together.add(header);
      this.edge(header, index, undefined, true);
      this.together.delete(header);
      this.frames = frames;
      f.end();
      test();
      pushCertainty(c, condition, index === 0);
      f.brIf(again);
      f.end();
      c.closeRepeated();
      f.end();
    }
    goBack();
  }

  private node(block: Block): void {
    this.withJoins(this.plan.joinsOf(block), () => {
      this.enter(block);
      this.blocks.body(block);
      this.terminator(block);
    });
  }

  private enter(block: Block): void {
    this.c.block = this.original(block);
    this.c.mask = this.maskOf(block);
    if (this.c.mask) this.c.unmasked.delete(this.c.block);
    else this.c.unmasked.add(this.c.block);
  }

  /** Opens a frame for each join, emits `inside`, then the joins in order, each behind its frame's end. */
  private withJoins(joins: readonly Block[], inside: () => void): void {
    const { f } = this.c;
    for (let i = joins.length - 1; i >= 0; i--) {
      const join = joins[i]!;
      const awaits = this.plan.awaitsLanes(join);
      if (awaits && this.plan.maskOwner(join) === join) {
        const mask = this.masks.make(join);
        for (const local of mask) {
          this.c.vectorConstant(Type.I32, 0);
          f.set(local);
        }
      }
      this.assigned.delete(join);
      this.frames.push({ label: f.block(), block: join, awaits, isLoop: false });
    }
    inside();
    for (const join of joins) {
      this.frames.pop();
      f.end();
      if (this.plan.awaitsLanes(join) && this.plan.maskOwner(join) === join && !this.isLight(join)) {
        anyLane(this.c, this.masks.of(join)!);
        f.op(Wasm.i32_eqz);
        f.brIf(this.waitingFrame());
        this.masks.markNonEmpty(join);
      }
      this.tree(join);
    }
  }

  private isLight(block: Block): boolean {
    return (
      this.blocks.isCheap(block) &&
      !this.plan.loopHeadedBy(block) &&
      this.plan.joinsOf(block).length === 0 &&
      this.plan.dominators.childrenOf(block).length === 0 &&
      block.terminator.op === Op.Jump &&
      this.plan.isMasked(block, 0) &&
      this.isHarmless(block, 0)
    );
  }

  /**
   * Whether an edge may be taken although no lane takes it: it must not overwrite scalars. Those that work-items in fact
   * agree on are scalars also behind branches that only look divergent, as one around a barrier does where it ends a region.
   */
  private isHarmless(from: Block, index: number): boolean {
    const { c, plan } = this;
    const to = from.targets[index]!.block;
    if (to.params.every((p) => c.isVector(p))) return true;
    if (plan.isBackEdge(from, to)) {
      const header = this.original(to);
      const loop = c.divergence.flow.loopOf(header);
      return loop?.header === header && c.divergence.divergentLoops.has(loop);
    }
    return to.params.every((param, i) => c.isVector(param) || plan.flow.isGivenOneValue(to, i));
  }

  /** Whether lanes that come to the block are through, and nothing is to be done about it. */
  private isNothing(block: Block): boolean {
    return !this.blocks.leave && block.insts.length === 0 && block.terminator.op === Op.Return;
  }

  // --- masks ---

  /** What is known of masks and parameters; calling the result goes back to it. */
  private remember(): () => void {
    const masks = this.masks.remember();
    const assigned = new Set(this.assigned);
    return () => {
      masks();
      this.assigned = assigned;
    };
  }

  private maskOf(block: Block): number[] | undefined {
    return this.masks.of(this.plan.maskOwner(block));
  }

  private waitingFrame(): Label {
    for (let i = this.frames.length - 1; i >= 0; i--)
      if (this.frames[i]!.awaits) return this.frames[i]!.label;
    throw new Error('no frame awaits lanes');
  }

  private toWaitingLanes(): void {
    this.c.f.br(this.waitingFrame());
  }

  private frameOf(block: Block, loop: boolean): Frame {
    for (let i = this.frames.length - 1; i >= 0; i--) {
      const frame = this.frames[i]!;
      if (frame.block === block && frame.isLoop === loop) return frame;
    }
    invariant(false, 'a jump to a block that is not open');
  }

  // --- terminators ---

  private terminator(block: Block): void {
    const { c, plan } = this;
    const { f } = c;
    switch (block.terminator.op) {
      case Op.Return:
        this.blocks.leave?.(block);
        if (plan.isMaskedExit(block)) this.toWaitingLanes();
        else f.br(this.frames[0]!.label);
        return;
      case Op.Unreachable:
        if (plan.isMaskedExit(block)) this.toWaitingLanes();
        else f.br(this.frames[0]!.label);
        return;
      case Op.Jump:
        this.edge(block, 0, this.maskOf(block), this.masks.isNonEmpty(plan.maskOwner(block)));
        return;
      case Op.Branch:
        if (plan.isDivergentBranch(block)) this.divergentBranch(block);
        else this.uniformBranch(block);
        return;
      default:
        throw new Error(`no code for the terminator ${Op[block.terminator.op]}`);
    }
  }

  private uniformBranch(block: Block): void {
    const { c, plan } = this;
    const { f } = c;
    const mask = this.maskOf(block);
    const nonEmpty = this.masks.isNonEmpty(plan.maskOwner(block));
    c.scalar(block.terminator.operands[0]!, 0);
    const [then, otherwise] = block.targets.map((t) => isRare(t.block));
    f.if_(then === otherwise ? undefined : otherwise);
    this.edge(block, 0, mask, nonEmpty);
    f.else_();
    this.edge(block, 1, mask, nonEmpty);
    f.end();
  }

  private divergentBranch(block: Block): void {
    const { c } = this;
    const index = this.guardedSide(block);
    if (index === undefined) {
      this.splitLanes(block);
      return;
    }
    // The usual case without masks, in a copy of its own.
    const goBack = this.remember();
    const certain = () => pushCertainty(c, block.terminator.operands[0]!, index === 0);
    const usual = () => {
      this.edge(block, index, undefined, true);
      goBack();
      this.enter(block);
    };
    certain();
    c.f.if_(true);
    if (this.tiles && this.isWholeRegion(block)) {
      this.tileAfterTile(block, this.tiles, usual, certain);
      c.f.end();
      this.splitLanes(block);
      return;
    }
    usual();
    c.f.else_();
    this.splitLanes(block);
    c.f.end();
  }

  /** Whether all that a region does stands behind this branch, and what stands in front of it can be done again. */
  private isWholeRegion(block: Block): boolean {
    return (
      block === this.plan.order[0] &&
      this.frames.length === 1 &&
      block.insts.every((i) => isPure(i.op) || isPrologueOp(i.op))
    );
  }

  /**
   * The usual case in a loop of its own over the tiles of a row: V8 moves what does not change out of a loop only from
   * blocks that each turn goes through.
   */
  private tileAfterTile(block: Block, tiles: TileLoop, usual: () => void, certain: () => void): void {
    const { f } = this.c;
    const again = f.loop();
    const frames = this.frames;
    const through = f.block();
    this.frames = [{ label: through, awaits: true, isLoop: false }];
    usual();
    this.frames = frames;
    f.end();
    tiles.advance();
    f.op(Wasm.i32_eqz);
    f.brIf(tiles.end);
    tiles.begin();
    this.blocks.body(block);
    certain();
    f.brIf(again);
    f.end();
  }

  /** The side of a guard that most tiles take as a whole, if it is worth a copy without masks. */
  private guardedSide(block: Block): number | undefined {
    const { c, plan } = this;
    if (this.maskOf(block) || !isGuard(c, block.terminator.operands[0]!)) return undefined;
    const sizes = block.targets.map(({ block: to }) =>
      plan.isJoin(to) || plan.isBackEdge(block, to) ? 0 : sizeBelow(plan, to),
    );
    const index = sizes[0]! >= sizes[1]! ? 0 : 1;
    return sizes[index]! >= LEAST_GUARDED && sizes[index]! <= MOST_GUARDED ? index : undefined;
  }

  /** Both sides in turn, each for its lanes. */
  private splitLanes(block: Block): void {
    const { c, plan } = this;
    const { f } = c;
    const mask = this.maskOf(block);
    const condition = this.leaveTogether(block, mask);
    // The side that goes back to the loop's start comes last: from there control does not return.
    const order = this.goesRound(block, 0) ? [1, 0] : [0, 1];
    const sides = order.map((index) => {
      const to = block.targets[index]!.block;
      const inline = !plan.isJoin(to) && !plan.isBackEdge(block, to);
      // A mask of its own for the child; or one that lasts until the edge is done.
      const own = inline && plan.maskOwner(to) === to;
      const locals = own
        ? this.masks.make(to)
        : Array.from({ length: c.rows * (c.lanes >> 2) }, () => c.allocate(ValType.V128));
      return { index, to, inline, own, locals };
    });
    this.masks.split(condition, mask, sides);
    for (const side of sides) {
      if (side.inline && this.isNothing(side.to)) {
        if (!side.own) for (const l of side.locals) c.release(l);
        continue;
      }
      const light =
        !this.values.takesValues(block, side.to) &&
        (side.inline ? this.isLight(side.to) : this.isHarmless(block, side.index));
      const resume = f.block();
      this.frames.push({ label: resume, awaits: true, isLoop: false });
      const owner = plan.maskOwner(side.to);
      if (!light) {
        anyLane(c, side.locals);
        f.op(Wasm.i32_eqz);
        f.brIf(resume, side.inline && isRare(side.to) ? true : undefined);
        if (side.own) this.masks.markNonEmpty(owner);
      }
      this.edge(block, side.index, side.locals, false);
      this.frames.pop();
      f.end();
      if (!side.own) for (const l of side.locals) c.release(l);
    }
    this.toWaitingLanes();
  }

  /**
   * Where work-items leave a loop on a condition of which one half is the same for all of them, that half is a jump of
   * its own. Gives the half that is left.
   */
  private leaveTogether(block: Block, mask: number[] | undefined): Value {
    const { c, plan } = this;
    const condition = block.terminator.operands[0]!;
    if (condition.kind !== 'inst' || (condition.op !== Op.And && condition.op !== Op.Or)) return condition;
    if (!c.deferred.has(condition.id)) return condition;
    const index = condition.op === Op.And ? 1 : 0;
    const to = block.targets[index]!.block;
    const loop = plan.flow.loopOf(block);
    if (!loop || loop.blocks.has(to) || !plan.isJoin(to)) return condition;
    const same = condition.operands.find((o) => !c.isVectorHere(o) && c.rowsOf(o) === 1);
    const other = condition.operands.find((o) => o !== same);
    if (!same || !other || !c.isVectorHere(other)) return condition;
    const { f } = c;
    c.scalar(same, 0);
    if (index === 1) f.op(Wasm.i32_eqz);
    f.if_();
    this.edge(block, index, mask, this.masks.isNonEmpty(plan.maskOwner(block)));
    f.end();
    this.enter(block);
    return other;
  }

  /** Whether the code placed at an edge ends with a jump back to the start of the loop around it. */
  private goesRound(from: Block, index: number): boolean {
    const { plan } = this;
    const to = from.targets[index]!.block;
    if (plan.isBackEdge(from, to)) return true;
    const loop = plan.flow.loopOf(from);
    return (
      loop !== undefined && !plan.isJoin(to) && loop.latches.some((l) => plan.dominators.dominates(to, l))
    );
  }

  /** Takes the lanes of `mask` along an edge. */
  private edge(from: Block, index: number, mask: number[] | undefined, nonEmpty: boolean): void {
    const { c, plan } = this;
    const { f } = c;
    const to = from.targets[index]!.block;
    this.enter(from);
    this.values.takeAlong(from, to, mask);
    if (plan.isBackEdge(from, to)) {
      const masked = plan.isMasked(from, index);
      // Lanes that do not go round have left: nobody looks at their parameters but where they are retained.
      this.values.assign(from, index, mask, false);
      const loop = this.frameOf(to, true).label;
      if (!masked || this.together.has(to)) {
        f.br(loop);
        return;
      }
      const own = this.masks.make(to);
      this.masks.copy(mask, own);
      if (nonEmpty) {
        f.br(loop);
        return;
      }
      anyLane(c, own);
      f.brIf(loop);
      this.toWaitingLanes();
      return;
    }
    if (!plan.isJoin(to)) {
      this.values.assign(from, index, mask, false);
      this.enterLoopMask(to, mask);
      if (mask === undefined) this.enteredByAll.add(to);
      else this.enteredByAll.delete(to);
      this.tree(to);
      return;
    }
    const awaits = plan.awaitsLanes(to);
    const blend = awaits && !(this.isFirst(from, to) && !this.values.retained(to));
    this.values.assign(from, index, mask, blend);
    this.assigned.add(to);
    const owner = plan.maskOwner(to);
    if (awaits && owner === to) {
      this.masks.add(mask, this.masks.make(to));
    } else this.enterLoopMask(to, mask);
    if (plan.isMasked(from, index)) this.toWaitingLanes();
    else f.br(this.frameOf(to, false).label);
  }

  /** A divergent loop's own mask starts as that of the lanes that come to it. */
  private enterLoopMask(to: Block, mask: number[] | undefined): void {
    if (this.plan.divergentLoopHeaders.has(to)) {
      this.masks.copy(mask, this.masks.make(to));
      this.masks.markNonEmpty(to);
    }
  }

  /** Whether no other lane can have come to the join yet. */
  private isFirst(from: Block, to: Block): boolean {
    const idom = this.plan.dominators.idomOf(to)!;
    return (
      !this.assigned.has(to) &&
      this.plan.flow.loopOf(from) === this.plan.flow.loopOf(idom) &&
      this.plan.flow.loopOf(from) === this.plan.flow.loopOf(to)
    );
  }
}

/** Only rare cases are calls. Where V8 knows it, nothing is spilled for them on the usual way. */
function isRare(block: Block): boolean {
  return block.insts.some((inst) => inst.op === Op.Call);
}
