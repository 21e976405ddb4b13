// SPDX-License-Identifier: MIT
//
// How each value that is used behind a divergent loop is kept for the work-items that leave the loop early.
import type { Divergence } from '../analyses/divergence';
import { constantOf } from '../ir/build';
import type { Loop } from '../ir/cfg';
import { type Block, Op, Type, type Value } from '../ir/ir';
import { isGroupWide } from '../regions/split';

export type Keeping =
  /** A count that all lanes agree on: each lane has its own, to which it adds as long as it is in the loop. */
  | 'counted'
  /** Taken over by those that leave, when they leave. */
  | 'on-leave'
  /** Not overwritten in lanes that have left, wherever the value is computed. */
  | 'always';

export class LeavingValues {
  private readonly keeping = new Map<Value, Keeping>();
  private readonly onLeave = new Map<Loop, Value[]>();

  constructor(
    values: ReadonlySet<Value>,
    private readonly divergence: Divergence,
  ) {
    const byLoop = new Map<Loop, Value[]>();
    for (const v of values) {
      const loop = divergence.flow.loopOf(v.block)!;
      const list = byLoop.get(loop);
      if (list) list.push(v);
      else byLoop.set(loop, [v]);
    }
    for (const [loop, list] of byLoop) {
      const how = this.choose(loop, list);
      for (const v of list) this.keeping.set(v, how);
      if (how === 'on-leave') this.onLeave.set(loop, list);
    }
  }

  how(value: Value): Keeping {
    return this.keeping.get(value) ?? 'always';
  }

  /** What to take over where an edge leaves the innermost loop around `from`, or more of them. */
  takenAt(from: Block, to: Block): Value[] {
    if (this.onLeave.size === 0) return [];
    const { flow } = this.divergence;
    const taken: Value[] = [];
    for (let loop = flow.loopOf(from); loop && !loop.blocks.has(to); loop = loop.parent)
      for (const v of this.onLeave.get(loop) ?? [])
        if (flow.dominators.dominates(v.block, from)) taken.push(v);
    return taken;
  }

  private choose(loop: Loop, values: readonly Value[]): Keeping {
    for (const block of loop.blocks) if (block.insts.some(isGroupWide)) return 'always';
    const divergent = this.divergence.divergentLoops.has(loop);
    if (divergent && values.every((v) => countedStep(v, loop, this.divergence) !== undefined))
      return 'counted';
    // Whether somebody leaves must be asked in each iteration then, which costs about as much as one value.
    return divergent && values.length === 1 ? 'always' : 'on-leave';
  }
}

/** By how much a count grows in each iteration: a constant, and scalar for all lanes in the loop. */
export function countedStep(value: Value, loop: Loop, divergence: Divergence): number | undefined {
  if (value.kind !== 'param' || value.block !== loop.header || value.type !== Type.I32) return undefined;
  if (Number.isNaN(divergence.stride[value.id]!) || loop.latches.length !== 1) return undefined;
  const edges = loop.latches[0]!.targets.filter((t) => t.block === loop.header);
  const next = edges.length === 1 ? edges[0]!.arguments[value.block.params.indexOf(value)]! : undefined;
  if (next?.kind !== 'inst' || next.op !== Op.Add) return undefined;
  const [a, b] = next.operands as [Value, Value];
  const step = a === value ? constantOf(b) : b === value ? constantOf(a) : undefined;
  return step === undefined ? undefined : Number(step);
}
