// SPDX-License-Identifier: MIT
//
// How many vectors a kernel keeps alive, in vectors of four lanes of 32 bits.
import type { Divergence } from '../analyses/divergence';
import { liveIn } from '../analyses/liveness';
import { isPrologueOp } from '../ir/build';
import { type Func, Type, type Value } from '../ir/ir';

/** V8 computes values that live within an iteration one vector after the other, so this many registers are enough for them. */
const MOST_PASSING = 6;

export interface Pressure {
  /** The most vectors that are live at some point in a loop, or anywhere if there is no loop. */
  readonly peak: number;
  /** The most vectors that are live at the start of an innermost loop. */
  readonly carried: number;
}

/** Registers that they take with so many lanes. */
export function registersFor({ peak, carried }: Pressure, lanes: number): number {
  return carried * (lanes >> 2) + Math.min(peak - carried, MOST_PASSING);
}

export function vectorPressure(func: Func, divergence: Divergence): Pressure {
  const live = liveIn(func);
  const deepest = Math.max(...func.blocks.map((b) => divergence.flow.loopOf(b)?.depth ?? 0));
  const units = (v: Value) =>
    Number.isNaN(divergence.stride[v.id]!) ? (v.type === Type.I64 || v.type === Type.F64 ? 2 : 1) : 0;
  let carried = 0;
  for (const loop of divergence.flow.allLoops) {
    if (divergence.flow.allLoops.some((l) => l.parent === loop)) continue;
    let now = 0;
    for (const v of new Set([...live.get(loop.header)!, ...loop.header.params])) now += units(v);
    carried = Math.max(carried, now);
  }
  let most = 0;
  for (const block of func.blocks) {
    if ((divergence.flow.loopOf(block)?.depth ?? 0) < Math.min(deepest, 1)) continue;
    const alive = new Set<Value>();
    const add = (v: Value) => {
      if (v.kind !== 'inst' || !isPrologueOp(v.op)) alive.add(v);
    };
    for (const { block: to, arguments: args } of block.targets) {
      for (const v of live.get(to)!) alive.add(v);
      args.forEach(add);
    }
    let now = 0;
    for (const v of alive) now += units(v);
    most = Math.max(most, now);
    for (let i = block.insts.length - 1; i >= 0; i--) {
      const inst = block.insts[i]!;
      if (alive.delete(inst)) now -= units(inst);
      for (const o of inst.operands)
        if (!alive.has(o) && (o.kind !== 'inst' || !isPrologueOp(o.op))) {
          alive.add(o);
          now += units(o);
        }
      most = Math.max(most, now);
    }
  }
  return { peak: Math.max(most, carried), carried };
}
