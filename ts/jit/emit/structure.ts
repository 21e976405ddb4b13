// SPDX-License-Identifier: MIT
//
// Control flow: walks the plan of a region (vectorize/control.ts) and writes blocks, loops and ifs. Every place where
// lanes may wait is a frame; after handing lanes over, control goes to the innermost frame that awaits lanes.
import { invariant } from '../../base/invariant';
import { type Label, ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import { isPrologueOp } from '../ir/build';
import { type Block, type BlockParam, type Inst, Op, Type, type Value } from '../ir/ir';
import type { ControlPlan } from '../vectorize/control';
import type { Context } from './context';
import { isGuard, isLeftByTestOnly, LEAST_GUARDED, MOST_GUARDED, pushCertainty, sizeBelow } from './guards';
import { countedStep, type LeavingValues } from './leaving';
import { anyLane } from './masks';
import { isPure } from './tables';

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
  /** Masks by their owner; undefined means all lanes. */
  private masks = new Map<Block, number[] | undefined>();
  /** Owners of masks that certainly have a lane set. */
  private nonEmpty = new Set<Block>();
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
    private readonly leaving: LeavingValues,
    private readonly tiles?: TileLoop,
  ) {}

  /** Emits the region for all lanes, or for those of `mask`; control falls out of it when they are through. */
  emit(mask?: number[]): void {
    const { f } = this.c;
    const exit = f.block();
    this.frames.push({ label: exit, awaits: true, isLoop: false });
    const entry = this.plan.order[0]!;
    this.masks.set(entry, mask);
    this.nonEmpty.add(entry);
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
    const saved = [new Map(this.masks), new Set(this.nonEmpty), new Set(this.assigned)] as const;
    const frames = this.frames;
    for (const block of loop.blocks) this.masks.delete(block);
    this.nonEmpty.add(header);
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
    [this.masks, this.nonEmpty, this.assigned] = saved;
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
        const mask = this.makeMask(join);
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
        anyLane(this.c, this.masks.get(join)!);
        f.op(Wasm.i32_eqz);
        f.brIf(this.waitingFrame());
        this.nonEmpty.add(join);
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

  private maskOf(block: Block): number[] | undefined {
    return this.masks.get(this.plan.maskOwner(block));
  }

  private makeMask(owner: Block): number[] {
    const known = this.masks.get(owner);
    if (known) return known;
    const { c } = this;
    const made = Array.from({ length: c.rows * (c.lanes >> 2) }, () => c.f.local(ValType.V128));
    this.masks.set(owner, made);
    return made;
  }

  private copyMask(from: readonly number[] | undefined, to: readonly number[]): void {
    const { c } = this;
    to.forEach((local, i) => {
      if (from && from[i] === local) return;
      if (from) c.f.get(from[i]!);
      else c.vectorConstant(Type.I32, -1);
      c.f.set(local);
    });
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
        this.edge(block, 0, this.maskOf(block), this.nonEmpty.has(plan.maskOwner(block)));
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
    const nonEmpty = this.nonEmpty.has(plan.maskOwner(block));
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
    const saved = [new Map(this.masks), new Set(this.nonEmpty), new Set(this.assigned)] as const;
    const certain = () => pushCertainty(c, block.terminator.operands[0]!, index === 0);
    const usual = () => {
      this.edge(block, index, undefined, true);
      [this.masks, this.nonEmpty, this.assigned] = saved;
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
        ? this.makeMask(to)
        : Array.from({ length: c.rows * (c.lanes >> 2) }, () => c.allocate(ValType.V128));
      return { index, to, inline, own, locals };
    });
    const perRow = c.lanes >> 2;
    for (let i = 0; i < c.rows * perRow; i++) {
      const row = Math.floor(i / perRow);
      c.withLocal(ValType.V128, (bit) => {
        c.vector(condition, row, i % perRow);
        f.set(bit);
        for (const side of sides) {
          const local = side.locals[i]!;
          if (side.index === 0) {
            f.get(bit);
            if (mask) {
              f.get(mask[i]!);
              f.op(Wasm.v128_and);
            }
          } else if (mask) {
            f.get(mask[i]!);
            f.get(bit);
            f.op(Wasm.v128_andnot);
          } else {
            f.get(bit);
            f.op(Wasm.v128_not);
          }
          f.set(local);
        }
      });
    }
    for (const side of sides) {
      if (side.inline && this.isNothing(side.to)) {
        if (!side.own) for (const l of side.locals) c.release(l);
        continue;
      }
      const light =
        !this.takesValues(block, side.to) &&
        (side.inline ? this.isLight(side.to) : this.isHarmless(block, side.index));
      const resume = f.block();
      this.frames.push({ label: resume, awaits: true, isLoop: false });
      const owner = plan.maskOwner(side.to);
      if (!light) {
        anyLane(c, side.locals);
        f.op(Wasm.i32_eqz);
        f.brIf(resume, side.inline && isRare(side.to) ? true : undefined);
        if (side.own) this.nonEmpty.add(owner);
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
    this.edge(block, index, mask, this.nonEmpty.has(plan.maskOwner(block)));
    f.end();
    this.enter(block);
    return other;
  }

  /** Whether something is kept for the lanes that take an edge out of a loop. */
  private takesValues(from: Block, to: Block): boolean {
    return this.leaving.takenAt(this.original(from), this.original(to)).length > 0;
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
    for (const v of this.leaving.takenAt(this.original(from), this.original(to))) this.takeOver(v, mask);
    if (plan.isBackEdge(from, to)) {
      const masked = plan.isMasked(from, index);
      // Lanes that do not go round have left: nobody looks at their parameters but where they are retained.
      this.assign(from, index, mask, false);
      const loop = this.frameOf(to, true).label;
      if (!masked || this.together.has(to)) {
        f.br(loop);
        return;
      }
      const own = this.makeMask(to);
      this.copyMask(mask, own);
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
      this.assign(from, index, mask, false);
      this.enterLoopMask(to, mask);
      if (mask === undefined) this.enteredByAll.add(to);
      else this.enteredByAll.delete(to);
      this.tree(to);
      return;
    }
    const awaits = plan.awaitsLanes(to);
    const blend = awaits && !(this.isFirst(from, to) && !this.retained(to));
    this.assign(from, index, mask, blend);
    this.assigned.add(to);
    const owner = plan.maskOwner(to);
    if (awaits && owner === to) {
      this.accumulate(mask, this.makeMask(to));
    } else this.enterLoopMask(to, mask);
    if (plan.isMasked(from, index)) this.toWaitingLanes();
    else f.br(this.frameOf(to, false).label);
  }

  /** A divergent loop's own mask starts as that of the lanes that come to it. */
  private enterLoopMask(to: Block, mask: number[] | undefined): void {
    if (this.plan.divergentLoopHeaders.has(to)) {
      this.copyMask(mask, this.makeMask(to));
      this.nonEmpty.add(to);
    }
  }

  private accumulate(mask: number[] | undefined, into: number[]): void {
    const { c } = this;
    if (!mask) {
      this.copyMask(undefined, into);
      return;
    }
    into.forEach((local, i) => {
      c.f.get(local);
      c.f.get(mask[i]!);
      c.f.op(Wasm.v128_or);
      c.f.set(local);
    });
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

  /** Whether lanes that are not here keep values of the join's parameters from before. */
  private retained(to: Block): boolean {
    return to.params.some((p) => this.c.escaped[p.id] !== undefined || this.retains(p));
  }

  private retains(value: Value): boolean {
    return this.c.retained.has(value.id);
  }

  // --- parameters ---

  /**
   * Assigns the target's parameters, all at once. `mask`: the edge's lanes; with `blend` all parameters, otherwise only
   * retained ones, keep what other lanes have.
   */
  private assign(from: Block, index: number, mask: number[] | undefined, blend: boolean): void {
    const { c } = this;
    const { f } = c;
    const target = from.targets[index]!;
    const pending: number[] = [];
    target.block.params.forEach((param, p) => {
      const arg = target.arguments[p]!;
      // Also for an undefined value: what stands behind may come before an edge that gives a defined one.
      const locals = c.registersOf(param);
      if (isUndefined(arg)) return;
      const vector = c.isVector(param);
      const perRow = vector ? c.perRow(param.type) : 1;
      const keep = mask && (blend || this.retains(param)) ? mask : undefined;
      locals.forEach((local, i) => {
        const row = Math.floor(i / perRow);
        if (vector) c.vector(arg, row, i % perRow);
        else c.scalar(arg, row);
        if (keep && !vector && locals.length > 1) {
          // The active lanes of a row agree, but other rows come another way.
          f.get(local);
          anyLane(c, keep.slice(row * (c.lanes >> 2), (row + 1) * (c.lanes >> 2)));
          f.op(Wasm.select);
        } else if (keep && vector) {
          f.get(local);
          this.maskPart(keep, row, i % perRow, param.type, c.isSharedByRows(param));
          c.selectLanes(param.type);
        }
        pending.push(local);
      });
    });
    for (let i = pending.length - 1; i >= 0; i--) f.set(pending[i]!);
    for (const param of target.block.params) if (!this.count(from, param, mask)) this.noteEscape(param, mask);
  }

  /** Where a loop goes round, counts that lanes keep grow by adding to the lanes that stay. */
  private count(from: Block, param: BlockParam, mask: number[] | undefined): boolean {
    const { c } = this;
    const { f } = c;
    const locals = c.escaped[param.id];
    if (!locals || !mask || this.leaving.how(param) !== 'counted') return false;
    const loop = c.divergence.flow.loopOf(param.block)!;
    if (!loop.blocks.has(this.original(from))) return false;
    const step = countedStep(param, loop, c.divergence)!;
    const perRow = c.perRow(Type.I32);
    const shared = c.isSharedBehindLoops(param);
    locals.forEach((local, i) => {
      f.get(local);
      this.maskPart(mask, Math.floor(i / perRow), i % perRow, Type.I32, shared);
      if (step !== 1) {
        c.vectorConstant(Type.I32, -step);
        f.op(Wasm.v128_and);
      }
      // A lane of a mask is -1.
      f.op(Wasm.i32x4_sub);
      f.set(local);
    });
    return true;
  }

  private maskPart(mask: number[], row: number, part: number, type: Type, shared: boolean): void {
    const saved = this.c.mask;
    this.c.mask = mask;
    this.c.activeMask(row, part, type, shared);
    this.c.mask = saved;
  }

  /** Updates what lanes have when they leave a divergent loop, for values that are kept apart and change now. */
  noteEscape(value: Value, mask: number[] | undefined): void {
    if (this.leaving.how(value) !== 'on-leave') this.takeOver(value, mask);
  }

  /** Gives the lanes of `mask` the value as it is now, in what is kept of it. */
  private takeOver(value: Value, mask: number[] | undefined): void {
    const { c } = this;
    const { f } = c;
    const locals = c.escaped[value.id];
    if (!locals) return;
    const perRow = c.perRow(value.type);
    locals.forEach((local, i) => {
      const row = Math.floor(i / perRow);
      c.vectorInside(value, row, i % perRow, false);
      if (mask) {
        f.get(local);
        this.maskPart(mask, row, i % perRow, value.type, c.isSharedBehindLoops(value));
        c.selectLanes(value.type);
      }
      f.set(local);
    });
  }
}

/** Only rare cases are calls. Where V8 knows it, nothing is spilled for them on the usual way. */
function isRare(block: Block): boolean {
  return block.insts.some((inst) => inst.op === Op.Call);
}

function isUndefined(value: Value): value is Inst {
  return value.kind === 'inst' && value.op === Op.Undef;
}
