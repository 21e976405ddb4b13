// SPDX-License-Identifier: MIT
//
// The plan of one region's control flow: where blocks are placed and lanes are masked (control.ts), and which code gets an
// unmasked copy.
//
// Guards such as `if (x < width)` are comparisons of affine values. Nearly all tiles are entirely on one side. Whether a tile is
// follows from its first and last work-item, in scalar code and without a mask.
import { isPrologueOp } from '../ir/build';
import { type Block, Op, Type, type Value } from '../ir/ir';
import { isPure } from '../ir/rewrite';
import type { Region } from '../regions/regions';
import { ControlPlan } from './control';
import type { ValueShapes } from './shapes';

const DEEPEST = 12;
/** The sizes, in instructions, of code that is worth an unmasked copy. */
const LEAST_GUARDED = 3;
const MOST_GUARDED = 120;
const X_ONLY = 1;
const X_AND_Y = 3;

export class RegionPlan {
  readonly control: ControlPlan;
  private readonly sides = new Map<Block, 0 | 1 | undefined>();
  private readonly stays = new Map<Block, 0 | 1 | undefined>();

  constructor(
    readonly region: Region,
    private readonly plan: ValueShapes,
  ) {
    this.control = new ControlPlan(region.func, (block) => this.isDivergent(block));
  }

  /** The kernel's block that a region's block is a copy of. */
  original(block: Block): Block {
    return this.region.original.get(block)!;
  }

  /** The side of a guard that all lanes of most tiles take, if it is worth an unmasked copy. */
  guardedSide(block: Block): 0 | 1 | undefined {
    if (!this.sides.has(block)) this.sides.set(block, this.chooseSide(block));
    return this.sides.get(block);
  }

  /**
   * For the header of a divergent loop that is worth an unmasked copy, which runs as long as all lanes stay: the side of its
   * test that stays.
   */
  stayingSide(header: Block): 0 | 1 | undefined {
    if (!this.stays.has(header)) this.stays.set(header, this.chooseStay(header));
    return this.stays.get(header);
  }

  private isDivergent(block: Block): boolean {
    if (this.plan.lanes === 1) return false;
    const dims = this.plan.divergence.dimsAt(block.terminator.operands[0]!, this.original(block));
    return (dims & (this.plan.rows > 1 ? X_AND_Y : X_ONLY)) !== 0;
  }

  private chooseSide(block: Block): 0 | 1 | undefined {
    const { control } = this;
    if (!this.isGuard(block)) return undefined;
    const sizes = block.targets.map(({ block: to }) =>
      control.isJoin(to) || control.isBackEdge(block, to) ? 0 : this.sizeBelow(to),
    );
    const side = sizes[0]! >= sizes[1]! ? 0 : 1;
    return sizes[side]! >= LEAST_GUARDED && sizes[side]! <= MOST_GUARDED ? side : undefined;
  }

  private chooseStay(header: Block): 0 | 1 | undefined {
    const { control } = this;
    if (!control.divergentLoopHeaders.has(header) || !this.isLeftByTestOnly(header)) return undefined;
    if (!this.isGuard(header)) return undefined;
    return control.loopHeadedBy(header)!.blocks.has(header.targets[0]!.block) ? 0 : 1;
  }

  /** The number of instructions of a block and of the blocks that it dominates. */
  private sizeBelow(block: Block): number {
    let size = block.insts.length;
    for (const child of this.control.dominators.childrenOf(block))
      size += size > MOST_GUARDED ? 0 : this.sizeBelow(child);
    return size;
  }

  /** Whether a loop is an innermost one of moderate size whose test is its only exit. */
  private isLeftByTestOnly(header: Block): boolean {
    const { control } = this;
    const { latches, blocks } = control.loopHeadedBy(header)!;
    if (latches.length !== 1 || latches[0] === header || header.terminator.op !== Op.Branch) return false;
    if (!header.insts.every((i) => isPure(i.op) || isPrologueOp(i.op))) return false;
    const stays = header.targets.filter((t) => blocks.has(t.block));
    if (stays.length !== 1 || control.maskOwner(latches[0]!) !== control.maskOwner(stays[0]!.block))
      return false;
    let size = 0;
    for (const block of blocks) {
      size += block.insts.length;
      if (block === header) continue;
      if (control.loopHeadedBy(block) || block.targets.length === 0) return false;
      if (block.targets.some((t) => !blocks.has(t.block))) return false;
    }
    return size <= MOST_GUARDED;
  }

  private isGuard(block: Block): boolean {
    return this.isTestable(block.terminator.operands[0]!, this.original(block), DEEPEST);
  }

  /** Whether the first and the last lane determine a condition for all lanes (emit/control/guards.ts). */
  private isTestable(v: Value, block: Block, depth: number): boolean {
    const { plan } = this;
    if (!plan.isVectorAt(v, block)) return plan.divergence.stride[v.id] === 0;
    // A condition that is not evaluated here, at its only use, may have operands whose locals have been reused.
    if (v.kind !== 'inst' || depth === 0 || !plan.isInline(v)) return false;
    switch (v.op) {
      case Op.Not:
      case Op.And:
      case Op.Or:
        return v.type === Type.I1 && v.operands.every((o) => this.isTestable(o, block, depth - 1));
      case Op.Eq:
      case Op.Ne:
      case Op.SLt:
      case Op.SLe:
      case Op.SGt:
      case Op.SGe:
      case Op.ULt:
      case Op.ULe:
      case Op.UGt:
      case Op.UGe:
        return v.operands.every((o) => o.type === Type.I32 && !plan.isVectorAt(o, block));
      default:
        return false;
    }
  }
}
