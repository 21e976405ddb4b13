// SPDX-License-Identifier: MIT
//
// What an edge of the control flow does to values, for the lanes that take it: it assigns the target's parameters and copies loop
// live-outs.

import { Wasm } from '../../../wasm/opcodes';
import { countedStep, type LoopLiveOuts } from '../../analyses/loop-live-outs';
import { isUndefined } from '../../ir/build';
import { type Block, type BlockParam, Type, type Value } from '../../ir/ir';
import type { PackedWidth } from '../../vectorize/plan';
import type { Context } from '../context';
import { pushPackedMask } from '../packed/masks';
import { pushPacked } from '../packed/values';
import { activeMask, anyLane, selectLanes, selectPacked } from './masks';

export class EdgeValues {
  constructor(
    private readonly c: Context,
    /** The kernel's block that a region's block is a copy of. */
    private readonly original: (block: Block) => Block,
    private readonly liveOuts: LoopLiveOuts,
  ) {}

  /** Whether live-outs are copied for the lanes that take an edge out of a loop. */
  copiesLiveOuts(from: Block, to: Block): boolean {
    return this.liveOuts.copiedAt(this.original(from), this.original(to)).length > 0;
  }

  /** Copies live-outs for the lanes of `mask` as they leave a loop by an edge. */
  copyLiveOuts(from: Block, to: Block, mask: number[] | undefined): void {
    for (const v of this.liveOuts.copiedAt(this.original(from), this.original(to))) this.copyLiveOut(v, mask);
  }

  /** Whether lanes that are inactive here keep earlier values of the join's parameters. */
  retained(to: Block): boolean {
    return to.params.some((p) => this.c.liveOuts[p.id] !== undefined || this.retains(p));
  }

  private retains(value: Value): boolean {
    return this.c.plan.isRetained(value);
  }

  /**
   * Assigns the target's parameters, all at once. `mask`: the edge's lanes; with `blend` all parameters, otherwise only
   * retained ones, keep what other lanes have.
   */
  assign(from: Block, index: number, mask: number[] | undefined, blend: boolean): void {
    const { c } = this;
    const { f } = c;
    const target = from.targets[index]!;
    const pending: number[] = [];
    target.block.params.forEach((param, p) => {
      const arg = target.arguments[p]!;
      // Also for an undefined value: code after the join may be emitted before an edge that gives a defined value.
      const locals = c.registersOf(param);
      if (isUndefined(arg)) return;
      const vector = c.isVector(param);
      const width = vector ? c.plan.packed.get(param.id) : undefined;
      if (width) {
        pending.push(...this.pushPackedParam(param, arg, width, blend ? mask : undefined));
        return;
      }
      const perRow = vector ? c.perRow(param.type) : 1;
      const keep = mask && (blend || this.retains(param)) ? mask : undefined;
      locals.forEach((local, i) => {
        const row = Math.floor(i / perRow);
        if (vector) c.vector(arg, row, i % perRow);
        else c.scalar(arg, row);
        if (keep && !vector && locals.length > 1) {
          // The active lanes of a row agree, but other rows take another path.
          f.get(local);
          anyLane(c, keep.slice(row * (c.lanes >> 2), (row + 1) * (c.lanes >> 2)));
          f.op(Wasm.select);
        } else if (keep && vector) {
          f.get(local);
          this.maskPart(keep, row, i % perRow, param.type, c.isSharedByRows(param));
          selectLanes(c, param.type);
        }
        pending.push(local);
      });
    });
    for (let i = pending.length - 1; i >= 0; i--) f.set(pending[i]!);
    for (const param of target.block.params)
      if (!this.count(from, param, mask)) this.keepLiveOut(param, mask);
  }

  /** Pushes the vectors of a packed parameter; returns their locals. Those of lanes that are not in `keep` remain. */
  private pushPackedParam(
    param: BlockParam,
    argument: Value,
    width: PackedWidth,
    keep: readonly number[] | undefined,
  ): readonly number[] {
    const { c } = this;
    const locals = c.registersOf(param);
    const perRow = c.plan.packedVectors(width);
    locals.forEach((local, i) => {
      const [row, group] = [Math.floor(i / perRow), i % perRow];
      pushPacked(c, argument, width, row, group);
      if (!keep) return;
      c.f.get(local);
      this.pushPackedLanes(keep, row, width, group, c.isSharedByRows(param));
      selectPacked(c, width);
    });
    return locals;
  }

  /** The lanes of a mask in packed form; `shared`: those of any row. */
  private pushPackedLanes(
    mask: readonly number[],
    row: number,
    width: PackedWidth,
    group: number,
    shared: boolean,
  ): void {
    const { c } = this;
    for (let at = 0; at < (shared ? c.rows : 1); at++) {
      pushPackedMask(c, mask, width, shared ? at : row, group);
      if (at > 0) c.f.op(Wasm.v128_or);
    }
  }

  /** At a loop's back edge: a live-out that counts iterations is incremented in the lanes that stay. */
  private count(from: Block, param: BlockParam, mask: number[] | undefined): boolean {
    const { c } = this;
    const { f } = c;
    const locals = c.liveOuts[param.id];
    if (!locals || !mask || this.liveOuts.how(param) !== 'counted') return false;
    const loop = c.divergence.flow.loopOf(param.block)!;
    if (!loop.blocks.has(this.original(from))) return false;
    const step = countedStep(param, loop, c.divergence)!;
    const perRow = c.perRow(Type.I32);
    const shared = c.isSharedAfterLoops(param);
    locals.forEach((local, i) => {
      f.get(local);
      this.maskPart(mask, Math.floor(i / perRow), i % perRow, Type.I32, shared);
      if (step !== 1) {
        c.constants.splat(Type.I32, -step);
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
    activeMask(this.c, row, part, type, shared);
    this.c.mask = saved;
  }

  /** Updates the live-outs of a divergent loop that have separate vectors, for a value that changes now. */
  keepLiveOut(value: Value, mask: number[] | undefined): void {
    if (this.liveOuts.how(value) !== 'on-exit') this.copyLiveOut(value, mask);
  }

  /** Copies the current value to its live-out for the lanes of `mask`. */
  copyLiveOut(value: Value, mask: number[] | undefined): void {
    const { c } = this;
    const { f } = c;
    const locals = c.liveOuts[value.id];
    if (!locals) return;
    const perRow = c.perRow(value.type);
    locals.forEach((local, i) => {
      const row = Math.floor(i / perRow);
      c.vectorInside(value, row, i % perRow, false);
      if (mask) {
        f.get(local);
        this.maskPart(mask, row, i % perRow, value.type, c.isSharedAfterLoops(value));
        selectLanes(c, value.type);
      }
      f.set(local);
    });
  }
}
