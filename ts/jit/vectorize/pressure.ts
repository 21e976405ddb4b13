// SPDX-License-Identifier: MIT
//
// How many vectors a kernel keeps alive, in vectors of four lanes of 32 bits.
import { Scratch } from '../../base/table';
import type { Divergence } from '../analyses/divergence';
import { LiveIn, type LiveSet, sizeOfCommon } from '../analyses/liveness';
import { isPrologueOp } from '../ir/build';
import { type Func, Type, type Value } from '../ir/ir';

/** V8 computes values that live within an iteration one vector after the other, so this many registers are enough for them. */
const MOST_PASSING = 6;
const VISITED = new Scratch();
const ALIVE = new Scratch();

export interface Pressure {
  /** The most vectors that are live at some point in a loop, or anywhere if there is no loop. */
  readonly peak: number;
  /** The most vectors that are live at the start of an innermost loop. */
  readonly carried: number;
}

/** Registers that they take with this many lanes. */
export function registersFor({ peak, carried }: Pressure, lanes: number): number {
  return carried * (lanes >> 2) + Math.min(peak - carried, MOST_PASSING);
}

export function vectorPressure(func: Func, divergence: Divergence): Pressure {
  const live = new LiveIn(func);
  const deepest = divergence.flow.allLoops.reduce((depth, loop) => Math.max(depth, loop.depth), 0);
  const units = (v: Value) =>
    Number.isNaN(divergence.stride[v.id]!) ? (v.type === Type.I64 || v.type === Type.F64 ? 2 : 1) : 0;
  // Each live value counts for the sets that it is in.
  const [vectors, wide] = [live.emptySet(), live.emptySet()];
  live.values.forEach((value, bit) => {
    if (units(value) > 0) vectors[bit >> 5]! |= 1 << (bit & 31);
    if (units(value) > 1) wide[bit >> 5]! |= 1 << (bit & 31);
  });
  const unitsOf = (set: LiveSet): number => {
    return sizeOfCommon(set, vectors) + sizeOfCommon(set, wide);
  };
  let carried = 0;
  const isAround = new Set(divergence.flow.allLoops.map((loop) => loop.parent));
  for (const loop of divergence.flow.allLoops) {
    if (isAround.has(loop)) continue;
    const { header } = loop;
    let now = unitsOf(live.at(header));
    for (const param of header.params) now += units(param);
    carried = Math.max(carried, now);
  }
  let most = 0;
  const after = live.emptySet();
  // By value id, of a block: whether the value has another state than `after` says, which is then in `alive`.
  const visited = VISITED.zeros(func.idBound);
  const alive = ALIVE.zeros(func.idBound);
  let visit = 0;
  for (const block of func.blocks) {
    if ((divergence.flow.loopOf(block)?.depth ?? 0) < Math.min(deepest, 1)) continue;
    live.addAfter(block, after.fill(0));
    let now = unitsOf(after);
    // What this block itself uses or defines: whether it is alive, where that is not what `after` says.
    visit++;
    const isAlive = (v: Value): boolean => {
      if (visited[v.id] === visit) return alive[v.id] === 1;
      const bit = live.bitOf(v);
      return bit >= 0 && (after[bit >> 5]! & (1 << (bit & 31))) !== 0;
    };
    const change = (v: Value, isAliveNow: 0 | 1): void => {
      visited[v.id] = visit;
      alive[v.id] = isAliveNow;
    };
    const use = (v: Value): void => {
      if ((v.kind === 'inst' && isPrologueOp(v.op)) || isAlive(v)) return;
      change(v, 1);
      now += units(v);
    };
    for (const target of block.targets) target.arguments.forEach(use);
    most = Math.max(most, now);
    for (let i = block.insts.length - 1; i >= 0; i--) {
      const inst = block.insts[i]!;
      if (isAlive(inst)) {
        change(inst, 0);
        now -= units(inst);
      }
      inst.operands.forEach(use);
      most = Math.max(most, now);
    }
  }
  return { peak: Math.max(most, carried), carried };
}
