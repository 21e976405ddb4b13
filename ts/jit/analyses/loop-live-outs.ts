// SPDX-License-Identifier: MIT
//
// Loop live-outs: values of divergent loops that are used after the loop. A work-item that leaves early must see its value from
// the time that it left. There are three ways to keep it.
import { constantOf } from '../ir/build';
import type { Loop } from '../ir/cfg';
import { type Block, type Func, Op, Type, type Value } from '../ir/ir';
import { isGroupWide } from '../regions/split';
import type { Analysis } from './analyses';
import { DIVERGENCE, type Divergence } from './divergence';

export type Keeping =
  /** A counter that is uniform inside the loop: each lane has its own, which is incremented while the lane is in the loop. */
  | 'counted'
  /** Copied when lanes leave, for these lanes. */
  | 'on-exit'
  /** Computations of the value do not overwrite lanes that have left. */
  | 'always';

export const LOOP_LIVE_OUTS: Analysis<LoopLiveOuts> = {
  name: 'loop live-outs',
  compute: (func, analyses) => new LoopLiveOuts(func, analyses.get(DIVERGENCE)),
};

export class LoopLiveOuts {
  readonly values: ReadonlySet<Value>;
  private readonly keeping = new Map<Value, Keeping>();
  private readonly onExit = new Map<Loop, Value[]>();

  constructor(
    func: Func,
    private readonly divergence: Divergence,
  ) {
    this.values = liveOuts(func, divergence);
    const byLoop = new Map<Loop, Value[]>();
    for (const v of this.values) {
      const loop = divergence.flow.loopOf(v.block)!;
      const list = byLoop.get(loop);
      if (list) list.push(v);
      else byLoop.set(loop, [v]);
    }
    for (const [loop, list] of byLoop) {
      const how = this.choose(loop, list);
      for (const v of list) this.keeping.set(v, how);
      if (how === 'on-exit') this.onExit.set(loop, list);
    }
  }

  how(value: Value): Keeping {
    return this.keeping.get(value) ?? 'always';
  }

  /** The values to copy where an edge leaves the innermost loop around `from`, or several loops. */
  copiedAt(from: Block, to: Block): Value[] {
    if (this.onExit.size === 0) return [];
    const { flow } = this.divergence;
    const copied: Value[] = [];
    for (let loop = flow.loopOf(from); loop && !loop.blocks.has(to); loop = loop.parent)
      for (const v of this.onExit.get(loop) ?? [])
        if (flow.dominators.dominates(v.block, from)) copied.push(v);
    return copied;
  }

  private choose(loop: Loop, values: readonly Value[]): Keeping {
    for (const block of loop.blocks) if (block.insts.some(isGroupWide)) return 'always';
    const divergent = this.divergence.divergentLoops.has(loop);
    if (divergent && values.every((v) => countedStep(v, loop, this.divergence) !== undefined))
      return 'counted';
    // A copy on exit needs a test in each iteration whether a lane leaves, which costs about as much as one value.
    return divergent && values.length === 1 ? 'always' : 'on-exit';
  }
}

/** The constant step of a counter that is uniform in the loop. */
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

function liveOuts(func: Func, divergence: Divergence): Set<Value> {
  const result = new Set<Value>();
  if (divergence.divergentLoops.size === 0) return result;
  for (const block of func.blocks) {
    const visit = (v: Value) => {
      if (divergence.isTemporallyDivergent(v, block)) result.add(v);
    };
    for (const inst of block.insts) inst.operands.forEach(visit);
    block.terminator.operands.forEach(visit);
    for (const t of block.targets) t.arguments.forEach(visit);
  }
  return result;
}
