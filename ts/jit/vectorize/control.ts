// SPDX-License-Identifier: MIT
//
// How the control flow of one region becomes structured code for a vector of work-items.
//
// Blocks are placed along the dominator tree; a join is placed after everything that can jump to it. While all lanes take the
// same path, an edge is a jump. After a divergent branch both sides are executed one after the other under masks: an edge adds
// its lanes to the mask of its target, and control falls through to the next reconvergence point. `masked` has these edges. A
// block shares the mask of a dominator if all lanes of that dominator reach it, so masks exist only where lanes can be inactive.
import { invariant } from '../../base/invariant';
import { type Flow, flowOf } from '../analyses/postdominators';
import { type Dominators, dominatorsOf, type Loop } from '../ir/cfg';
import type { Block, Func } from '../ir/ir';

export class ControlPlan {
  readonly dominators: Dominators;
  readonly flow: Flow;
  private readonly loopByHeader = new Map<Block, Loop>();
  /** Blocks placed as joins: after the code of their parent inside its loop, and after its loop. */
  private readonly joinsInside = new Map<Block, Block[]>();
  private readonly joinsAfter = new Map<Block, Block[]>();
  private readonly parent = new Map<Block, Block>();
  private readonly isJoinBlock = new Set<Block>();
  private readonly maskedEdges = new Map<Block, boolean[]>();
  private readonly maskedExits = new Set<Block>();
  private readonly maskedBlocks = new Set<Block>();
  private readonly divergent = new Set<Block>();
  private readonly owner = new Map<Block, Block>();
  readonly divergentLoopHeaders = new Set<Block>();

  constructor(func: Func, isDivergent: (block: Block) => boolean) {
    this.dominators = dominatorsOf(func);
    const { loops } = this.dominators;
    this.flow = flowOf(this.dominators);
    for (const loop of loops) this.loopByHeader.set(loop.header, loop);
    for (const block of this.dominators.order)
      if (block.targets.length > 1 && isDivergent(block)) this.divergent.add(block);
    this.place();
    this.classifyEdges();
    this.shareMasks();
  }

  get order(): readonly Block[] {
    return this.dominators.order;
  }

  loopHeadedBy(block: Block): Loop | undefined {
    return this.loopByHeader.get(block);
  }

  isDivergentBranch(block: Block): boolean {
    return this.divergent.has(block);
  }

  /** Whether the block is placed separately from its predecessors, so that edges to it are jumps. */
  isJoin(block: Block): boolean {
    return this.isJoinBlock.has(block);
  }

  /** The joins after a block's own code, in the order in which they are reached; inside its loop, if it is a loop header. */
  joinsOf(block: Block): readonly Block[] {
    return this.joinsInside.get(block) ?? [];
  }

  /** The joins after the loop of which a block is the header. */
  joinsAfterLoop(block: Block): readonly Block[] {
    return this.joinsAfter.get(block) ?? [];
  }

  /** Whether an edge adds its lanes to the target's mask instead of jumping. */
  isMasked(from: Block, index: number): boolean {
    return this.maskedEdges.get(from)?.[index] ?? false;
  }

  /** Whether lanes may be waiting in other blocks when a block returns. */
  isMaskedExit(block: Block): boolean {
    return this.maskedExits.has(block);
  }

  /** Whether some edge into the block is masked (for a loop header: some edge from outside). */
  isReconvergencePoint(block: Block): boolean {
    return this.maskedBlocks.has(block);
  }

  isBackEdge(from: Block, to: Block): boolean {
    return this.loopByHeader.get(to)?.blocks.has(from) === true;
  }

  /** The block whose mask this block uses: itself if it has its own mask. */
  maskOwner(block: Block): Block {
    return this.owner.get(block)!;
  }

  private place(): void {
    const { order, preds } = this.dominators;
    for (const block of order) {
      const idom = this.dominators.idomOf(block);
      if (!idom) continue;
      let outermost: Loop | undefined;
      for (let l = this.flow.loopOf(idom); l && !l.blocks.has(block); l = l.parent) outermost = l;
      const forward = preds.get(block)!.filter((p) => !this.isBackEdge(p, block));
      if (outermost) {
        this.parent.set(block, outermost.header);
        push(this.joinsAfter, outermost.header, block);
        this.isJoinBlock.add(block);
      } else {
        this.parent.set(block, idom);
        if (forward.length > 1) {
          push(this.joinsInside, idom, block);
          this.isJoinBlock.add(block);
        }
      }
    }
  }

  private classifyEdges(): void {
    const { dominators } = this;
    const around = this.flow.branchesAround(this.divergent);
    for (const block of around.keys()) this.maskedExits.add(block);
    for (const block of this.order)
      this.maskedEdges.set(
        block,
        block.targets.map(({ block: to }) => {
          const scope = this.isBackEdge(block, to) ? to : this.parent.get(to)!;
          if (this.divergent.has(scope) && this.flow.influenceOf(scope)(block)) return true;
          const isOutside = (branch: Block) => branch !== scope && dominators.dominates(scope, branch);
          return around.get(block)?.some(isOutside) ?? false;
        }),
      );
    // Where some lanes iterate while others wait after the loop, all lanes that leave it must wait there too.
    for (let changed = true; changed; ) {
      changed = false;
      for (const [header, loop] of this.loopByHeader) {
        if (this.divergentLoopHeaders.has(header)) continue;
        const masked = loop.latches.some((b) =>
          b.targets.some((t, i) => t.block === header && this.isMasked(b, i)),
        );
        if (!masked) continue;
        changed = true;
        invariant(loop.latches.length === 1, 'a divergent loop has several latches');
        this.divergentLoopHeaders.add(header);
        for (const block of loop.blocks) {
          this.maskedExits.add(block);
          block.targets.forEach((t, i) => {
            if (!loop.blocks.has(t.block) || t.block === header) this.maskedEdges.get(block)![i] = true;
          });
        }
      }
    }
    for (const block of this.order)
      block.targets.forEach((t, i) => {
        if (!this.isMasked(block, i) || this.isBackEdge(block, t.block)) return;
        if (this.isJoin(t.block)) this.maskedBlocks.add(t.block);
      });
  }

  private shareMasks(): void {
    const { dominators } = this;
    for (const block of this.order) {
      const idom = dominators.idomOf(block);
      if (!idom || this.divergentLoopHeaders.has(block)) {
        this.owner.set(block, block);
        continue;
      }
      const loop = this.flow.loopOf(block);
      const outside = this.loopByHeader.get(block) ? loop?.parent : loop;
      let shared: Block | undefined;
      for (let a: Block | undefined = idom; a; a = dominators.idomOf(a)) {
        if (this.flow.loopOf(a) !== outside) continue;
        if (this.flow.postdominates(block, a)) shared = a;
        break;
      }
      if (!shared && !this.isReconvergencePoint(block) && !(this.divergent.has(idom) && !this.isJoin(block)))
        shared = idom;
      this.owner.set(block, shared ? this.owner.get(shared)! : block);
    }
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
